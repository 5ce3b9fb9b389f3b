"""MapCoder results: per line the programs of a task, and whether the last one passed.

A run tries a task until a program passes, so each program before the last one failed. Programs are
kept as the line has them (Islam et al. 2024, arXiv 2405.11403).
"""

from collections.abc import Iterator
from pathlib import Path

from ingest.fields import json_objects
from ingest.imports.layout import JSON_LINES, Field, FileLayout, ImportFormat
from ingest.samples import Sample
from models.words import Style

LAYOUT = FileLayout(
    file=JSON_LINES + " One line per task; a task may have several lines.",
    fields=(
        Field(
            "task_id",
            "whole number or text",
            "The dataset's name of the task, or its number alone.",
            required=True,
        ),
        Field(
            "source_codes",
            "list of texts",
            "Whole programs in the order of the tries: each is a sample.",
            required=True,
        ),
        Field(
            "is_solved",
            "true or false",
            "The maker's verdict on the last program, stored as a claim; earlier programs failed.",
        ),
    ),
    example=[
        {
            "task_id": "starter/ski_runs",
            "source_codes": ["def ski_runs(heights):\n    return 0\n"],
            "is_solved": False,
        }
    ],
)


def read(path: Path) -> Iterator[Sample]:
    """Yield each program of each line; ``is_solved`` is kept as a claim, not as a verdict."""
    for line in json_objects(path):
        number = line.values.get("task_id")
        named = isinstance(number, str) or number is None
        task = line.text("task_id") if named else str(line.optional_count("task_id"))
        solved, codes = line.optional_flag("is_solved"), line.sample_texts("source_codes")
        for number, text in enumerate(codes, 1):
            claimed = solved if number == len(codes) or solved is None else False
            yield Sample(
                row=line.row,
                task_id=task,
                text=text,
                style=Style.SOLUTION,
                claimed_pass=claimed,
            )


FORMAT = ImportFormat(__doc__, LAYOUT, read)
