"""Which of our numbers is beside which printed one, by loops over rows.

Rows of the views that ours come from, rows of the seed and of the names of language models go in.
What comes out is our number by what tells the rows of a view apart.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

Row = dict[str, Any]
Names = dict[str, str]
"""The name in the paper by the name here, in lower case."""

OURS = {
    "scc": "scc_clone_80",
    "embedding": "embedding_v1",
    "llm_judge": "judge_v1",
    "human": "human_v1",
}


def names(published_lm: Iterable[dict[str, str]], paper: str) -> Names:
    """Return the names of a paper's language models."""
    return {row["lm"].lower(): row["printed_lm"] for row in published_lm if row["paper"] == paper}


def similarities(strategies: Iterable[Row], seed: list[dict[str, str]], named: Names) -> Row:
    """Table 2 of the diversity paper: Sim@10 without a strategy, first ten samples."""
    cells = {
        (row["lm"], row["dataset"], OURS[row["measure"]], row["setting"]): row["result_id"]
        for row in seed
        if row["table_no"] == "2"
    }
    found = {}
    for row in strategies:
        if (row["scope"], row["strategy"]) != ("first_k", "vanilla"):
            continue
        dataset = row["dataset"]
        if row["difficulty"] != "all":
            dataset += f"-{row['difficulty']}"
        printed = named.get(row["lm"].lower(), "")
        setting = f"temperature {row['temperature']}"
        result = cells.get((printed, dataset, row["similarity"], setting))
        if result:
            key = (result, row["lm_id"], row["setting_id"], row["scorer_id"])
            found[key] = row["sim"]
    return found


def agreements(measured: Iterable[Row], seed: list[dict[str, str]], named: Names) -> Row:
    """Table 4 of the diversity paper: every language model of the paper, in both directions."""
    cells = [row for row in seed if row["table_no"] == "4" and row["value"]]
    found = {}
    for row in measured:
        if row["lm"].lower() not in named:
            continue
        for cell in cells:
            wanted = (OURS[cell["measure"]], OURS[cell["setting"].removeprefix("with ")])
            for one, other in (("a", "b"), ("b", "a")):
                if (row[f"similarity_{one}"], row[f"similarity_{other}"]) == wanted:
                    key = (
                        *(cell["result_id"], row["lm_id"], row["release_id"], row["setting_id"]),
                        row[f"scorer_id_{one}"],
                        row[f"scorer_id_{other}"],
                    )
                    found[key] = (row["pearson"], row["n_pairs"])
    return found


def operators(effects: Iterable[Row], seed: list[dict[str, str]], named: Names) -> Row:
    """Table 3 of the mutation paper: the drop over the pairs of its datasets, by operator."""
    pooled: dict[tuple[str, ...], list[tuple[float, int]]] = defaultdict(list)
    datasets = {"humaneval", "mbpp", "codecontests"}
    cells = [r for r in seed if r["table_no"] == "3" and r["statistic"] == "accuracy_drop"]
    for row in effects:
        for cell in cells:
            if (
                cell["operator"] == row["operator"]
                and cell["lm"] == named.get(row["lm"].lower())
                and row["dataset"] in datasets
                and row["accuracy_drop"] is not None
            ):
                key = (cell["result_id"], row["lm_id"], row["setting_id"])
                pooled[key].append((row["accuracy_drop"], row["n_used"]))
    return {
        key: (sum(drop * n for drop, n in drops) / sum(n for _, n in drops))
        for key, drops in pooled.items()
    }


def pairs(yields: Iterable[Row], newest: dict[str, str], seed: list[dict[str, str]]) -> Row:
    """Table 1 of the mutation paper: valid pairs of the newest release of its datasets."""
    found: dict[str, float] = {}
    for cell, row in _of_datasets(seed, yields):
        if row["edition"] == 1 and row["release_id"] == newest[row["dataset"]]:
            found[cell["result_id"]] = found.get(cell["result_id"], 0) + row["n_kept"]
    return found


def _of_datasets(
    seed: list[dict[str, str]], yields: Iterable[Row]
) -> Iterator[tuple[dict[str, str], Row]]:
    rows = list(yields)
    for cell in (each for each in seed if each["table_no"] == "1"):
        for row in rows:
            named = row["dataset"] in cell["dataset"].split("+")
            if named and row["mutation"] == cell["mutation"]:
                yield cell, row
