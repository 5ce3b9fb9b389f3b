"""A small project as if it were ingested, and a checker that runs its tests here.

The suite, its two runs and the coverage are planted, so nothing needs a sandbox or an index.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ingest.projects.project import Project, project_of
from models.keys import content_key
from models.tables import ProjectRelease, SuiteRun, SuiteTest
from runners.projects import passed_suite
from runners.projects.events import TestRecord
from runners.projects.passed_suite import PassedSuite
from warehouse.store.connection import bring_up_to_date
from warehouse.store.runs import recorded

PATH = "small/sums.py"
SOURCE = '''"""Sums."""

NOTES = []


def total(values, start=0):
    """Return the sum.

    From a start on.
    """
    result = start
    for value in values:
        result = result + value  # one by one
    NOTES.append("a note that no test looks at: %r" % result)
    return result


class Shop:
    def price(self, n, each):
        """Return the price of some things."""
        if n < 0:
            raise ValueError("fewer than nothing are no order")
        price = n * each
        if price > 100:
            price = price - 10
        return price


def untested(values):
    """Return nothing that a test would see."""
    first = values[0]
    second = values[1]
    third = values[2]
    return [first, second, third]
'''
"""Tests execute all of it but the last body; the line of NOTES can go unnoticed."""

TESTS = """from small.sums import Shop, total


def test_total():
    assert total([1, 2, 3]) == 6
    assert total([2], start=5) == 7


def test_price():
    assert Shop().price(2, 5) == 10
    assert Shop().price(30, 10) == 290


def test_negative():
    try:
        Shop().price(-1, 1)
    except ValueError:
        return
    raise AssertionError
"""
NAMES = ("test_total", "test_price", "test_negative")
IDS = tuple(f"tests/test_sums.py::{name}" for name in NAMES)


def executed() -> dict[str, dict[int, tuple[str, ...]]]:
    """Return what the tests execute, as the coverage says it: by hand, from the text."""
    lines: dict[int, tuple[str, ...]] = {1: (), 3: (), 6: (), 18: (), 19: (), 29: ()}
    lines |= dict.fromkeys(range(11, 16), IDS[:1])
    lines |= {21: IDS[1:], 22: IDS[2:]}
    lines |= dict.fromkeys(range(23, 27), IDS[1:2])
    return {PATH: lines}


def write_project(folder: Path, source: str = SOURCE) -> Project:
    """Write the project; return it."""
    files = {
        "PKG-INFO": "Name: small\nVersion: 1.5\nLicense: MIT\n",
        "small/__init__.py": "",
        PATH: source,
        "tests/test_sums.py": TESTS,
    }
    for place, text in files.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return project_of(str(folder))


def store_ingested(project: Project, verdict: str = "passed", n_attempts: int = 2) -> None:
    """Store the rows that an ingest of the project would have left."""
    bring_up_to_date()
    with recorded("ingest_projects", settings={}) as run:
        rows: list[Any] = [
            ProjectRelease(
                project_release_id=project.release_id,
                project=project.name,
                version=project.version,
                license=project.license,
                sha256=project.sha256,
                source="checkout",
                is_curated=False,
                sources="[]",
                tests="[]",
                run_id=run.run_id,
            )
        ]
        for attempt in range(1, n_attempts + 1):
            suite_run_id = content_key(project.release_id, attempt)
            rows.append(
                SuiteRun(
                    suite_run_id=suite_run_id,
                    project_release_id=project.release_id,
                    environment_id=None,
                    suite_conditions_id=content_key("planted"),
                    attempt=attempt,
                    verdict=verdict,
                    reason=None if verdict == "passed" else "planted",
                    options="[]",
                    isolation="ns+seccomp",
                    integrity="same_interpreter",
                    cpu_limit_s=300,
                    wall_limit_s=900,
                    memory_limit_mb=2048,
                    harness_version="1",
                    cpu_s=1.0,
                    wall_s=1.0,
                    max_rss_kb=1000,
                    run_id=run.run_id,
                )
            )
            rows += [
                SuiteTest(
                    suite_test_id=content_key(suite_run_id, test),
                    suite_run_id=suite_run_id,
                    test=test,
                    test_index=index,
                    outcome="passed",
                    message=None,
                    cpu_s=0.25,
                    wall_s=0.25,
                    run_id=run.run_id,
                )
                for index, test in enumerate(IDS)
            ]
        run.append(rows)


def plant_coverage(
    patch: pytest.MonkeyPatch,
    lines: Mapping[str, Mapping[int, tuple[str, ...]]] | None = None,
) -> None:
    """Let the facts say what the tests execute."""
    found = executed() if lines is None else lines
    patch.setattr(passed_suite, "covered_lines", lambda con, project_release_id: found)


@dataclass(frozen=True)
class Checked:
    """What the checker here says."""

    verdict: str
    reason: str | None
    tests: tuple[TestRecord, ...]
    n_expected: int = len(IDS)
    cpu_s: float = 0.5
    wall_s: float = 0.5
    tier: str = "module"
    why_ended: str = "exit"


@dataclass
class HereChecker:
    """Runs the tests of the project in this process; ``seen`` has each text it was given.

    ``faults`` are how many of the first checks break, ``canaries`` the verdicts of the first
    canaries; later ones pass.
    """

    seen: list[str] = field(default_factory=list)
    faults: int = 0
    n_opened: int = 0
    canaries: list[str] = field(default_factory=list)

    @contextmanager
    def opened(self, found: PassedSuite) -> Iterator["HereChecker"]:
        """Stand for the checker of a project."""
        assert found.usable == IDS
        self.n_opened += 1
        yield self

    def canary(self) -> Checked:
        """Return the next verdict that is planted, else that of the tests on the original."""
        if self.canaries:
            return Checked(self.canaries.pop(0), "planted", ())
        return Checked("passed", None, ())

    def check(self, path: str, source: str) -> Checked:
        """Return the verdict of the tests on a new text of the file."""
        assert path == PATH
        self.seen.append(source)
        if len(self.seen) <= self.faults:
            return Checked("harness_fault", "planted", ())
        module: dict[str, Any] = {}
        try:
            exec(compile(source, path, "exec"), module)
        except Exception as error:
            return Checked("error", f"{type(error).__name__}: {error}", ())
        tests = {name: module[name] for name in ("Shop", "total")}
        exec(TESTS.partition("\n")[2], tests)
        records = tuple(_record(name, tests[name]) for name in NAMES)
        wrong = [each for each in records if each.outcome != "passed"]
        return Checked(
            "failed" if wrong else "passed", wrong[0].message if wrong else None, records
        )


def _record(name: str, test: Any) -> TestRecord:
    try:
        test()
    except Exception as error:
        return TestRecord(f"tests/test_sums.py::{name}", "failed", repr(error), 0.1, 0.1)
    return TestRecord(f"tests/test_sums.py::{name}", "passed", None, 0.1, 0.1)
