"""What is in the warehouse, what is still to do, and how the last runs ended."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from warehouse.facts.judging import Rules
from warehouse.facts.query import column_of, rows_of
from warehouse.names import literal


@dataclass(frozen=True)
class DatasetState:
    """How many problems of a release were admitted and rejected."""

    dataset: str
    version: str
    n_problems: int
    n_admitted: int
    n_rejected: int


@dataclass(frozen=True)
class GenerationState:
    """How many answers of a language model to a dataset were judged, and are to be."""

    dataset: str
    lm: str
    simulated: bool
    n_generations: int
    n_reflections: int
    n_judged: int
    n_pending: int


@dataclass(frozen=True)
class RejectedState:
    """How many problems of a dataset were rejected for one reason."""

    dataset: str
    reason: str
    n_problems: int
    n_generations: int


@dataclass(frozen=True)
class PendingState:
    """How many generations, programs and problems wait for `assay execute`."""

    n_unplanned: int
    n_unexecuted: int
    n_unadmitted: int


@dataclass(frozen=True)
class RunState:
    """How one run ended; ``seconds`` is None while it is unfinished."""

    kind: str
    started_utc: str
    seconds: float | None
    status: str
    commit: str | None


def dataset_states(con: duckdb.DuckDBPyConnection) -> list[DatasetState]:
    """Return a row per release of a dataset."""
    return rows_of(con, "state/datasets", DatasetState)


def set_rules(
    con: duckdb.DuckDBPyConnection, rules: Rules, *, asked: Sequence[str], run: Sequence[str]
) -> None:
    """Set the rules of verdicts, the tasks that there are, and which of them are run.

    The next three functions read these variables.
    """
    for name, value in vars(rules).items():
        con.execute(f"set variable {name} = {literal(value)}")
    for name, tasks in (("tasks_asked", asked), ("tasks_run", run)):
        listed = ", ".join(literal(task) for task in tasks)
        con.execute(f"set variable {name} = cast([{listed}] as varchar[])")


def generation_states(con: duckdb.DuckDBPyConnection) -> list[GenerationState]:
    """Return a row per dataset and language model."""
    return rows_of(con, "state/generations", GenerationState)


def rejected_states(con: duckdb.DuckDBPyConnection) -> list[RejectedState]:
    """Return a row per dataset and reason of rejection, with the answers to tasks that are run."""
    return rows_of(con, "state/rejected", RejectedState)


def pending_state(con: duckdb.DuckDBPyConnection) -> PendingState:
    """Return what `assay execute` would do under the rules, of the tasks that are run."""
    return rows_of(con, "state/pending", PendingState)[0]


def last_runs(con: duckdb.DuckDBPyConnection) -> list[RunState]:
    """Return the last ten runs, the newest first."""
    return rows_of(con, "state/runs", RunState)


def built_from(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the fingerprint of the rows that each build of the views read."""
    return column_of(con, "state/builds") if column_of(con, "state/build_table") else []
