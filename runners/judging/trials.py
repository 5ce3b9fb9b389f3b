"""What longer limits would bring: what was cut off runs again, and its verdict stays as it is."""

from dataclasses import replace

from models.tables import LimitTrial
from models.words import CUT_OFF, HARNESS_FAULT
from runners.judging.conditions import Conditions, result_columns
from runners.judging.plan import PendingProgram
from runners.judging.sandbox.types import MAX_WALL_S, Job, Limits, Result
from runners.judging.sandbox.walls.probe import probe
from warehouse.store.spool import Spool


def try_limits(cut_off: list[PendingProgram], factor: float, how: Conditions) -> int:
    """Run programs that were cut off under ``factor`` times their limits; return how many ended."""
    if not cut_off:
        return 0
    n_ended = 0
    with (
        how.judging("try-limits", probe=probe()) as judging,
        Spool(judging.run) as spool,
    ):
        jobs = (_job(program, factor) for program in cut_off)
        for result in judging.results(jobs, len(cut_off), f"{factor:g} x limits"):
            if result.verdict == HARNESS_FAULT:
                continue
            n_ended += result.why_ended not in CUT_OFF
            spool.add([_row(result, factor, judging.run.run_id)])
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
        **result_columns(LimitTrial, result),
        run_id=run_id,
    )
