"""Gaps of bins: ECE as a sum of their sizes, and a less biased value."""

from dataclasses import dataclass

import numpy as np

from runners.measuring.calibration.bootstrap import N_BINS, bin_of
from runners.measuring.calibration.folds import Bools, Floats, Ints

DRAWS = 1000


@dataclass(frozen=True)
class Binned:
    """Rows of a subject by problem (row) and bin (column): sums of w (p - y) and of w."""

    gaps: Floats
    weights: Floats

    @property
    def ece(self) -> float:
        """Return ECE: sizes of the gaps of bins, over the weight of all rows."""
        error = np.abs(self.gaps.sum(axis=0)).sum() / self.weights.sum()
        return min(float(error), 1.0)  # a sum may miss 1 by its rounding


def binned(p: Floats, y: Bools, w: Floats, cluster: Ints, n_clusters: int) -> Binned:
    """Add up the rows of each problem in each bin."""
    place = cluster * N_BINS + bin_of(p)
    return Binned(_by_place(place, w * (p - y), n_clusters), _by_place(place, w, n_clusters))


def by_bin(p: Floats, values: Floats) -> Floats:
    """Add up values of rows by the bin of their score."""
    return np.asarray(np.bincount(bin_of(p), values, N_BINS), np.float64)


def debiased_l1(
    p: Floats, y: Bools, w: Floats, cluster: Ints, seed: int
) -> tuple[float | None, str | None]:
    """Return 2 ECE less the mean ECE of normal resamples of each bin's share of right answers.

    Kumar et al. 2019 (arXiv 1909.10155), but the spread of a share comes from problems, not rows.
    NULL with a reason where a bin holds fewer than two problems, counted as (sum w)^2 / sum w^2.
    """
    place = cluster * N_BINS + bin_of(p)
    n_clusters = int(cluster.max()) + 1
    weights, right, score = (_by_place(place, v, n_clusters) for v in (w, w * y, w * p))
    used = weights.sum(axis=0) > 0
    weights, right, score = weights[:, used], right[:, used], score[:, used].sum(axis=0)
    total = weights.sum(axis=0)
    if (total**2 / (weights**2).sum(axis=0) < 2 - 1e-9).any():
        return None, "n_lt_min"
    rate = right.sum(axis=0) / total
    spread = np.sqrt(((right - rate * weights) ** 2).sum(axis=0))
    gap = rate * total - score
    noise = np.random.Generator(np.random.PCG64(seed)).standard_normal((DRAWS, len(rate)))
    drawn = np.abs(gap + spread * noise).sum(axis=1)
    return float((2 * np.abs(gap).sum() - drawn.mean()) / total.sum()), None


def _by_place(place: Ints, values: Floats, n_clusters: int) -> Floats:
    """Add up values by problem (row) and bin (column)."""
    sums = np.bincount(place, values, n_clusters * N_BINS)
    return np.asarray(sums.reshape(n_clusters, N_BINS))
