"""Programs that end near a CPU limit: tried again alone, for another day could decide otherwise.

Processor time moves with what else a machine does. A program that used more than half of a limit,
or came to its end within a tenth beyond, gets further attempts. No other program runs meanwhile; so
does one that a busy machine kept from its processor until the wall limit. Two attempts alone that
agree decide, and the third decides between two that do not.
"""

from collections.abc import Iterator

from models.words import HARNESS_FAULT
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import NEAR, Job, Limits, Result

MAX_ALONE = 3


def is_close(result: Result, limits: Limits) -> bool:
    """Say whether another attempt could well bring another verdict."""
    if result.cpu_s is None or result.why_ended == "cpu":
        return False
    if result.why_ended == "wall":
        return result.cpu_s > 0.01 * limits.wall_s  # held up, not asleep
    return result.cpu_s >= NEAR * limits.cpu_s or (
        limits.test_cpu_s is not None and (result.test_cpu_s or 0.0) >= NEAR * limits.test_cpu_s
    )


def tried_alone(pool: Pool, job: Job) -> Iterator[Result]:
    """Yield the attempts of a job with nothing beside it; the last one has the verdict."""
    verdicts: list[str] = []
    for _ in range(MAX_ALONE):
        for result in pool.run([job]):
            yield result
            if result.verdict != HARNESS_FAULT and result.verdict in verdicts:
                return
            verdicts.append(result.verdict)
