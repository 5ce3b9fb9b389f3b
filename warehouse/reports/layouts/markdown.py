"""A result as a Markdown table."""

import re

from warehouse.reports.display import Layout, PrintedCell, printed_rows
from warehouse.snapshot.query import QueryResult


def markdown_table(result: QueryResult, layout: Layout) -> str:
    """Return a Markdown table: the best of a column in bold, NULL as ``--``.

    ``groups`` names columns whose values open a block of rows; rows must come ordered by them.
    Headings in ``spans`` go before those of their columns, for want of a second line.
    """
    shown = layout.shown
    over = [span.title for span in layout.spans for _ in range(span.n_columns)] or [""] * len(shown)
    rows = []
    for title, cells in printed_rows(result, layout):
        if title is not None:
            rows.append([f"*{escape(title)}*"] + [""] * (len(shown) - 1))
        rows.append(list(map(_cell, cells)))
    heading = [
        escape(f"{title} {column.heading(layout.percent)}".strip())
        for title, column in zip(over, shown, strict=True)
    ]
    rule = ["---:" if column.numeric else "---" for column in shown]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [heading, rule, *rows])


def escape(value: str) -> str:
    """Return text that Markdown prints as it is."""
    return re.sub(r"([\\`*_\[\]<>|~])", r"\\\1", value)


def _cell(cell: PrintedCell) -> str:
    if not cell.numeric:
        return escape(cell.text)
    value = f"**{cell.text}**" if cell.mark == "best" else cell.text
    return f"{value} {cell.interval}" if cell.interval else value
