"""EvalPerf results: one JSON file with the profiled, *correct* samples of each task.

Only correct samples were kept, so the setting is marked ``resampled``: right for diversity, wrong
for pass@k. A file mixes HumanEval and Mbpp tasks: import it once per dataset with ``skip_unknown``.
"""

from collections.abc import Iterator
from pathlib import Path

from ingest.fields import Fields
from ingest.files import json_document, kind_of
from ingest.samples import Sample
from warehouse.errors import BadInput

RESAMPLED = True


def read(path: Path) -> Iterator[Sample]:
    """Yield the profiled samples of each task in order, each a whole program."""
    results = json_document(path)
    tasks = results.get("eval") if isinstance(results, dict) else None
    if not isinstance(tasks, dict):
        raise BadInput("expected an object whose 'eval' holds the tasks", path=path)
    for task_id, result in tasks.items():
        profiled = result.get("profiled") if isinstance(result, dict) else None
        if profiled is None:
            continue  # too few correct samples to profile
        if not isinstance(profiled, list):
            raise BadInput(f"'profiled' is {kind_of(profiled)}", path=path, row=task_id)
        for index, entry in enumerate(profiled):
            place = Fields(entry if isinstance(entry, dict) else {}, path, f"{task_id}[{index}]")
            yield Sample(
                row=place.row,
                task_id=task_id,
                sample_index=index,
                text=place.text("solution"),
                style="solution",
                claimed_pass=True,
            )
