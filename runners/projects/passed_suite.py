"""What is known of a project that was ingested: its usable tests, and what they execute.

Problems are made of such a project, and judged by it.
"""

import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace

from ingest.projects.executed import Covered
from ingest.projects.problem_rows import tests_key
from ingest.projects.project import Project
from models.words import PASSED
from runners.judging.environments.folders import folder_of
from runners.judging.environments.locks import lock_of
from runners.judging.policies import Policy
from runners.judging.sandbox.walls.probe import namespace_level
from runners.projects.checker import Checker, CheckLimits
from runners.projects.environment import requirements_of
from warehouse import settings
from warehouse.errors import BadInput
from warehouse.facts.projects import ComparedTest, compared_tests, counted_attempts, covered_lines
from warehouse.store.connection import reading

N_ATTEMPTS = 2


@dataclass(frozen=True)
class PassedSuite:
    """A project whose whole suite passed unmodified.

    ``usable`` are the ids of its usable tests, in the order of collection. ``executed`` says which
    of them execute each line, by path and line. ``costs`` are the CPU seconds of each test,
    ``cpu_s`` their sum.
    """

    project: Project
    usable: tuple[str, ...]
    executed: Mapping[str, Mapping[int, tuple[str, ...]]]
    costs: Mapping[str, float]
    cpu_s: float

    @property
    def tests_key(self) -> str:
        """The key of the release and its usable tests."""
        return tests_key(self.project, self.usable)

    @property
    def covered(self) -> Covered:
        """The lines that a usable test executes, by path; not those that an import executes."""
        return {
            path: {line for line, tests in lines.items() if tests}
            for path, lines in self.executed.items()
        }


HARNESS_CPU_S = 10.0
"""CPU seconds that a candidate gets at least: pytest itself takes some, and sets no limit."""

OpenChecker = Callable[[PassedSuite], AbstractContextManager[Checker]]


def stored_suite(project: Project) -> PassedSuite:
    """Return what the warehouse knows of a project.

    Raises BadInput for a project that was never ingested, or whose suite did not pass unmodified in
    each of two attempts. It raises BadInput also where no coverage of the project is stored.
    """
    named = f"{project.name} {project.version}"
    wanted = shlex.quote(project.wanted or project.name)
    verdicts, tests, executed = _facts(project)
    if not verdicts:
        raise BadInput(f"{named} was never ingested: run `assay ingest project {wanted}` first")
    wrong = [verdict for verdict in verdicts.values() if verdict != PASSED]
    if wrong:
        reason = f"its suite did not pass unmodified ({wrong[0]}), so it cannot judge changes"
        raise BadInput(f"{named}: {reason}; the view project_health says more")
    usable = tuple(test.test for test in tests if test.is_usable)
    if not usable or len(verdicts) < N_ATTEMPTS:
        raise BadInput(f"{named}: none of its tests passed in each of {N_ATTEMPTS} runs")
    if not executed:
        again = f"run `assay ingest project {wanted}`, which measures it"
        raise BadInput(f"{named}: which lines its tests execute is not stored: {again}")
    costs = {test.test: test.cpu_s or 0.0 for test in tests if test.is_usable}
    return PassedSuite(project, usable, executed, costs, sum(costs.values()))


def _facts(
    project: Project,
) -> tuple[dict[int, str], list[ComparedTest], dict[str, dict[int, tuple[str, ...]]]]:
    """Return the verdicts of a project's suite, its tests, and what they execute."""
    if not settings.warehouse_path().exists():
        return {}, [], {}
    release_id = project.release_id
    with reading() as con:
        return (
            counted_attempts(con, release_id),
            compared_tests(con, release_id),
            covered_lines(con, release_id),
        )


def check_limits(suite: PassedSuite, policy: Policy) -> CheckLimits:
    """Return what a candidate may use under a policy; no test has a separate limit."""
    cpu_s, wall_s = policy.seconds(suite.cpu_s, HARNESS_CPU_S)
    usual = CheckLimits(cpu_s=cpu_s, wall_s=wall_s)
    return replace(usual, memory_mb=policy.memory_mb or usual.memory_mb)


@contextmanager
def opened_checker(
    suite: PassedSuite, limits: CheckLimits | None = None, level: str | None = None
) -> Iterator[Checker]:
    """Start the checker of a project, at the strongest level unless one is given.

    Without limits a candidate may use what the calibrated policy grants. Raises IsolationRefused
    where the machine has no level that suites can run at.
    """
    project = suite.project
    with Checker(
        project,
        folder_of(lock_of(requirements_of(project))),
        level or namespace_level(),
        usable=suite.usable,
        touching=suite.executed,
        costs=suite.costs,
        limits=limits or check_limits(suite, Policy()),
    ) as checker:
        yield checker
