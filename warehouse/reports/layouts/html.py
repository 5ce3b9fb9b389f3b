"""A result as an HTML page with one table, made by Great Tables."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from warehouse.reports.display import Layout, PrintedCell, printed_rows
from warehouse.snapshot.query import QueryResult

if TYPE_CHECKING:
    from great_tables import GT

BLOCK = "block"
PAGE = Markup(
    """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{}</title>
</head>
<body>
<main>
{}
</main>
</body>
</html>
"""
)
INTERVAL = Markup(' <span style="color:#595959;font-size:85%">{}</span>')
MARKS = {"best": {"weight": "bold"}, "second": {"decorate": "underline"}}


def html_table(result: QueryResult, layout: Layout) -> str:
    """Return a whole page: the best of a column in bold, the second underlined, NULL as ``--``.

    ``groups`` names columns whose values open a block of rows; rows must come ordered by them.
    ``spans`` is a line of headings over several columns each, from the left.
    """
    import pandas as pd
    from great_tables import GT, html

    names = [f"c{position}" for position in range(len(layout.shown))]
    blocks, rows = [], []
    block = ""
    for title, cells in printed_rows(result, layout):
        block = block if title is None else title
        blocks.append(block)
        rows.append(cells)
    texts = pd.DataFrame([list(map(_cell, cells)) for cells in rows], columns=names, dtype=object)
    if layout.groups:
        texts[BLOCK] = blocks
    table = GT(texts, groupname_col=BLOCK if layout.groups else None, id="assay")
    table = table.fmt(str, columns=names)
    headings = (html(escape(column.heading(layout.percent))) for column in layout.shown)
    table = table.cols_label(dict(zip(names, headings, strict=True)))
    for align, numeric in (("right", True), ("left", False)):
        chosen = [n for n, c in zip(names, layout.shown, strict=True) if c.numeric is numeric]
        table = table.cols_align(align, columns=chosen) if chosen else table
    table = _spanned(_marked(table, names, rows), names, layout)
    if layout.title:
        table = table.tab_source_note(html(escape(layout.title)))
    return PAGE.format(layout.title, Markup(table.as_raw_html()))


def _cell(cell: PrintedCell) -> str:
    return str(escape(cell.text) + (INTERVAL.format(cell.interval) if cell.interval else ""))


def _marked(table: "GT", names: Sequence[str], rows: Sequence[Sequence[PrintedCell]]) -> "GT":
    from great_tables import loc, style

    for position, name in enumerate(names):
        for mark, how in MARKS.items():
            marked = [at for at, cells in enumerate(rows) if cells[position].mark == mark]
            if marked:
                text: Any = style.text(**how)
                table = table.tab_style(text, loc.body(columns=[name], rows=marked))
    return table


def _spanned(table: "GT", names: Sequence[str], layout: Layout) -> "GT":
    from great_tables import html

    start = 0
    for number, span in enumerate(layout.spans):
        over = list(names[start : start + span.n_columns])
        start += span.n_columns
        if span.title:
            table = table.tab_spanner(html(escape(span.title)), columns=over, id=f"span{number}")
    return table
