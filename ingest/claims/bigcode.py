"""Results of the bigcode harness (``evaluation_results.json``) and of BigCodeBench.

The first has numbers over whole datasets; the second (``*_eval_results.json``) each sample's.
"""

from collections.abc import Iterator
from pathlib import Path

from ingest.claims.layout import (
    Claimed,
    ClaimedFile,
    ClaimFormat,
    Files,
    StoredClaims,
    by_task,
    json_file,
)
from ingest.fields import Fields, object_at
from ingest.files import json_document, kind_of
from ingest.imports.layout import JSON_DOCUMENT, Field, FileLayout
from warehouse.facts.claims import JudgedSamples

LAYOUT = FileLayout(
    file=JSON_DOCUMENT,
    fields=(
        Field("eval", "object", "BigCodeBench: the tasks, by name; each a list of results."),
        Field("eval.*[].status", "text", "`pass`, `fail` or `timeout`.", required=True),
        Field("eval.*[].solution", "text", "The program, which finds the same sample here."),
        Field("TASK.METRIC", "number", "bigcode: a metric of a dataset, such as `pass@1`."),
        Field("config.model", "text", "bigcode: the language model, unless `--lm` names it."),
    ),
    example={
        "eval": {
            "starter/ski_runs": [
                {
                    "task_id": "starter/ski_runs",
                    "solution": "def ski_runs(heights):\n    return 0\n",
                    "status": "fail",
                    "details": {"test_case_1": "AssertionError"},
                }
            ]
        }
    },
    lines=False,
    others="All other fields are kept for exports.",
)

STATUSES = {"pass": True, "fail": False, "timeout": False}


def read(path: Path) -> ClaimedFile:
    """Return the claims of a file."""
    top = object_at(json_document(path), path, "document")
    if "eval" in top.values:
        about = {name: value for name, value in top.values.items() if name != "eval"}
        claims = _of_samples(top.inner("eval"))
        return ClaimedFile(claims=claims, claimant="BigCodeBench", about=about)
    config = top.values.get("config")
    model = config.get("model") if isinstance(config, dict) else None
    return ClaimedFile(
        claims=_totals(top),
        claimant="bigcode-evaluation-harness",
        lm=model if isinstance(model, str) else None,
        about=top.values,
    )


def _of_samples(tasks: Fields) -> Iterator[Claimed]:
    for task_id in tasks.values:
        for index, values in enumerate(tasks.entries(task_id)):
            place = object_at(values, tasks.path, f"{task_id}[{index}]")
            status = place.text("status")
            if status not in STATUSES:
                raise place.bad(f"the field 'status' is {status!r}, no status of BigCodeBench")
            yield Claimed(
                row=place.row,
                task_id=task_id,
                sample_index=index,
                passed=STATUSES[status],
                status=status,
                text=place.optional_text("solution"),
                record=place.values,
                dataset="bigcodebench",
            )


def _totals(top: Fields) -> Iterator[Claimed]:
    for task, metrics in top.values.items():
        if task == "config":
            continue
        if not isinstance(metrics, dict):
            raise top.bad(f"the field {task!r} is {kind_of(metrics)}, expected an object")
        for name, value in metrics.items():
            score = top.check_number(value, f"{task}.{name}")
            yield Claimed(
                row=f"{task}.{name}", task_id=None, metric=name, score=score, dataset=task
            )


def restored(stored: StoredClaims) -> Files:
    """Return the file."""
    of_samples = {"eval": by_task(stored)} if stored.records else {}
    return {stored.name: json_file({**stored.about, **of_samples})}


def written(judged: JudgedSamples) -> Files:
    """Return our samples, a list for each task, which the bigcode harness judges itself."""
    programs: dict[str, list[str]] = {}
    for sample in judged.samples:
        programs.setdefault(sample.task_id, []).append(sample.program)
    return {"generations.json": json_file(list(programs.values()))}


FORMAT = ClaimFormat(__doc__, LAYOUT, read, restored, written)
