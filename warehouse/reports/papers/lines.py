"""Tables 3 and 4 of the calibration paper: completed lines, arXiv 2402.02047, section 3.2.2.

A block per dataset of lines, those of all projects first; the paper's numbers come last, as
printed.
"""

from collections.abc import Iterator
from functools import partial

from warehouse.reports.display import Layout, ShownColumn, Span
from warehouse.reports.papers.sheet import Sheet
from warehouse.reports.query import query
from warehouse.snapshot.query import Reader

SHOWN = {"function": "with docstring", "function_without_docstring": "without", "original": "file"}
CELLS = {
    "pass_and_match": "both",
    "pass_only": "all-pass only",
    "match_only": "match only",
    "neither": "neither",
}


def sheets(version: int) -> Iterator[Sheet]:
    """Yield Table 3, docstring against none, and Table 4, all-pass against exact match."""
    view = f"line_completion_v{version}"
    rows = query("papers/lines/docstrings", view=view)
    title = "Line completion, with and without docstring"
    yield Sheet(3, "lines", title, view, rows, partial(_docstrings, rows))
    rows = query("papers/lines/notions", view=view)
    title = "Line completion, all-pass against exact match"
    yield Sheet(4, "lines", title, view, rows, partial(_notions, rows))


def _share(name: str, label: str, index: int) -> ShownColumn:
    return ShownColumn(name, label, index, True, fraction=True, better="up", decimals=2)


def _effect(name: str, index: int) -> ShownColumn:
    return ShownColumn(
        name, "effect", index, True, True, None, index + 1, index + 2, decimals=2, signed=True
    )


def _docstrings(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A row per language model and setting: both notions, with, without, and the effect."""
    shown = (
        ShownColumn("name", "language model", 1, False),
        ShownColumn("setting", "setting", 2, False),
        ShownColumn("n_lines", "lines", 3, True),
        _share("all_pass", "docstring", 4),
        _share("all_pass_without_docstring", "none", 5),
        _effect("all_pass_docstring_effect", 6),
        _share("exact_match", "docstring", 9),
        _share("exact_match_without_docstring", "none", 10),
        _effect("exact_match_docstring_effect", 11),
    )
    spans = (Span("", 3), Span("all-pass", 3), Span("exact match", 3))
    shown_rows = query("papers/lines/docstrings_shown", rows=rows)
    return shown_rows, Layout(groups=("block",), shown=shown, spans=spans, intervals=True)


def _notions(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A row per language model and setting: the four shares, which add up to all."""
    shown = (
        ShownColumn("name", "language model", 1, False),
        ShownColumn("shown_before", "shown", 2, False),
        ShownColumn("n_both_labels", "samples", 3, True),
        *(
            ShownColumn(name, label, 4 + index, True, fraction=True, decimals=2)
            for index, (name, label) in enumerate(CELLS.items())
        ),
    )
    shown_rows = query("papers/lines/notions_shown", rows=rows, shown=SHOWN)
    return shown_rows, Layout(groups=("block",), shown=shown)
