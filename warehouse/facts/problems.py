"""Problems and their prompts; a dataset's name means its newest release."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from warehouse.facts.query import column_of, mapping_of, rows_of


@dataclass(frozen=True)
class StoredProblem:
    """What is asked and judged of one problem: its columns in raw.problem.

    The limits are those of a user's own release, see raw.own_release; of a listed one, None. Code
    of tests that is not ``trusted`` runs in the sandbox only.
    """

    problem_id: str
    dataset: str
    task_id: str
    entry_point: str
    prompt: str
    reference: str
    suffix: str
    setup_code: str
    test_code: str | None
    compare: str
    atol: float
    tests_key: str
    difficulty: str | None = None
    tags: str = "[]"
    cpu_s: float | None = None
    test_cpu_s: float | None = None
    memory_mb: int | None = None
    trusted: bool = True

    @property
    def has_reference(self) -> bool:
        """Whether the dataset has a solution."""
        return bool(self.reference.strip())


@dataclass(frozen=True)
class StoredInput:
    """One test that is no assert: its input, with its output for the kinds that give one."""

    problem_id: str
    kind: str
    body: str


@dataclass(frozen=True)
class StoredTest:
    """One test of a problem, of any kind."""

    problem_id: str
    suite: str
    kind: str
    body: str


@dataclass(frozen=True)
class StoredDataset:
    """The newest release of a dataset: its columns in raw.dataset_release."""

    dataset: str
    version: str
    source: str
    license: str
    sha256: str


@dataclass(frozen=True)
class TaskVariant:
    """One prompt of a problem, with the dataset's name of the task."""

    task_id: str
    variant_id: str
    problem_id: str
    kind: str
    prompt: str


def ingested_datasets(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of all ingested datasets."""
    return column_of(con, "problems/datasets")


def answered_datasets(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of the datasets that have generations."""
    return column_of(con, "problems/datasets_answered")


def newest_ids(con: duckdb.DuckDBPyConnection, dataset: str) -> list[str]:
    """Return the problem_ids of a dataset's newest release."""
    return column_of(con, "problems/newest", dataset=dataset)


def problems_by_id(
    con: duckdb.DuckDBPyConnection, problem_ids: Sequence[str]
) -> dict[str, StoredProblem]:
    """Return the named problems by problem_id, in the order of their releases."""
    found = rows_of(con, "problems/by_id", StoredProblem, problem_ids=list(problem_ids))
    return {problem.problem_id: problem for problem in found}


def inputs_by_problem(
    con: duckdb.DuckDBPyConnection, problem_ids: Sequence[str]
) -> dict[str, list[StoredInput]]:
    """Return the tests that are not asserts, in order, by problem_id."""
    found: dict[str, list[StoredInput]] = defaultdict(list)
    for test in rows_of(con, "problems/inputs", StoredInput, problem_ids=list(problem_ids)):
        found[test.problem_id].append(test)
    return found


def tests_by_problem(
    con: duckdb.DuckDBPyConnection, problem_ids: Sequence[str]
) -> dict[str, list[StoredTest]]:
    """Return all tests of the named problems, in order, by problem_id."""
    found: dict[str, list[StoredTest]] = defaultdict(list)
    for test in rows_of(con, "problems/tests", StoredTest, problem_ids=list(problem_ids)):
        found[test.problem_id].append(test)
    return found


def newest_release(con: duckdb.DuckDBPyConnection, dataset: str) -> StoredDataset:
    """Return the newest release of a dataset that was ingested."""
    (found,) = rows_of(con, "problems/releases", StoredDataset, dataset=dataset)
    return found


def newest_variants(con: duckdb.DuckDBPyConnection, dataset: str) -> list[TaskVariant]:
    """Return the prompts of a dataset's newest release; a problem's own prompt comes first."""
    return rows_of(con, "problems/variants", TaskVariant, dataset=dataset)


def original_variants(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return the variant_id of each problem's own prompt, by problem_id."""
    return mapping_of(con, "problems/original_variants")
