"""Reliability diagrams: how often answers were right, beside how sure the language model was."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from models.words import CONFIDENCES
from warehouse.reports.display import NULL_SHOWN, ShownColumn, number
from warehouse.reports.papers.sheet import versioned
from warehouse.reports.plots.canvas import BAR, GREY, INK, LINE, NARROW, WIDE, blank
from warehouse.reports.plots.select import Entry, Figure, measures_asked, named_entries
from warehouse.reports.plots.spec import PlotSpec
from warehouse.reports.query import query
from warehouse.snapshot.query import Reader

# Below the axis there is room for the counts.
FLOOR = -0.2
MINUS = "\N{MINUS SIGN}"


def figures(reader: Reader, wanted: PlotSpec) -> Iterator[Figure]:
    """Yield a figure per language model and dataset."""
    for entry, stem in named_entries(reader, wanted):
        drawing = partial(draw, entry=entry, wanted=wanted)
        yield Figure(f"reliability_{stem}", _bins(reader, entry, wanted), drawing, entry.named)


def _bins(reader: Reader, entry: Entry, wanted: PlotSpec) -> str:
    """Return the query of one row per measure and bin, with the measure's scores."""
    if wanted.drawn_version == 1:
        versioned(reader, "reliability_points", 1)
    return query(
        "plots/calibration/reliability",
        view=versioned(reader, "reliability_bins", wanted.drawn_version),
        subjects=versioned(reader, "calibration_raw", wanted.drawn_version),
        version=wanted.drawn_version,
        entry=entry,
        which_measures=measures_asked(wanted),
        measures=CONFIDENCES,
    )


def draw(rows: Sequence[dict[str, Any]], entry: Entry, wanted: PlotSpec) -> Any:
    """A panel per measure: bars over the bins, intervals, counts, and five equal-mass points.

    Version 1 draws the interval at the middle of a bin and draws an empty bin as nothing right.
    Version 2 draws it at the mean confidence and leaves an empty bin empty.
    """
    panels = [(name, list(group)) for name, group in groupby(rows, lambda row: row["measure"])]
    across = 1 if len(panels) == 1 else 2 if len(panels) in (2, 4) else 3
    down = math.ceil(len(panels) / across)
    width = NARROW if across == 1 else WIDE * across / 3
    figure = blank(width, (0.7 if across == 3 else 0.85) + (width / across + 0.12) * down)
    axes = figure.subplots(down, across, squeeze=False)
    for place_, axis in enumerate(axes.flat):
        if place_ >= len(panels):
            axis.set_visible(False)
            continue
        measure, group = panels[place_]
        _panel(axis, group, by_mean=wanted.drawn_version >= 2)
        axis.set_title(CONFIDENCES.get(measure, measure), fontweight="bold", pad=13)
        axis.annotate(
            _scores(group[0]),
            (0.5, 1),
            xytext=(0, 3),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="center",
            va="bottom",
        )
        if place_ % across == 0:
            axis.set_ylabel("share right")
        if place_ + across >= len(panels):
            axis.set_xlabel("confidence")
    _explain(figure)
    figure.suptitle(f"{entry.title}\n{entry.setting}", fontsize=8)
    return figure


def _panel(axis: Any, rows: Sequence[dict[str, Any]], *, by_mean: bool) -> None:
    axis.plot([0, 1], [0, 1], color=GREY, linestyle=(0, (4, 2)), linewidth=0.8, zorder=2.5)
    for row in rows:
        if row["kind"] != "equal_width":
            continue
        middle = (row["lo"] + row["hi"]) / 2
        axis.text(
            middle,
            FLOOR / 2,
            _count(row["n"]),
            rotation=90,
            ha="center",
            va="center",
            fontsize=5,
            color=INK if row["n"] else GREY,
        )
        if not row["n"]:
            continue
        axis.bar(
            middle,
            row["frac_correct"],
            width=row["hi"] - row["lo"],
            color=BAR,
            edgecolor=INK,
            linewidth=0.6,
            zorder=2,
        )
        ends = row["wilson_lo"], row["wilson_hi"]
        axis.errorbar(
            row["mean_p"] if by_mean else middle,
            row["frac_correct"],
            yerr=None if None in ends else [[abs(row["frac_correct"] - end)] for end in ends],
            color=INK,
            linewidth=0.8,
            capsize=1.5,
            capthick=0.8,
            marker="." if by_mean else "",
            markersize=4,
            zorder=3,
        )
    points = [row for row in rows if row["kind"] == "equal_mass" and row["n"]]
    axis.plot(
        [row["mean_p"] for row in points],
        [row["frac_correct"] for row in points],
        color=LINE,
        marker="D",
        markersize=3,
        markerfacecolor="white",
        markeredgewidth=0.9,
        clip_on=False,
        zorder=4,
    )
    axis.axhline(0, color=GREY, linewidth=0.6, zorder=2)
    axis.set(xlim=(0, 1), ylim=(FLOOR, 1.02), xticks=_fifths(), yticks=_fifths())
    axis.set_box_aspect(1)
    axis.spines[["top", "right"]].set_visible(False)


def _explain(figure: Any) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    whisker = Line2D([], [], color=INK, marker="|", markersize=6, linestyle="none")
    mass = Line2D([], [], color=LINE, marker="D", markersize=3, markerfacecolor="white")
    figure.legend(
        [
            Patch(facecolor=BAR, edgecolor=INK, linewidth=0.6),
            whisker,
            mass,
            Line2D([], [], color=GREY, linestyle=(0, (4, 2)), linewidth=0.8),
        ],
        [
            "share right; samples below",
            "95 % Wilson interval",
            "five equal-mass bins",
            "calibrated",
        ],
        loc="outside lower center",
        ncols=4 if figure.get_figwidth() >= WIDE else 2,
        handlelength=2,
        columnspacing=1.5,
    )


def _scores(row: dict[str, Any]) -> str:
    names = {"B": "brier", "SS": "skill_score", "ECE": "ece"}
    shown = []
    for name, column in names.items():
        look = ShownColumn(column, name, 0, True, decimals=2, signed=name == "SS")
        value = number(row[column], look)
        shown.append(f"{name} {value if value == NULL_SHOWN else value.replace('-', MINUS)}")
    return "   ".join(shown)


def _count(n: int) -> str:
    return f"{n:,}" if n < 10_000 else f"{n / 1000:,.0f}k"


def _fifths() -> list[float]:
    return [0, 0.2, 0.4, 0.6, 0.8, 1]
