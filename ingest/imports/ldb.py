"""LLMDebugger seeds: one line per task, the first ``solution`` and whether it ``is_solved``.

Its MBPP prompts leave out the imports of the code they were cut from, and its harness gives them
back: a solution is kept behind the imports of its line's own ``canonical_solution``.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from ingest.fields import Fields
from ingest.files import json_lines
from ingest.samples import Sample

IMPORT = re.compile(r"^(?:import|from) .+$", re.MULTILINE)


def read(path: Path) -> Iterator[Sample]:
    """Yield one whole program per line; ``is_solved`` is kept as a claim, not as a verdict."""
    for row, values in json_lines(path):
        line = Fields(values, path, row)
        yield Sample(
            row=row,
            task_id=line.text("task_id"),
            prompt=line.text("prompt"),
            text=_imports(line.text("canonical_solution")) + line.text("solution"),
            style="solution",
            claimed_pass=line.optional_flag("is_solved"),
        )


def _imports(code: str) -> str:
    return "".join(f"{found.strip()}\n" for found in IMPORT.findall(code))
