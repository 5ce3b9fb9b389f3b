"""Judge every generation that has no verdict yet, in the sandbox.

The order of work: admit problems (measure their references), plan programs (one per distinct text,
tests and limits), run what is pending beside a canary per problem, try harness faults again, and
what ended near a limit alone.
Everything is keyed by content: an interrupted run continues where it stopped.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from models.keys import content_key
from models.tables import Canary, Outcome, TestOutcome
from models.words import POLICIES
from runners.judging.admit import admit, reference_source
from runners.judging.close_calls import is_close, tried_alone
from runners.judging.plan import Pending, cut_off_programs, pending_programs, plan
from runners.judging.policies import REFERENCE_CPU_S, Policy
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import Job, Result
from runners.judging.sandbox.walls.probe import probe
from runners.judging.trials import try_limits as run_trials
from runners.problems import require_targets
from runners.progress import track
from warehouse.errors import BadInput
from warehouse.facts.judging import count_repairs
from warehouse.store.connection import reading
from warehouse.store.locks import one_at_a_time
from warehouse.store.runs import RunHandle, recorded
from warehouse.store.spool import Spool, drain_leftovers

MAX_ATTEMPTS = 3
CANARY = "canary"


@dataclass
class ExecuteReport:
    """What one call executed.

    ``n_not_available``: repairs, whose projects' tests are not here. ``n_tried_again``: programs
    that ended near a limit; ``n_verdicts_moved`` of them got another verdict alone.
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


@one_at_a_time("execute", "a run of programs")
def execute(
    *,
    dataset: str | None = None,
    rescore: str | None = None,
    workers: int = 2,
    isolation: str = "auto",
    policy: str = "calibrated",
    cpu_limit: float | None = None,
    test_cpu_limit: float | None = None,
    memory_limit: int | None = None,
    reference_cpu_limit: float = REFERENCE_CPU_S,
    retry_rejected: bool = False,
    try_limits: float | None = None,
    limit: int | None = None,
    progress: bool = True,
) -> ExecuteReport:
    """Execute all pending programs; return counts by verdict.

    ``dataset`` keeps to the generations of one dataset; ``rescore`` judges them against the tests
    of another one with the same task names (humaneval on humaneval_plus). ``policy`` names the
    limits and the next three set others (seconds, seconds of one test, MB); ``reference_cpu_limit``
    is what a reference may take, ``retry_rejected`` measures rejected ones again. ``try_limits``
    then runs what was cut off under so many times its limits, for the view limit_sensitivity.
    ``limit`` bounds the number of programs. Raises IsolationRefused where the machine does not
    offer the level, and BadInput for a dataset that is not there.
    """
    drain_leftovers()
    with reading() as con:
        require_targets(con, dataset, rescore)
    rules = Policy(policy, cpu_limit, test_cpu_limit, memory_limit, reference_cpu_limit)
    if policy not in POLICIES:
        raise BadInput(f"no policy {policy!r}; available: {', '.join(POLICIES)}")
    if try_limits is not None and try_limits <= 1:
        raise BadInput(f"limits {try_limits:g} times as long are not longer")
    with reading() as con:
        report = ExecuteReport(n_not_available=count_repairs(con, dataset) or None)
    settings: dict[str, Any] = {
        "dataset": dataset,
        "rescore": rescore,
        "workers": workers,
        "isolation": isolation,
        "policy": rules.label,
        "reference_cpu_limit": reference_cpu_limit,
        "limit": limit,
    }
    report.rejected_problems = admit(
        dataset=dataset,
        rescore=rescore,
        policy=rules,
        workers=workers,
        isolation=isolation,
        settings=settings,
        retry_rejected=retry_rejected,
        progress=progress,
    )
    label, judged = rules.label, rescore or dataset
    report.n_generations = plan(dataset=dataset, rescore=rescore, policy=label, settings=settings)
    run_pending(report, judged, label, workers, isolation, settings, progress, limit=limit)
    if try_limits is not None:
        cut_off = cut_off_programs(dataset=judged, policy=label, factor=try_limits)
        report.n_tried_longer = len(cut_off)
        report.n_ended_longer = run_trials(
            cut_off, try_limits, workers, isolation, settings, progress
        )
    return report


def run_pending(
    report: ExecuteReport,
    dataset: str | None,
    policy: str,
    workers: int,
    isolation: str,
    settings: dict[str, Any],
    progress: bool,
    limit: int | None = None,
) -> None:
    """Run the programs that have no valid verdict yet, and count them in the report."""
    pending = pending_programs(dataset=dataset, policy=policy, limit=limit)
    report.n_planned = len(pending)
    if not pending:
        return
    with (
        Pool(workers=workers, isolation=isolation) as pool,
        recorded(
            "execute", settings={**settings, "isolation_used": pool.isolation, "probe": probe()}
        ) as run,
        Spool(run) as spool,
    ):
        report.isolation = pool.isolation
        _run(pool, pending, run, spool, report, progress)
        if report.failing_canaries:
            run.status = "canary_failed"
        run.summary |= {"verdicts": report.verdicts, "failing_canaries": report.failing_canaries}


def _run(
    pool: Pool,
    pending: list[Pending],
    run: RunHandle,
    spool: Spool,
    report: ExecuteReport,
    progress: bool,
) -> None:
    """Run canaries and programs; outcomes wait for the canary of their problem."""
    by_key = {program.program_id: program for program in pending}
    by_problem = {program.problem_id: program for program in pending}
    waiting: dict[str, list[Result]] = defaultdict(list)
    settled: set[str] = set()
    doubtful: list[str] = []
    again: list[str] = []
    close: list[Result] = []
    attempts = {program.program_id: program.next_attempt for program in pending}

    def rows(result: Result, *, alone: bool = False) -> Iterator[Outcome | TestOutcome]:
        program, attempt = by_key[result.key], attempts[result.key]
        return _outcome_rows(result, program, attempt, run.run_id, alone)

    def count(verdict: str) -> None:
        report.n_executed += 1
        report.verdicts[verdict] = report.verdicts.get(verdict, 0) + 1

    def keep(result: Result) -> None:
        if is_close(result, by_key[result.key].limits):
            close.append(result)  # kept with what it comes to alone, or not at all
            return
        spool.add(rows(result))
        if result.verdict == "harness_fault":
            again.append(result.key)
        else:
            count(result.verdict)

    def settle(canary: Result) -> None:
        problem_id = canary.key.removeprefix(CANARY)
        settled.add(problem_id)
        spool.add([_canary_row(canary, problem_id, run.run_id)])
        if canary.verdict != "passed":
            task = by_problem[problem_id].problem.task_id
            report.failing_canaries.append(f"{task} ({canary.verdict}: {canary.message})")
        for early in waiting.pop(problem_id, []):
            keep(early)

    n_jobs = len(pending) + len(by_problem)
    for result in track(pool.run(_jobs(pending)), n_jobs, "execute", enabled=progress):
        if result.key.startswith(CANARY):
            problem_id = result.key.removeprefix(CANARY)
            if result.verdict == "passed":
                settle(result)
            else:
                doubtful.append(problem_id)  # once more, when the machine is quieter
        elif by_key[result.key].problem_id in settled:
            keep(result)
        else:
            waiting[by_key[result.key].problem_id].append(result)
    for result in pool.run([_canary_job(by_problem[problem_id]) for problem_id in doubtful]):
        settle(result)
    for _ in range(MAX_ATTEMPTS - 1):
        if not again:
            break
        retry = [by_key[key].job() for key in again]
        for key in again:
            attempts[key] += 1
        again = []
        for result in pool.run(retry):
            keep(result)
    if again:
        report.verdicts["harness_fault"] = len(again)
    for first in track(close, len(close), "near a limit, alone", enabled=progress):
        together, verdict = [*rows(first)], first.verdict
        for result in tried_alone(pool, by_key[first.key].job()):
            attempts[first.key] += 1
            together += rows(result, alone=True)
            verdict = verdict if result.verdict == "harness_fault" else result.verdict
        spool.add(together)
        count(verdict)
        report.n_tried_again += 1
        report.n_verdicts_moved += verdict != first.verdict


def _jobs(pending: list[Pending]) -> Iterator[Job]:
    """Yield each problem's canary before its programs."""
    seen: set[str] = set()
    for program in pending:
        if program.problem_id not in seen:
            seen.add(program.problem_id)
            yield _canary_job(program)
        yield program.job()


def _canary_job(program: Pending) -> Job:
    return Job(
        key=CANARY + program.problem_id,
        source=reference_source(program.problem),
        suite=program.suite,
        limits=program.limits,
        mode=program.mode,
    )


def _canary_row(result: Result, problem_id: str, run_id: str) -> Canary:
    return Canary(
        canary_id=content_key(run_id, problem_id),
        run_id=run_id,
        problem_id=problem_id,
        verdict=result.verdict,
        cpu_s=result.cpu_s,
        message=result.message,
    )


def _outcome_rows(
    result: Result, program: Pending, attempt: int, run_id: str, alone: bool
) -> Iterator[Outcome | TestOutcome]:
    yield Outcome(
        program_id=result.key,
        attempt=attempt,
        verdict=result.verdict,
        n_tests=result.n_tests,
        n_passed=result.n_passed,
        cpu_s=result.cpu_s,
        wall_s=result.wall_s,
        max_rss_kb=result.max_rss_kb,
        why_ended=result.why_ended,
        message=result.message[:500] if result.message else None,
        isolation=result.isolation,
        integrity=result.integrity,
        run_id=run_id,
        test_cpu_s=result.test_cpu_s,
        alone=alone,
    )
    for test in result.tests:
        yield TestOutcome(
            program_id=result.key,
            attempt=attempt,
            test_index=program.test_index(test.index),
            status=test.status,
            message=test.message[:200] if test.message else None,
            run_id=run_id,
        )
