"""AUROC beside ECE: whether confidence tells right from wrong, and means what it says."""

import math
from collections.abc import Sequence
from typing import Any

from warehouse.names import literal
from warehouse.reports.paper_calibration import DATASETS, MEASURES, NOTIONS, chosen
from warehouse.reports.paper_sheet import place
from warehouse.reports.plots.canvas import GREY, NARROW, WIDE, blank, look
from warehouse.reports.plots.select import LOOKS, MAIN, Selection, only, view_name
from warehouse.snapshot.query import Reader

# At ECE 0 and AUROC 0.5 by definition.
ASIDE = ("unskilled",)
NEAR = 0.03  # points of one language model closer than this share one number


def query(reader: Reader, wanted: Selection, *, simulated: bool) -> str:
    """Return the query of one row per language model, dataset and measure."""
    view = view_name(reader, "calibration_raw", wanted.version)
    measures = wanted.measures or tuple(name for name in MEASURES if name not in ASIDE)
    asked = {"lm": wanted.lm, "dataset": wanted.dataset, "setting_id": wanted.setting_id}
    where = [f"simulated = {str(simulated).lower()}"]
    where += [f"{name} = {literal(value)}" for name, value in asked.items() if value is not None]
    if wanted.notion is not None:
        where.append(f"notion = {literal(wanted.notion)}")
    return f"""
{chosen(view, " and ".join(where))}
select
    chosen.lm_id, chosen.lm, chosen.revision, chosen.dataset, chosen.notion, chosen.measure,
    chosen.ece, chosen.auroc
from chosen
{MAIN if wanted.notion is None else ""}
where {only(measures, "chosen.measure")} and chosen.ece is not null and chosen.auroc is not null
order by
    {place("chosen.dataset", DATASETS)}, chosen.dataset, chosen.lm, chosen.lm_id,
    {place("chosen.measure", MEASURES)}, chosen.measure
""".strip()


def draw(rows: Sequence[dict[str, Any]], *, simulated: bool) -> Any:
    """A panel per dataset; the shape is the measure, the number and colour the language model."""
    datasets = list(dict.fromkeys((row["dataset"], row["notion"]) for row in rows))
    models = list(dict.fromkeys((row["lm_id"], _name(row)) for row in rows))
    numbers = {lm_id: number for number, (lm_id, _) in enumerate(models)}
    measures = [name for name in MEASURES if any(row["measure"] == name for row in rows)]
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
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
    _explain(figure, measures, models, across)
    return figure


def _point(axis: Any, row: dict[str, Any], number: int, *, named: bool) -> None:
    axis.plot(
        row["ece"],
        row["auroc"],
        marker=_marker(row["measure"]),
        color=_colour(number),
        markersize=5,
        markeredgecolor="white",
        markeredgewidth=0.4,
        linestyle="none",
        zorder=3,
    )
    if named:
        axis.annotate(
            str(number + 1),
            (row["ece"], row["auroc"]),
            xytext=(2.2, 2.2),
            textcoords="offset points",
            color=_colour(number),
            fontsize=5.5,
            zorder=4,
        )


def _explain(
    figure: Any, measures: Sequence[str], models: Sequence[tuple[str, str]], across: int
) -> None:
    from matplotlib.lines import Line2D

    shapes = [
        Line2D([], [], marker=_marker(name), color=GREY, linestyle="none", markersize=4.5)
        for name in measures
    ]
    handles, labels = list(shapes), [MEASURES[name] for name in measures]
    if len(models) == 1:
        labels_of_models = [models[0][1]]
    else:
        labels_of_models = [f"{number} {name}" for number, (_, name) in enumerate(models, 1)]
    for number, label in enumerate(labels_of_models):
        handles.append(
            Line2D([], [], marker="o", color=_colour(number), linestyle="none", markersize=4.5)
        )
        labels.append(label)
    figure.legend(
        handles, labels, loc="outside lower center", ncols=_columns(across), handlelength=1
    )


def _columns(across: int) -> int:
    return 2 if across == 1 else 4


def _marker(measure: str) -> str:
    return look(LOOKS.index(measure))[2]


def _colour(number: int) -> str:
    return look(number)[0]


def _name(row: dict[str, Any]) -> str:
    return f"{row['lm']} {row['revision']}".strip()
