"""Two language models over the same projects: whether what is hard for one is hard for the other.

What Allamanis et al. 2024 (arXiv 2402.08699, section 4.2) say of their two, one point per project.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from warehouse.errors import BadInput
from warehouse.reports.display import ShownColumn, number, text
from warehouse.reports.plots.canvas import COLOURS, GREY, NARROW, blank
from warehouse.reports.plots.rtc_projects import check
from warehouse.reports.plots.select import Figure, file_stem
from warehouse.reports.plots.spec import NothingToDraw, PlotSpec
from warehouse.reports.query import query
from warehouse.snapshot.query import Reader

MOST_NAMED = 25  # of more projects, no name is drawn
R = ShownColumn("r", "r", 0, True, decimals=2)


def figures(reader: Reader, wanted: PlotSpec) -> Iterator[Figure]:
    """Yield a figure per pair; raises NothingToDraw when no two share projects."""
    check(reader, wanted)
    if wanted.dataset is not None:
        raise BadInput("a pair of language models is drawn over all projects: leave out --dataset")
    pairs = reader.one(query("plots/round_trips/pairs", wanted=wanted)).rows
    if not pairs:
        raise NothingToDraw("no two language models have round trips of two projects")
    seen: set[str] = set()
    for lm_id, other_lm_id, lm, other_lm, simulated in pairs:
        stem = f"rtc_pairs_{file_stem(lm, other_lm)}"
        stem += f"_{lm_id[:8]}_{other_lm_id[:8]}" * (stem.lower() in seen)
        seen.add(stem.lower())
        of_pair = query("plots/round_trips/pair", lm_id=lm_id, other_lm_id=other_lm_id)
        named = {"lm": wanted.lm} if wanted.lm else {}
        yield Figure(stem, of_pair, partial(draw, simulated=simulated), named)


def draw(rows: Sequence[dict[str, Any]], *, simulated: bool) -> Any:
    """One point per project with both intervals, the diagonal, and the correlations above."""
    figure = blank(NARROW, NARROW + 0.3)
    axis = figure.subplots()
    axis.plot([0, 100], [0, 100], color=GREY, linewidth=0.6, linestyle=(0, (4, 2)))
    for row in rows:
        x, y = 100 * row["rtc"], 100 * row["other_rtc"]
        for low, high, along in (
            ("rtc_lo", "rtc_hi", True),
            ("other_rtc_lo", "other_rtc_hi", False),
        ):
            if row[low] is None:
                continue
            ends, level = [100 * row[low], 100 * row[high]], [y, y] if along else [x, x]
            across = (ends, level) if along else (level, ends)
            axis.plot(*across, color=COLOURS[0], linewidth=0.5, alpha=0.5, zorder=2)
        axis.plot(x, y, marker="o", color=COLOURS[0], markersize=3.5, zorder=3)
        if len(rows) <= MOST_NAMED:
            axis.annotate(
                text(row["project"]),
                (x, y),
                xytext=(3, 3),
                textcoords="offset points",
                fontsize=5.5,
                zorder=4,
            )
    first = rows[0]
    axis.set(xlim=(0, 100), ylim=(0, 100))
    axis.set_box_aspect(1)
    axis.set_xlabel(f"{_name(first, '')}: round trips that pass (%)")
    axis.set_ylabel(f"{_name(first, 'other_')}: round trips that pass (%)")
    axis.spines[["top", "right"]].set_visible(False)
    aside = ", simulated" if simulated else ""
    figure.suptitle(f"{len(rows)} projects{aside}\n{_said(first)}", fontsize=7.5)
    return figure


def _name(row: dict[str, Any], which: str) -> str:
    return text(f"{row[f'{which}lm']} {row[f'{which}revision']}".strip())


def _said(row: dict[str, Any]) -> str:
    if row["pearson"] is None:
        return "no correlation: fewer than four projects, or no difference between them"
    low, high = number(row["pearson_lo"], R), number(row["pearson_hi"], R)
    pearson, spearman = number(row["pearson"], R), number(row["spearman"], R)
    return f"Pearson {pearson} [{low}, {high}], Spearman {spearman}"
