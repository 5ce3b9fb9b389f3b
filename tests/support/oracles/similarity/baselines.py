"""What Sim@k is compared with, slowly: the spread within problems, and pairs between problems."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tests.support.oracles.execution import NO_MEAN, NO_SCORE, percentile

Part = tuple[float, float]


@dataclass(frozen=True)
class Estimate:
    """A ratio of two sums over problems, and its interval."""

    value: float | None
    low: float | None
    high: float | None
    n: int

    def root(self) -> "Estimate":
        """Return the square root of everything."""
        ends = [None if x is None else math.sqrt(x) for x in (self.value, self.low, self.high)]
        return Estimate(*ends, self.n)


def ratio(parts: dict[int, Part], drawn: list[list[int]]) -> Estimate:
    """Sum of tops over sum of bottoms, by place of the problem; resampled by problem."""

    def of(places: list[int]) -> float | None:
        bottom = sum(parts[place][1] for place in places if place in parts)
        return (
            sum(parts[place][0] for place in places if place in parts) / bottom if bottom else None
        )

    found = sorted(value for value in map(of, drawn) if value is not None)
    enough = len(found) >= 0.95 * len(drawn)
    ends = [percentile(found, share) if enough else None for share in (0.025, 0.975)]
    return Estimate(of(list(parts)), *ends, len(parts))


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
