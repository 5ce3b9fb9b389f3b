"""The tables of the round-trip paper: arXiv 2402.08699.

Tables 2 and 3 as the paper has them, the correlations that its text prints of Table 2, and the
numbers by project behind its Figure 2. SQL chooses, pivots and orders; here are the names.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from warehouse.reports.display import Layout, ShownColumn, Span
from warehouse.reports.papers.sheet import Paper, Sheet
from warehouse.reports.query import query
from warehouse.snapshot.query import Reader

DATASETS = ("humaneval", "arcade")
STATISTICS = {"rtc_pass": "RTC", "lift_pass": "lift"}
SOURCES = {
    "ours": "language models here",
    "ours_simulated": "simulated language models here",
    "published": "as the paper prints",
}

IN_ORDER: dict[str, Any] = {"datasets": DATASETS, "sources": SOURCES, "statistics": STATISTICS}


def sheets(version: int) -> Iterator[Sheet]:
    """Yield the tables; projects are in version 1 only."""
    view = f"rtc_beside_pass_at_1_v{version}"
    rows = query("papers/round_trips/synthesis", view=view, datasets=DATASETS)
    title = "Round-trip correctness beside pass@1"
    yield Sheet(2, "synthesis", title, view, rows, partial(_synthesis, rows))
    if version == 1:
        rows = query("papers/round_trips/correlations", **IN_ORDER)
        title = "Correlation of round-trip correctness and pass@1"
        laid_out = partial(_correlations, rows)
        yield Sheet(2, "correlation", title, "rtc_vs_pass_at_1_v1", rows, laid_out)
    rows = query("papers/round_trips/editing", version=version)
    view = f"rtc_editing_v{version}"
    yield Sheet(3, "editing", "Code editing", view, rows, partial(_editing, rows))
    if version == 1:
        rows = query("papers/round_trips/projects")
        title, view = "Round-trip correctness by project", "rtc_by_project_v1"
        yield Sheet(2, "projects", title, view, rows, partial(_projects, rows), "figure")


def _number(
    name: str, label: str, index: int, *, signed: bool = False, ranked: bool = True
) -> ShownColumn:
    """Return a share with one decimal of a percent, as printed, and its interval."""
    return ShownColumn(
        name,
        label,
        index,
        numeric=True,
        fraction=True,
        better="up" if ranked else None,
        low=index + 1,
        high=index + 2,
        decimals=1,
        signed=signed,
    )


def _synthesis(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A block per dataset, a row per language model: pass@1, RTC and lift, each with its size."""
    shown = (
        ShownColumn("name", "language model", 1, False),
        ShownColumn("n_used", "problems", 2, True),
        _number("pass_at_1", "pass@1", 3),
        _number("rtc", "RTC", 6),
        _number("lift", "lift", 9, signed=True),
    )
    shown_rows = query("papers/round_trips/synthesis_shown", rows=rows, datasets=DATASETS)
    return shown_rows, Layout(groups=("block",), shown=shown, intervals=True)


def _correlations(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A block per source, ours before the paper's; n and the interval beside each number."""
    shown = (
        ShownColumn("dataset", "dataset", 1, False),
        ShownColumn("statistic", "with pass@1", 2, False),
        ShownColumn("n", "language models", 3, True),
        ShownColumn("pearson", "Pearson", 4, True, low=5, high=6, decimals=2),
        ShownColumn("spearman", "Spearman", 7, True, decimals=2),
        ShownColumn("spearman_p_exact", "p of Spearman, exact", 8, True, decimals=3),
    )
    shown_rows = query("papers/round_trips/correlations_shown", rows=rows, **IN_ORDER)
    return shown_rows, Layout(groups=("block",), shown=shown, intervals=True)


def _editing(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A row per language model: unsupervised on the left, supervised on the right."""
    shown = (
        ShownColumn("name", "language model", 1, False),
        ShownColumn("n_used", "edits", 2, True),
        _number("rtc", "RTC", 3),
        _number("lift", "lift", 6, signed=True),
        _number("edit_to_nl", "Edit to NL, BLEU", 9),
        _number("nl_to_edit", "NL to Edit, exact match", 12),
    )
    spans = (Span("", 2), Span("unsupervised", 2), Span("supervised", 2))
    shown_rows = query("papers/round_trips/editing_shown", rows=rows)
    return shown_rows, Layout(groups=("block",), shown=shown, spans=spans, intervals=True)


def _projects(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A block per language model, a row per project; the means over all come last."""
    shown = (
        ShownColumn("title", "project", 1, False),
        ShownColumn("license", "licence", 2, False),
        ShownColumn("n_used", "regions", 3, True),
        _number("rtc", "RTC", 4, ranked=False),
        _number("lift", "lift", 7, signed=True, ranked=False),
    )
    shown_rows = query("papers/round_trips/projects_shown", rows=rows)
    return shown_rows, Layout(groups=("block",), shown=shown, intervals=True)


def _why_empty(reader: Reader, version: int) -> str:
    return (
        "no language model made a round trip: run `assay generate` with `--task description` and "
        "`--task resynthesis`, then `assay execute` and `assay build`"
    )


PAPER = Paper(sheets, _why_empty)
