"""README's comparison: published answers of CodeLlama and StarCoder to HumanEval, run here."""

import json
from pathlib import Path

import pytest

from tests.data import FILES, ROOT, shared
from tests.support.commands import assay
from tests.support.steps import build, execute, import_generations, ingest_dataset

pytestmark = pytest.mark.long(seconds=100)

LMS = {"codellama": "CodeLlama", "starcoder": "StarCoder"}


def test_codellama_beside_starcoder_on_humaneval(home: Path) -> None:
    ingest_dataset("humaneval", shared(FILES["humaneval"]))
    for file, lm in LMS.items():
        path = shared(f"generations/ldb_seeds/humaneval/{file}.jsonl")
        import_generations(path, format="ldb", dataset="humaneval", lm=lm)
    assert execute().failing_canaries == []
    build()
    done = assay("compare", *LMS.values(), "--flips", "--json", "--warehouse")
    (row,) = json.loads(done.stdout)
    assert (row["n_common"], row["n_only_a"], row["n_only_b"]) == (164, 30, 11)
    assert (row["n_both"], row["n_neither"], len(row["flips"])) == (51, 72, 41)
    assert row["test"] == "mcnemar"
    assert round(row["p_value"], 4) == 0.0043
    assert round(100 * row["difference"], 1) == 11.6
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    told = f"{row['n_only_a']} problems, StarCoder alone {row['n_only_b']}"
    assert told in " ".join(readme.split())
