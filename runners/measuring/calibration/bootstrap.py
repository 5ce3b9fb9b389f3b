"""Intervals over problems: bootstrap percentiles, and Wilson's for rates.

Idea: problems are drawn with replacement, all samples of one together. Most statistics are ratios
of sums, so the sums of all resamples are one matrix product of counts and sums per problem.
Percentiles are expanded for few problems (``tail_share``); the order of problems, and so the draw,
depends on their names alone.

Assumed: problems are drawn independently from those that could be asked; samples of one may agree.
Refused: fewer than ``LEAST_CLUSTERS`` problems, problems that do not vary, and more than 5 % of
replicates without a value. A reason is given instead of bounds.
Proved: tests/runners/measuring/test_calibration_estimates.py, and coverage in docs/measured.md.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm
from scipy.stats import t as student

from models.keys import content_key
from models.words import LEAST_CLUSTERS
from runners.measuring.calibration.folds import Bools, Floats, Ints

MAX_DROPPED = 0.05
N_BINS = 10
ROWS_AT_ONCE = 4096
ROUNDING = 1e-12
LEAST_RATIO = 0.1


@dataclass(frozen=True)
class Interval:
    """A 95 % interval, or why there is none."""

    low: float | None
    high: float | None
    n_dropped: int
    null_reason: str | None = None


@dataclass(frozen=True)
class Resamples:
    """How often each problem (column) is in each resample (row)."""

    seed: int
    counts: Floats


def resample(problems: list[str], n_replicates: int) -> Resamples:
    """Draw as many problems as there are, with replacement, for each replicate.

    The seed comes from the problems' names: language models and measures that were judged on the
    same problems are resampled alike.
    """
    seed = derived_seed("cluster bootstrap", *problems)
    size = len(problems)
    drawn = np.random.Generator(np.random.PCG64(seed)).integers(size, size=(n_replicates, size))
    drawn += np.arange(n_replicates)[:, None] * size
    counts = np.bincount(drawn.ravel(), minlength=n_replicates * size)
    return Resamples(seed, counts.reshape(n_replicates, size).astype(float))


def derived_seed(*parts: str) -> int:
    """Return 31 bits of a hash of the parts."""
    return int(content_key(*parts), 16) % 2**31


def bin_of(p: Floats) -> Ints:
    """Return the equal-width bin: left-closed, the last one closed, from p to seven places."""
    inner = np.arange(1, N_BINS) / N_BINS
    return np.searchsorted(inner, np.round(p, 7), side="right")


def replicates(p: Floats, y: Bools, w: Floats, cluster: Ints, counts: Floats) -> dict[str, Floats]:
    """Return each statistic of each resample; NaN where it is not defined."""
    n_clusters = counts.shape[1]
    columns = [w, w * y, w * (p - y) ** 2, w * p, y.astype(float), (~y).astype(float)]
    sums = np.stack([np.bincount(cluster, column, n_clusters) for column in columns], axis=1)
    total, right, square, score, n_right, n_wrong = (counts @ sums).T
    rate, brier = right / total, square / total
    reference = rate * (1 - rate)
    both = (n_right > 0) & (n_wrong > 0)
    skill = np.full(len(counts), np.nan)
    skill[both] = (reference[both] - brier[both]) / reference[both]
    return {
        "brier": brier,
        "skill_score": skill,
        "mean_score": score / total,
    }


def auroc_replicates(p: Floats, y: Bools, w: Floats, cluster: Ints, counts: Floats) -> Floats:
    """Return AUROC of each resample: wins between problems, weighed by how often each is drawn."""
    n_clusters = counts.shape[1]
    wins = _wins(p, y, w, cluster, n_clusters)
    right = counts @ np.bincount(cluster[y], w[y], n_clusters)
    wrong = counts @ np.bincount(cluster[~y], w[~y], n_clusters)
    won = ((counts @ wins) * counts).sum(axis=1)
    defined = (right > 0) & (wrong > 0)
    shares = np.full(len(counts), np.nan)
    shares[defined] = won[defined] / (right * wrong)[defined]
    return np.asarray(np.minimum(shares, 1.0))  # a sum may miss 1 by its rounding


def tail_share(n_clusters: int) -> float:
    """Return which share of replicates to cut off at each end of a 95 % interval.

    Resamples of n problems spread less than new problems would, by (n - 1) / n, and their spread is
    itself a guess: percentiles further out make up for both (Hesterberg 2015, The American
    Statistician 69, expanded percentiles). 0.0159 for 20 problems, near 0.025 for many.
    """
    quantile = student.ppf(0.975, n_clusters - 1)
    return float(norm.cdf(-np.sqrt(n_clusters / (n_clusters - 1)) * quantile))


def rate_interval(top: Floats, bottom: Floats) -> Interval:
    """Return Wilson's interval of sum(top) / sum(bottom), problems as clusters.

    The number of trials is that of problems over r, the variance of the problems' rates over that
    of coins, at most 1. Near an edge (``nearness``) r is at least 1/10, and two problems of coins
    are added. The quantile is Student's t. See decision 7; the views' macro is mean_interval.
    """
    n = int((bottom > 0).sum())
    if n < LEAST_CLUSTERS:
        return Interval(None, None, 0, "problems_lt_min")
    total, rate = bottom.sum(), top.sum() / bottom.sum()
    ratio, coins, nearness = 1.0, rate * (1 - rate), 4.0
    spread = float(((top - rate * bottom) ** 2).sum())
    if coins > ROUNDING:
        variance = spread * n / (n - 1) / total**2 * n
        if variance > ROUNDING**1.5:
            nearness = variance / min(rate, 1 - rate) ** 2
        least = LEAST_RATIO * min(1.0, nearness / 4)
        ratio = np.clip(variance / coins, least, 1.0)
    trials = n * (n + 1) / ((n - 1) * ratio + 2 * min(1.0, nearness))
    quantile = float(student.ppf(0.975, n - 1))
    centre = rate + quantile**2 / (2 * trials)
    half = quantile * np.sqrt(max(coins, 0.0) / trials + (quantile / trials) ** 2 / 4)
    scale = 1 + quantile**2 / trials
    low, high = (centre - half) / scale, (centre + half) / scale
    return Interval(
        0.0 if rate <= ROUNDING else max(0.0, float(low)),
        1.0 if rate >= 1 - ROUNDING else min(1.0, float(high)),
        0,
    )


def interval(values: Floats, n_clusters: int) -> Interval:
    """Return the central part of the replicates: 95 % and a little more (see ``tail_share``).

    None with a reason below ten problems, where more than 5 % are not defined, and where all are
    equal.
    """
    known = values[~np.isnan(values)]
    n_dropped = len(values) - len(known)
    if n_clusters < LEAST_CLUSTERS:
        return Interval(None, None, n_dropped, "problems_lt_min")
    if n_dropped > MAX_DROPPED * len(values):
        return Interval(None, None, n_dropped, "single_class")
    tail = tail_share(n_clusters)
    low, high = np.quantile(known, [tail, 1 - tail])
    if high - low < ROUNDING:
        return Interval(None, None, n_dropped, "no_variation")
    return Interval(float(low), float(high), n_dropped)


def _wins(p: Floats, y: Bools, w: Floats, cluster: Ints, n_clusters: int) -> Floats:
    """Return, for problems i and j, the weight of i's right answers above j's wrong ones.

    A tie counts half. Rows come in ascending order of their scores, in blocks that split no tie.
    """
    order = np.argsort(p, kind="stable")
    p, y, w, cluster = p[order], y[order], w[order], cluster[order]
    wins = np.zeros((n_clusters, n_clusters))
    below = np.zeros(n_clusters)
    start = 0
    while start < len(p):
        stop = int(np.searchsorted(p, p[min(start + ROWS_AT_ONCE, len(p)) - 1], side="right"))
        rows = slice(start, stop)
        level = np.unique(p[rows], return_inverse=True)[1]
        n_levels = int(level[-1]) + 1
        wrong = ~y[rows]
        at = np.bincount(
            level[wrong] * n_clusters + cluster[rows][wrong], w[rows][wrong], n_levels * n_clusters
        ).reshape(n_levels, n_clusters)
        upto = np.cumsum(at, axis=0)
        beaten = below + upto - at / 2
        by_cluster = np.argsort(np.where(wrong, n_clusters, cluster[rows]), kind="stable")
        right = by_cluster[: int((~wrong).sum())]
        if len(right):
            winners, first = np.unique(cluster[rows][right], return_index=True)
            won = w[rows][right, None] * beaten[level[right]]
            wins[winners] += np.add.reduceat(won, first, axis=0)
        below = below + upto[-1]
        start = stop
    return wins
