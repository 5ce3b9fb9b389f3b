"""Real projects into the warehouse: release, environment, two runs of the suite, and functions.

The second run that the harness completes also records which lines each test runs. A fault of one
project becomes its row or its error, and the next project follows.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ingest.projects.curated import curated_projects
from ingest.projects.functions import function_rows
from ingest.projects.project import CHECKOUT, Project, keep_archive, project_of, unknown_projects
from models.base import Row
from models.keys import content_key
from models.tables import (
    ProjectEnvironment,
    ProjectFile,
    ProjectRelease,
    SuiteRun,
    SuiteTest,
    TestCoverage,
)
from models.words import SAME_INTERPRETER
from runners.judging.environments.folders import folder_of
from runners.judging.environments.locks import Lock, interpreter_tag, lock_of
from runners.judging.sandbox.walls.probe import namespace_level
from runners.printable import printable_line
from runners.progress import track
from runners.projects.coverage import SourceLines, source_lines
from runners.projects.environment import requirements_of
from runners.projects.passed_suite import N_ATTEMPTS
from runners.projects.suite import (
    HARNESS_VERSION,
    SuiteLimits,
    SuiteResult,
    arguments_of,
    run_suite,
    set_aside,
)
from warehouse import settings
from warehouse.errors import AssayError, BadInput, IsolationRefused
from warehouse.facts.projects import (
    ComparedTest,
    SuiteAttempt,
    compared_tests,
    has_functions,
    suite_attempts,
)
from warehouse.parameters import BadValue, Spec
from warehouse.store.connection import bring_up_to_date, reading
from warehouse.store.locks import alone
from warehouse.store.runs import RunHandle, recorded

LIMITS = SuiteLimits()
NOT_PREPARED, HARNESS_FAULT = "not_prepared", "harness_fault"


@dataclass(frozen=True)
class ProjectsSpec(Spec):
    """Which projects are brought in: curated names, NAME==VERSION or paths; none: all curated."""

    names: Sequence[str] = ()


@dataclass
class ProjectReport:
    """The result of one project: its suite's verdict by attempt, and counts of its tests.

    ``error`` says why there is no row of it; ``quarantined`` counts tests by the reason.
    """

    wanted: str
    project: str | None = None
    version: str | None = None
    project_release_id: str | None = None
    error: str | None = None
    verdicts: dict[int, str] = field(default_factory=dict)
    reason: str | None = None
    n_new: int = 0
    n_tests: int = 0
    n_usable: int = 0
    quarantined: dict[str, int] = field(default_factory=dict)


def fit(spec: Spec) -> None:
    """Raise BadValue where ``names`` of a spec has a name of no project."""
    if reasons := unknown_projects(getattr(spec, "names", ())):
        raise BadValue("names", reasons)


def ingest_named(spec: ProjectsSpec, *, progress: bool = True) -> list[ProjectReport]:
    """Ingest the projects that a spec names."""
    return ingest_projects(spec.names, progress=progress)


def ingest_projects(
    wanted: Sequence[str], *, limits: SuiteLimits = LIMITS, progress: bool = True
) -> list[ProjectReport]:
    """Ingest projects by curated name, NAME==VERSION or path; none means the curated list.

    Attempts that are in the warehouse are not repeated, unless the harness was at fault. Raises
    IsolationRefused before any project where this machine lacks the isolation for suites.
    """
    level = namespace_level()
    names = list(dict.fromkeys(wanted or curated_projects()))
    found = []
    with alone("projects", "an ingest of projects"):
        bring_up_to_date()
        asked = {"projects": names, "isolation": level, "limits": vars(limits)}
        with recorded("ingest_projects", settings=asked) as run:
            for name in track(names, len(names), "projects", enabled=progress):
                report = ProjectReport(name)
                found.append(report)
                try:
                    _ingested(report, run, limits, level)
                except IsolationRefused:
                    raise
                except AssayError as error:
                    report.error = str(error)
                except OSError as error:  # a file that cannot be read, or a disk that is full
                    report.error = f"{error.filename or name}: {error.strerror or error}"
            run.summary |= {
                "verdicts": Counter(each for one in found for each in one.verdicts.values()),
                "errors": {one.wanted: one.error for one in found if one.error},
            }
    return found


@dataclass(frozen=True)
class _Conditions:
    """The conditions of a suite run; ``lock`` is None where there is no environment."""

    project: Project
    lock: Lock | None
    limits: SuiteLimits
    level: str
    why_not: str | None = None

    @cached_property
    def files(self) -> dict[str, SourceLines]:
        return source_lines(self.project)

    @property
    def release_id(self) -> str:
        return self.project.release_id

    @property
    def environment_id(self) -> str | None:
        return content_key(self.lock.sha256) if self.lock else None

    @property
    def conditions_id(self) -> str:
        aside = sorted(set_aside(self.project).items())
        places = [self.project.sources, arguments_of(self.project), aside]
        made = [self.environment_id, self.why_not, vars(self.limits), self.level, HARNESS_VERSION]
        return content_key(*places, *made)


def _ingested(report: ProjectReport, run: RunHandle, limits: SuiteLimits, level: str) -> None:
    """Store a project and the attempts at its suite that are missing."""
    project = project_of(report.wanted)
    report.project, report.version = project.name, project.version
    with suppress(BadInput):  # a later judge gets the error
        keep_archive(project)
    lock = why_not = None
    try:
        if not project.tests:
            raise BadInput("there are no tests in it")
        lock = lock_of(requirements_of(project))
        folder_of(lock)
    except AssayError as error:
        lock, why_not = None, printable_line(str(error).replace(str(settings.home()), "(home)"))
    how = _Conditions(project, lock, limits, level, why_not)
    report.project_release_id = how.release_id
    for known in _known(how):
        report.verdicts[known.attempt] = known.verdict
        if known.verdict != HARNESS_FAULT:
            report.reason = report.reason or known.reason
    for attempt in _missing(report.verdicts, how):
        has_held = any(verdict != HARNESS_FAULT for verdict in report.verdicts.values())
        result = _tried(how, attempt, how.files if has_held else {})
        run.append(_rows(how, attempt, result, run.run_id))
        report.verdicts[attempt] = result.verdict
        report.reason = report.reason or result.reason
        report.n_new += 1
    if not _has_functions(how):
        run.append(function_rows(project, run.run_id))
    _count(report, _compared(how))


def _known(how: _Conditions) -> list[SuiteAttempt]:
    if not settings.warehouse_path().exists():
        return []
    with reading() as con:
        return suite_attempts(con, how.release_id, how.conditions_id)


def _compared(how: _Conditions) -> list[ComparedTest]:
    with reading() as con:
        return compared_tests(con, how.release_id)


def _has_functions(how: _Conditions) -> bool:
    with reading() as con:
        return has_functions(con, how.release_id)


def _missing(known: dict[int, str], how: _Conditions) -> Iterator[int]:
    """Yield the numbers of the attempts to make, which follow those that are known."""
    n_wanted = N_ATTEMPTS if how.lock else 1
    n_good = sum(verdict != HARNESS_FAULT for verdict in known.values())
    first = max(known, default=0) + 1
    yield from range(first, first + n_wanted - n_good)


def _tried(how: _Conditions, attempt: int, marked: Mapping[str, SourceLines]) -> SuiteResult:
    """Run the suite once, with marks in some files, or say why it cannot be."""
    if how.lock is None:
        verdict = NOT_PREPARED if how.project.tests else "no_tests"
        return SuiteResult(verdict, how.why_not, isolation=None)
    try:
        folder = folder_of(how.lock)
        return run_suite(how.project, folder, how.limits, how.level, attempt, marked)
    except BadInput as error:
        return SuiteResult(NOT_PREPARED, printable_line(error.reason), isolation=None)


def _rows(how: _Conditions, attempt: int, result: SuiteResult, run_id: str) -> Iterator[Row]:
    """Yield the rows of one attempt, and those of its release and environment."""
    project, limits = how.project, how.limits
    yield ProjectRelease(
        project_release_id=how.release_id,
        project=project.name,
        version=project.version,
        license=project.license,
        sha256=project.sha256,
        source=project.archive.name.removeprefix(f"{project.sha256}-")
        if project.archive
        else CHECKOUT,
        is_curated=project.curated is not None,
        sources=json.dumps(project.sources),
        tests=json.dumps(project.tests),
        run_id=run_id,
    )
    if how.lock and how.environment_id:
        yield ProjectEnvironment(
            environment_id=how.environment_id,
            python=interpreter_tag(),
            n_packages=len(how.lock.packages),
            lock=how.lock.text,
            run_id=run_id,
        )
    suite_run_id = content_key(how.release_id, how.conditions_id, attempt)
    yield SuiteRun(
        suite_run_id=suite_run_id,
        project_release_id=how.release_id,
        environment_id=how.environment_id,
        suite_conditions_id=how.conditions_id,
        attempt=attempt,
        verdict=result.verdict,
        reason=result.reason,
        options=json.dumps(arguments_of(project)),
        isolation=result.isolation,
        integrity=SAME_INTERPRETER if result.isolation else None,
        cpu_limit_s=limits.cpu_s,
        wall_limit_s=limits.wall_s,
        memory_limit_mb=limits.memory_mb,
        harness_version=HARNESS_VERSION,
        cpu_s=result.cpu_s,
        wall_s=result.wall_s,
        max_rss_kb=result.max_rss_kb,
        run_id=run_id,
    )
    for index, test in enumerate(result.tests):
        yield SuiteTest(
            suite_test_id=content_key(suite_run_id, test.test),
            suite_run_id=suite_run_id,
            test_index=index,
            run_id=run_id,
            **vars(test),
        )
    yield from _line_rows(how, suite_run_id, result, run_id)


def _line_rows(
    how: _Conditions, suite_run_id: str, result: SuiteResult, run_id: str
) -> Iterator[Row]:
    """Yield the executable lines of each source file, and the lines that each test ran."""
    for path, source in how.files.items():
        yield ProjectFile(
            project_file_id=content_key(how.release_id, path),
            project_release_id=how.release_id,
            path=path,
            lines=source.text,
            run_id=run_id,
        )
    index_of = {test.test: index for index, test in enumerate(result.tests)}
    for ran in result.lines:
        index = None if ran.test is None else index_of[ran.test]
        yield TestCoverage(
            test_coverage_id=content_key(suite_run_id, index, ran.path),
            suite_run_id=suite_run_id,
            test_index=index,
            path=ran.path,
            lines=ran.lines,
            run_id=run_id,
        )


def _count(report: ProjectReport, tests: Sequence[ComparedTest]) -> None:
    reasons: Counter[Any] = Counter(test.quarantine_reason for test in tests)
    report.n_tests, report.n_usable = len(tests), reasons.pop(None, 0)
    report.quarantined = dict(reasons.most_common())
