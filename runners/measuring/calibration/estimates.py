"""Estimates for one set of scores: smooth and debiased ECE, and intervals."""

from dataclasses import dataclass

import numpy as np

from runners.measuring.calibration import bootstrap, smooth
from runners.measuring.calibration.bootstrap import Interval, Resamples
from runners.measuring.calibration.folds import Bools, Floats, Ints

L1_RESAMPLES = 1000
INTERVAL = "cluster bootstrap over problems, percentile 95 %"
KERNEL = "reflected Gaussian, width by 10 bisections, as relplot"
DEBIASED = "2 ECE - mean ECE of normal resamples of each bin"


@dataclass(frozen=True)
class Estimated:
    """One statistic: its value, its interval, or both."""

    statistic: str
    value: float | None
    interval: Interval | None
    null_reason: str | None
    n_replicates: int | None
    seed: int | None
    method: str


def estimate(
    p: Floats,
    y: Bools,
    w: Floats,
    cluster: Ints,
    resamples: Resamples,
    auroc: Floats,
    *,
    version: int,
    seed: int,
) -> list[Estimated]:
    """Estimate what SQL does not: intervals, and in version 2 smooth and debiased ECE.

    ``auroc`` has its replicates, which rescaling does not change: in both views it is that of the
    raw scores. ``seed`` is for the debiased ECE.
    """
    found = bootstrap.replicates(p, y, w, cluster, resamples.counts) | {"auroc": auroc}
    rows = [
        _interval(name, bootstrap.interval(values), resamples) for name, values in found.items()
    ]
    if version == 1:
        return rows
    value, width = smooth.smooth_ece(p, y, w)
    spread = smooth.smooth_ece_replicates(p, y, w, cluster, resamples.counts, width)
    smoothed = _interval("smooth_ece", bootstrap.interval(spread), resamples, value)
    return [
        *rows,
        smoothed,
        Estimated("smooth_ece_width", width, None, None, None, None, KERNEL),
        debiased_l1(p, y, w, seed),
    ]


def debiased_l1(p: Floats, y: Bools, w: Floats, seed: int) -> Estimated:
    """Return ECE less what chance adds to it, found by resampling each bin's base rate.

    NULL where a bin holds fewer than two rows, counted as (sum w)^2 / sum w^2.
    """
    bins = bootstrap.bin_of(p)
    used = np.unique(bins)

    def sums(values: Floats) -> Floats:
        return np.asarray(np.bincount(bins, values, bootstrap.N_BINS)[used])

    total = sums(w)
    size = total**2 / sums(w * w)
    reason = "n_lt_min" if (size < 2 - 1e-9).any() else None
    value = None
    if reason is None:
        rate, score, share = sums(w * y) / total, sums(w * p) / total, total / total.sum()
        spread = np.sqrt(rate * (1 - rate) / size)
        noise = np.random.Generator(np.random.PCG64(seed)).standard_normal(
            (L1_RESAMPLES, len(used))
        )
        drawn = np.abs(rate + spread * noise - score) @ share
        value = float(2 * np.abs(rate - score) @ share - drawn.mean())
    return Estimated("ece_debiased_l1", value, None, reason, L1_RESAMPLES, seed, DEBIASED)


def _interval(
    statistic: str, found: Interval, resamples: Resamples, value: float | None = None
) -> Estimated:
    method = INTERVAL if value is None else f"{KERNEL}; {INTERVAL}"
    n_replicates = len(resamples.counts)
    reason = found.null_reason if value is None else None
    return Estimated(statistic, value, found, reason, n_replicates, resamples.seed, method)
