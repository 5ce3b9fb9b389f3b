"""ROC curves: how well a confidence puts right answers before wrong ones."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from models.words import CONFIDENCES
from warehouse.reports.display import ShownColumn, number
from warehouse.reports.papers.sheet import versioned
from warehouse.reports.plots.canvas import GREY, NARROW, blank, mark_of
from warehouse.reports.plots.select import (
    LOOKS,
    Entry,
    Figure,
    measures_asked,
    named_entries,
)
from warehouse.reports.plots.spec import PlotSpec
from warehouse.reports.query import query
from warehouse.snapshot.query import Reader


def figures(reader: Reader, wanted: PlotSpec) -> Iterator[Figure]:
    """Yield a figure per language model and dataset."""
    for entry, stem in named_entries(reader, wanted):
        drawing = partial(draw, entry=entry)
        yield Figure(f"roc_{stem}", _points(reader, entry, wanted), drawing, entry.named)


def _points(reader: Reader, entry: Entry, wanted: PlotSpec) -> str:
    """Return the query of one row per measure and point, from the highest threshold."""
    return query(
        "plots/calibration/roc",
        view=versioned(reader, "roc", wanted.drawn_version),
        subjects=versioned(reader, "calibration_raw", wanted.drawn_version),
        entry=entry,
        which_measures=measures_asked(wanted),
        measures=CONFIDENCES,
    )


def draw(rows: Sequence[dict[str, Any]], entry: Entry) -> Any:
    """Draw one line per measure, with its own colour and dash, and its AUROC in the legend."""
    figure = blank(NARROW, NARROW + 0.9)
    axis = figure.subplots()
    axis.plot([0, 1], [0, 1], color=GREY, linewidth=0.6)
    shown = ShownColumn("x", "x", 0, True, decimals=2)
    for measure, group in groupby(rows, lambda row: row["measure"]):
        points = list(group)
        colour, dash, _ = mark_of(LOOKS.index(measure))
        axis.plot(
            [*(row["false_share"] for row in points), 1.0],
            [*(row["true_share"] for row in points), 1.0],
            color=colour,
            linestyle=dash,
            label=f"{CONFIDENCES[measure]} {number(points[0]['auroc'], shown)}",
        )
    axis.set(
        xlim=(-0.01, 1.01),
        ylim=(-0.01, 1.01),
        xlabel="share of wrong answers above the threshold",
        ylabel="share of right answers above the threshold",
    )
    axis.set_box_aspect(1)
    axis.spines[["top", "right"]].set_visible(False)
    figure.legend(
        loc="outside lower center", ncols=2, handlelength=3.2, title="measure and AUROC"
    ).get_title().set_fontsize(6.5)
    figure.suptitle(f"{entry.title}\n{entry.setting}", fontsize=7.5)
    return figure
