"""LLMDebugger seeds: one line per task, the first ``solution`` and whether it ``is_solved``.

Its harness runs every program behind a fixed header of imports, and ``is_solved`` was decided so;
the text kept is therefore the program it ran, header and all.
"""

from collections.abc import Iterator
from pathlib import Path

from ingest.fields import Fields
from ingest.files import json_lines
from ingest.samples import Sample

HEADER = """\
import heapq
import itertools
import math
import re
import typing
from heapq import *
from typing import *
"""


def read(path: Path) -> Iterator[Sample]:
    """Yield one whole program per line; ``is_solved`` is kept as a claim, not as a verdict."""
    for row, values in json_lines(path):
        line = Fields(values, path, row)
        yield Sample(
            row=row,
            task_id=line.text("task_id"),
            prompt=line.text("prompt"),
            text=HEADER + line.text("solution"),
            style="solution",
            claimed_pass=line.optional_flag("is_solved"),
        )
