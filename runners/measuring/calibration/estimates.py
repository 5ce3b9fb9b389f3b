"""Estimates for one set of scores: smooth and debiased ECE, a test of calibration, intervals.

Idea: what a view cannot compute is estimated once per input and stored, each statistic with the
words that say how (the constants below): another method is another row, and old ones stay.

Assumed: the scores are held out, so that they are given and not resampled with the problems.
Refused: intervals for few problems, or without variation; the reason is stored beside the value.
Proved: tests/runners/measuring/test_calibration_estimates.py and test_binned_error.py, by planted
truth; ``python -m tests.bench.coverage`` counts how often intervals hold it.
"""

from dataclasses import dataclass

import numpy as np

from runners.measuring.calibration import binned, bootstrap, smooth
from runners.measuring.calibration.bootstrap import Interval, Resamples
from runners.measuring.calibration.folds import Bools, Floats, Ints

INTERVAL = "cluster bootstrap over problems, expanded percentiles, 95 %"
INVERTED = "tests inverted over three patterns of gaps, problems resampled, 95 %"
WILSON = "Wilson, trials from the variance between problems, Student's t, 95 %"
KERNEL = "reflected Gaussian, width by 10 bisections, as relplot"
DEBIASED = "2 ECE - mean ECE of normal resamples of each bin, spread over problems"
BY_CHANCE = "labels drawn from the confidences, answers to a problem correlated"


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
    raw scores. ``seed`` is for what is drawn: labels, and the debiased ECE.
    """
    n_problems = resamples.counts.shape[1]
    found = bootstrap.replicates(p, y, w, cluster, resamples.counts) | {"auroc": auroc}
    rows = [
        _interval(name, bootstrap.interval(values, n_problems), resamples, INTERVAL)
        for name, values in found.items()
    ]
    right = np.bincount(cluster, w * y, n_problems).astype(float)
    weight = np.bincount(cluster, w, n_problems).astype(float)
    rows.append(_interval("base_rate", bootstrap.rate_interval(right, weight), resamples, WILSON))
    chance = binned.by_chance(p, y, w, cluster, seed)
    both = 0 < y.sum() < len(y)

    def inverted(gaps: binned.Binned) -> Interval:
        if not both:
            return Interval(None, None, 0, "single_class")
        return binned.ece_interval(gaps, resamples.counts, chance.calibration_p)

    of_bins = binned.binned(p, y, w, cluster, n_problems)
    rows.append(_interval("ece", inverted(of_bins), resamples, INVERTED))
    if version == 1:
        return rows
    value, width = smooth.smooth_ece(p, y, w)
    of_points = smooth.smoothed(p, y, w, cluster, n_problems, width)
    debiased, reason = binned.debiased_l1(p, y, w, cluster, seed)
    return [
        *rows,
        _interval("smooth_ece", inverted(of_points), resamples, f"{KERNEL}; {INVERTED}", value),
        Estimated("smooth_ece_width", width, None, None, None, None, KERNEL),
        Estimated("ece_debiased_l1", debiased, None, reason, binned.DRAWS, seed, DEBIASED),
        *(
            Estimated(name, number, None, None, binned.DRAWS, seed, BY_CHANCE)
            for name, number in vars(chance).items()
        ),
    ]


def _interval(
    statistic: str,
    found: Interval,
    resamples: Resamples,
    method: str,
    value: float | None = None,
) -> Estimated:
    reason = found.null_reason if value is None else None
    n_replicates = len(resamples.counts)
    return Estimated(statistic, value, found, reason, n_replicates, resamples.seed, method)
