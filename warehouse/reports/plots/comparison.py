"""Differences of a metric with their intervals: to the best of a board, or of one to each other."""

import textwrap
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from warehouse.errors import BadInput
from warehouse.reports.comparison.rows import lm_key
from warehouse.reports.display import text
from warehouse.reports.metric_words import is_score, metric_name
from warehouse.reports.papers.sheet import versioned
from warehouse.reports.plots.canvas import COLOURS, GREY, NARROW, blank, estimate
from warehouse.reports.plots.select import Figure, file_stem
from warehouse.reports.plots.spec import NothingToDraw, PlotSpec
from warehouse.reports.query import query
from warehouse.snapshot.query import Reader

FOUND, NOT_FOUND = COLOURS[1], COLOURS[0]
LEVEL = 0.05
LABEL_WIDTH = 44
"""Characters below the axis that fit on a line; a longer line would push the names out."""


def figures(reader: Reader, wanted: PlotSpec) -> Iterator[Figure]:
    """Yield a figure per board, or per dataset; real and simulated language models apart."""
    if wanted.measures or wanted.notion or wanted.setting_id:
        raise BadInput(
            "language models are compared by --metric and --k: "
            "leave out --measures, --notion and --setting"
        )
    view, rows = _rows(reader, wanted)
    found = reader.one(query("plots/comparison/panels", rows=rows)).rows
    if not found:
        known = reader.one(query("plots/comparison/there", view=view)).rows
        there = "; ".join(f"{metric} (k {ks})" for metric, ks in known)
        more = "" if wanted.lm else "; --lm compares one with each other, by more metrics"
        raise NothingToDraw(
            f"{view} does not compare {text(wanted.metric)} "
            f"at k {wanted.compared_k}; available: {there or 'none'}{more}"
        )
    several = {place[:2] for place in found if sum(place[:2] == o[:2] for o in found) > 1}
    for dataset, simulated, board in found:
        of_figure = query(
            "plots/comparison/figure", rows=rows, dataset=dataset, simulated=simulated, board=board
        )
        stem = f"comparison_{file_stem(dataset)}{'_simulated' * simulated}"
        stem += f"_{file_stem(board)}" if (dataset, simulated) in several else ""
        subject = ", ".join([dataset, *filter(None, [board, "simulated" * simulated])])
        shown: dict[str, Any] = {
            "subject": text(subject),
            "one_to_each": wanted.lm is not None,
            "metric": wanted.metric,
            "k": wanted.compared_k,
        }
        yield Figure(stem, of_figure, partial(draw, **shown), {"dataset": dataset})


def _rows(reader: Reader, wanted: PlotSpec) -> tuple[str, str]:
    """Return the view, and the query of one row per entry and the one it is compared with."""
    if wanted.lm is None:
        view = versioned(reader, "comparison_to_best", wanted.drawn_version)
        return view, query("plots/comparison/to_best", view=view, wanted=wanted)
    view = versioned(reader, "comparison", wanted.drawn_version)
    lm_id = lm_key(reader, wanted.lm)
    return view, query("plots/comparison/to_each", view=view, wanted=wanted, lm_id=lm_id)


def draw(
    rows: Sequence[dict[str, Any]], *, subject: str, one_to_each: bool, metric: str, k: int
) -> Any:
    """A point and its interval per entry; what Holm's procedure finds has a colour."""
    figure = blank(NARROW * 1.3, 1.0 + 0.2 * len(rows))
    axis = figure.subplots()
    for place, row in enumerate(rows):
        is_found = row["holm_p"] is not None and row["holm_p"] < LEVEL
        look = {"marker": "s", "color": FOUND} if is_found else {"marker": "o", "color": NOT_FOUND}
        estimate(axis, row, "difference", place, markersize=4.5, **look)
    axis.axvline(0, color=GREY, linewidth=0.6, linestyle=(0, (4, 2)))
    names = [f"{text(row['name'])} ({row['n_common']})" for row in rows]
    axis.set_yticks(range(len(rows)), names)
    axis.set_ylim(len(rows) - 0.5, -0.5)
    axis.tick_params(axis="y", length=0)
    axis.grid(axis="x", color=GREY, linewidth=0.2)
    axis.set_axisbelow(True)
    axis.spines[["top", "right"]].set_visible(False)
    beside = " or ".join(sorted({text(row["other"]) for row in rows}))
    sign = f"{beside} less the named" if one_to_each else f"the named less {beside}"
    unit = "hundredths" if is_score(metric) else "points"
    axis.set_xlabel(textwrap.fill(f"{metric_name(metric, k)}: {sign} ({unit})", LABEL_WIDTH))
    figure.suptitle(
        f"{subject}; common problems in brackets; 95 % intervals\n"
        "squares: p < .05 by Holm's procedure over all pairs",
        fontsize=7.5,
    )
    return figure
