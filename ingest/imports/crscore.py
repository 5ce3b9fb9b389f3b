"""CRScore's summaries of code changes: one description per line, for the dataset `codereviewer`.

Each line is what one language model said of one change (Naik et al. 2024, arXiv 2409.19801). It
imports as a description of that edit: the first half of a round trip. The file of gpt-4-0613 brings
one description per change, at a temperature that is not recorded.
"""

from collections.abc import Iterator
from pathlib import Path

from ingest.fields import Fields, json_objects
from ingest.imports.layout import JSON_LINES, Field, FileLayout, ImportFormat
from ingest.samples import Sample
from models.words import Style

LAYOUT = FileLayout(
    file=JSON_LINES + " One line per change. `--skip-unknown` passes over changes that the dataset "
    "leaves out.",
    fields=(
        Field(
            "id",
            "whole number or text",
            "The change: its number, or the dataset's name of the task.",
            required=True,
        ),
        Field("change_summary", "text", "What the language model said.", required=True),
        Field("prompt", "text", "What it was asked."),
    ),
    example=[
        {
            "id": "starter/ski_runs",
            "prompt": "Summarize the change.",
            "change_summary": "The change counts the runs.",
        }
    ],
)


def read(path: Path) -> Iterator[Sample]:
    """Yield one description per line, the answer to a chat."""
    for line in json_objects(path):
        yield Sample(
            row=line.row,
            task_id=_task(line),
            text=line.sample_text("change_summary"),
            style=Style.SOLUTION,
            prompt=line.optional_text("prompt"),
        )


def _task(line: Fields) -> str:
    if isinstance(line.required("id"), str):
        return line.text("id")
    number = line.optional_count("id")
    if number is None:
        raise line.bad("the field 'id' is null: it names the change")
    return str(number)


FORMAT = ImportFormat(__doc__, LAYOUT, read)
