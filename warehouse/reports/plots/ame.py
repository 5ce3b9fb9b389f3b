"""Mutation effects: a dot with its interval per language model and mutation; size beside effect."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from warehouse.errors import BadInput
from warehouse.reports.display import text
from warehouse.reports.papers.mutations import DATASETS, EFFECTS, MUTATIONS
from warehouse.reports.papers.sheet import versioned
from warehouse.reports.plots.canvas import GREY, NARROW, WIDE, blank, estimate, mark_of
from warehouse.reports.plots.select import Figure, check_setting, file_stem, lms_of
from warehouse.reports.plots.spec import NothingToDraw, PlotSpec
from warehouse.reports.query import query
from warehouse.snapshot.query import Reader

HEADS = {
    "ame": ("average mutation effect (%)", "lower is better"),
    "accuracy_drop": ("drop of the pass rate (points)", "nearer 0 is better"),
}
SIZES = tuple(digit * 10.0**power for power in range(-2, 4) for digit in (1, 2, 5))
GAP = 0.8  # between mutations, in rows of one language model


@dataclass(frozen=True)
class Panel:
    """One figure: a dataset, and whether its language models are simulated."""

    dataset: str
    simulated: bool


def panels(reader: Reader, wanted: PlotSpec) -> list[Panel]:
    """Return what there is of what was asked for; raises NothingToDraw when nothing fits."""
    if wanted.measures or wanted.notion:
        raise BadInput("mutation effects have no measure and no notion: leave those options out")
    asked = query("plots/ame/panels", rows=_effects(reader, wanted), datasets=DATASETS)
    rows = reader.one(asked).rows
    if not rows and wanted.setting_id is not None:
        check_setting(reader, versioned(reader, "ame", wanted.drawn_version), wanted.setting_id)
    if not rows:
        raise NothingToDraw("no mutation effect fits these options")
    return [Panel(*row) for row in rows]


def figures(reader: Reader, wanted: PlotSpec) -> Iterator[Figure]:
    """Yield a figure per dataset, real and simulated language models apart."""
    for panel in panels(reader, wanted):
        yield Figure(
            f"ame_{file_stem(panel.dataset)}{'_simulated' * panel.simulated}",
            _of_panel(reader, panel, wanted),
            partial(draw, panel=panel, wanted=wanted),
            {"dataset": panel.dataset},
        )


def _of_panel(reader: Reader, panel: Panel, wanted: PlotSpec) -> str:
    """Return the query of one row per language model and mutation."""
    return query(
        "plots/ame/figure",
        rows=_effects(reader, wanted),
        effect=EFFECTS[wanted.drawn_version],
        dataset=panel.dataset,
        simulated=panel.simulated,
        mutations=MUTATIONS,
    )


def _effects(reader: Reader, wanted: PlotSpec) -> str:
    if wanted.drawn_version not in EFFECTS:
        raise BadInput(f"there is no view ame_v{wanted.drawn_version}: versions are 1 and 2")
    view = versioned(reader, "ame", wanted.drawn_version)
    versioned(reader, "headline_setting", 1)
    return query(
        "plots/ame/effects",
        view=view,
        effect=EFFECTS[wanted.drawn_version],
        wanted=wanted,
    )


def draw(rows: Sequence[dict[str, Any]], *, panel: Panel, wanted: PlotSpec) -> Any:
    """Mutations from top to bottom, in each the language models by size; then size and effect."""
    models = lms_of(rows)
    numbers = {lm_id: number for number, lm_id in enumerate(models)}
    mutations = [m for m in MUTATIONS if any(row["mutation"] == m for row in rows)]
    mutations += sorted({row["mutation"] for row in rows} - set(mutations))
    sized = [row for row in rows if row["n_parameters"] is not None]
    shaped = [m for m in mutations if any(row["mutation"] == m for row in sized)]
    n_columns = 4 if sized else 2
    n_lines = -(-(len(models) + len(shaped)) // n_columns)
    height = 0.75 + 0.13 * len(mutations) * (len(models) + GAP) + 0.14 * n_lines
    figure = blank(WIDE if sized else NARROW * 1.4, max(2.2, height))
    head, best = HEADS[EFFECTS[wanted.drawn_version]]
    axes = figure.subplots(1, 2 if sized else 1, squeeze=False)[0]
    _dots(axes[0], rows, numbers, mutations)
    axes[0].set_title(text(f"{panel.dataset}{', simulated' * panel.simulated}"))
    axes[0].set_xlabel(f"{head}, {best}")
    handles = [_mark(number, name) for number, name in enumerate(models.values())]
    if sized:
        _sizes(axes[1], sized, mutations)
        axes[1].set_ylabel(head)
        handles += [_shape(mutations.index(m), MUTATIONS.get(m, m)) for m in shaped]
    for axis in axes:
        axis.spines[["top", "right"]].set_visible(False)
    figure.legend(handles=handles, loc="outside lower center", ncols=n_columns, handlelength=1)
    return figure


def _dots(
    axis: Any, rows: Sequence[dict[str, Any]], numbers: dict[str, int], mutations: Sequence[str]
) -> None:
    step = len(numbers) + GAP
    for row in rows:
        number = numbers[row["lm_id"]]
        y = mutations.index(row["mutation"]) * step + number
        colour, _, marker = mark_of(number)
        estimate(axis, row, "effect", y, marker=marker, color=colour, markersize=4.5)
    middle = (len(numbers) - 1) / 2
    axis.set_yticks(
        [index * step + middle for index in range(len(mutations))],
        [text(MUTATIONS.get(mutation, mutation)) for mutation in mutations],
    )
    axis.tick_params(axis="y", length=0)
    for index in range(1, len(mutations)):
        axis.axhline(index * step - (1 + GAP) / 2, color=GREY, linewidth=0.3)
    axis.set_ylim(len(mutations) * step - (1 + GAP) / 2, -(1 + GAP) / 2)
    axis.axvline(0, color=GREY, linewidth=0.6, linestyle=(0, (4, 2)))


def _sizes(axis: Any, rows: Sequence[dict[str, Any]], mutations: Sequence[str]) -> None:
    for row in rows:
        place_of = mutations.index(row["mutation"])
        axis.plot(
            row["n_parameters"] / 1e9,
            100 * row["effect"],
            marker=mark_of(place_of)[2],
            color=GREY,
            markersize=4.5,
            markerfacecolor="none",
            linestyle="none",
            zorder=3,
        )
    sizes = [row["n_parameters"] / 1e9 for row in rows]
    low, high = min(sizes) / 2, max(sizes) * 2  # wide enough for two ticks
    axis.set_xscale("log")
    axis.set_xlim(low, high)
    ticks = [tick for tick in SIZES if low <= tick <= high]
    axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axis.set_xticks([], minor=True)
    axis.set_xlabel("parameters (billions), where known")
    axis.axhline(0, color=GREY, linewidth=0.6, linestyle=(0, (4, 2)))


def _mark(number: int, name: str) -> Any:
    from matplotlib.lines import Line2D

    colour, _, marker = mark_of(number)
    return Line2D(
        [], [], color=colour, marker=marker, linewidth=1, markersize=4.5, label=text(name)
    )


def _shape(number: int, name: str) -> Any:
    from matplotlib.lines import Line2D

    return Line2D(
        [],
        [],
        color=GREY,
        marker=mark_of(number)[2],
        markerfacecolor="none",
        linestyle="none",
        markersize=4.5,
        label=text(name),
    )
