"""Problems drawn again, and the bins that scores fall into."""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from models.keys import content_key
from runners.measuring.calibration.folds import Floats, Ints

N_BINS = 10


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


def tail_share(n_clusters: int, tail: float = 0.025) -> float:
    """Return which share of replicates to cut off at an end that misses in this share of sets.

    Resamples of n problems spread less than new problems would, by (n - 1) / n, and their spread is
    itself a guess. Percentiles further out make up for both (Hesterberg 2015, The American
    Statistician 69, expanded percentiles). 0.0159 for 20 problems, near 0.025 for many.
    """
    quantile = stdtrit(n_clusters - 1, 1 - tail)
    return float(ndtr(-np.sqrt(n_clusters / (n_clusters - 1)) * quantile))


def missed_share(tail: float, n_clusters: int) -> float:
    """Return in which share of sets an end misses that cuts off this share of replicates.

    The inverse of ``tail_share``.
    """
    quantile = np.sqrt((n_clusters - 1) / n_clusters) * ndtri(tail)
    return float(stdtr(n_clusters - 1, quantile))
