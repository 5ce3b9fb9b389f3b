"""What is to be compared and calibrated; many rows come as Arrow tables or arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from warehouse.facts.query import mapping_of, rows_of, run


@dataclass(frozen=True)
class KnownSubject:
    """A calibration subject and what was fitted and estimated of it."""

    subject_no: int
    subject_key: str
    split_key: str
    input_key: str
    version: int
    n_used: int
    n_clusters: int
    seeds: list[int]
    has_full: bool
    has_estimates: bool


@dataclass(frozen=True)
class TextDue:
    """A text that was written in the place of code, what is to be measured, and who gave it."""

    code: str
    kept_text: str
    measures: list[str]
    generation_ids: list[str]


def due_pairs(
    con: duckdb.DuckDBPyConnection,
    *,
    max_samples: int,
    measures: Sequence[str],
    tasks: Sequence[str],
) -> tuple[Any, dict[str, str]]:
    """Return the pairs to be compared as an Arrow table, and the sources they need.

    They are pairs of answers to the given tasks.
    """
    parameters = {
        "max_samples": max_samples,
        "measures": list(measures),
        "tasks": list(tasks),
    }
    pairs = run(con, "measuring/pairs_due", parameters).to_arrow_table()
    con.register("pairs_due", pairs)
    return pairs, mapping_of(con, "measuring/pair_sources")


def due_texts(
    con: duckdb.DuckDBPyConnection, measures: Sequence[str], tasks: Sequence[str]
) -> list[TextDue]:
    """Return the answers to the given tasks that are not yet compared with the code of the hole.

    Equal texts in the place of equal code are one.
    """
    wanted = {"measures": list(measures), "tasks": list(tasks)}
    return rows_of(con, "measuring/texts_due", TextDue, **wanted)


def calibration_subjects(
    con: duckdb.DuckDBPyConnection, lm: str | None, dataset: str | None
) -> list[KnownSubject]:
    """Return the calibration subjects that have any rows, split by split."""
    return rows_of(con, "measuring/subjects", KnownSubject, lm=lm, dataset=dataset)


def subject_pairs(con: duckdb.DuckDBPyConnection, subject_nos: Sequence[int]) -> Any:
    """Return the scores and labels of subjects as an Arrow table, subject by subject."""
    parameters = {"subjects": list(subject_nos)}
    return run(con, "measuring/subject_pairs", parameters).to_arrow_table()
