"""What a program may use: three named policies, and limits that options set instead.

calibrated: what the dataset's own harness gives, or 20 times the reference where that is more; for
a reference that takes long no more than 10 s + 5 times it. Datasets whose harness limits each test
have a limit per test as well. The suite of a real project counts as a reference that its harness
gives 10 s. fast: 20 times the reference, at least 1 s, and no limit per test.
compat: openai/human-eval's fixed 3 s on the wall.
"""

import math
from dataclasses import dataclass

from ingest.problems.drafts import Source
from models.words import CALIBRATED, COMPAT, FAST
from runners.judging.sandbox.types import (
    JUDGE_VERSION,
    PROJECT_JUDGE_VERSION,
    Limits,
    wall_for,
)
from warehouse.facts.judging import Rules

FAST_S = 1.0
COMPAT_S = 3.0
MEMORY_MB = 1024
OUTPUT_KB = 60 * 1024


@dataclass(frozen=True)
class Policy:
    """A named policy, with limits of one's own where they are not None.

    ``reference_cpu_s`` is how long a reference may take before its problem is rejected; it decides
    no verdict and is no part of the label.
    """

    name: str = CALIBRATED
    cpu_s: float | None = None
    test_cpu_s: float | None = None
    memory_mb: int | None = None
    reference_cpu_s: float = 60.0

    @property
    def label(self) -> str:
        """The name stored with an admission: equal labels mean equal rules."""
        own = {"cpu": self.cpu_s, "test": self.test_cpu_s, "memory": self.memory_mb}
        return " ".join(
            [self.name, *(f"{key}={value:g}" for key, value in own.items() if value is not None)]
        )

    def measuring(self, memory_mb: int | None = None) -> Limits:
        """Return the limits of a reference; it is judged with half of what a program is granted."""
        return Limits(
            cpu_s=self.reference_cpu_s,
            wall_s=wall_for(self.reference_cpu_s),
            test_cpu_s=self.reference_cpu_s,
            memory_mb=self.memory_mb or memory_mb or MEMORY_MB,
            output_kb=OUTPUT_KB,
            judge_cpu_s=10.0,
            judge_memory_mb=1024,
        )

    def limits(
        self, source: Source, n_tests: int, cpu_s: float | None, test_cpu_s: float | None
    ) -> Limits:
        """Return the limits of a problem whose reference took so much, in all and in one test."""
        test = None
        if self.name == CALIBRATED and source.test_cpu_s is not None:
            test = _scaled(test_cpu_s, source.test_cpu_s)
        harness_s = source.cpu_s if test is None else min(source.cpu_s, n_tests * test)
        cpu, wall = self.seconds(cpu_s, harness_s)
        return program_limits(
            cpu_s=cpu,
            wall_s=wall,
            test_cpu_s=test if self.test_cpu_s is None else self.test_cpu_s,
            memory_mb=self.memory_mb or source.memory_mb or MEMORY_MB,
        )

    def seconds(self, measured_s: float | None, harness_s: float) -> tuple[float, float]:
        """Return seconds of CPU time and on the wall, where a reference took ``measured_s``.

        ``harness_s`` is the CPU time that the dataset's own harness gives.
        """
        if self.cpu_s is not None:
            return self.cpu_s, wall_for(self.cpu_s)
        if self.name == COMPAT:
            return COMPAT_S, COMPAT_S
        cpu = _scaled(measured_s, FAST_S if self.name == FAST else harness_s)
        return cpu, wall_for(cpu)


def rules_of(policy: str) -> Rules:
    """Return the rules that this version of the judge gives verdicts under."""
    return Rules(policy, JUDGE_VERSION, PROJECT_JUDGE_VERSION)


def program_limits(
    *, cpu_s: float, wall_s: float, test_cpu_s: float | None, memory_mb: int
) -> Limits:
    """Return the limits a program runs under; those not named are the same for all."""
    return Limits(
        cpu_s=cpu_s,
        wall_s=wall_s,
        test_cpu_s=test_cpu_s,
        memory_mb=memory_mb,
        output_kb=OUTPUT_KB,
    )


def _scaled(measured_s: float | None, harness_s: float) -> float:
    """Return whole seconds, so that a little noise moves nothing."""
    measured = measured_s or 0.0
    return float(math.ceil(max(harness_s, min(20 * measured, 10 + 5 * measured))))
