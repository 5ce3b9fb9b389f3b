"""LLMDebugger seeds: one line per task, the first ``solution`` and whether it ``is_solved``.

A solution is kept as its line has it, which is what its makers ran. Its MBPP prompts leave out the
imports of the code they were cut from; ``--truncate canonical_imports_v1`` puts those of the line's
own ``canonical_solution`` before it.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from ingest.fields import json_objects
from ingest.imports.layout import JSON_LINES, TASK, Field, FileLayout, ImportFormat
from ingest.samples import Sample
from models.words import Style

IMPORT = re.compile(r"^(?:import|from) .+$", re.MULTILINE)

LAYOUT = FileLayout(
    file=JSON_LINES + " One line per task.",
    fields=(
        TASK,
        Field("prompt", "text", "The prompt as it was asked.", required=True),
        Field("solution", "text", "The first answer: a whole program.", required=True),
        Field(
            "canonical_solution",
            "text",
            "The maker's reference: its imports go before the solution under "
            "`--truncate canonical_imports_v1`.",
            required=True,
        ),
        Field("is_solved", "true or false", "The maker's verdict: kept as a claim."),
    ),
    example=[
        {
            "task_id": "starter/ski_runs",
            "prompt": "def ski_runs(heights):\n",
            "solution": "def ski_runs(heights):\n    return 0\n",
            "canonical_solution": "import math\n",
            "is_solved": False,
        }
    ],
)


def read(path: Path) -> Iterator[Sample]:
    """Yield one whole program per line; ``is_solved`` is kept as a claim, not as a verdict."""
    for line in json_objects(path):
        yield Sample(
            row=line.row,
            task_id=line.text("task_id"),
            prompt=line.text("prompt"),
            text=line.sample_text("solution"),
            style=Style.SOLUTION,
            claimed_pass=line.optional_flag("is_solved"),
            canonical_imports=_imports(line.text("canonical_solution")),
        )


def _imports(code: str) -> str:
    return "".join(f"{found.strip()}\n" for found in IMPORT.findall(code))


FORMAT = ImportFormat(__doc__, LAYOUT, read)
