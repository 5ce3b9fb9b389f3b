"""Intervals of skill and AUROC, from how they move as each problem weighs more."""

import math
import statistics
from collections.abc import Callable
from dataclasses import replace

from scipy import stats

from tests.support.oracles.calibration import ScoredPair, auroc, skill_score
from tests.support.oracles.statistics.intervals import LEAST_PROBLEMS, Ends, of_ratio, untransformed

LEAST_OF_A_CLASS = 5
STEP = 1e-4


def of_skill(pairs: list[ScoredPair]) -> tuple[Ends, str | None]:
    """Return the interval of log (1 - skill), turned back."""

    def scaled(rows: list[ScoredPair]) -> float:
        skill = skill_score(rows)
        assert skill is not None
        return math.log(1 - skill)

    reason = why_none(pairs)
    if reason is None and skill_score(pairs) == 1:
        reason = "no_variation"
    if reason is not None:
        return (None, None), reason
    slopes, of_rate = moves(pairs, scaled), moves(pairs, base_rate)
    if statistics.fmean(slope**2 for slope in slopes) < 1e-18:
        return (None, None), "no_variation"
    fewer = min(effective_problems(pairs, label) for label in (True, False))
    share, degrees = single_answer_weight(pairs), by_kurtosis(slopes)
    quantile = share * student(degrees) + (1 - share) * student(min(degrees, fewer - 1))
    least = 0.8 * quantile * standard_error(slopes)
    along = 0.0
    if math.fsum(move**2 for move in of_rate) > 1e-18:
        along = statistics.linear_regression(of_rate, slopes, proportional=True).slope
    rest = [slope - along * move for slope, move in zip(slopes, of_rate, strict=True)]
    wider = share + (1 - share) * math.sqrt(fewer / max(fewer - 1, 0.5))
    quantile = wider * student(min(by_kurtosis(rest), fewer - 1))
    skewed = min(1.0, 2 - 2 * share) * skewness(rest) / math.sqrt(len(rest))
    turned = untransformed(quantile, skewed), -untransformed(-quantile, skewed)
    below, above = (min(end, 2 * quantile) for end in turned)
    error = standard_error(rest)
    up = down = 0.0
    for end in rate_distances(pairs):
        up, down = max(up, along * end), max(down, -along * end)
    middle = scaled(pairs)
    low = middle - max(least, math.hypot(down, below * error))
    high = middle + max(least, math.hypot(up, above * error))
    return (1 - math.exp(high), 1 - math.exp(low)), None


def rate_distances(pairs: list[ScoredPair]) -> Ends:
    """Return how far the base rate's ends are from it; more where a class has 5 to 8 problems."""
    parts: dict[str, list[float]] = {}
    for q in pairs:
        part = parts.setdefault(q.problem, [0.0, 0.0])
        part[0] += q.w * q.y
        part[1] += q.w
    ends, _ = of_ratio([(right, weight) for right, weight in parts.values()], "share")
    factors = []
    for label in (True, False):
        found = len({q.problem for q in pairs if bool(q.y) is label})
        factors.append({5: 1.6, 6: 1.45, 7: 1.3, 8: 1.15}.get(found, 1.0))
    rate = base_rate(pairs)
    low, high = ends
    assert low is not None
    assert high is not None
    return factors[0] * (low - rate), factors[1] * (high - rate)


def base_rate(pairs: list[ScoredPair]) -> float:
    """Return the share of right answers."""
    return math.fsum(q.w * q.y for q in pairs) / math.fsum(q.w for q in pairs)


def of_auroc(pairs: list[ScoredPair]) -> tuple[Ends, str | None]:
    """Return the interval of the logit of AUROC, turned back."""

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
    effective = [effective_problems(pairs, label) for label in (True, False)]
    for label, n in zip((True, False), effective, strict=True):
        part = moves(pairs, scaled, label=label)
        variances.append((math.fsum(slope**2 for slope in part), max(n - 1, 0.5)))
    total = math.fsum(variance for variance, _ in variances)
    if total < 1e-18:
        return (None, None), "no_variation"
    degrees = total**2 / math.fsum(variance**2 / free for variance, free in variances)
    fewest = min(effective)
    wider = student(min(degrees, by_kurtosis(slopes))) * math.sqrt(fewest / max(fewest - 1, 0.5))
    share = single_answer_weight(pairs)
    normal = float(stats.norm.ppf(0.975))
    low, high = around(scaled(pairs), slopes, share * normal + (1 - share) * wider)
    return (1 / (1 + math.exp(-low)), 1 / (1 + math.exp(-high))), None


def skewness(slopes: list[float]) -> float:
    """Return the skewness; 0 where nothing varies."""
    middle = statistics.fmean(slopes)
    square, third = (statistics.fmean((x - middle) ** power for x in slopes) for power in (2, 3))
    return third / square**1.5 if square > 1e-18 else 0.0


def by_kurtosis(slopes: list[float]) -> float:
    """Return the degrees of freedom of a normal sample whose variance is as uncertain."""
    n = len(slopes)
    fourth, square = (statistics.fmean(slope**power for slope in slopes) for power in (4, 2))
    return min(n - 1, 2 * n / max(fourth / square**2 - 1, 1e-12))


def why_none(pairs: list[ScoredPair]) -> str | None:
    """Say why there is no interval where counts of problems decide."""
    right, wrong = ({q.problem for q in pairs if bool(q.y) is label} for label in (True, False))
    if not right or not wrong:
        return "single_class"
    if len(right | wrong) < LEAST_PROBLEMS:
        return "problems_lt_min"
    return "class_lt_min" if min(len(right), len(wrong)) < LEAST_OF_A_CLASS else None


def effective_problems(pairs: list[ScoredPair], label: bool) -> float:
    """Return (sum w)^2 / sum w^2 of problems, w being the weight of their answers of a label."""
    weights: dict[str, float] = {}
    for q in pairs:
        if bool(q.y) is label:
            weights[q.problem] = weights.get(q.problem, 0.0) + q.w
    return math.fsum(weights.values()) ** 2 / math.fsum(w * w for w in weights.values())


def single_answer_weight(pairs: list[ScoredPair]) -> float:
    """Return 4 p (1 - p) for a share p of right answers, where rates of problems are 0 or 1.

    It is less where these vary less, and 0 from nine tenths of the variance p (1 - p) downwards.
    """
    weights, right = {}, {}
    for q in pairs:
        weights[q.problem] = weights.get(q.problem, 0.0) + q.w
        right[q.problem] = right.get(q.problem, 0.0) + q.w * q.y
    n, total = len(weights), math.fsum(weights.values())
    p = math.fsum(right.values()) / total
    mean = total / n
    spread = math.fsum(((right[one] - p * w) / mean) ** 2 for one, w in weights.items()) / (n - 1)
    most = p * (1 - p)
    return 4 * most * min(1.0, max(0.0, 10 * spread / most - 9))


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


def student(degrees: float) -> float:
    """Return the 97.5 % quantile of Student's t."""
    return float(stats.t(max(degrees, 1)).ppf(0.975))


def around(middle: float, slopes: list[float], quantile: float) -> tuple[float, float]:
    """Return an interval of so many standard errors to each side."""
    error = standard_error(slopes)
    return middle - quantile * error, middle + quantile * error


def standard_error(slopes: list[float]) -> float:
    """Return the standard error of a statistic that moves so with its problems."""
    n = len(slopes)
    return math.sqrt(math.fsum(slope**2 for slope in slopes) * n / (n - 1))
