"""A dataset of another language from its file to the leaderboard's numbers."""

import gzip
import json
from pathlib import Path

import pytest

from runners.judging.languages import pool
from tests.runners.judging.languages import hostile
from tests.support.commands import assay
from tests.support.sql import rows
from tests.support.steps import build, execute, import_generations, ingest_dataset

pytestmark = pytest.mark.long(seconds=100)


def dataset(folder: Path) -> Path:
    """Write three problems in the layout of HumanEval-X."""
    path = folder / "problems.jsonl.gz"
    with gzip.open(path, "wt") as file:
        for n in range(3):
            row = {
                "task_id": f"JavaScript/{n}",
                "prompt": "/* Return the number after x. */\nconst f = (x) => {\n",
                "declaration": "const f = (x) => {\n",
                "canonical_solution": "  return x + 1\n}\n" if n < 2 else "  return x\n}\n",
                "test": hostile.TESTS["javascript"] + f"// {n}\n",
                "example_test": "",
            }
            file.write(json.dumps(row) + "\n")
    return path


def ingested(folder: Path) -> None:
    ingest_dataset("humaneval_x_js", dataset(folder), unpinned=True)
    samples = folder / "samples.jsonl"
    answers = ["  return 1 + x\n}\nmore {", "  return 2\n}\n", "  process.exit(0)\n}\n"]
    with samples.open("w") as file:
        for n in range(3):
            for text in answers:
                row = {"task_id": f"JavaScript/{n}", "completion": text}
                file.write(json.dumps(row) + "\n")
    import_generations(
        samples, format="humaneval", dataset="humaneval_x_js", lm="m", truncate="braces_end_v1"
    )


def test_from_file_to_pass_at_k(home: Path, tmp_path: Path) -> None:
    if reason := pool.not_here("humaneval_x_js", "auto"):
        pytest.skip(reason)
    ingested(tmp_path)
    report = execute(progress=False)
    assert [line.partition(" ")[0] for line in report.rejected_problems] == ["JavaScript/2"]
    assert report.verdicts == {"passed": 2, "failed": 2, "error": 2}
    found = rows("select distinct integrity, isolation from raw.outcome")
    assert [row[0] for row in found] == ["same_interpreter"]
    build(select="+pass_at_k_v1")
    (row,) = rows("select pass_at_k from pass_at_k_v1 where k = 1")
    assert row[0] == pytest.approx(1 / 3)


def test_an_absent_tool_is_said_and_leaves_no_row(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingested(tmp_path)
    monkeypatch.setattr("runners.judging.languages.base.shutil.which", lambda *_, **__: None)
    done = assay("execute", "--no-progress")
    assert done.returncode == 1
    assert "humaneval_x_js: javascript: node not found" in done.stderr
    assert "install the Debian package nodejs" in done.stderr
    assert rows("select count(*) from raw.admission") == [(0,)]
    said = assay("doctor").stdout
    assert "install the Debian package nodejs" in said


def test_mutations_and_similarity_leave_other_languages_alone(home: Path, tmp_path: Path) -> None:
    ingested(tmp_path)
    done = assay("mutate", "humaneval_x_js")
    assert done.returncode != 0
    assert "mutations read Python alone" in done.stderr
    done = assay("similarity")
    assert done.returncode == 0
    assert rows("select count(*) from raw.pair_count_block") == [(0,)]
