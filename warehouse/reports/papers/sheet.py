"""The parts of a paper's table, the same for each paper."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from warehouse.errors import BadInput
from warehouse.reports.display import Layout
from warehouse.snapshot.query import Reader


@dataclass(frozen=True)
class Sheet:
    """One table: the query of its rows as stored, and how they are laid out for eyes.

    ``laid_out`` asks the reader what there is, and returns the query of the rows as printed and
    how its columns look. ``kind`` is figure where the paper draws these numbers; only what the
    paper has a table of has a number.
    """

    number: int | None
    name: str
    title: str
    view: str
    rows: str
    laid_out: Callable[[Reader], tuple[str, Layout]]
    kind: Literal["table", "figure"] = "table"


@dataclass(frozen=True)
class Paper:
    """What makes the tables of a paper of a version of the views, and says why all are empty.

    ``why_empty`` says what is missing and which command makes it.
    """

    sheets: Callable[[int], Iterator[Sheet]]
    why_empty: Callable[[Reader, int], str]


class NotBuilt(BadInput):
    """A view of the project that this snapshot or warehouse does not have."""


def versioned(reader: Reader, name: str, version: int) -> str:
    """Return a versioned view's name.

    Raises NotBuilt where it is not here, and BadInput where the project has no such version.
    """
    found = f"{name}_v{version}"
    views = [view for schema, view, _ in reader.tables() if schema == "main"]
    if found in views:
        return found
    from warehouse.views.describe import view_names  # reads the dbt project

    pattern, known = re.compile(rf"{re.escape(name)}_v(\d+)"), {*views, *view_names()}
    there = sorted(int(match[1]) for view in known if (match := pattern.fullmatch(view)))
    if there and version not in there:
        versions = ", ".join(map(str, there))
        raise BadInput(f"there is no view {found}: versions of {name} are {versions}")
    then = " and `assay publish`" if reader.snapshot else ""
    raise NotBuilt(f"the view {found} is not built: run `assay build`{then}")
