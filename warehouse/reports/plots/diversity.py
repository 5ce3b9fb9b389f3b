"""Correctness beside similarity: pass@1 and pass@k, Sim@k and CSim@k, DPass@k, with intervals.

Figures 4 to 6 of Chon et al. (arXiv 2408.14504) are one figure here, with a row per language model
and setting. Rows are ordered by pass@1, where that is unknown by similarity.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from warehouse.errors import BadInput, known_names
from warehouse.reports.display import text
from warehouse.reports.papers.diversity import NUMBERS, SIMILARITIES, why_no_sim
from warehouse.reports.papers.sheet import versioned
from warehouse.reports.plots.canvas import COLOURS, GREY, WIDE, blank, dot, estimate
from warehouse.reports.plots.select import Figure, file_stem
from warehouse.reports.plots.spec import NothingToDraw, PlotSpec
from warehouse.reports.query import query
from warehouse.snapshot.query import Reader

OWN = {1: "scc_clone_80", 2: "overlap_ratio"}
PANELS = (
    ("right samples (%)", {"pass_at_1": "pass@1", "pass_at_k": "pass@{k}"}),
    ("similarity (%), lower is more diverse", {"sim": "Sim@{k}", "csim": "CSim@{k}"}),
    ("right and different (%)", {"dpass": "DPass@{k}"}),
)


def figures(reader: Reader, wanted: PlotSpec) -> Iterator[Figure]:
    """Yield a figure per dataset and similarity, real and simulated language models apart."""
    if wanted.notion:
        raise BadInput("diversity takes no --notion: right means that all tests pass: leave it out")
    view = versioned(reader, "sim_at_k", wanted.drawn_version)
    stored = reader.one(query("plots/diversity/similarities", view=view)).rows
    known = list(dict.fromkeys([*SIMILARITIES, *(name for (name,) in stored)]))
    for similarity in wanted.measures:
        if similarity not in known:
            raise BadInput(
                f"unknown similarity {text(similarity)!r}{known_names(similarity, known)}"
            )
    which = list(wanted.measures) or [OWN.get(wanted.drawn_version, "overlap_ratio")]
    asked: dict[str, Any] = {"view": view, "wanted": wanted, "which_measures": which}
    found = reader.one(query("plots/diversity/panels", **asked)).rows
    if not found:
        _require_pairs(reader, asked)
    for dataset, simulated, similarity, scorer, scorer_id in found:
        words = ("diversity", dataset, similarity, scorer, "simulated" * simulated)
        of_figure = query(
            "plots/diversity/figure",
            **asked,
            numbers=["pass_at_1", "pass_at_k", *NUMBERS],
            dataset=dataset,
            simulated=simulated,
            similarity=similarity,
            scorer_id=scorer_id,
        )
        name = SIMILARITIES.get(similarity, similarity)
        title = f"{name}{f' ({scorer})' if scorer else ''} on {dataset}"
        title += ", simulated language models" if simulated else ""
        drawn = partial(draw, title=title)
        yield Figure(file_stem(*words), of_figure, drawn, {"dataset": dataset}, of_one_measure=True)


def _require_pairs(reader: Reader, asked: dict[str, Any]) -> None:
    """Raise NothingToDraw, saying what is missing, where no pair of the problems has a value."""
    k, n_problems, n_too_few = reader.one(query("plots/diversity/missing", **asked)).rows[0]
    if n_problems:
        which = " or ".join(asked["which_measures"])
        raise NothingToDraw(why_no_sim(k, n_problems, n_too_few, which))


def draw(rows: Sequence[dict[str, Any]], *, title: str) -> Any:
    """Panels over the same rows, a point and its interval for each number.

    A panel without a value is left out: of resampled settings only similarity is known.
    """
    panels = [
        each for each in PANELS if any(row[name] is not None for name in each[1] for row in rows)
    ]
    figure = blank(WIDE, 1.1 + 0.24 * len(rows))
    figure.get_layout_engine().set(w_pad=0.08)  # long names are wider where pixels are finer
    axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    k = rows[0]["k"]
    for axis, (label, measures) in zip(axes, panels, strict=True):
        for number, (name, head) in enumerate(measures.items()):
            marker, colour = "os"[number], COLOURS[number]
            for place, row in enumerate(rows):
                y = place + (number - (len(measures) - 1) / 2) * 0.3
                estimate(axis, row, name, y, marker=marker, color=colour, markersize=4)
            dot(axis, [], [], marker=marker, color=colour, label=head.format(k=k))
        axis.set_xlabel(label)
        axis.grid(axis="x", color=GREY, linewidth=0.2)
        axis.set_axisbelow(True)
        axis.spines[["top", "right"]].set_visible(False)
        axis.tick_params(axis="y", length=0)
        axis.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, handletextpad=0.2)
    names = [f"{text(row['name'])} ({row['n_sim']})" for row in rows]
    axes[0].set_yticks(range(len(rows)), names)
    axes[0].set_ylim(len(rows) - 0.5, -0.5)
    figure.suptitle(
        f"diversity by {text(title)}; problems behind Sim in brackets; 95 % intervals", fontsize=7.5
    )
    return figure
