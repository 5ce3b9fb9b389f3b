"""Intervals of skill and AUROC, from how they move as each problem weighs more."""

import math
import statistics
from collections.abc import Callable
from dataclasses import replace

from scipy import stats

from tests.support.oracles.calibration import ScoredPair, auroc, skill_score
from tests.support.oracles.statistics.intervals import LEAST_PROBLEMS, Ends

LEAST_OF_A_CLASS = 5
STEP = 1e-4


def of_skill(pairs: list[ScoredPair]) -> tuple[Ends, str | None]:
    """Return Student's interval of log (1 - skill), turned back."""

    def scaled(rows: list[ScoredPair]) -> float:
        skill = skill_score(rows)
        assert skill is not None
        return math.log(1 - skill)

    reason = why_none(pairs)
    if reason is None and skill_score(pairs) == 1:
        reason = "no_variation"
    if reason is not None:
        return (None, None), reason
    slopes = moves(pairs, scaled)
    n = len(slopes)
    fourth, square = (statistics.fmean(slope**power for slope in slopes) for power in (4, 2))
    if square < 1e-18:
        return (None, None), "no_variation"
    degrees = min(n - 1, 2 * n / max(fourth / square**2 - 1, 1e-12))
    degrees = min(degrees, *(n_telling(pairs, label) - 1 for label in (True, False)))
    low, high = around(scaled(pairs), slopes, degrees)
    return (1 - math.exp(high), 1 - math.exp(low)), None


def of_auroc(pairs: list[ScoredPair]) -> tuple[Ends, str | None]:
    """Return Student's interval of the logit of AUROC, turned back."""

    def scaled(rows: list[ScoredPair]) -> float:
        area = auroc(rows)
        assert area is not None
        return math.log(area / (1 - area))

    reason = why_none(pairs)
    if reason is None and auroc(pairs) in (0, 1):
        reason = "no_variation"
    if reason is not None:
        return (None, None), reason
    slopes = moves(pairs, scaled)
    variances = []
    telling = [n_telling(pairs, label) for label in (True, False)]
    for label, n in zip((True, False), telling, strict=True):
        part = moves(pairs, scaled, label=label)
        variances.append((math.fsum(slope**2 for slope in part), max(n - 1, 0.5)))
    total = math.fsum(variance for variance, _ in variances)
    if total < 1e-18:
        return (None, None), "no_variation"
    degrees = total**2 / math.fsum(variance**2 / free for variance, free in variances)
    fewest = min(telling)
    wider = [slope * math.sqrt(fewest / max(fewest - 1, 0.5)) for slope in slopes]
    low, high = around(scaled(pairs), wider, min(degrees, len(slopes) - 1))
    return (1 / (1 + math.exp(-low)), 1 / (1 + math.exp(-high))), None


def why_none(pairs: list[ScoredPair]) -> str | None:
    """Say why there is no interval where counts of problems decide."""
    right, wrong = ({q.problem for q in pairs if bool(q.y) is label} for label in (True, False))
    if not right or not wrong:
        return "single_class"
    if len(right | wrong) < LEAST_PROBLEMS:
        return "problems_lt_min"
    return "class_lt_min" if min(len(right), len(wrong)) < LEAST_OF_A_CLASS else None


def n_telling(pairs: list[ScoredPair], label: bool) -> float:
    """Return (sum w)^2 / sum w^2 of problems, w being the weight of their answers of a label."""
    weights: dict[str, float] = {}
    for q in pairs:
        if bool(q.y) is label:
            weights[q.problem] = weights.get(q.problem, 0.0) + q.w
    return math.fsum(weights.values()) ** 2 / math.fsum(w * w for w in weights.values())


def moves(
    pairs: list[ScoredPair],
    scaled: Callable[[list[ScoredPair]], float],
    *,
    label: bool | None = None,
) -> list[float]:
    """Return how fast a statistic moves as each problem, or its rows of one label, weighs more."""

    def moved(problem: str, factor: float) -> float:
        return scaled(
            [
                replace(q, w=q.w * factor)
                if q.problem == problem and label in (None, bool(q.y))
                else q
                for q in pairs
            ]
        )

    problems = sorted({q.problem for q in pairs})
    return [(moved(one, 1 + STEP) - moved(one, 1 - STEP)) / (2 * STEP) for one in problems]


def around(middle: float, slopes: list[float], degrees: float) -> tuple[float, float]:
    """Return Student's interval."""
    n = len(slopes)
    error = math.sqrt(math.fsum(slope**2 for slope in slopes) * n / (n - 1))
    half = float(stats.t(max(degrees, 1)).ppf(0.975)) * error
    return middle - half, middle + half
