"""human-eval's ``samples.jsonl``: one line per sample, ``task_id`` and ``completion``.

The results file it writes beside it (with ``passed``) reads too: the verdict is kept as claimed.
"""

from collections.abc import Iterator
from pathlib import Path

from ingest.fields import Fields
from ingest.files import json_lines
from ingest.samples import Sample


def read(path: Path) -> Iterator[Sample]:
    """Yield the samples in the order of the file, each a completion of the task's prompt."""
    for row, values in json_lines(path):
        line = Fields(values, path, row)
        yield Sample(
            row=row,
            task_id=line.text("task_id"),
            text=line.text("completion"),
            claimed_pass=line.optional_flag("passed"),
        )
