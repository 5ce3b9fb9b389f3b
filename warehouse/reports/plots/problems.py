"""Two language models problem by problem: where one has a larger value than the other."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from warehouse.errors import BadInput
from warehouse.reports.comparison.rows import lm_key, problems_query, selected
from warehouse.reports.display import text
from warehouse.reports.metric_words import metric_name
from warehouse.reports.papers.sheet import versioned
from warehouse.reports.plots.canvas import COLOURS, GREY, WIDE, blank
from warehouse.reports.plots.select import Figure, file_stem
from warehouse.reports.plots.spec import NothingToDraw, PlotSpec
from warehouse.reports.query import query
from warehouse.reports.specs import CompareSpec
from warehouse.snapshot.query import Reader

MOST_NAMED = 60  # of more problems, no task is named


def figures(reader: Reader, wanted: PlotSpec) -> Iterator[Figure]:
    """Yield a figure per dataset that both answered; raises NothingToDraw when there is none."""
    if wanted.lm is None or wanted.other is None:
        raise BadInput("problems of two language models are drawn: name both, --lm and --other")
    if wanted.measures or wanted.notion:
        raise BadInput("values of --metric are drawn: leave out --measures and --notion")
    view = versioned(reader, "comparison", wanted.drawn_version)
    one, other = (lm_key(reader, name) for name in (wanted.lm, wanted.other))
    pair = CompareSpec(
        wanted.lm,
        wanted.other,
        wanted.dataset,
        metric=wanted.metric,
        k=wanted.compared_k,
        setting_a=wanted.setting_id,
    )
    rows = problems_query(selected(reader, view, one, other, pair))
    found = reader.one(query("plots/problems/panels", rows=rows)).rows
    if not found:
        raise NothingToDraw(
            f"no comparison of {text(wanted.lm)} and {text(wanted.other)} fits these options; "
            f"`assay compare {text(wanted.lm)} {text(wanted.other)}` says more"
        )
    for dataset, release_id in found:
        of_figure = query("plots/problems/figure", rows=rows, release_id=release_id)
        stem = file_stem("problems", wanted.lm, wanted.other, dataset)
        metric = metric_name(wanted.metric, wanted.compared_k)
        shown = {"dataset": dataset, "lm": wanted.lm, "other": wanted.other, "metric": metric}
        names = {"lm": wanted.lm, "dataset": dataset}
        yield Figure(stem, of_figure, partial(draw, **shown), names)


def draw(rows: Sequence[dict[str, Any]], *, dataset: str, lm: str, other: str, metric: str) -> Any:
    """A bar per problem, the first language model's largest lead first."""
    figure = blank(WIDE, 2.6)
    axis = figure.subplots()
    values = [100 * row["difference"] for row in rows]
    ahead, behind = sum(value > 0 for value in values), sum(value < 0 for value in values)
    axis.bar(
        range(len(values)),
        values,
        width=0.9,
        color=[COLOURS[0] if value > 0 else COLOURS[1] for value in values],
    )
    axis.axhline(0, color=GREY, linewidth=0.6)
    if len(rows) <= MOST_NAMED:
        axis.set_xticks(range(len(rows)), [text(row["task_id"]) for row in rows], rotation=90)
    else:
        axis.set_xticks([])
    axis.set_xlim(-1, len(rows))
    axis.set(ylim=(-105, 105), ylabel=f"{metric}: points apart", xlabel=f"{len(rows)} problems")
    axis.spines[["top", "right", "bottom"]].set_visible(False)
    figure.suptitle(
        text(
            f"{lm} less {other} on {dataset}: {ahead} problems above 0, "
            f"{behind} below, {len(values) - ahead - behind} equal"
        ),
        fontsize=7.5,
    )
    return figure
