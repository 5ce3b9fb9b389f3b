"""Judge every generation that has no verdict yet, in the sandbox.

The order of work: admit problems (measure their references), plan programs (one per distinct text,
tests and limits), run what is pending. A canary per problem runs beside them. Then harness faults
are tried again, and what ended near a limit is tried alone. Programs of real projects follow:
runners/projects/judging. Everything is keyed by content: an interrupted run continues where it
stopped.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from models.keys import content_key
from models.tables import Canary, Outcome, TestOutcome
from models.words import TASKS_OF_METRICS, VERDICTS
from runners.judging.close_calls import is_close, tried_alone
from runners.judging.conditions import Conditions, Judging, result_columns
from runners.judging.languages.pool import not_here
from runners.judging.packages import Environments
from runners.judging.plan import PendingProgram, due, plan
from runners.judging.policies import Policy
from runners.judging.references import admit, right_source
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import Job, Result
from runners.judging.sandbox.walls.probe import probe, try_level
from runners.judging.trials import try_limits as run_trials
from runners.problems import require_targets
from runners.progress import track
from runners.projects.judging.programs import ProjectsReport, judge_projects
from runners.specs import ExecuteSpec
from runners.tasks import TASKS
from runners.tasks.base import program_rules
from warehouse.facts.judging import count_answers, target_problems
from warehouse.facts.problems import answered_datasets
from warehouse.facts.projects import ingested_projects
from warehouse.parameters import BadValue
from warehouse.store.connection import reading
from warehouse.store.locks import one_at_a_time
from warehouse.store.spool import Spool, drain_leftovers

MAX_ATTEMPTS = 3
CANARY = "canary"


@dataclass
class ExecuteReport:
    """What one call executed.

    ``n_not_available``: answers that no test judges here: repairs and descriptions.
    ``projects_not_judged``: a line for each real project whose programs still wait, and why; also
    for each dataset in a language that cannot be judged here, or whose packages are not here.
    ``n_tried_again``: programs that ended near a limit; ``n_verdicts_moved`` of them got another
    verdict alone.
    ``n_tried_longer``: programs that had been cut off, of which ``n_ended_longer`` came to an end.
    """

    n_planned: int = 0
    n_executed: int = 0
    n_tried_again: int = 0
    n_verdicts_moved: int = 0
    n_tried_longer: int | None = None
    n_ended_longer: int | None = None
    n_generations: int = 0
    n_not_available: int | None = None
    isolation: str | None = None
    verdicts: dict[str, int] = field(default_factory=dict)
    failing_canaries: list[str] = field(default_factory=list)
    rejected_problems: list[str] = field(default_factory=list)
    projects_not_judged: list[str] = field(default_factory=list)

    def add(self, projects: ProjectsReport) -> None:
        """Count what became of programs of projects too."""
        self.n_generations += projects.n_generations
        self.n_planned += projects.n_planned
        self.n_executed += projects.n_executed
        self.isolation = self.isolation or projects.isolation
        both = Counter(self.verdicts) + projects.verdicts
        self.verdicts = {word: both[word] for word in VERDICTS if both[word]}
        self.failing_canaries += projects.failing_canaries
        self.projects_not_judged += projects.not_judged


@one_at_a_time("execute", "a run of programs")
def execute(spec: ExecuteSpec, *, progress: bool = True) -> ExecuteReport:
    """Execute all pending programs; return counts by verdict.

    Raises IsolationRefused where the machine does not offer the level, and BadInput for a dataset
    that is not there.
    """
    drain_leftovers()
    programs = program_rules()
    not_run = [name for name in TASKS if name not in programs]
    if spec.rescore is not None:  # tests of another dataset know whole functions only
        rescored = TASKS_OF_METRICS["whole_functions"]
        programs = {name: rule for name, rule in programs.items() if name in rescored}
    with reading() as con:
        require_targets(con, spec.dataset, spec.rescore, list(programs))
        n_not_run = count_answers(con, spec.dataset, not_run)
        names = [spec.rescore or spec.dataset or ""]
        names = names if names[0] else answered_datasets(con)
        ids = target_problems(con, spec.dataset, spec.rescore, list(programs))
        has_projects = bool(ingested_projects(con))  # else three looks less
    policy = Policy(
        spec.policy,
        spec.cpu_limit,
        spec.test_cpu_limit,
        spec.memory_limit,
        spec.reference_cpu_limit,
    )
    dataset, rescore, label = spec.dataset, spec.rescore, policy.label
    report = ExecuteReport(n_not_available=n_not_run or None)
    reasons = [(name, not_here(name, spec.isolation)) for name in names]
    report.projects_not_judged = [f"{name}: {reason}" for name, reason in reasons if reason]
    settings = spec.settings() | {"policy": label}
    how = Conditions(spec.workers, spec.isolation, settings, progress)
    environments = Environments(how, again=spec.retry_rejected)
    report.rejected_problems = admit(
        ids, policy, how, environments, retry_rejected=spec.retry_rejected
    )
    report.n_generations = plan(
        dataset=dataset, rescore=rescore, policy=label, rules=programs, settings=settings
    )
    judged = rescore or dataset
    run_pending(report, judged, label, environments, limit=spec.limit)
    if rescore is None and has_projects:
        left = None if spec.limit is None else spec.limit - report.n_planned
        report.add(judge_projects(dataset, policy, programs, how, limit=left))
    if spec.try_limits is not None:
        cut_off = _due(environments, dataset=judged, policy=label, factor=spec.try_limits)
        report.n_tried_longer = len(cut_off)
        report.n_ended_longer = run_trials(cut_off, spec.try_limits, how)
    report.projects_not_judged += environments.not_judged
    return report


def fit(spec: ExecuteSpec) -> None:
    """Raise BadValue for a level of isolation that is named and that this machine does not have."""
    found = try_level(spec.isolation) if spec.isolation not in ("auto", "none") else None
    if found and not found["works"]:
        raise BadValue("isolation", f"{spec.isolation} does not hold here: {found['reason']}")


def run_pending(
    report: ExecuteReport,
    dataset: str | None,
    policy: str,
    environments: Environments,
    limit: int | None = None,
) -> None:
    """Run the programs that have no valid verdict yet, and count them in the report."""
    how = environments.how
    pending = _due(environments, dataset=dataset, policy=policy, most=limit)
    report.n_planned = len(pending)
    if not pending:
        return
    with how.judging("execute", probe=probe()) as judging, Spool(judging.run) as spool:
        report.isolation = judging.pool.isolation
        run = judging.run
        _run(judging, _Programs(pending, run.run_id, spool, report))
        report.verdicts = {word: n for word in VERDICTS if (n := report.verdicts.get(word))}
        if report.failing_canaries:
            run.status = "canary_failed"
        run.summary |= {"verdicts": report.verdicts, "failing_canaries": report.failing_canaries}


def _due(environments: Environments, **which: Any) -> list[PendingProgram]:
    """Return the programs to be run, of those in languages that can be judged on this machine."""
    programs = due(environments=environments, **which)
    names = {program.problem.dataset for program in programs}
    absent = {name for name in names if not_here(name, environments.how.isolation)}
    return [program for program in programs if program.problem.dataset not in absent]


class _Programs:
    """Programs under way: their outcomes wait for the canary of their problem."""

    def __init__(
        self, pending: list[PendingProgram], run_id: str, spool: Spool, report: ExecuteReport
    ):
        self.pending = pending
        self.run_id = run_id
        self.spool = spool
        self.report = report
        self.by_key = {program.program_id: program for program in pending}
        self.by_problem = {program.problem_id: program for program in pending}
        self.attempts = {program.program_id: program.next_attempt for program in pending}
        self.settled: set[str] = set()
        self.again: list[str] = []
        self.close: list[Result] = []
        self._waiting: dict[str, list[Result]] = defaultdict(list)

    def take(self, result: Result) -> None:
        """Keep a result once the canary of its problem is settled."""
        problem_id = self.by_key[result.key].problem_id
        if problem_id in self.settled:
            self.store(result)
        else:
            self._waiting[problem_id].append(result)

    def settle(self, canary: Result) -> None:
        """Note what became of a canary, and keep the results that waited for it."""
        problem_id = canary.key.removeprefix(CANARY)
        self.settled.add(problem_id)
        self.spool.add([_canary_row(canary, problem_id, self.run_id)])
        if canary.verdict != "passed":
            task = self.by_problem[problem_id].problem.task_id
            self.report.failing_canaries.append(f"{task} ({canary.verdict}: {canary.message})")
        for early in self._waiting.pop(problem_id, []):
            self.store(early)

    def store(self, result: Result) -> None:
        """Store a result, unless it must be tried again."""
        if is_close(result, self.by_key[result.key].limits):
            self.close.append(result)  # kept with what it comes to alone, or not at all
            return
        self.spool.add(self._rows(result))
        if result.verdict == "harness_fault":
            self.again.append(result.key)
        else:
            self._count(result.verdict)

    def retries(self) -> list[Job]:
        """Return the jobs of another attempt at what the harness failed at."""
        for key in self.again:
            self.attempts[key] += 1
        jobs = [self.by_key[key].job() for key in self.again]
        self.again = []
        return jobs

    def try_alone(self, pool: Pool, first: Result) -> None:
        """Run a program again that ended near a limit, and store all its results."""
        together, verdict = [*self._rows(first)], first.verdict
        for result in tried_alone(pool, self.by_key[first.key].job()):
            self.attempts[first.key] += 1
            together += self._rows(result, alone=True)
            verdict = verdict if result.verdict == "harness_fault" else result.verdict
        self.spool.add(together)
        self._count(verdict)
        self.report.n_tried_again += 1
        self.report.n_verdicts_moved += verdict != first.verdict

    def _rows(self, result: Result, *, alone: bool = False) -> Iterator[Outcome | TestOutcome]:
        attempt = self.attempts[result.key]
        return _outcome_rows(result, self.by_key[result.key], attempt, self.run_id, alone)

    def _count(self, verdict: str) -> None:
        self.report.n_executed += 1
        self.report.verdicts[verdict] = self.report.verdicts.get(verdict, 0) + 1


def _run(judging: Judging, programs: _Programs) -> None:
    """Run canaries and programs, then again what must be tried again."""
    pool = judging.pool
    doubtful: list[str] = []
    n_jobs = len(programs.pending) + len(programs.by_problem)
    for result in judging.results(_jobs(programs.pending), n_jobs, "execute"):
        if not result.key.startswith(CANARY):
            programs.take(result)
        elif result.verdict == "passed":
            programs.settle(result)
        else:
            doubtful.append(result.key.removeprefix(CANARY))  # once more, on a quieter machine
    for canary in pool.run(_canary_job(programs.by_problem[key]) for key in doubtful):
        programs.settle(canary)
    for _ in range(MAX_ATTEMPTS - 1):
        if not programs.again:
            break
        for result in pool.run(programs.retries()):
            programs.store(result)
    if programs.again:
        programs.report.verdicts["harness_fault"] = len(programs.again)
    close = programs.close
    for first in track(close, len(close), "near a limit, alone", enabled=judging.progress):
        programs.try_alone(pool, first)


def _jobs(pending: list[PendingProgram]) -> Iterator[Job]:
    """Yield each problem's canary before its programs."""
    seen: set[str] = set()
    for program in pending:
        if program.problem_id not in seen:
            seen.add(program.problem_id)
            yield _canary_job(program)
        yield program.job()


def _canary_job(program: PendingProgram) -> Job:
    return Job(
        key=CANARY + program.problem_id,
        source=right_source(program.problem, program.suite),
        suite=program.suite,
        limits=program.limits,
        mode=program.mode,
    )


def _canary_row(result: Result, problem_id: str, run_id: str) -> Canary:
    return Canary(
        canary_id=content_key(run_id, problem_id),
        run_id=run_id,
        problem_id=problem_id,
        **result_columns(Canary, result),
    )


def _outcome_rows(
    result: Result, program: PendingProgram, attempt: int, run_id: str, alone: bool
) -> Iterator[Outcome | TestOutcome]:
    yield Outcome(
        program_id=result.key,
        attempt=attempt,
        **result_columns(Outcome, result),
        run_id=run_id,
        alone=alone,
    )
    for test in result.tests:
        yield TestOutcome(
            program_id=result.key,
            attempt=attempt,
            test_index=program.test_index(test.index),
            status=test.status,
            message=test.message,
            run_id=run_id,
        )
