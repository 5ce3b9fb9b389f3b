"""EvalPerf results: one JSON file with the profiled, *correct* samples of each task.

Only correct samples were kept, so the setting is marked ``resampled``: right for diversity, wrong
for pass@k. A file mixes HumanEval and Mbpp tasks: import it once per dataset with ``skip_unknown``.
"""

from collections.abc import Iterator
from pathlib import Path

from ingest.fields import Fields
from ingest.files import json_document, kind_of
from ingest.imports.layout import JSON_DOCUMENT, Field, FileLayout, ImportFormat
from ingest.samples import Sample
from models.words import Style
from warehouse.errors import BadInput

LAYOUT = FileLayout(
    file=JSON_DOCUMENT + " Only right samples were kept in it, so its setting is marked "
    "`resampled`: for diversity, not for pass@k. `--skip-unknown` passes over the tasks of another "
    "dataset.",
    fields=(
        Field("eval", "object", "From the name of a task to its results.", required=True),
        Field(
            "eval.TASK.profiled",
            "list of objects",
            "The samples that were profiled; null or absent where too few were right.",
        ),
        Field("eval.TASK.profiled[].solution", "text", "A whole program.", required=True),
    ),
    example={
        "eval": {
            "starter/ski_runs": {
                "profiled": [{"solution": "def ski_runs(heights):\n    return 0\n"}]
            },
            "starter/tide_marks": {"profiled": None},
        }
    },
    lines=False,
)


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
                text=place.sample_text("solution"),
                style=Style.SOLUTION,
                claimed_pass=True,
            )


FORMAT = ImportFormat(__doc__, LAYOUT, read, resampled=True)
