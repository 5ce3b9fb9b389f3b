"""Tables of a site: a query's result as cells, each number with the column that it is from."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warehouse.reports import display
from warehouse.reports.display import ShownColumn
from warehouse.snapshot.query import QueryResult
from warehouse.values import plain

Target = tuple[str, str]
"""An address and an anchor, which may be empty."""
Record = dict[str, Any]
KEY = re.compile(r"[0-9a-f]{32}")
SHOWN_OF_KEY = 8
NOWHERE: Mapping[str, Callable[[Record], Target | None]] = {}


@dataclass(frozen=True)
class Bar:
    """An interval as drawn: places from 0 to 100 of its ends, its estimate and of zero."""

    low: float
    at: float
    high: float
    zero: float


@dataclass(frozen=True)
class SiteCell:
    """One cell: its text, where it leads, and how it is drawn."""

    text: str
    numeric: bool = False
    target: Target | None = None
    mark: display.Mark | None = None
    interval: str | None = None
    bar: Bar | None = None
    hint: str = ""


@dataclass(frozen=True)
class SiteTable:
    """Rows under heads; ``view`` is where its numbers are from, ``sql`` the query to repeat it."""

    title: str
    view: str
    heads: Sequence[ShownColumn]
    rows: Sequence[Sequence[SiteCell]]
    sql: str
    more: str = ""


def table_of(
    title: str,
    view: str,
    result: QueryResult,
    sql: str,
    *,
    shown: Sequence[ShownColumn] | None = None,
    targets: Mapping[str, Callable[[Record], Target | None]] = NOWHERE,
    more: str = "",
) -> SiteTable:
    """Return a result as a table; ``targets`` say by column where a cell leads.

    A number without a target leads to the description of its column.
    """
    heads = list(shown if shown is not None else display.columns(result))
    best = display.marks(result, heads)
    scales = [_scale(result, head) for head in heads]
    rows = []
    for index, row in enumerate(result.rows):
        record = dict(zip(result.columns, row, strict=True))
        cells = []
        for position, head in enumerate(heads):
            find = targets.get(head.name)
            target = find(record) if find else None
            if head.numeric:
                target = target or (f"view/{view}", f"c-{head.name}")
            cells.append(_cell(row, head, target, best.get((index, position)), scales[position]))
        rows.append(cells)
    return SiteTable(title, view, heads, rows, sql, more)


def _cell(
    row: Sequence[Any],
    head: ShownColumn,
    target: Target | None,
    mark: display.Mark | None,
    scale: tuple[float, float],
) -> SiteCell:
    value = row[head.index]
    if not head.numeric:
        shown = display.text(value if isinstance(value, bool) or value is None else plain(value))
        if KEY.fullmatch(shown):
            return SiteCell(shown[:SHOWN_OF_KEY], target=target, hint=shown)
        return SiteCell(shown, target=target)
    return SiteCell(
        display.number(value, head),
        numeric=True,
        target=target if value is not None else None,
        mark=mark,
        interval=display.interval(row, head),
        bar=_bar(row, head, scale),
    )


def _scale(result: QueryResult, head: ShownColumn) -> tuple[float, float]:
    """Return the ends of the axis on which a column's intervals are drawn."""
    if head.low is None or head.high is None:
        return 0, 1
    ends = [row[end] for row in result.rows for end in (head.low, head.high)]
    known = [float(end) for end in ends if _is_finite(end)]
    low, high = min([0, *known]), max([0, *known])
    if head.fraction and not head.signed and low >= 0 and high <= 1:
        return 0, 1
    return (low, high) if high > low else (0, 1)


def _bar(row: Sequence[Any], head: ShownColumn, scale: tuple[float, float]) -> Bar | None:
    if head.low is None or head.high is None or head.name == "rank":
        return None
    values = [row[head.low], row[head.index], row[head.high], 0]
    if not all(_is_finite(value) for value in values):
        return None
    low, high = scale
    places = [round(100 * (float(value) - low) / (high - low), 1) for value in values]
    return Bar(*places)


def _is_finite(value: Any) -> bool:
    return value is not None and not isinstance(value, str | bool) and math.isfinite(value)
