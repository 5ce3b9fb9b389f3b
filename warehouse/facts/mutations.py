"""What was searched for mutations, and which pairs are to be asked."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from warehouse.facts.query import column_of, rows_of


@dataclass(frozen=True)
class CutProgram:
    """One program of a pair: the prompt that ends at the cut, and the whole source."""

    problem_id: str
    task_id: str
    entry_point: str
    suffix: str
    variant_id: str
    kind: str
    prompt: str
    source: str


def done_scans(con: duckdb.DuckDBPyConnection) -> set[str]:
    """Return the scan_ids of all searches that were done."""
    return set(column_of(con, "mutations/scans"))


def cut_programs(
    con: duckdb.DuckDBPyConnection,
    dataset: str,
    *,
    mutations: Sequence[str],
    editions: Sequence[int],
    most: int,
    seed: int,
) -> list[CutProgram]:
    """Return the programs of at most ``most`` pairs per mutation and edition.

    No ``mutations`` mean all of them.
    """
    return rows_of(
        con,
        "mutations/sides_due",
        CutProgram,
        dataset=dataset,
        mutations=list(mutations),
        editions=list(editions),
        most=most,
        seed=str(seed),
    )
