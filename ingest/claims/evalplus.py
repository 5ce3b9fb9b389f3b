"""EvalPlus results: ``*_eval_results.json``, one JSON object with the results of each task.

A result has two verdicts: of the tests of the first release (``base``) and of all (``plus``).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.claims.layout import (
    Claimed,
    ClaimedFile,
    ClaimFormat,
    Files,
    StoredClaims,
    by_task,
    json_file,
    json_lines_file,
)
from ingest.fields import Fields, object_at
from ingest.files import json_document
from ingest.imports.layout import JSON_DOCUMENT, Field, FileLayout
from warehouse.facts.claims import JudgedSamples

LAYOUT = FileLayout(
    file=JSON_DOCUMENT,
    fields=(
        Field("eval", "object", "The tasks, by name; each a list of results.", required=True),
        Field("eval.*[].base_status", "text", "`pass`, `fail` or `timeout`.", required=True),
        Field("eval.*[].plus_status", "text", "The same over the tests that EvalPlus adds."),
        Field("eval.*[].solution", "text", "The program, which finds the same sample here."),
    ),
    example={
        "date": "2026-01-01 00:00",
        "eval": {
            "starter/ski_runs": [
                {
                    "task_id": "starter/ski_runs",
                    "solution": "def ski_runs(heights):\n    return 0\n",
                    "base_status": "pass",
                    "plus_status": "fail",
                    "base_fail_tests": [],
                    "plus_fail_tests": [[[3, 1, 2]]],
                }
            ]
        },
    },
    lines=False,
    others="Each result is two claims: metric `base`, and `plus` where both statuses are `pass`. "
    "All other fields are kept for exports.",
)

PASSED = ("pass", "success")
FAILED = ("fail", "failed", "timeout", "timed out")


def read(path: Path) -> ClaimedFile:
    """Return the claims of a file: two for each sample that was tested further."""
    top = object_at(json_document(path), path, "the document")
    tasks = top.inner("eval")
    about = {name: value for name, value in top.values.items() if name != "eval"}
    return ClaimedFile(claims=_claims(tasks, path), claimant="EvalPlus", about=about)


def _claims(tasks: Fields, path: Path) -> Iterator[Claimed]:
    for task_id in tasks.values:
        results = tasks.values[task_id]
        if not isinstance(results, list):
            raise tasks.bad(f"the results of {task_id!r} are no list: an older layout of EvalPlus")
        for index, values in enumerate(results):
            place = object_at(values, path, f"{task_id}[{index}]")
            yield from _verdicts(place, task_id, index)


def _verdicts(place: Fields, task_id: str, index: int) -> Iterator[Claimed]:
    base = _status(place, "base_status")
    if base is None:
        raise place.bad("the field 'base_status' is missing")
    plus = _status(place, "plus_status")
    named: dict[str, Any] = {
        "row": place.row,
        "task_id": task_id,
        "sample_index": index,
        "text": place.optional_text("solution"),
    }
    yield Claimed(metric="base", passed=base in PASSED, status=base, record=place.values, **named)
    if plus is not None:
        both = base in PASSED and plus in PASSED
        yield Claimed(metric="plus", passed=both, status=plus, **named)


def _status(place: Fields, name: str) -> str | None:
    status = place.optional_text(name)
    if status is not None and status not in PASSED + FAILED:
        raise place.bad(f"the field {name!r} is {status!r}, no status of EvalPlus")
    return status


def restored(stored: StoredClaims) -> Files:
    """Return the file."""
    return {stored.name: json_file({**stored.about, "eval": by_task(stored)})}


def written(judged: JudgedSamples) -> Files:
    """Return our samples, which EvalPlus judges itself."""
    lines = ({"task_id": sample.task_id, "solution": sample.program} for sample in judged.samples)
    return {"samples.jsonl": json_lines_file(lines)}


FORMAT = ClaimFormat(__doc__, LAYOUT, read, restored, written)
