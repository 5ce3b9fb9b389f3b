"""Differences of a metric with their intervals: to the best of a board, or of one to each other."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from warehouse.errors import BadInput
from warehouse.names import literal
from warehouse.reports.comparison import lm_key, turned
from warehouse.reports.display import text
from warehouse.reports.metric_words import is_score, metric_name
from warehouse.reports.papers.sheet import versioned
from warehouse.reports.plots.canvas import COLOURS, GREY, NARROW, blank, estimate
from warehouse.reports.plots.select import Figure, file_stem
from warehouse.reports.plots.spec import PlotSpec
from warehouse.snapshot.query import Reader

FOUND, NOT_FOUND = COLOURS[1], COLOURS[0]
LEVEL = 0.05
BOARD = (
    "concat_ws(', ', task, if(prompt_kind = 'original', null, prompt_kind || ' prompt'), "
    "'T=' || temperature)"
)


def figures(reader: Reader, wanted: PlotSpec) -> Iterator[Figure]:
    """Yield a figure per board, or per dataset; real and simulated language models apart."""
    if wanted.measures or wanted.notion or wanted.setting_id:
        raise BadInput(
            "language models are compared by --metric and --k: "
            "leave out --measures, --notion and --setting"
        )
    rows = _rows(reader, wanted)
    found = reader.one(
        f"select distinct dataset, simulated, board from (\n{rows}\n) "
        "order by simulated, dataset, board"
    ).rows
    if not found:
        raise BadInput("nothing to draw: the views hold no comparison of that")
    several = {place[:2] for place in found if sum(place[:2] == o[:2] for o in found) > 1}
    for dataset, simulated, board in found:
        query = (
            f"select * from (\n{rows}\n)\n"
            f"where dataset = {literal(dataset)} and simulated = {str(simulated).lower()} "
            f"and board = {literal(board)}\n"
            "order by difference desc, name, key"
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
        yield Figure(stem, query, partial(draw, **shown))


def _rows(reader: Reader, wanted: PlotSpec) -> str:
    """Return the query of one row per entry and the one that it is compared with."""
    columns = "difference, difference_lo, difference_hi, holm_p, n_common"
    where = (
        f"difference is not null and metric = {literal(wanted.metric)} and k = {wanted.compared_k}"
    )
    if wanted.dataset is not None:
        where += f" and dataset = {literal(wanted.dataset)}"
    if wanted.lm is None:
        view = versioned(reader, "comparison_to_best", wanted.version)
        return (
            f"select dataset, simulated, {BOARD} as board, lm_id || setting_id as key, "
            "trim(lm || ' ' || revision) as name, "
            f"trim(best_lm || ' ' || best_revision) as other, {columns}\n"
            f"from {view} where {where}"
        )
    view = versioned(reader, "comparison", wanted.version)
    return (
        "select dataset, simulated, '' as board, lm_id_a || lm_id_b as key, "
        "trim(lm_b || ' ' || revision_b) as name, "
        f"trim(lm_a || ' ' || revision_a) as other, {columns}\n"
        f"from ({turned(view)}) where {where} "
        f"and pairing = 'language_models' and lm_id_a = {literal(lm_key(reader, wanted.lm))}"
    )


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
    axis.set_xlabel(f"{metric_name(metric, k)}: {sign} ({unit})")
    figure.suptitle(
        f"{subject}; common problems in brackets; 95 % intervals\n"
        "squares: p < .05 by Holm's procedure over all pairs",
        fontsize=7.5,
    )
    return figure
