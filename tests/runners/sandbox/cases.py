"""Small jobs the sandbox tests share."""

from models.words import SPLIT
from runners.judging.sandbox.types import Job, Limits, Suite

LIMITS = Limits(cpu_s=1.0, wall_s=3.0, memory_mb=256)


def suite(test_code: str | None, **changes: object) -> Suite:
    fields = {
        "key": repr((test_code, sorted(changes.items()))),
        "entry_point": "f",
        "setup_code": "",
        "test_code": test_code,
        "inputs": (),
        "expected": None,
        "compare": "exact",
        "atol": 0.0,
    }
    return Suite(**{**fields, **changes})  # type: ignore[arg-type]


INCREMENT = suite("def check(c):\n    assert c(1) == 2\n    assert c(2) == 3\n")


def job(
    source: str,
    tests: Suite = INCREMENT,
    *,
    key: str = "job",
    limits: Limits = LIMITS,
    mode: str = SPLIT,
) -> Job:
    return Job(key, source, tests, limits, mode)
