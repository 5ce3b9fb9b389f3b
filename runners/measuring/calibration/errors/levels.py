"""The level of the tests of an error: chosen so that its interval misses in about 5 % of data sets.

Idea: the true error is in the interval if one of the patterns keeps it. How often that is depends
on the true gaps. So gaps like the observed ones are taken for true, and resamples around them for
new data (R. Beran 1987, Biometrika 74). Of each the tests of the true error are made. The level is
the highest at which at most 5 % of these data sets reject it, within limits. If the error is so
small that the upper end cannot miss it, the lower end may miss more. The lower end is 0 unless a
test of calibration rejects at 5 %. In its place is the error that the noise of 5 % of resamples
exceeds.

Assumed: noise has the same law around those gaps as around the true ones.
Refused: nothing; where hardly any data set can miss, as around gaps of 0, the level is the highest.
"""

import numpy as np

from runners.measuring.calibration.bootstrap import N_BINS
from runners.measuring.calibration.errors.patterns import patterns
from runners.measuring.calibration.folds import Bools, Floats
from runners.measuring.calibration.intervals import ROUNDING

MISSED = 0.05
"""The share of data sets that the interval may miss, and the level of the test of calibration."""
LEAST, MOST = 0.015, 0.1
"""The level lies between these, before Student's t moves it. A tenth is no test any more."""
DATA_SETS = 400
"""Of so many, 20 decide."""
EVERY = 5
"""Neighbouring points of smooth ECE differ little, so only every fifth is used."""


def chosen_level(gaps: Floats, weights: Floats, noise: Floats, margin: float) -> float:
    """Return the level for these true gaps; ``noise``: of resamples (rows).

    The gap of means may be further from 0 by ``margin`` than it is.
    """
    error = float(np.abs(gaps).sum())
    if error < ROUNDING:
        return MOST
    noise = noise[:DATA_SETS]
    n_rejected = int(MISSED * len(noise))
    if len(gaps) > N_BINS:
        gaps, weights, noise = gaps[::EVERY], weights[::EVERY], noise[:, ::EVERY] * EVERY
        gaps = gaps * (error / np.abs(gaps).sum())
    found = gaps + noise
    errors, apart = np.abs(found).sum(axis=1), np.abs(found.sum(axis=1)) + margin
    truth_above = (errors < error - ROUNDING) & (apart < error - ROUNDING)
    most_by_chance = np.sort(np.abs(noise).sum(axis=1))[-1 - n_rejected]
    truth_below = errors > max(error, most_by_chance) + ROUNDING
    at = np.flatnonzero(truth_above | truth_below)
    likely = np.zeros(len(at))
    for pattern in patterns(found[at], weights, noise.std(axis=0)):
        open_ = np.flatnonzero(likely < MOST)
        sets = at[open_]
        kept = _likely(error * pattern[open_], noise, errors[sets], truth_above[sets])
        likely[open_] = np.maximum(likely[open_], kept)
    if n_rejected >= len(likely):
        return MOST
    return float(np.clip(np.sort(likely)[n_rejected], LEAST, MOST))


def _likely(gaps: Floats, noise: Floats, errors: Floats, truth_above: Bools) -> Floats:
    """Return how often noise makes gaps (rows) an error at most that of the row, or at least.

    At most where the truth is above what was found.
    """
    left = np.zeros((len(gaps), len(noise)))
    for gap, one in zip(gaps.T, noise.T, strict=True):
        left += np.abs(gap[:, None] + one)
    sign = np.where(truth_above, 1.0, -1.0)[:, None]
    return np.asarray((sign * (left - errors[:, None]) <= ROUNDING).mean(axis=1))
