"""The tables of the diversity paper: arXiv 2408.14504.

Version 1 pairs neighbouring samples, as the paper does; version 2 takes all pairs and every
similarity. Rows are all settings of a language model, because the paper compares temperatures.
SQL chooses, pivots and orders; here are the names.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from warehouse.names import literal
from warehouse.reports.display import Layout, ShownColumn
from warehouse.reports.papers.sheet import DATASET_BLOCK, NAME, Sheet, index_of, labels
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
DATASETS_IN_ORDER = f"{index_of('dataset', DATASETS)}, dataset"
IN_ORDER = f"{index_of('similarity', SIMILARITIES)}, similarity, scorer"

MEASURED = "scope = 'first_k' and n_sim > 0"

# A language model with several settings has a row for each.
SHOWN = f"""
with named as (
    select
        *,
        {NAME} || if(
            count(distinct setting_id) over (partition by lm_id, dataset) > 1,
            ', ' || setting, ''
        ) as name
    from {{view}}
    where {MEASURED}
)
""".strip()
NUMBERS = {"sim": "Sim", "csim": "CSim", "dpass": "DPass"}

STRATEGIES = {"vanilla": "vanilla", "planning": "planning", "few_shot_cot": "few-shot CoT"}
DIFFICULTIES = ("all", "introductory", "interview", "competition")

# A strategy that was asked in several settings has a row for each.
BY_STRATEGY = f"""
with named as (
    select
        *,
        {NAME} as lm_name,
        {labels("strategy", STRATEGIES)} || if(
            count(distinct setting_id) over (partition by lm_id, dataset, strategy) > 1,
            ', ' || setting, ''
        ) as name
    from {{view}}
    where {MEASURED}
    qualify count(distinct strategy) over (partition by lm_id, dataset) > 1
)
""".strip()
STRATEGY_BLOCK = (
    "lm_name || ' on ' || dataset || if(difficulty = 'all', '', ', ' || difficulty) || "
    "if(simulated, ', simulated', '')"
)


@dataclass(frozen=True)
class Rows:
    """The rows of a table: the CTE ``named``, what a block and a row are, keys in their order."""

    named: str
    block: str
    heading: str
    keys: str


LANGUAGE_MODELS = Rows(
    SHOWN,
    DATASET_BLOCK,
    "language model",
    f"simulated, {DATASETS_IN_ORDER}, name, lm_id, setting_id",
)


def sheets(version: int) -> Iterator[Sheet]:
    """Yield the tables; figures 5 and 6 of the paper are one here."""
    view = f"sim_at_k_v{version}"
    rows = f"select * from {view} where {MEASURED}\n"
    rows += f"order by simulated, {DATASETS_IN_ORDER}, lm, lm_id, setting, {IN_ORDER}"
    title = "Similarity of ten samples"
    yield Sheet(2, "similarity", title, view, rows, partial(_values, rows, view, ("sim",)))
    strategies = f"strategies_v{version}"
    keys = (
        f"simulated, {DATASETS_IN_ORDER}, lm_name, lm_id, {index_of('difficulty', DIFFICULTIES)}, "
    )
    keys += f"difficulty, {index_of('strategy', STRATEGIES)}, strategy"
    asked = BY_STRATEGY.format(view=strategies)
    told = (
        f"{asked}\nselect * exclude (name, lm_name) from named order by {keys}, setting, {IN_ORDER}"
    )
    shape = Rows(BY_STRATEGY, STRATEGY_BLOCK, "strategy", f"{keys}, name, setting_id")
    yield Sheet(
        3,
        "strategies",
        "Prompting strategies",
        strategies,
        told,
        partial(_values, told, strategies, ("sim",), shape=shape),
    )
    yield Sheet(
        5,
        "correct_samples",
        "Similarity of right samples, and their diversity",
        view,
        rows,
        partial(_values, rows, view, ("csim", "dpass")),
        "figure",
    )
    if version == 1:
        view = "measure_agreement_v1"
        rows = f"select * from {view} where pearson is not null\n"
        rows += "order by simulated, dataset, lm, lm_id, setting, similarity_a, similarity_b, "
        rows += "scorer_a, scorer_b"
        title = "Agreement of similarities"
        yield Sheet(4, "agreement", title, view, rows, partial(_agreement, rows))


def _values(
    rows: str, view: str, measures: Sequence[str], reader: Reader, shape: Rows = LANGUAGE_MODELS
) -> tuple[str, Layout]:
    """Blocks of rows, by default a setting of a dataset: pass@1, and measures by similarity."""
    shown = [
        ShownColumn("name", shape.heading, 1, False),
        ShownColumn("pass_at_1", "pass@1", 2, True, fraction=True, better="up", low=3, high=4),
    ]
    values: list[str] = []
    similarities = reader.one(
        f"select similarity, scorer, scorer_id from (\n{rows}\n) "
        f"group by similarity, scorer, scorer_id order by {IN_ORDER}, scorer_id"
    ).rows
    several = [name for name, _, _ in similarities]
    for similarity, scorer, scorer_id in similarities:
        head = SIMILARITIES.get(str(similarity), str(similarity))
        head += f" ({scorer})" if several.count(similarity) > 1 else ""
        where = f"similarity = {literal(similarity)} and scorer_id = {literal(scorer_id)}"
        for measure in measures:
            name = f"value_{len(values)}"
            values += [
                f"max({measure}{end}) filter (where {where}) as {name}{end}"
                for end in ("", "_lo", "_hi")
            ]
            first = 2 + len(values)
            shown.append(
                ShownColumn(
                    name,
                    f"{NUMBERS[measure]}, {head}",
                    first,
                    numeric=True,
                    fraction=True,
                    better="up" if measure == "dpass" else "down",
                    low=first + 1,
                    high=first + 2,
                )
            )
    query = f"""
{shape.named.format(view=view)}

select
    {shape.block} as block,
    name,
    max(pass_at_1) as pass_at_1,
    max(pass_at_1_lo) as pass_at_1_lo,
    max(pass_at_1_hi) as pass_at_1_hi,
    {", ".join(values)}
from named
group by {shape.keys}
order by {shape.keys}
""".strip()
    return query, Layout(groups=("block",), shown=tuple(shown), intervals=True)


def _agreement(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A block per entry, a row per two similarities: correlations over the paper's pairs."""
    names = [
        f"{labels(f'similarity_{side}', SIMILARITIES)} || "
        f"if(scorer_{side} = '', '', ' (' || scorer_{side} || ')') as name_{side}"
        for side in "ab"
    ]
    query = f"""
with agreements as (
{rows}
)

select
    lm || ' on ' || dataset || ', ' || setting || if(simulated, ', simulated', '') as block,
    {", ".join(names)}, n_pairs, pearson, pearson_lo, pearson_hi, pearson_within, spearman, kendall
from agreements
order by
    simulated, dataset, lm, lm_id, setting, {index_of("similarity_a", SIMILARITIES)},
    {index_of("similarity_b", SIMILARITIES)}, name_a, name_b
""".strip()
    shown = (
        ShownColumn("name_a", "similarity", 1, False),
        ShownColumn("name_b", "beside", 2, False),
        ShownColumn("n_pairs", "pairs", 3, True),
        ShownColumn("pearson", "Pearson", 4, True, low=5, high=6, decimals=2),
        ShownColumn("pearson_within", "within problems", 7, True, decimals=2),
        ShownColumn("spearman", "Spearman", 8, True, decimals=2),
        ShownColumn("kendall", "Kendall", 9, True, decimals=2),
    )
    return query, Layout(groups=("block",), shown=shown, intervals=True)
