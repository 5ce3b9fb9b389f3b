"""Which pairs of programs a language model is to be asked about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from warehouse.facts.query import column_of, mapping_of, rows_of, run, table_of


@dataclass(frozen=True, slots=True)
class RatingDue:
    """A reply that a judge owes: two candidates in an order, and the number of the vote.

    Problem, variant and generation are those of one sample that became one of the candidates.
    """

    candidate_first: str
    candidate_second: str
    vote: int
    problem_id: str
    task_id: str
    variant_id: str
    generation_id: str


@dataclass(frozen=True)
class WhichPairs:
    """Pairs that may be rated: of which samples, and all of them or the paper's neighbours."""

    tasks: Sequence[str]
    max_samples: int
    neighbours: bool
    dataset: str | None
    answered_by: str | None


def rateable_pairs(con: duckdb.DuckDBPyConnection, which: WhichPairs) -> Any:
    """Return every pair that a judge may be asked about, as an Arrow table."""
    parameters = {**vars(which), "tasks": list(which.tasks)}
    return table_of(con, "ratings/pairs", **parameters)


def count_scored(con: duckdb.DuckDBPyConnection, which: WhichPairs) -> int:
    """Return how many samples have a verdict, whether they have a neighbour or not."""
    found = column_of(
        con,
        "ratings/n_scored",
        tasks=list(which.tasks),
        dataset=which.dataset,
        answered_by=which.answered_by,
    )
    return int(found[0])


def due_ratings(
    con: duckdb.DuckDBPyConnection, pairs: Any, scorer_id: str, n_orders: int, n_votes: int
) -> list[RatingDue]:
    """Return the replies of a scorer that are missing, problem by problem."""
    con.register("pairs", pairs)
    return rows_of(
        con, "ratings/due", RatingDue, scorer_id=scorer_id, n_orders=n_orders, n_votes=n_votes
    )


def sources_of(con: duckdb.DuckDBPyConnection, candidate_ids: Sequence[str]) -> dict[str, str]:
    """Return the text of each named candidate."""
    return mapping_of(con, "ratings/sources", candidate_ids=list(candidate_ids))


def judged_candidates(
    con: duckdb.DuckDBPyConnection, candidate_ids: Sequence[str]
) -> set[tuple[str, str]]:
    """Return the named candidates that are known, each with the problems that judge it."""
    found = run(con, "ratings/judged_candidates", {"candidate_ids": list(candidate_ids)})
    return {(candidate_id, problem_id) for candidate_id, problem_id in found.fetchall()}


def stored_levels(con: duckdb.DuckDBPyConnection, rating_ids: Sequence[str]) -> dict[str, int]:
    """Return the level of each named rating that is stored."""
    return mapping_of(con, "ratings/levels", rating_ids=list(rating_ids))
