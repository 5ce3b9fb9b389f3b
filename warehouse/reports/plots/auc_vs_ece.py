"""AUROC beside ECE: whether confidence tells right from wrong, and means what it says."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from models.words import CONFIDENCES, NOTIONS
from warehouse.reports.papers.calibration import DATASETS
from warehouse.reports.papers.sheet import versioned
from warehouse.reports.plots.canvas import GREY, NARROW, WIDE, blank, dot, mark_of
from warehouse.reports.plots.select import (
    LOOKS,
    Figure,
    entries,
    lms_of,
    measures_asked,
)
from warehouse.reports.plots.spec import PlotSpec
from warehouse.reports.query import query
from warehouse.snapshot.query import Reader

NEAR = 0.03  # points of one language model closer than this share one number


def figures(reader: Reader, wanted: PlotSpec) -> Iterator[Figure]:
    """Yield one figure for all language models, and one more for simulated ones."""
    entries(reader, wanted)  # says what there is when nothing fits
    for simulated in (False, True):
        yield Figure(
            "auc_vs_ece_simulated" if simulated else "auc_vs_ece",
            _points(reader, wanted, simulated=simulated),
            partial(draw, simulated=simulated),
        )


def _points(reader: Reader, wanted: PlotSpec, *, simulated: bool) -> str:
    """Return the query of one row per language model, dataset and measure."""
    return query(
        "plots/calibration/auc_vs_ece",
        view=versioned(reader, "calibration_raw", wanted.drawn_version),
        wanted=wanted,
        simulated=simulated,
        which_measures=measures_asked(wanted),
        datasets=DATASETS,
        measures=CONFIDENCES,
    )


def draw(rows: Sequence[dict[str, Any]], *, simulated: bool) -> Any:
    """A panel per dataset; the shape is the measure, the number and colour the language model."""
    datasets = list(dict.fromkeys((row["dataset"], row["notion"]) for row in rows))
    models = lms_of(rows)
    numbers = {lm_id: number for number, lm_id in enumerate(models)}
    measures = [name for name in CONFIDENCES if any(row["measure"] == name for row in rows)]
    across = min(3, len(datasets))
    down = math.ceil(len(datasets) / across)
    width = NARROW if across == 1 else WIDE * across / 3
    lines = math.ceil((len(measures) + len(models)) / _columns(across))
    figure = blank(width, (width / across + 0.25) * down + 0.15 * lines)
    farthest = max(row["ece"] for row in rows)
    lowest = min(row["auroc"] for row in rows)
    axes = figure.subplots(down, across, squeeze=False)
    for index, axis in enumerate(axes.flat):
        if index >= len(datasets):
            axis.set_visible(False)
            continue
        dataset, notion = datasets[index]
        axis.axhline(0.5, color=GREY, linewidth=0.6, linestyle=(0, (4, 2)))
        numbered: list[tuple[int, float, float]] = []
        for row in rows:
            if (row["dataset"], row["notion"]) == (dataset, notion):
                number = numbers[row["lm_id"]]
                spot = (number, row["ece"], row["auroc"])
                near = any(math.dist(spot, other) < NEAR for other in numbered)
                _point(axis, row, number, named=len(models) > 1 and not near)
                numbered.append(spot)
        aside = ", simulated" if simulated else ""
        axis.set_title(f"{dataset}, {NOTIONS.get(notion, notion)}{aside}")
        axis.set(xlim=(0, min(1.0, farthest + 0.08)), ylim=(min(0.45, lowest - 0.05), 1.0))
        axis.set_box_aspect(1)
        if index % across == 0:
            axis.set_ylabel("AUROC (higher is better)")
        if index + across >= len(datasets):
            axis.set_xlabel("ECE (lower is better)")
        axis.spines[["top", "right"]].set_visible(False)
    _explain(figure, measures, [*models.values()], across)
    return figure


def _point(axis: Any, row: dict[str, Any], number: int, *, named: bool) -> None:
    colour = mark_of(number)[0]
    dot(axis, row["ece"], row["auroc"], marker=_marker(row["measure"]), color=colour, markersize=5)
    if named:
        axis.annotate(
            str(number + 1),
            (row["ece"], row["auroc"]),
            xytext=(2.2, 2.2),
            textcoords="offset points",
            color=colour,
            fontsize=5.5,
            zorder=4,
        )


def _explain(figure: Any, measures: Sequence[str], names: Sequence[str], across: int) -> None:
    from matplotlib.lines import Line2D

    dots = [(_marker(name), GREY, CONFIDENCES[name]) for name in measures]
    for number, name in enumerate(names):
        dots.append(("o", mark_of(number)[0], f"{number + 1} {name}" if len(names) > 1 else name))
    handles = [
        Line2D([], [], marker=marker, color=colour, linestyle="none", markersize=4.5, label=label)
        for marker, colour, label in dots
    ]
    figure.legend(
        handles=handles, loc="outside lower center", ncols=_columns(across), handlelength=1
    )


def _columns(across: int) -> int:
    return 2 if across == 1 else 4


def _marker(measure: str) -> str:
    return mark_of(LOOKS.index(measure))[2]
