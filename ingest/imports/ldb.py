"""LLMDebugger seeds: one line per task, the first ``solution`` and whether it ``is_solved``."""

from collections.abc import Iterator
from pathlib import Path

from ingest.fields import Fields
from ingest.files import json_lines
from ingest.samples import Sample


def read(path: Path) -> Iterator[Sample]:
    """Yield one whole program per line; ``is_solved`` is kept as a claim, not as a verdict."""
    for row, values in json_lines(path):
        line = Fields(values, path, row)
        yield Sample(
            row=row,
            task_id=line.text("task_id"),
            prompt=line.text("prompt"),
            text=line.text("solution"),
            style="solution",
            claimed_pass=line.optional_flag("is_solved"),
        )
