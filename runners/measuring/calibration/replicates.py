"""Skill score, ECE and AUROC of resamples, and the percentiles of their differences.

Most statistics are ratios of sums, so those of all resamples are one matrix product of counts and
sums per problem. Percentiles are expanded for few problems (``bootstrap.tail_share``).
"""

import numpy as np

from models.words import LEAST_CLUSTERS
from runners.measuring.calibration.bootstrap import N_BINS, bin_of, tail_share
from runners.measuring.calibration.folds import Bools, Floats, Ints
from runners.measuring.calibration.intervals import ROUNDING, Interval, no_interval

MAX_DROPPED = 0.05
ROWS_AT_ONCE = 4096


def skill_replicates(p: Floats, y: Bools, w: Floats, cluster: Ints, counts: Floats) -> Floats:
    """Return the skill score of each resample; NaN where one class alone is there."""
    n_clusters = counts.shape[1]
    columns = [w, w * y, w * (p - y) ** 2, y.astype(float), (~y).astype(float)]
    sums = np.stack([np.bincount(cluster, column, n_clusters) for column in columns], axis=1)
    total, right, square, n_right, n_wrong = (counts @ sums).T
    rate, brier = right / total, square / total
    reference = rate * (1 - rate)
    both = (n_right > 0) & (n_wrong > 0)
    skill = np.full(len(counts), np.nan)
    skill[both] = (reference[both] - brier[both]) / reference[both]
    return skill


def ece_replicates(p: Floats, y: Bools, w: Floats, cluster: Ints, counts: Floats) -> Floats:
    """Return the ECE of each resample."""
    n_problems = counts.shape[1]
    cell = cluster * N_BINS + bin_of(p)
    gaps = np.bincount(cell, w * (p - y), n_problems * N_BINS).reshape(n_problems, N_BINS)
    total = counts @ np.bincount(cluster, w, n_problems)
    errors = np.abs(counts @ gaps).sum(axis=1) / total
    return np.asarray(np.minimum(errors, 1.0))  # a sum may miss 1 by its rounding


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


def percentiles(values: Floats, n_clusters: int) -> Interval:
    """Return the central part of the replicates: 95 % and a little more.

    None with a reason below ten problems, where more than 5 % are not defined, and where all are
    equal.
    """
    if n_clusters < LEAST_CLUSTERS:
        return no_interval("problems_lt_min")
    known = values[~np.isnan(values)]
    if len(values) - len(known) > MAX_DROPPED * len(values):
        return no_interval("single_class")
    tail = tail_share(n_clusters)
    low, high = np.quantile(known, [tail, 1 - tail])
    if high - low < ROUNDING:
        return no_interval("no_variation")
    return Interval(float(low), float(high))


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
