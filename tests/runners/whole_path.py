"""The whole path of a sample: ingest, import, execute, build, and the verdict that counts."""

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.data import humaneval_by_task
from tests.support.sql import rows
from tests.support.steps import build, execute, import_generations, ingest_dataset


@dataclass(frozen=True)
class PathRows:
    """What the views say of one sample, and how its problem was judged."""

    verdict: str
    integrity: str


def real(*task_ids: str) -> list[dict[str, Any]]:
    """Return problems of HumanEval as released; skips where the real data is absent."""
    problems = humaneval_by_task()
    return [problems[task_id] for task_id in task_ids]


def problem(task_id: str, tests: str, reference: str, prompt: str = "") -> dict[str, Any]:
    """Return a problem in HumanEval's format: write ``f``, whose whole definition is given."""
    return {
        "task_id": task_id,
        "entry_point": "f",
        "prompt": prompt,
        "canonical_solution": reference,
        "test": tests,
    }


def verdicts(
    folder: Path, problems: Sequence[Mapping[str, Any]], samples: Mapping[str, Sequence[str]]
) -> dict[str, list[PathRows]]:
    """Import completions by task, execute and build; return what was found for each, in order."""
    dataset = folder / "problems.jsonl.gz"
    with gzip.open(dataset, "wt") as out:
        out.writelines(json.dumps(one) + "\n" for one in problems)
    lines = [
        {"task_id": task_id, "completion": text} for task_id in samples for text in samples[task_id]
    ]
    file = folder / "samples.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ingest_dataset("humaneval", dataset, unpinned=True)
    import_generations(file, format="humaneval", dataset="humaneval", lm="made")
    report = execute(progress=False)
    assert report.failing_canaries == report.rejected_problems == []
    build()
    found: dict[str, list[PathRows]] = {task_id: [] for task_id in samples}
    said = rows(
        """
        select task_id, verdict, integrity from generation_verdicts_v1
        order by task_id, sample_index
        """
    )
    for task_id, verdict, integrity in said:
        found[task_id].append(PathRows(verdict, integrity))
    return found
