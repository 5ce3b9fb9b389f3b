"""What longer limits would bring: what was cut off runs again, and its verdict stays as it is."""

from dataclasses import replace
from typing import Any

from models.tables import LimitTrial
from models.words import HARNESS_FAULT
from runners.judging.plan import PendingProgram
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import MAX_WALL_S, Job, Limits, Result
from runners.judging.sandbox.walls.probe import probe
from runners.progress import track
from warehouse.store.runs import recorded
from warehouse.store.spool import Spool


def try_limits(
    cut_off: list[PendingProgram],
    factor: float,
    workers: int,
    isolation: str,
    settings: dict[str, Any],
    progress: bool,
) -> int:
    """Run programs that were cut off under ``factor`` times their limits; return how many ended."""
    if not cut_off:
        return 0
    n_ended = 0
    with (
        Pool(workers=workers, isolation=isolation) as pool,
        recorded(
            "try-limits", settings={**settings, "isolation_used": pool.isolation, "probe": probe()}
        ) as run,
        Spool(run) as spool,
    ):
        jobs = (_job(program, factor) for program in cut_off)
        for result in track(pool.run(jobs), len(cut_off), f"{factor:g} x limits", enabled=progress):
            if result.verdict == HARNESS_FAULT:
                continue
            n_ended += result.why_ended not in ("cpu", "wall")
            spool.add([_row(result, factor, run.run_id)])
    return n_ended


def _job(program: PendingProgram, factor: float) -> Job:
    return replace(program.job(), limits=_times(program.limits, factor))


def _times(limits: Limits, factor: float) -> Limits:
    return replace(
        limits,
        cpu_s=limits.cpu_s * factor,
        wall_s=min(limits.wall_s * factor, MAX_WALL_S),
        test_cpu_s=None if limits.test_cpu_s is None else limits.test_cpu_s * factor,
    )


def _row(result: Result, factor: float, run_id: str) -> LimitTrial:
    return LimitTrial(
        program_id=result.key,
        factor=factor,
        verdict=result.verdict,
        n_tests=result.n_tests,
        n_passed=result.n_passed,
        cpu_s=result.cpu_s,
        test_cpu_s=result.test_cpu_s,
        wall_s=result.wall_s,
        why_ended=result.why_ended,
        run_id=run_id,
    )
