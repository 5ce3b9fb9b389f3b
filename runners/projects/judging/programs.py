"""Judge the programs of real projects: whole files, checked by the suites of their projects.

Idea: one checker for each project. Programs follow one another, problem by problem and file by
file, between two canaries: runs of the whole suite on the original, in each tier. Results between
two canaries are stored when the second one has passed. A canary is due at the end, and wherever the
programs since the last one took ten times its time. So canaries beyond the first and the last cost
a tenth at most, and an interrupted run loses one such batch. All programs of a problem are in one
batch.

A canary that fails runs once more. When it fails again, verdicts since the last canary do not
count, and the project's other programs wait for another call.

Assumed: the limits of one call are equal for the programs that share a checker. Proved by
tests/runners/projects/judging.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from models.base import Row
from models.words import HARNESS_FAULT, PASSED, WITH_NAMESPACES
from runners.judging.conditions import Conditions
from runners.judging.plan import ProgramRule, plan
from runners.judging.policies import Policy, rules_of
from runners.judging.sandbox.types import PROJECT_JUDGE_VERSION
from runners.judging.sandbox.walls.probe import namespace_level
from runners.progress import track
from runners.projects import passed_suite as suites_of
from runners.projects.checker import Checker, CheckLimits, CheckResult
from runners.projects.judging.admissions import admit_projects, unadmitted
from runners.projects.judging.outcomes import canary_row, outcome_row, rows_of_tests
from runners.projects.judging.passed_suites import PassedSuites, require_same_tests
from runners.projects.passed_suite import PassedSuite
from warehouse.errors import IsolationRefused
from warehouse.facts.judging import DueProjectProgram, due_project_programs, program_sources
from warehouse.facts.projects import compared_tests
from warehouse.store.connection import reading
from warehouse.store.runs import RunHandle, recorded
from warehouse.store.spool import Spool

MAX_ATTEMPTS = 3
BATCH_SHARE = 10.0
N_SOURCES = 100


@dataclass
class ProjectsReport:
    """The results of programs of projects: see ``ExecuteReport``.

    ``not_judged`` has a line for each project that cannot be judged now.
    """

    n_generations: int = 0
    n_planned: int = 0
    n_executed: int = 0
    isolation: str | None = None
    verdicts: Counter[str] = field(default_factory=Counter)
    failing_canaries: list[str] = field(default_factory=list)
    not_judged: list[str] = field(default_factory=list)


def judge_projects(
    dataset: str | None,
    policy: Policy,
    rules: Mapping[str, ProgramRule],
    how: Conditions,
    *,
    limit: int | None = None,
) -> ProjectsReport:
    """Admit, plan and judge pending answers over real projects, of one dataset or of all.

    ``rules`` make the programs, by task; ``limit`` bounds the number of programs.
    """
    report = ProjectsReport()
    targets = unadmitted(policy, dataset, list(rules))
    settings = dict(how.settings)
    admitting = PassedSuites({each.project_release_id for each in targets})
    admit_projects(targets, admitting, policy, settings)
    report.n_generations = plan(
        dataset=dataset,
        rescore=None,
        policy=policy.label,
        rules=rules,
        settings=settings,
        over_projects=True,
    )
    with reading() as con:
        judged = rules_of(policy.label)
        due = due_project_programs(con, judged, dataset=dataset, most=limit)
    report.n_planned = len(due)
    suites = PassedSuites({each.project_release_id for each in due})
    for _, same in groupby(due, key=_checker_of):
        programs = list(same)
        release_id = programs[0].project_release_id

        def judge(suite: PassedSuite, programs: list[DueProjectProgram] = programs) -> None:
            _judge(suite, programs, how, report)

        suites.tried(release_id, judge)
    lines = [*admitting.not_judged.values(), *suites.not_judged.values()]
    report.not_judged = list(dict.fromkeys(lines))
    return report


def _checker_of(program: DueProjectProgram) -> tuple[Any, ...]:
    limits = (program.cpu_limit_s, program.wall_limit_s, program.memory_limit_mb)
    return program.project_release_id, program.tests_key, *limits


def level_of(isolation: str) -> str:
    """Return the level that suites run at; raises IsolationRefused for one without namespaces."""
    if isolation == "auto":
        return namespace_level()
    if isolation not in WITH_NAMESPACES:
        raise IsolationRefused(
            f"the level {isolation} has no private /tmp, which suites need: run `assay execute` "
            f"with --isolation auto, or {' or '.join(WITH_NAMESPACES)}"
        )
    return isolation


def _judge(
    suite: PassedSuite,
    programs: Sequence[DueProjectProgram],
    how: Conditions,
    report: ProjectsReport,
) -> None:
    """Judge programs of one project that have the same limits."""
    first = programs[0]
    require_same_tests(suite, first.dataset, first.tests_key)
    level = level_of(how.isolation)
    named = f"{suite.project.name} {suite.project.version}"
    limits = CheckLimits(
        cpu_s=first.cpu_limit_s, wall_s=first.wall_limit_s, memory_mb=first.memory_limit_mb
    )
    with reading() as con:
        tests = compared_tests(con, suite.project.release_id)
    index_of = {test.test: index for index, test in enumerate(tests)}
    settings = {
        **how.settings,
        "isolation_used": level,
        "project": named,
        "judge_version": PROJECT_JUDGE_VERSION,
    }
    with (
        recorded("execute", settings=settings) as run,
        Spool(run) as spool,
        suites_of.opened_checker(suite, limits, level) as checker,
    ):
        judging = _Judging(checker, run, spool, level, index_of, report)
        report.isolation = report.isolation or level
        failed = judging.all(programs, named, progress=how.progress)
        if failed is not None:
            report.failing_canaries.append(f"{named} ({failed.verdict}: {failed.reason})")
            run.status = "canary_failed"
        run.summary |= {
            "verdicts": judging.verdicts,
            "failing_canaries": [named] if failed is not None else [],
        }


@dataclass
class _Judging:
    """The programs of one project in progress: their rows wait for the next canary."""

    checker: Checker
    run: RunHandle
    spool: Spool
    level: str
    index_of: Mapping[str, int]
    report: ProjectsReport
    verdicts: Counter[str] = field(default_factory=Counter)
    _waiting: list[Row] = field(default_factory=list)
    _said: list[str] = field(default_factory=list)
    _wall_s: float = 0.0

    def all(
        self, programs: Sequence[DueProjectProgram], named: str, *, progress: bool
    ) -> CheckResult | None:
        """Judge the programs; return the canary that failed twice, None where none did."""
        canary = self._canary()
        if canary.verdict != PASSED:
            self._settle(canary, {each.problem_id for each in programs})
            return canary
        open_ids: set[str] = set()
        sourced = track(
            _with_sources(programs), len(programs), f"execute {named}", enabled=progress
        )
        for program, source in sourced:
            enough = self._wall_s >= BATCH_SHARE * canary.wall_s
            if enough and program.problem_id not in open_ids:
                canary = self._canary()
                self._settle(canary, open_ids)
                if canary.verdict != PASSED:
                    return canary
                open_ids = set()
            open_ids.add(program.problem_id)
            self._check(program, source)
        canary = self._canary()
        self._settle(canary, open_ids)
        return canary if canary.verdict != PASSED else None

    def _canary(self) -> CheckResult:
        """Run the original, once more where it fails."""
        found = self.checker.canary()
        return found if found.verdict == PASSED else self.checker.canary()

    def _check(self, program: DueProjectProgram, source: str) -> None:
        """Judge one program, and again where the harness failed."""
        for attempt in range(program.next_attempt, program.next_attempt + MAX_ATTEMPTS):
            result = self.checker.check(program.path, source)
            row = outcome_row(result, program.program_id, attempt, self.level, self.run.run_id)
            self._waiting += [row, *rows_of_tests(result, row, self.index_of)]
            self._wall_s += result.wall_s
            if result.verdict != HARNESS_FAULT:
                break
        self._said.append(result.verdict)

    def _settle(self, canary: CheckResult, problem_ids: set[str]) -> None:
        """Store the rows that waited for a canary, with a canary row for each problem."""
        rows = [canary_row(canary, each, self.run.run_id) for each in sorted(problem_ids)]
        self.spool.add([*self._waiting, *rows])
        for verdicts in (self.verdicts, self.report.verdicts):
            verdicts.update(self._said)
        self.report.n_executed += sum(verdict != HARNESS_FAULT for verdict in self._said)
        self._waiting, self._said, self._wall_s = [], [], 0.0


def _with_sources(
    programs: Sequence[DueProjectProgram],
) -> Iterator[tuple[DueProjectProgram, str]]:
    """Yield each program with its text; few texts are held at once."""
    for start in range(0, len(programs), N_SOURCES):
        some = programs[start : start + N_SOURCES]
        with reading() as con:
            texts = program_sources(con, [each.program_id for each in some])
        yield from ((each, texts[each.program_id]) for each in some)
