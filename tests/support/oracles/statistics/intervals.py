"""Intervals of means over problems, in plain Python and scipy (decision 7)."""

import math
import statistics
from collections.abc import Sequence

import numpy as np
from scipy import optimize, stats

LEAST_PROBLEMS, LEAST_DIFFERING = 10, 5
NORMAL, ONE_SIDED = (float(stats.norm.ppf(share)) for share in (0.975, 0.95))
FEWEST = [math.floor(1000 * stats.gamma(seen).ppf(0.08)) / 1000 for seen in (1, 2, 3)]
"""What is to be expected where so many failures have a chance of 8 %, by Poisson's law."""

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
    is_flat = statistics.stdev(terms) < 1e-9
    if kind == "share":
        if is_flat:
            return _of_share(mean, 0.0, 0.0, n), None
        return _of_share(mean, statistics.variance(terms), float(stats.skew(terms)), n), None
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
    return (mean - error * untransformed(t, skew), mean - error * untransformed(-t, skew)), None


def _of_share(mean: float, variance: float, skewness: float, n: int) -> Ends:
    """Return Wilson's interval, of more trials at the end towards the nearer of 0 and 1."""
    if mean > 0.5:
        low, high = _of_share(1 - mean, variance, -skewness, n)
        return 1 - (high or 0.0), 1 - (low or 0.0)
    t = float(stats.t(n - 1).ppf(0.975))
    if mean < 1e-12:
        return 0.0, _wilson(0.0, n, NORMAL)[1]
    nearness = variance / mean**2 if variance else 4.0
    ratio = min(1.0, variance / (mean * (1 - mean)))
    ratio = max(ratio, 0.1 * min(1.0, nearness / 4))
    away, hidden = min(1.0, max(-1.0, skewness)), min(1.0, nearness)
    unseen = min(1.0, hidden * (1 - 10 * min(away, 0.0) * (1 - 2 * mean)))
    near, full = (_trials(mean, ratio, hidden, unseen, n, w) for w in (2 * mean, 1.0))
    far = _trials(mean, ratio, hidden, hidden, n, 1.0)
    failures = mean * near
    moved = hidden * max(away, 0.0) * (1 - full**2 / near**2)
    moved *= float(np.interp(failures, (3.5, 7), (0, 1)))
    low = _wilson(mean, near, (1 - moved) * (t + (NORMAL - t) * n / near) + moved * ONE_SIDED)[0]
    steps = [0.0, *FEWEST, 2 * FEWEST[2] - FEWEST[1]]
    limit = min(low, float(np.interp(failures, range(5), steps)) / near)
    low += float(np.interp(failures, (3.5, 4), (1, 0))) * (limit - low)
    return low, _wilson(mean, far, t + (NORMAL - t) * n / far)[1]


def _trials(
    mean: float, ratio: float, hidden: float, unseen: float, n: int, weight: float
) -> float:
    """Return how many coins the problems are worth; two problems or a tenth of a failure added."""
    problems, failures = 2 * weight, 0.1 * weight
    by_problems = ((n - 1) * ratio + problems * unseen) / (n - 1 + problems)
    return n / max(by_problems, (n * mean * ratio + failures * hidden) / (n * mean + failures))


def _wilson(mean: float, trials: float, t: float) -> tuple[float, float]:
    """Return the roots p of (p - mean)^2 = t^2 p (1 - p) / trials."""
    step = t * t / trials
    root = math.sqrt(step * (step + 4 * max(0.0, mean * (1 - mean))))
    return (2 * mean + step - root) / (2 + 2 * step), (2 * mean + step + root) / (2 + 2 * step)


def untransformed(wanted: float, skew: float) -> float:
    """Return which t Hall's cubic takes to the wanted one; skew is the skewness over root n."""

    def missed(t: float) -> float:
        return t + skew * t * t / 3 + skew * skew * t**3 / 27 + skew / 6 - wanted

    return float(optimize.brentq(missed, -1e3, 1e3, xtol=1e-13, rtol=1e-14))
