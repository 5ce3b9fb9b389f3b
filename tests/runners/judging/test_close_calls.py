"""Near a limit: tried again alone, and decided by attempts that agree."""

from collections.abc import Iterator
from typing import Any

from models.plain import codec
from runners.judging.close_calls import is_close, tried_alone
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import Limits, Result
from tests.runners.judging.sandbox.cases import INCREMENT, job, stdio, suite

LIMITS = Limits(cpu_s=0.4, wall_s=20.0, memory_mb=256)
BURN = """
import time

def burn(seconds):
    began = time.process_time()
    while time.process_time() - began < seconds:
        pass

"""


def run(pool: Pool, source: str, limits: Limits = LIMITS, **changes: Any) -> Result:
    [result] = pool.run([job(BURN + source, limits=limits, **changes)])
    return result


def increment(seconds: float) -> str:
    return f"def f(x):\n    burn({seconds} if x == 1 else 0)\n    return x + 1\n"


def test_what_ends_within_a_tenth_beyond_the_limit_has_not_passed(pool: Pool) -> None:
    limits = Limits(cpu_s=1.0, wall_s=40.0, memory_mb=256)
    over = run(pool, increment(1.02), limits)
    assert (over.verdict, over.why_ended, over.n_passed) == ("timeout", "exit", 2)
    assert over.message is not None
    assert "the limit is 1 s" in over.message
    assert is_close(over, limits)
    endless = run(pool, increment(99), limits)
    assert (endless.verdict, endless.why_ended, endless.n_passed) == ("timeout", "cpu", 0)
    assert not is_close(endless, limits)
    assert endless.cpu_s is not None
    assert 1.1 <= endless.cpu_s < 1.3


def test_what_fills_its_memory_beyond_the_limit_is_a_timeout(pool: Pool) -> None:
    fills = "def f(x):\n    burn({} if x == 1 else 0)\n    raise MemoryError\n"
    limits = Limits(cpu_s=1.0, wall_s=40.0, memory_mb=256)
    assert run(pool, fills.format(1.03), limits).verdict == "timeout"
    assert run(pool, fills.format(0.3), limits).verdict == "out_of_memory"


def test_only_what_is_near_its_limit_is_tried_again(pool: Pool) -> None:
    assert not is_close(run(pool, increment(0.05)), LIMITS)
    near = run(pool, increment(0.3))
    assert near.verdict == "passed"
    assert is_close(near, LIMITS)
    [first, second] = tried_alone(pool, job(BURN + increment(0.3), limits=LIMITS))
    assert first.verdict == second.verdict == "passed"


def test_a_third_attempt_decides_between_two_that_differ() -> None:
    class Flipping:
        """Replaces a machine that gives other times each time."""

        def __init__(self, *verdicts: str):
            self.verdicts = list(verdicts)

        def run(self, jobs: list[Any]) -> Iterator[Any]:
            for _ in jobs:
                yield type("Answer", (), {"verdict": self.verdicts.pop(0)})

    def decided(*verdicts: str) -> list[str]:
        return [result.verdict for result in tried_alone(Flipping(*verdicts), None)]  # type: ignore[arg-type]

    assert decided("passed", "timeout", "passed") == ["passed", "timeout", "passed"]
    assert decided("timeout", "passed", "passed")[-1] == "passed"
    assert decided("timeout", "timeout", "passed") == ["timeout", "timeout"]
    assert len(decided("harness_fault", "harness_fault", "passed")) == 3


def burning(*seconds: float) -> Any:
    return suite(
        None,
        inputs=tuple(codec.encode([each]) for each in seconds),
        expected=tuple(codec.encode(True) for _ in seconds),
    )


def test_each_test_has_a_limit_of_its_own_where_the_dataset_says_so(pool: Pool) -> None:
    source = "def f(seconds):\n    burn(seconds)\n    return True\n"
    limits = Limits(cpu_s=9.0, wall_s=90.0, memory_mb=256, test_cpu_s=0.4)
    many = run(pool, source, limits, tests=burning(*[0.15] * 6))
    assert many.verdict == "passed", "more than one test's limit in all"
    assert many.test_cpu_s is not None
    assert 0.1 < many.test_cpu_s < 0.19
    assert not is_close(many, limits)
    near = run(pool, source, limits, tests=burning(0.01, 0.3, 0.01))
    assert near.verdict == "passed"
    assert is_close(near, limits)
    long = run(pool, source, limits, tests=burning(0.01, 2.0, 0.01))
    assert (long.verdict, long.why_ended) == ("timeout", "cpu")
    assert [test.status for test in long.tests] == ["passed", "timeout", "not_run"]
    assert long.cpu_s is not None
    assert long.cpu_s < 0.8


def test_asserts_and_scripts_can_have_a_limit_per_test_too(pool: Pool) -> None:
    limits = Limits(cpu_s=9.0, wall_s=90.0, memory_mb=256, test_cpu_s=0.4)
    slow = run(pool, increment(2.0), limits)
    assert [test.status for test in slow.tests] == ["timeout", "not_run"]
    reads = stdio(("0", "0\n"), ("2", "2\n"))
    script = run(pool, "n = int(input())\nburn(n)\nprint(n)\n", limits, tests=reads)
    assert [test.status for test in script.tests] == ["passed", "timeout"]


def test_what_sleeps_through_its_wall_time_is_not_held_up(pool: Pool) -> None:
    limits = Limits(cpu_s=9.0, wall_s=0.5, memory_mb=256)
    asleep = run(pool, "def f(x):\n    time.sleep(9)\n", limits, tests=INCREMENT)
    assert asleep.why_ended == "wall"
    assert asleep.cpu_s is not None
    assert not is_close(asleep, Limits(cpu_s=9.0, wall_s=30.0))
