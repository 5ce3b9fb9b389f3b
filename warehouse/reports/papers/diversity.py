"""The tables of the diversity paper: arXiv 2408.14504.

Version 1 pairs neighbouring samples, as the paper does; version 2 takes all pairs and every
similarity. Rows are all settings of a language model, because the paper compares temperatures.
SQL chooses, pivots and orders; here are the names.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from warehouse.reports.display import Layout, ShownColumn
from warehouse.reports.papers.sheet import Paper, Sheet
from warehouse.reports.query import query
from warehouse.snapshot.query import Reader

# In the paper's order; what it does not have comes after.
SIMILARITIES = {
    "scc_clone_80": "clones, SCC",
    "embedding_v1": "encoder",
    "judge_v1": "judge",
    "judge_v2": "judge, both orders",
    "human_v1": "people",
    "overlap_ratio": "token overlap",
    "clone_70": "clones at .7",
    "clone_80": "clones at .8",
    "clone_90": "clones at .9",
    "tfidf_v1": "TF-IDF",
    "tree_edit_v1": "tree edits",
    "structure_v1": "structure",
    "behaviour_v1": "behaviour",
}
DATASETS = ("apps", "humaneval")
NUMBERS = {"sim": "Sim", "csim": "CSim", "dpass": "DPass"}

STRATEGIES = {"vanilla": "vanilla", "planning": "planning", "few_shot_cot": "few-shot CoT"}
DIFFICULTIES = ("all", "introductory", "interview", "competition")

IN_ORDER: dict[str, Any] = {"datasets": DATASETS, "similarities": SIMILARITIES}
BY_STRATEGY: dict[str, Any] = {"strategies": STRATEGIES, "difficulties": DIFFICULTIES}


@dataclass(frozen=True)
class SimilarityTable:
    """How similarities are laid out: the query, what a row is, and what more the query takes."""

    query: str
    heading: str
    more: dict[str, Any]


LANGUAGE_MODELS = SimilarityTable("papers/diversity/similarities_shown", "language model", {})
PROMPTED = SimilarityTable("papers/diversity/strategies_shown", "strategy", BY_STRATEGY)


def sheets(version: int) -> Iterator[Sheet]:
    """Yield the tables; figures 5 and 6 of the paper are one here."""
    view = f"sim_at_k_v{version}"
    rows = query("papers/diversity/similarities", view=view, **IN_ORDER)
    title = "Similarity of ten samples"
    laid_out = partial(_values, rows, view, ("sim",), LANGUAGE_MODELS)
    yield Sheet(2, "similarity", title, view, rows, laid_out)
    strategies = f"strategies_v{version}"
    by_strategy = query("papers/diversity/strategies", view=strategies, **IN_ORDER, **BY_STRATEGY)
    laid_out = partial(_values, by_strategy, strategies, ("sim",), PROMPTED)
    yield Sheet(3, "strategies", "Prompting strategies", strategies, by_strategy, laid_out)
    title = "Similarity of right samples, and their diversity"
    laid_out = partial(_values, rows, view, ("csim", "dpass"), LANGUAGE_MODELS)
    yield Sheet(5, "correct_samples", title, view, rows, laid_out, "figure")
    if version == 1:
        rows = query("papers/diversity/agreement")
        title = "Agreement of similarities"
        yield Sheet(4, "agreement", title, "measure_agreement_v1", rows, partial(_agreement, rows))


def _values(
    rows: str, view: str, measures: Sequence[str], shape: SimilarityTable, reader: Reader
) -> tuple[str, Layout]:
    """Blocks of rows, such as a setting of a dataset: pass@1, and measures by similarity."""
    shown = [
        ShownColumn("name", shape.heading, 1, False),
        ShownColumn("pass_at_1", "pass@1", 2, True, fraction=True, better="up", low=3, high=4),
    ]
    asked = query("papers/diversity/similarities_found", rows=rows, similarities=SIMILARITIES)
    found = reader.one(asked).rows
    several = [name for name, _, _ in found]
    for similarity, scorer, _ in found:
        head = SIMILARITIES.get(str(similarity), str(similarity))
        head += f" ({scorer})" if several.count(similarity) > 1 else ""
        for measure in measures:
            first = 3 * len(shown) - 1
            shown.append(
                ShownColumn(
                    f"value_{len(shown) - 2}",
                    f"{NUMBERS[measure]}, {head}",
                    first,
                    numeric=True,
                    fraction=True,
                    better="up" if measure == "dpass" else "down",
                    low=first + 1,
                    high=first + 2,
                )
            )
    shown_rows = query(
        shape.query,
        view=view,
        numbers=measures,
        found=[(similarity, scorer_id) for similarity, _, scorer_id in found],
        datasets=DATASETS,
        **shape.more,
    )
    return shown_rows, Layout(groups=("block",), shown=tuple(shown), intervals=True)


def _agreement(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A block per entry, a row per two similarities: correlations over the paper's pairs."""
    shown = (
        ShownColumn("name_a", "similarity", 1, False),
        ShownColumn("name_b", "beside", 2, False),
        ShownColumn("n_pairs", "pairs", 3, True),
        ShownColumn("pearson", "Pearson", 4, True, low=5, high=6, decimals=2),
        ShownColumn("pearson_within", "within problems", 7, True, decimals=2),
        ShownColumn("spearman", "Spearman", 8, True, decimals=2),
        ShownColumn("kendall", "Kendall", 9, True, decimals=2),
    )
    shown_rows = query("papers/diversity/agreement_shown", rows=rows, similarities=SIMILARITIES)
    return shown_rows, Layout(groups=("block",), shown=shown, intervals=True)


def why_no_sim(k: int | None, n_problems: int, n_too_few: int, similarities: str) -> str:
    """Return what keeps Sim@k from having a value, and which command mends it.

    Of the problems that were asked about, ``n_too_few`` have fewer than k samples.
    """
    if not n_problems:
        return (
            "no sample that is a whole function has a verdict: run `assay generate -n 10` or "
            "`assay import`, then `assay execute`, `assay similarity` and `assay build`"
        )
    if n_too_few == n_problems:
        return (
            f"Sim@{k} needs {k} samples of a problem, and no problem here has as many: draw them "
            f"with `assay generate -n {k}`, then run `assay execute`, `assay similarity` and "
            "`assay build`"
        )
    return (
        f"no pair of samples here has a value of {similarities}: run `assay similarity`, or "
        "`assay rate` for a judge, then `assay build`"
    )


def _why_empty(reader: Reader, version: int) -> str:
    view = f"sim_at_k_v{version}"
    k, n_problems, n_too_few = reader.one(query("papers/diversity/missing", view=view)).rows[0]
    return why_no_sim(k, n_problems, n_too_few, "any similarity")


PAPER = Paper(sheets, _why_empty)
