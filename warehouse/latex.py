"""A result as a LaTeX table in the manner of booktabs."""

from collections.abc import Sequence

from warehouse.display import Column, Mark, group_title, interval, marks, number, text
from warehouse.query import Result

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
    result: Result,
    shown: Sequence[Column],
    *,
    groups: Sequence[str] = (),
    percent: bool = True,
    comment: str = "",
) -> str:
    """Return a tabular: the best of a column in bold, the second underlined, NULL as ``--``.

    ``groups`` names columns whose values open a block of rows; rows must come ordered by them.
    """
    best = marks(result, shown, percent=percent)
    lines = [
        f"% {escape(text(comment))}",
        r"% needs \usepackage{booktabs} and \usepackage[T1]{fontenc}",
        rf"\begin{{tabular}}{{{''.join('r' if column.numeric else 'l' for column in shown)}}}",
        r"\toprule",
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
            value = number(row[column.index], column, percent=percent)
            value = _marked(value, best.get((index, position)))
            bounds = interval(row, column, percent=percent)
            cells.append(f"{value} {{\\scriptsize {bounds}}}" if bounds else value)
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def escape(value: str) -> str:
    """Return text that LaTeX prints as it is."""
    return "".join(ESCAPES.get(character, character) for character in value)


def _heading(column: Column, percent: bool) -> str:
    unit = r" (\%)" if column.fraction and percent else ""
    return escape(column.label) + unit


def _marked(value: str, mark: Mark | None) -> str:
    if mark == "best":
        return rf"\textbf{{{value}}}"
    return rf"\underline{{{value}}}" if mark == "second" else value
