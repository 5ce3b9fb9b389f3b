"""What is to be compared and calibrated; many rows come as Arrow tables or arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from models.words import MEASURES_OF_WORDS, TASKS_OF_METRICS
from warehouse.facts.query import mapping_of, rows_of, run, table_of


@dataclass(frozen=True)
class KnownSubject:
    """A calibration subject and what was fitted of it."""

    subject_no: int
    subject_key: str
    split_key: str
    input_key: str
    version: int
    n_used: int
    n_clusters: int
    seeds: list[int]
    has_full: bool


@dataclass(frozen=True)
class ClaimedSubject:
    """A row of claimed_calibration."""

    subject_key: str
    input_key: str


@dataclass(frozen=True)
class DuePairing:
    """Two calibration subjects whose comparison is not estimated yet."""

    pair_key: str
    pair_input_key: str
    release_id: str
    notion: str
    measure: str
    subject_no_a: int
    subject_no_b: int
    n_used_a: int
    n_used_b: int


@dataclass(frozen=True)
class ReleaseReferences:
    """A release of a dataset, and its reference programs: what a measure may be fitted on."""

    release_id: str
    dataset: str
    version: str
    sources: list[str]


@dataclass(frozen=True)
class ScoresDue:
    """Pairs without a score, the sources of their candidates, and the features that are kept.

    ``pairs`` and ``features`` are Arrow tables.
    """

    pairs: Any
    sources: dict[str, str]
    features: Any


@dataclass(frozen=True)
class TextDue:
    """A text, what it is compared with, by which measures, and the generations that hold it."""

    reference: str
    kept_text: str
    measures: list[str]
    generation_ids: list[str]


def all_pairs(
    con: duckdb.DuckDBPyConnection,
    *,
    max_samples: int,
    tasks: Sequence[str],
    left_out: Sequence[str] = (),
) -> Any:
    """Return every pair of answers to the given tasks that may be compared, as an Arrow table.

    Those to problems of datasets that are ``left_out`` are not among them.

    Callers pass it to the functions below as ``pairs``, so the query runs once.
    """
    parameters = {"max_samples": max_samples, "tasks": list(tasks), "left_out": list(left_out)}
    return table_of(con, "measuring/pairs", **parameters)


def due_pairs(
    con: duckdb.DuckDBPyConnection, pairs: Any, measures: Sequence[str]
) -> tuple[Any, dict[str, str]]:
    """Return the pairs whose tokens are to be counted as an Arrow table, and their sources."""
    con.register("pairs", pairs)
    due = table_of(con, "measuring/pairs_due", measures=list(measures))
    con.register("pairs_due", due)
    return due, mapping_of(con, "measuring/pair_sources")


def due_scores(
    con: duckdb.DuckDBPyConnection, pairs: Any, scorer_id: str, release_id: str | None
) -> ScoresDue:
    """Return the pairs that a scorer is to score, problem by problem, and what they need."""
    con.register("pairs", pairs)
    parameters = {"scorer_id": scorer_id, "release_id": release_id}
    due = table_of(con, "measuring/scores_due", **parameters)
    con.register("pairs_due", due)
    features = table_of(con, "measuring/features_known", scorer_id=scorer_id)
    return ScoresDue(due, mapping_of(con, "measuring/pair_sources"), features)


def references(con: duckdb.DuckDBPyConnection, pairs: Any) -> list[ReleaseReferences]:
    """Return the releases that hold the problems of pairs, with their reference programs."""
    con.register("pairs", pairs)
    return rows_of(con, "measuring/references", ReleaseReferences)


def due_texts(con: duckdb.DuckDBPyConnection, measures: Sequence[str]) -> list[TextDue]:
    """Return the texts that are not yet compared by the given measures.

    Programs of round trips are compared with the code that was taken out. Descriptions of edits are
    compared with what a person said, by measures of words only. Equal texts beside equal references
    are one.
    """
    of_words = [measure for measure in measures if measure in MEASURES_OF_WORDS]
    return rows_of(
        con,
        "measuring/texts_due",
        TextDue,
        measures=list(measures),
        tasks=list(TASKS_OF_METRICS["round_trip"]),
        measures_of_words=of_words,
        tasks_of_words=list(TASKS_OF_METRICS["edit_description"]),
    )


def calibration_subjects(
    con: duckdb.DuckDBPyConnection, lm: str | None, dataset: str | None
) -> list[KnownSubject]:
    """Return the calibration subjects that have any rows, split by split."""
    return rows_of(con, "calibration/subjects", KnownSubject, lm=lm, dataset=dataset)


def estimated(con: duckdb.DuckDBPyConnection, methods: Sequence[str]) -> set[tuple[str, str]]:
    """Return subject_key and input_key of what has an estimate by each of these methods."""
    parameters = {"methods": list(methods)}
    return set(run(con, "calibration/estimated", parameters).fetchall())


def calibration_pairings(
    con: duckdb.DuckDBPyConnection, lm: str | None, dataset: str | None, method: str
) -> list[DuePairing]:
    """Return the pairs of subjects to compare, those of one release, notion and measure together.

    ``lm``: pairs of which one is of this language model. ``method``: how pairs are compared today;
    those compared otherwise are due.
    """
    return rows_of(con, "calibration/pairings", DuePairing, lm=lm, dataset=dataset, method=method)


def claimed_subjects(
    con: duckdb.DuckDBPyConnection, lm: str | None, dataset: str | None
) -> list[ClaimedSubject]:
    """Return the subjects of claims that have any pairs of score and claimed verdict."""
    return rows_of(con, "calibration/claimed_subjects", ClaimedSubject, lm=lm, dataset=dataset)


def claimed_pairs(con: duckdb.DuckDBPyConnection, subject_keys: Sequence[str]) -> Any:
    """Return the scores and claimed verdicts of subjects of claims as an Arrow table.

    ``subject_no`` is the place of the key, from 1.
    """
    parameters = {"subjects": list(subject_keys)}
    return table_of(con, "calibration/claimed_pairs", **parameters)


def subject_pairs(con: duckdb.DuckDBPyConnection, subject_nos: Sequence[int]) -> Any:
    """Return the scores and labels of subjects as an Arrow table, subject by subject."""
    parameters = {"subjects": list(subject_nos)}
    return table_of(con, "calibration/subject_pairs", **parameters)
