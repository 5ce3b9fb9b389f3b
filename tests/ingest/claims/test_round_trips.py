"""Public files of other harnesses come in, and are written again with nothing lost."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ingest.claims import CLAIM_FORMATS
from ingest.claims.exporter import ResultsSpec, write_results
from tests.data import shared
from tests.support.sql import rows
from tests.support.steps import import_claims

INSPECT = (
    "2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval",
    "log_streaming.eval",
    "log_message_deduplication.eval",
    "data_arc_qwen.json",
    "data_pubmedqa_gpt4o_mini.json",
)
HELM = "commonsense-dataset=hellaswag,method=multiple_choice_joint,model=eleutherai_pythia-1b-v0"
LM_EVAL = "2026-01-21T03-44-18.458309"
REAL = [
    ("livecodebench", "livecodebench/o1-mini-2024-09-12.eval_all.json", 880),
    *(("inspect", f"inspect/{name}", n) for name, n in zip(INSPECT, (10, 4, 1, 3, 2), strict=True)),
    ("lm_eval", "lm_eval", 14),
    ("lm_eval", f"lm_eval/samples_math_perturbed_full_{LM_EVAL}.jsonl", 10),
    ("lm_eval", f"lm_eval/results_{LM_EVAL}.json", 4),
    ("eee", "eee/98ea850e-7019-4728-a558-8b1819ec47c2.json", 6),
    ("helm", f"helm/{HELM}", 40),
    ("helm", f"helm/{HELM}/per_instance_stats.json", 40),
]
FACTS = (
    "select dataset, task_id, sample_index, metric, passed, score, status, text_key "
    "from raw.claim join raw.claim_source using (claim_source_id) where label = '{}' order by all"
)


def contents(path: Path) -> Any:
    """Return what a file or folder holds, whatever its spaces."""
    if path.is_dir():
        return {file.name: contents(file) for file in path.iterdir()}
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return {name: json.loads(archive.read(name)) for name in archive.namelist()}
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text().splitlines()]
    return json.loads(path.read_text())


def round_trip(name: str, path: Path, folder: Path, dataset: str | None = "elsewhere") -> int:
    """Import a file, write it, compare, import that, compare; return the number of claims."""
    given = {"format": name, "lm": "m", "dataset": dataset, "not_here": True}
    report = import_claims(path, label="first", **given)
    written = write_results(ResultsSpec(format=name, lm="m", out=folder / "out", claimed=True))
    assert written.files
    again = folder / "out" / path.name
    assert contents(again) == contents(path)
    import_claims(again, label="second", **given)
    assert rows(FACTS.format("first")) == rows(FACTS.format("second")) != []
    return report.n_claims


@pytest.mark.parametrize(("name", "place", "n_claims"), REAL)
def test_a_real_file_is_written_as_it_was(
    name: str, place: str, n_claims: int, starter: Path, tmp_path: Path
) -> None:
    path = shared(f"bridges/{place}")
    dataset = "hellaswag" if path.name == "per_instance_stats.json" else None
    assert round_trip(name, path, tmp_path, dataset) == n_claims


@pytest.mark.parametrize("name", CLAIM_FORMATS)
def test_an_example_is_written_as_it_was(name: str, starter: Path, tmp_path: Path) -> None:
    layout = CLAIM_FORMATS.load(name).layout
    path = tmp_path / ("results.jsonl" if layout.lines else "results.json")
    values = layout.example if layout.lines else [layout.example]
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    assert round_trip(name, path, tmp_path) >= 1


MADE = {
    "bigcode": {"humaneval": {"pass@1": 0.25}, "config": {"model": "m", "temperature": 0.2}},
    "swe_bench": {"astropy__astropy-1": {"resolved": True, "patch_exists": True}},
}


@pytest.mark.parametrize("name", MADE)
def test_the_other_layout_of_a_format(name: str, starter: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps(MADE[name]))
    assert round_trip(name, path, tmp_path) == 1


def test_the_recorded_pass_rate_of_o1_mini(starter: Path) -> None:
    """Its file says 68.4 % of 880 problems, and the same of each problem."""
    path = shared("bridges/livecodebench/o1-mini-2024-09-12.eval_all.json")
    import_claims(path, format="livecodebench", lm="o1-mini", not_here=True)
    ((passed, n),) = rows("select count_if(passed), count(*) from raw.claim")
    entries = json.loads(path.read_text())
    assert (passed, n) == (sum(entry["pass@1"] for entry in entries), 880)
    assert round(passed / n, 3) == 0.684
