"""A result as a Markdown table."""

import re
from collections.abc import Sequence

from warehouse.reports.display import ShownColumn, Span, group_title, interval, marks, number, text
from warehouse.snapshot.query import QueryResult


def markdown_table(
    result: QueryResult,
    shown: Sequence[ShownColumn],
    *,
    groups: Sequence[str] = (),
    percent: bool = True,
    spans: Sequence[Span] = (),
) -> str:
    """Return a Markdown table: the best of a column in bold, NULL as ``--``.

    ``groups`` names columns whose values open a block of rows; rows must come ordered by them.
    Headings in ``spans`` go before those of their columns, for want of a second line.
    """
    over = [span.title for span in spans for _ in range(span.n_columns)] or [""] * len(shown)
    best = marks(result, shown, percent=percent)
    rows = []
    before = None
    for index, row in enumerate(result.rows):
        title = group_title(result, row, groups)
        if title != before and groups:
            rows.append([f"*{escape(title)}*"] + [""] * (len(shown) - 1))
        before = title
        cells = []
        for position, column in enumerate(shown):
            if not column.numeric:
                cells.append(escape(text(row[column.index])))
                continue
            value = number(row[column.index], column, percent=percent)
            if best.get((index, position)) == "best":
                value = f"**{value}**"
            bounds = interval(row, column, percent=percent)
            cells.append(f"{value} {bounds}" if bounds else value)
        rows.append(cells)
    heading = [
        escape(f"{title} {column.label}".strip()) + (" (%)" if column.fraction and percent else "")
        for title, column in zip(over, shown, strict=True)
    ]
    rule = ["---:" if column.numeric else "---" for column in shown]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [heading, rule, *rows])


def escape(value: str) -> str:
    """Return text that Markdown prints as it is."""
    return re.sub(r"([\\`*_\[\]<>|~])", r"\\\1", value)
