"""Intervals of means over problems, in plain Python and scipy (decision 7)."""

import math
import statistics
from collections.abc import Sequence

from scipy import optimize, stats

LEAST_PROBLEMS, LEAST_DIFFERING = 10, 5

Ends = tuple[float | None, float | None]


def of_mean(values: Sequence[float | None], kind: str) -> tuple[Ends, str | None]:
    """Return the interval of the mean of what is known, and why there is none."""
    known = [value for value in values if value is not None]
    return of_ratio([(value, 1.0) for value in known], kind)


def of_ratio(parts: Sequence[tuple[float, float]], kind: str) -> tuple[Ends, str | None]:
    """Return the same of a sum over another; a part without a bottom is no problem."""
    parts = [part for part in parts if part[1]]
    n = len(parts)
    if n < LEAST_PROBLEMS:
        return (None, None), ("problems_lt_min" if n else None)
    size = math.fsum(bottom for _, bottom in parts) / n
    mean = math.fsum(top for top, _ in parts) / n / size
    terms = [mean + (top - mean * bottom) / size for top, bottom in parts]
    if kind == "share" and min(mean, 1 - mean) < 1e-12:
        return _wilson(round(mean), n, n), None
    is_flat = statistics.stdev(terms) < 1e-9
    if kind == "share":
        variance = 0.0 if is_flat else statistics.variance(terms)
        return _wilson(mean, n, _trials(mean, variance, n)), None
    if is_flat:
        return (None, None), "zero_variance"
    shares = [top / bottom for top, bottom in parts]
    usual = statistics.median_low(shares)
    if sum(abs(share - usual) > 1e-9 for share in shares) < LEAST_DIFFERING:
        return (None, None), "differing_lt_min"
    t = float(stats.t(n - 1).ppf(0.975))
    error = statistics.stdev(terms) / math.sqrt(n)
    if kind == "difference":
        return (mean - t * error, mean + t * error), None
    skew = float(stats.skew(terms)) / math.sqrt(n)
    return (mean - error * _untransformed(t, skew), mean - error * _untransformed(-t, skew)), None


def _trials(mean: float, variance: float, n: int) -> float:
    """Return how many coins the problems are worth; two problems or a tenth of a failure added."""
    nearness = variance / min(mean, 1 - mean) ** 2 if variance else 4.0
    ratio = min(1.0, variance / (mean * (1 - mean)))
    ratio = max(ratio, 0.1 * min(1.0, nearness / 4))
    added, failures = min(1.0, nearness), n * min(mean, 1 - mean)
    by_problems = ((n - 1) * ratio + 2 * added) / (n + 1)
    return n / max(by_problems, (failures * ratio + 0.1 * added) / (failures + 0.1))


def _wilson(mean: float, n: int, trials: float) -> Ends:
    """Return the roots p of (p - mean)^2 = t^2 p (1 - p) / trials."""
    t = float(stats.t(n - 1).ppf(0.975))
    a, b, c = 1 + t * t / trials, 2 * mean + t * t / trials, mean * mean
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    low, high = (b - root) / (2 * a), (b + root) / (2 * a)
    return (0.0 if mean == 0 else low), (1.0 if mean == 1 else high)


def _untransformed(wanted: float, skew: float) -> float:
    """Return which t Hall's cubic takes to the wanted one; skew is the skewness over root n."""

    def missed(t: float) -> float:
        return t + skew * t * t / 3 + skew * skew * t**3 / 27 + skew / 6 - wanted

    return float(optimize.brentq(missed, -1e3, 1e3, xtol=1e-13, rtol=1e-14))
