"""The BigCode harness's ``generations.json``: a list of lists of whole programs.

The n-th list belongs to the n-th problem of the dataset, counted from ``first_position`` where the
harness ran with ``--limit_start``. Its MBPP begins at task 11, position 10 of the full release.
Rows are counted as ``problem[sample]``, from 0.
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
    file=JSON_DOCUMENT + " A list with a list per problem, in the order of the dataset from "
    "`--first-position` on.",
    fields=(
        Field("[]", "list", "The samples of one problem; it may be empty.", required=True),
        Field("[][]", "text", "A sample: the whole program.", required=True),
    ),
    example=[["def apple_grades(weights, spots):\n    return {}\n"], []],
    lines=False,
    others="A list names no fields.",
)


def read(path: Path) -> Iterator[Sample]:
    """Yield the samples problem by problem: the harness puts the prompt before a completion."""
    problems = json_document(path)
    if not isinstance(problems, list):
        raise BadInput(f"expected a list of lists, found {kind_of(problems)}", path=path)
    for position, samples in enumerate(problems):
        if not isinstance(samples, list):
            raise BadInput(f"expected a list, found {kind_of(samples)}", path=path, row=position)
        for index, text in enumerate(samples):
            place = Fields({}, path, f"{position}[{index}]")
            yield Sample(
                row=place.row,
                position=position,
                sample_index=index,
                text=place.check_sample_text(text, "sample"),
                style=Style.SOLUTION,
            )


FORMAT = ImportFormat(__doc__, LAYOUT, read)
