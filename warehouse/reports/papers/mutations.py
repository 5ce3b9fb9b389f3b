"""The tables of the mutation paper: arXiv 2402.05980.

Version 1 has the paper's rule and its mutations; version 2 the signed drop, and every mutation.
SQL chooses, pivots and orders; here are the names.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from warehouse.reports.display import Layout, ShownColumn
from warehouse.reports.papers.sheet import Paper, Sheet
from warehouse.reports.query import query
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

FOUND: dict[str, Any] = {"datasets": DATASETS, "mutations": MUTATIONS}


def sheets(version: int) -> Iterator[Sheet]:
    """Yield the tables; the third is of the paper's own mutations and in version 1 only."""
    rows = query("papers/mutations/pairs", version=version, **FOUND)
    yield Sheet(
        1, "pairs", "Counterfactual pairs", "mutation_yield_v1", rows, partial(_losses, rows)
    )
    view, effect = f"ame_v{version}", EFFECTS.get(version, "ame")
    rows = query("papers/mutations/effects", view=view, version=version, **FOUND)
    title = "Average mutation effect" if effect == "ame" else "Drop of the pass rate by mutation"
    yield Sheet(2, "effects", title, view, rows, partial(_effects, rows, version))
    if version == 1:
        rows = query("papers/mutations/operators", datasets=DATASETS)
        title = "If-else flips by operator"
        yield Sheet(3, "operators", title, "operator_effect_v1", rows, partial(_operators, rows))


def _losses(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A block per dataset, a row per mutation: what became of the places found."""
    heads = ("places", "declined", "invalid", "unjudged", "no cut", "pairs", "problems")
    counts = ("n_found", "n_declined", "n_invalid", "n_unjudged", "n_no_cut", "n_kept")
    names = (*counts, "n_problems_kept")
    shown = [ShownColumn("mutation_label", "mutation", 1, False)]
    shown += [
        ShownColumn(name, head, 2 + index, True)
        for index, (name, head) in enumerate(zip(names, heads, strict=True))
    ]
    shown_rows = query("papers/mutations/pairs_shown", rows=rows, **FOUND)
    return shown_rows, Layout(groups=("block",), shown=tuple(shown))


def _effects(rows: str, version: int, reader: Reader) -> tuple[str, Layout]:
    """A block per dataset, a row per language model: accuracy, then a column per mutation.

    Completions a side come first: the fewer they are, the larger an absolute effect is by chance.
    """
    asked = query("papers/mutations/effects_mutations", rows=rows, mutations=MUTATIONS)
    mutations = [str(name) for (name,) in reader.one(asked).rows]
    effect = EFFECTS.get(version, "ame")
    shown = [
        ShownColumn("name", "language model", 1, False),
        ShownColumn("n_completions", "completions", 2, True),
        ShownColumn("original", "original", 3, True, fraction=True, better="up", decimals=2),
    ]
    shown += [
        _effect_column(index, MUTATIONS.get(mutation, mutation), effect)
        for index, mutation in enumerate(mutations)
    ]
    shown_rows = query(
        "papers/mutations/effects_shown",
        rows=rows,
        version=version,
        effect=effect,
        found=mutations,
        datasets=DATASETS,
    )
    return shown_rows, Layout(groups=("block",), shown=tuple(shown), intervals=True)


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
    shown_rows = query("papers/mutations/operators_shown", rows=rows, datasets=DATASETS)
    return shown_rows, Layout(groups=("block",), shown=tuple(shown), intervals=True)


def _why_empty(reader: Reader, version: int) -> str:
    return (
        "no language model was asked about counterfactual pairs: run `assay mutate` and `assay "
        "generate --task counterfactual`, then `assay execute` and `assay build`"
    )


PAPER = Paper(sheets, _why_empty)
