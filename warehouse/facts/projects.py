"""What is known of the suites of real projects."""

from collections.abc import Collection
from dataclasses import dataclass

import duckdb

from warehouse.facts.query import column_of, mapping_of, rows_of, run


@dataclass(frozen=True)
class ComparedTest:
    """One test of a release: usable, or why not; CPU seconds are the mean of its attempts."""

    test: str
    is_usable: bool
    quarantine_reason: str | None
    cpu_s: float | None


@dataclass(frozen=True)
class StoredRelease:
    """Where a release of a project came from: ``source`` is its archive's name, or checkout."""

    project_release_id: str
    project: str
    version: str
    sha256: str
    source: str


@dataclass(frozen=True)
class SuiteAttempt:
    """How one attempt at a suite ended; ``reason`` is None for one that passed."""

    attempt: int
    verdict: str
    reason: str | None


def stored_releases(
    con: duckdb.DuckDBPyConnection, release_ids: Collection[str]
) -> dict[str, StoredRelease]:
    """Return the named releases of projects by their key."""
    found = rows_of(con, "projects/releases", StoredRelease, release_ids=sorted(release_ids))
    return {release.project_release_id: release for release in found}


def ingested_projects(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of all ingested projects."""
    return column_of(con, "projects/names")


def stored_checksums(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the checksums of all ingested projects."""
    return column_of(con, "projects/checksums")


def suite_attempts(
    con: duckdb.DuckDBPyConnection, project_release_id: str, suite_conditions_id: str
) -> list[SuiteAttempt]:
    """Return the attempts at a release's suite under some conditions, in their order."""
    return rows_of(
        con,
        "projects/suite_runs",
        SuiteAttempt,
        project_release_id=project_release_id,
        suite_conditions_id=suite_conditions_id,
    )


def compared_tests(con: duckdb.DuckDBPyConnection, project_release_id: str) -> list[ComparedTest]:
    """Return the tests of a release over the attempts that count, in the order of collection."""
    return rows_of(con, "projects/tests", ComparedTest, project_release_id=project_release_id)


def covered_lines(
    con: duckdb.DuckDBPyConnection, project_release_id: str
) -> dict[str, dict[int, tuple[str, ...]]]:
    """Return the lines of a release that its suite runs: by path and line, the usable tests.

    Paths are below the project, lines from 1 and in order, tests in the order of collection. A line
    that runs only outside the tests, such as at import, has no tests. A line that never runs, and
    one that cannot be executed, is not there; nothing is there where no suite ran with marks.
    """
    found: dict[str, dict[int, tuple[str, ...]]] = {}
    cursor = run(con, "projects/covered_lines", {"project_release_id": project_release_id})
    for path, line, tests in cursor.fetchall():
        found.setdefault(path, {})[line] = tuple(tests)
    return found


def counted_attempts(con: duckdb.DuckDBPyConnection, project_release_id: str) -> dict[int, str]:
    """Return the verdict of each attempt at a release's suite that counts; none: never ingested."""
    return mapping_of(con, "projects/attempts_counted", project_release_id=project_release_id)


def has_functions(con: duckdb.DuckDBPyConnection, project_release_id: str) -> bool:
    """Say whether functions of a release are stored."""
    (found,) = column_of(con, "projects/has_functions", project_release_id=project_release_id)
    return bool(found)


def region_checks(
    con: duckdb.DuckDBPyConnection, project_release_id: str, tests_key: str
) -> dict[str, str]:
    """Return the verdict of each check of a region that was taken out, by its key."""
    return mapping_of(
        con, "projects/region_checks", project_release_id=project_release_id, tests_key=tests_key
    )
