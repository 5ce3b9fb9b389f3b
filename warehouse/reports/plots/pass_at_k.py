"""Curves of pass@k over k with bands: what more samples bring.

The estimator is that of Chen et al. 2021 (arXiv 2107.03374, equation 1).
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from warehouse.errors import BadInput
from warehouse.reports.display import text
from warehouse.reports.papers.sheet import versioned
from warehouse.reports.plots.canvas import GREY, NARROW, blank, mark_of
from warehouse.reports.plots.select import Figure, available, check_setting, file_stem
from warehouse.reports.plots.spec import NothingToDraw, PlotSpec
from warehouse.reports.query import query
from warehouse.snapshot.query import Reader

TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def figures(reader: Reader, wanted: PlotSpec) -> Iterator[Figure]:
    """Yield a figure per dataset, real and simulated language models apart."""
    if wanted.measures or wanted.notion:
        raise BadInput("a curve is of pass@k over problems: leave out --measures and --notion")
    view = versioned(reader, "pass_at_k_curve", wanted.drawn_version)
    versioned(reader, "headline_setting", 1)
    rows = query("plots/pass_at_k/curves", view=view, wanted=wanted)
    found = reader.one(query("plots/pass_at_k/panels", rows=rows)).rows
    if not found and wanted.setting_id is not None:
        check_setting(reader, view, wanted.setting_id)
    if not found:
        form = "{} on {}, k up to {}"
        there = available(reader, query("plots/pass_at_k/there", view=view), form)
        raise NothingToDraw(f"no curve in {view} fits these options; available: {there}")
    for dataset, simulated in found:
        of_figure = query("plots/pass_at_k/figure", rows=rows, dataset=dataset, simulated=simulated)
        stem = f"pass_at_k_{file_stem(dataset)}{'_simulated' * simulated}"
        shown = {"dataset": dataset, "simulated": simulated, "is_of_some": bool(wanted.k)}
        yield Figure(stem, of_figure, partial(draw, **shown), {"dataset": dataset})


def draw(rows: Sequence[dict[str, Any]], *, dataset: str, simulated: bool, is_of_some: bool) -> Any:
    """One line per language model over k, its band, and the number of its problems.

    Where only some k were asked for (``is_of_some``), each has a marker. Where one k alone has an
    interval, it is a bar. Where each has one k alone, they are side by side.
    """
    curves = [list(group) for _, group in groupby(rows, lambda row: row["lm_id"])]
    figure = blank(NARROW * 1.3, NARROW + 0.16 * len(curves))
    axis = figure.subplots()
    step = 1.05 if all(len(curve) == 1 for curve in curves) else 1
    for place, curve in enumerate(curves):
        colour, dash, marker = mark_of(place)
        beside = step ** (place - (len(curves) - 1) / 2)
        ks = [row["k"] * beside for row in curve]
        bounded = [row for row in curve if row["pass_at_k_lo"] is not None]
        ends = (
            [row["k"] * beside for row in bounded],
            [100 * row["pass_at_k_lo"] for row in bounded],
            [100 * row["pass_at_k_hi"] for row in bounded],
        )
        if len(bounded) > 1:
            axis.fill_between(*ends, color=colour, alpha=0.15, linewidth=0)
        else:
            axis.vlines(*ends, color=colour, linewidth=0.8)
        axis.plot(
            ks,
            [100 * row["pass_at_k"] for row in curve],
            color=colour,
            linestyle=dash,
            marker=marker if len(ks) == 1 or is_of_some else None,
            label=f"{text(curve[0]['name'])} ({problems(curve)})",
        )
    axis.set_xscale("log")
    most = max(row["k"] for row in rows)
    known = {row["k"] for row in rows} if is_of_some else TICKS
    ticks = sorted(k for k in known if k <= most)
    axis.set_xticks(ticks, [str(k) for k in ticks])
    axis.minorticks_off()
    axis.set(xlabel="k", ylabel="pass@k, %", ylim=(0, 100))
    axis.grid(axis="y", color=GREY, linewidth=0.2)
    axis.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower center", ncols=1, handlelength=3.2)
    who = ", simulated language models" if simulated else ""
    figure.suptitle(text(f"{dataset}{who}"), fontsize=7.5)
    return figure


def problems(curve: Sequence[dict[str, Any]]) -> str:
    """Return how many problems a curve is of; both ends where they differ."""
    first, last = curve[0]["n_used"], curve[-1]["n_used"]
    return f"{first} problems" if first == last else f"{first} to {last} problems"
