"""Round trips by project: correctness and lift of each language model, all projects below.

As Figure 2 of Allamanis et al. 2024 (arXiv 2402.08699), with intervals. The projects go from the
easiest to the hardest, by the mean over the language models shown.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from warehouse.errors import BadInput
from warehouse.reports.display import text
from warehouse.reports.papers.sheet import versioned
from warehouse.reports.plots.canvas import GREY, WIDE, blank, estimate, mark_of
from warehouse.reports.plots.select import Figure, lms_of
from warehouse.reports.plots.spec import PlotSpec
from warehouse.reports.query import query
from warehouse.snapshot.query import Reader

MEASURES = {"rtc": "round trips that pass (%)", "lift": "forward lift (points)"}
ALL = "(all)"
INCHES = 0.085  # of height for each language model of a project


def figures(reader: Reader, wanted: PlotSpec) -> Iterator[Figure]:
    """Yield a figure of real language models and one of simulated ones."""
    check(reader, wanted)
    for simulated in (False, True):
        yield Figure(
            f"rtc_projects{'_simulated' * simulated}",
            query("plots/round_trips/projects", wanted=wanted, simulated=simulated),
            partial(draw, simulated=simulated),
        )


def check(reader: Reader, wanted: PlotSpec) -> None:
    """Raise BadInput for options that round trips do not have, and for views that are not there."""
    if wanted.measures or wanted.notion:
        raise BadInput("round trips have no measure and no notion: leave those options out")
    if wanted.setting_id is not None:
        raise BadInput(
            "round trips are drawn under the settings of headline_round_trip: leave out the setting"
        )
    for view in ("rtc_by_project", "rtc_project_correlation"):
        versioned(reader, view, wanted.drawn_version)
    versioned(reader, "headline_round_trip", 1)


def draw(rows: Sequence[dict[str, Any]], *, simulated: bool) -> Any:
    """Two panels with the projects from top to bottom: correctness, and lift over the baseline."""
    models = lms_of(rows)
    numbers = {lm_id: number for number, lm_id in enumerate(models)}
    names = list(dict.fromkeys(row["project"] for row in rows))
    n_lines = -(-len(models) // 3)
    height = 0.9 + len(names) * max(0.15, INCHES * (len(models) + 1)) + 0.15 * n_lines
    figure = blank(WIDE, max(2.0, height))
    axes = figure.subplots(1, len(MEASURES), sharey=True)
    for axis, (measure, head) in zip(axes, MEASURES.items(), strict=True):
        for row in rows:
            place = names.index(row["project"])
            number = numbers[row["lm_id"]]
            _point(axis, row, measure, place, number, len(models))
        axis.set_xlabel(f"{head}, higher is better")
        axis.grid(axis="y", color=GREY, linewidth=0.2)
        axis.set_axisbelow(True)
        axis.spines[["top", "right"]].set_visible(False)
        if ALL in names and len(names) > 1:
            axis.axhline(len(names) - 1.5, color=GREY, linewidth=0.6)
    axes[0].set_xlim(left=-2)
    axes[1].axvline(0, color=GREY, linewidth=0.6, linestyle=(0, (4, 2)))
    shown = ["all regions" if name == ALL else text(name) for name in names]
    axes[0].set_yticks(range(len(names)), shown)
    axes[0].tick_params(axis="y", length=0)
    axes[1].tick_params(axis="y", length=0)
    axes[0].set_ylim(len(names) - 0.5, -0.5)
    of = "simulated language models" if simulated else "language models"
    figure.suptitle(f"round trips over regions of projects, {of}; 95 % intervals", fontsize=7.5)
    _explain(figure, list(models.values()))
    return figure


def _point(
    axis: Any, row: dict[str, Any], measure: str, place: int, number: int, n_models: int
) -> None:
    """Draw one value with its interval; language models are one below the other."""
    colour, _, marker = mark_of(number)
    y = place + (number - (n_models - 1) / 2) * 0.8 / n_models
    estimate(axis, row, measure, y, marker=marker, color=colour, markersize=4)


def _explain(figure: Any, names: Sequence[str]) -> None:
    from matplotlib.lines import Line2D

    handles = []
    for number, name in enumerate(names):
        colour, _, marker = mark_of(number)
        line = Line2D([], [], color=colour, marker=marker, linewidth=1, markersize=4.5)
        line.set_label(text(name))
        handles.append(line)
    figure.legend(handles=handles, loc="outside lower center", ncols=3, handlelength=1.5)
