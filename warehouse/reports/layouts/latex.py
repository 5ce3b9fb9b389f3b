"""A result as a LaTeX table in the manner of booktabs."""

from collections.abc import Sequence

from warehouse.reports.display import (
    NULL_SHOWN,
    Layout,
    PrintedCell,
    Span,
    printed_rows,
    text,
)
from warehouse.snapshot.query import QueryResult

ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
}

MARKS = {"best": "textbf", "second": "underline"}


def latex_table(result: QueryResult, layout: Layout) -> str:
    """Return a tabular: the best of a column in bold, the second underlined, NULL as ``--``.

    ``groups`` names columns whose values open a block of rows; rows must come ordered by them.
    ``spans`` is a first line of headings over several columns each, from the left.
    """
    shown = layout.shown
    lines = [
        f"% {escape(text(layout.title))}",
        r"% needs \usepackage{booktabs} and \usepackage[T1]{fontenc}",
        rf"\begin{{tabular}}{{{''.join('r' if column.numeric else 'l' for column in shown)}}}",
        r"\toprule",
        *_spanning(layout.spans),
        " & ".join(escape(column.heading(layout.percent)) for column in shown) + r" \\",
    ]
    if not layout.groups:
        lines.append(r"\midrule")
    for title, cells in printed_rows(result, layout):
        if title is not None:
            lines.append(r"\midrule")
            lines.append(rf"\multicolumn{{{len(shown)}}}{{l}}{{\textit{{{escape(title)}}}}} \\")
        lines.append(" & ".join(map(_cell, cells)) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def escape(value: str) -> str:
    """Return text that LaTeX prints as it is."""
    return "".join(ESCAPES.get(character, character) for character in value)


def _spanning(spans: Sequence[Span]) -> list[str]:
    if not spans:
        return []
    cells, rules, first = [], [], 1
    for span in spans:
        last = first + span.n_columns - 1
        cells.append(rf"\multicolumn{{{span.n_columns}}}{{c}}{{{escape(text(span.title))}}}")
        if span.title:
            rules.append(rf"\cmidrule(lr){{{first}-{last}}}")
        first = last + 1
    return [" & ".join(cells) + r" \\", " ".join(rules)]


def _minus(value: str) -> str:
    return value if value == NULL_SHOWN else value.replace("-", "$-$")


def _cell(cell: PrintedCell) -> str:
    if not cell.numeric:
        return escape(cell.text)
    value = _minus(cell.text)
    if cell.mark:
        value = rf"\{MARKS[cell.mark]}{{{value}}}"
    return f"{value} {{\\scriptsize {_minus(cell.interval)}}}" if cell.interval else value
