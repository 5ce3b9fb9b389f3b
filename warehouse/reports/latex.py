"""A result as a LaTeX table in the manner of booktabs."""

from collections.abc import Sequence

from warehouse.reports.display import (
    NULL_SHOWN,
    Mark,
    ShownColumn,
    Span,
    group_title,
    interval,
    marks,
    number,
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


def latex_table(
    result: QueryResult,
    shown: Sequence[ShownColumn],
    *,
    groups: Sequence[str] = (),
    percent: bool = True,
    comment: str = "",
    spans: Sequence[Span] = (),
) -> str:
    """Return a tabular: the best of a column in bold, the second underlined, NULL as ``--``.

    ``groups`` names columns whose values open a block of rows; rows must come ordered by them.
    ``spans`` is a first line of headings over several columns each, from the left.
    """
    best = marks(result, shown, percent=percent)
    lines = [
        f"% {escape(text(comment))}",
        r"% needs \usepackage{booktabs} and \usepackage[T1]{fontenc}",
        rf"\begin{{tabular}}{{{''.join('r' if column.numeric else 'l' for column in shown)}}}",
        r"\toprule",
        *_spanning(spans),
        " & ".join(_heading(column, percent) for column in shown) + r" \\",
    ]
    if not groups:
        lines.append(r"\midrule")
    before = None
    for index, row in enumerate(result.rows):
        title = group_title(result, row, groups)
        if title != before and groups:
            lines.append(r"\midrule")
            lines.append(rf"\multicolumn{{{len(shown)}}}{{l}}{{\textit{{{escape(title)}}}}} \\")
        before = title
        cells = []
        for position, column in enumerate(shown):
            if not column.numeric:
                cells.append(escape(text(row[column.index])))
                continue
            value = _minus(number(row[column.index], column, percent=percent))
            value = _marked(value, best.get((index, position)))
            bounds = _minus(interval(row, column, percent=percent) or "")
            cells.append(f"{value} {{\\scriptsize {bounds}}}" if bounds else value)
        lines.append(" & ".join(cells) + r" \\")
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


def _heading(column: ShownColumn, percent: bool) -> str:
    unit = r" (\%)" if column.fraction and percent else ""
    return escape(column.label) + unit


def _minus(value: str) -> str:
    return value if value == NULL_SHOWN else value.replace("-", "$-$")


def _marked(value: str, mark: Mark | None) -> str:
    if mark == "best":
        return rf"\textbf{{{value}}}"
    return rf"\underline{{{value}}}" if mark == "second" else value
