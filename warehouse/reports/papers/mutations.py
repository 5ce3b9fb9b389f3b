"""The tables of the mutation paper: arXiv 2402.05980.

Version 1 has the paper's rule and its mutations; version 2 the signed drop, and every mutation.
SQL chooses, pivots and orders; here are the names.
"""

from collections.abc import Iterator
from functools import partial

from warehouse.names import literal
from warehouse.reports.display import Layout, ShownColumn
from warehouse.reports.papers.sheet import (
    DATASET_BLOCK,
    Sheet,
    headlines,
    index_of,
    labels,
    with_names,
)
from warehouse.snapshot.query import Reader

MUTATIONS = {
    "names_random": "Names, random",
    "names_shuffle": "Names, shuffled",
    "if_else_flip": "If-else flip",
    "independent_swap": "Independent swap",
    "def_use_break": "Def-use break",
    "for_while": "For as while",
    "operand_swap": "Operand swap",
    "dead_code": "Dead code",
    "docstring_removal": "No docstring",
    "names_loop": "Loop names",
    "keyword_arguments": "Keyword arguments",
}
DATASETS = ("humaneval", "mbpp", "codecontests")

# The number of a version of `ame` that its table shows: as the paper, or better practice.
EFFECTS = {1: "ame", 2: "accuracy_drop"}

# One setting per language model and dataset, the same in every table.
CHOSEN = """
select chosen.*
from {view} as chosen
semi join (
    {headlines}
) as headlines
    on
        chosen.lm_id = headlines.lm_id
        and chosen.dataset = headlines.dataset
        and chosen.setting_id = headlines.setting_id
where {where}
""".strip()

IN_ORDER = f"{index_of('mutation', MUTATIONS)}, mutation"
DATASETS_IN_ORDER = f"{index_of('dataset', DATASETS)}, dataset"
WHO_IN_ORDER = "simulated, lm, lm_id"


def sheets(version: int) -> Iterator[Sheet]:
    """Yield the tables; the third is of the paper's own mutations and in version 1 only."""
    rows = (
        f"select * from mutation_yield_v1 where edition = {version}\n"
        f"order by {DATASETS_IN_ORDER}, dataset_version, {IN_ORDER}"
    )
    yield Sheet(
        1, "pairs", "Counterfactual pairs", "mutation_yield_v1", rows, partial(_losses, rows)
    )
    view, effect = f"ame_v{version}", EFFECTS.get(version, "ame")
    rows = f"{chosen(view, version)}\norder by {WHO_IN_ORDER}, "
    rows += f"{DATASETS_IN_ORDER}, {IN_ORDER}"
    title = "Average mutation effect" if effect == "ame" else "Drop of the pass rate by mutation"
    yield Sheet(2, "effects", title, view, rows, partial(_effects, rows, version))
    if version == 1:
        rows = f"{chosen('operator_effect_v1', 1)}\norder by {WHO_IN_ORDER}, "
        rows += f"{DATASETS_IN_ORDER}, published_frequency_ratio desc nulls last, operator"
        title = "If-else flips by operator"
        yield Sheet(3, "operators", title, "operator_effect_v1", rows, partial(_operators, rows))


def chosen(view: str, version: int, where: str = "true", setting_id: str | None = None) -> str:
    """Return the query of a view's rows under the settings shown of a version's pairs."""
    shown = headlines(f"mutations_v{version}", setting_id)
    return CHOSEN.format(view=view, headlines=shown, where=where)


def _losses(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A block per dataset, a row per mutation: what became of the places found."""
    query = f"""
with yields as (
{rows}
),

grouped as (
    select yields.*, losses.n_invalid, losses.n_unjudged
    from yields
    inner join mutation_losses_v1 as losses
        on
            yields.release_id = losses.release_id
            and yields.edition = losses.edition
            and yields.mutation = losses.mutation
)

select
    dataset || if(
        count(distinct dataset_version) over (partition by dataset) > 1, ' ' || dataset_version, ''
    ) as block,
    {labels("mutation", MUTATIONS)} as mutation_label,
    n_found, n_declined, n_invalid, n_unjudged, n_no_cut, n_kept, n_problems_kept
from grouped
order by {DATASETS_IN_ORDER}, dataset_version, {IN_ORDER}
""".strip()
    heads = ("places", "declined", "invalid", "unjudged", "no cut", "pairs", "problems")
    counts = ("n_found", "n_declined", "n_invalid", "n_unjudged", "n_no_cut", "n_kept")
    names = (*counts, "n_problems_kept")
    shown = [ShownColumn("mutation_label", "mutation", 1, False)]
    shown += [
        ShownColumn(name, head, 2 + index, True)
        for index, (name, head) in enumerate(zip(names, heads, strict=True))
    ]
    return query, Layout(groups=("block",), shown=tuple(shown))


def _effects(rows: str, version: int, reader: Reader) -> tuple[str, Layout]:
    """A block per dataset, a row per language model: accuracy, then a column per mutation.

    Completions a side come first: the fewer they are, the larger an absolute effect is by chance.
    """
    mutations = reader.one(
        f"select mutation from (\n{rows}\n) group by mutation order by {IN_ORDER}"
    ).rows
    effect, values = EFFECTS.get(version, "ame"), []
    shown = [
        ShownColumn("name", "language model", 1, False),
        ShownColumn("n_completions", "completions", 2, True),
        ShownColumn("original", "original", 3, True, fraction=True, better="up", decimals=2),
    ]
    for index, mutation in enumerate(str(row[0]) for row in mutations):
        where = f"filter (where mutation = {literal(mutation)})"
        values += [
            f"max({effect}{end}) {where} as effect_{index}{end}" for end in ("", "_lo", "_hi")
        ]
        shown.append(_effect_column(index, MUTATIONS.get(mutation, mutation), effect))
    query = f"""
{with_names(rows)},

based as (
    select named.*, baselines.original_accuracy as baseline, baselines.n_completions as n_most
    from named
    inner join mutation_baseline_v{version} as baselines
        on
            named.lm_id = baselines.lm_id
            and named.dataset = baselines.dataset
            and named.setting_id = baselines.setting_id
)

select
    {DATASET_BLOCK} as block,
    name,
    any_value(n_most) as n_completions,
    any_value(baseline) as original,
    {", ".join(values)}
from based
group by dataset, simulated, name, lm_id
order by {DATASETS_IN_ORDER}, simulated, name, lm_id
""".strip()
    return query, Layout(groups=("block",), shown=tuple(shown), intervals=True)


def _effect_column(index: int, head: str, effect: str) -> ShownColumn:
    """Return one mutation's column of the table of effects, with its interval."""
    absolute, first = effect == "ame", 4 + 3 * index
    return ShownColumn(
        f"effect_{index}",
        head,
        first,
        numeric=True,
        fraction=True,
        better="down" if absolute else "zero",
        low=first + 1,
        high=first + 2,
        decimals=2,
        signed=not absolute,
    )


def _operators(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A block per language model and dataset, a row per operator, the paper's numbers beside."""
    query = f"""
{with_names(rows)}

select
    name || ' on ' || dataset || if(simulated, ', simulated', '') as block,
    operator, complement, n_used, accuracy_drop, accuracy_drop_lo, accuracy_drop_hi,
    published_accuracy_drop, published_frequency_ratio
from named
order by
    simulated, name, lm_id, {DATASETS_IN_ORDER}, published_frequency_ratio desc nulls last,
    operator
""".strip()
    shown = (
        ShownColumn("operator", "from", 1, False),
        ShownColumn("complement", "to", 2, False),
        ShownColumn("n_used", "pairs", 3, True),
        ShownColumn(
            "accuracy_drop", "drop", 4, True, fraction=True, low=5, high=6, decimals=2, signed=True
        ),
        ShownColumn("published_accuracy_drop", "paper's drop", 7, True, fraction=True, decimals=2),
        ShownColumn("published_frequency_ratio", "paper's ratio", 8, True, decimals=1),
    )
    return query, Layout(groups=("block",), shown=tuple(shown), intervals=True)
