"""What Sim@k is compared with, slowly: the spread within problems, and pairs between problems."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tests.support.oracles.execution import NO_MEAN, NO_SCORE
from tests.support.oracles.statistics.intervals import of_ratio

Part = tuple[float, float]


@dataclass(frozen=True)
class BaselineEstimate:
    """A ratio of two sums over problems, and its interval."""

    value: float | None
    low: float | None
    high: float | None
    n: int

    def root(self) -> "BaselineEstimate":
        """Return the square root of everything."""
        ends = [
            None if x is None else math.sqrt(max(x, 0.0)) for x in (self.value, self.low, self.high)
        ]
        return BaselineEstimate(*ends, self.n)


def ratio(parts: dict[int, Part], kind: str) -> BaselineEstimate:
    """Sum of tops over sum of bottoms, by place of the problem, with its interval."""
    bottom = sum(below for _, below in parts.values())
    value = sum(top for top, _ in parts.values()) / bottom if bottom else None
    (low, high), _ = of_ratio(list(parts.values()), kind)
    return BaselineEstimate(value, low, high, len(parts))


def squares(values: list[Any]) -> Part | None:
    """Squared deviations from a problem's mean, and degrees of freedom; None as for its mean."""
    scores = [value for value in values if value != NO_SCORE]
    if not scores or {None, NO_MEAN} & set(scores):
        return None
    mean = sum(scores) / len(scores)
    return sum((score - mean) ** 2 for score in scores), len(scores) - 1


def between(firsts: dict[int, str | None], score: Any) -> dict[int, float]:
    """Score the first program of each problem beside that of the next problem that has one.

    ``firsts`` are the programs by place; the scores are by the place of the first problem.
    """
    asked = [(place, code) for place, code in sorted(firsts.items()) if code is not None]
    scores = {place: score(code, following) for (place, code), (_, following) in pairwise(asked)}
    return {
        place: value for place, value in scores.items() if value not in (None, NO_SCORE, NO_MEAN)
    }
