"""At which level the tests of an error are made, so that its interval holds in 95 % of data sets.

Idea: the true error is in the interval if one of the patterns keeps it. How often that is depends
on the true gaps. So gaps like the observed ones are taken for true, and resamples around them for
new data (R. Beran 1987, Biometrika 74). Of each the tests of the true error are made. The level is
the one at which 5 % of them reject it. An end that cannot miss, as under a small error, leaves its
share to the other. The lower end is 0 unless a test of calibration rejects at 5 %: where chance
explains a data set, the lower end does not miss.

Assumed: noise has the same law around those gaps as around the true ones.
Refused: nothing; where the true gaps are 0, the test of calibration bounds what the interval
misses, and the level is the highest.
"""

import numpy as np

from runners.measuring.calibration.bootstrap import N_BINS
from runners.measuring.calibration.errors.patterns import patterns
from runners.measuring.calibration.folds import Bools, Floats
from runners.measuring.calibration.intervals import ROUNDING

WHOLE = 0.05
"""How often the interval may miss; also the level of the test of calibration."""
LEAST, MOST = 0.015, 0.1
"""No level is outside."""
DATA_SETS = 400
EVERY = 5
"""Smooth gaps differ little from one point to the next: so many of them are one."""


def chosen_level(gaps: Floats, weights: Floats, noise: Floats, margin: float) -> float:
    """Return the level for these true gaps; ``noise``: of resamples (rows).

    The gap of means may be further from 0 by ``margin`` than it is.
    """
    error = float(np.abs(gaps).sum())
    noise = noise[:DATA_SETS]
    n_rejected = int(WHOLE * len(noise))
    if error < ROUNDING:
        return MOST
    if len(gaps) > N_BINS:
        gaps, weights, noise = gaps[::EVERY], weights[::EVERY], noise[:, ::EVERY] * EVERY
        gaps = gaps * (error / np.abs(gaps).sum())
    found = gaps + noise
    errors, apart = np.abs(found).sum(axis=1), np.abs(found.sum(axis=1)) + margin
    is_above = (errors < error - ROUNDING) & (apart < error - ROUNDING)
    by_chance = np.sort(np.abs(noise).sum(axis=1))[-1 - n_rejected]
    is_below = errors > max(error, by_chance) + ROUNDING
    at = np.flatnonzero(is_above | is_below)
    likely = np.zeros(len(at))
    for pattern in patterns(found[at], weights, noise.std(axis=0)):
        open_ = np.flatnonzero(likely < MOST)
        sets = at[open_]
        kept = _likely(error * pattern[open_], noise, errors[sets], is_above[sets])
        likely[open_] = np.maximum(likely[open_], kept)
    if n_rejected >= len(likely):
        return MOST
    return float(np.clip(np.sort(likely)[n_rejected], LEAST, MOST))


def _likely(gaps: Floats, noise: Floats, errors: Floats, is_above: Bools) -> Floats:
    """Return how often noise leaves gaps (rows) an error at most as large as a row's, or at least.

    ``is_above``: the former, as the true error is above what was found.
    """
    left = np.zeros((len(gaps), len(noise)))
    for gap, one in zip(gaps.T, noise.T, strict=True):
        left += np.abs(gap[:, None] + one)
    sign = np.where(is_above, 1.0, -1.0)[:, None]
    return np.asarray((sign * (left - errors[:, None]) <= ROUNDING).mean(axis=1))
