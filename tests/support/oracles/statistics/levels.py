"""The level of the tests of an error, data set by data set (decision 7)."""

import numpy as np

from runners.measuring.calibration.folds import Floats


def middle_of(gap: Floats, noises: Floats) -> float:
    """Return the error of this pattern that half of the noises leave at most as observed."""
    observed = float(np.abs(gap).sum())
    largest = sorted(largest_of(gap / observed, noise, observed) for noise in noises)
    return largest[len(largest) // 2]


def level_of(gap: Floats, weights: Floats, noises: Floats, margin: float) -> float:
    """Return the level, .015 to .1, at which 5 % of data sets around these gaps miss their error.

    ``noises``: what is added to the gaps, a row for each data set. An error of 0 has .1.
    """
    error = np.abs(gap).sum()
    if error < 1e-9:
        return 0.1
    kept = sorted(kept_at(error, gap + noises, weights, noises, margin))
    return min(max(kept[round(0.05 * len(noises))], 0.015), 0.1)


def kept_at(
    error: float, found: Floats, weights: Floats, noises: Floats, margin: float
) -> list[float]:
    """Return up to which level each data set (row) keeps an error; 1 where no end can miss it."""
    spread, kept = noises.std(axis=0), []
    chance = np.sort(np.abs(noises).sum(axis=1))[-1 - round(0.05 * len(noises))]
    for gap in found:
        size = np.abs(gap).sum()
        least = error - 1e-12
        above = size < least and abs(gap.sum()) + margin < least
        below = size > max(error, chance) + 1e-12
        shares = [0.0 if above or below else 1.0]
        patterns = [gap, weights * np.sign(gap.sum()), np.sign(gap) * spread]
        for pattern in patterns + [alone(gap, spread)] * (len(gap) == 10):
            left = np.abs(error * pattern / np.abs(pattern).sum() + noises).sum(axis=1)
            away = left - size if above else size - left
            shares.append(float((away <= 1e-12).mean()))
        kept.append(max(shares))
    return kept


def alone(gap: Floats, spread: Floats) -> Floats:
    """Return the sign of the gap that is the most standard errors from 0, and 0 elsewhere."""
    away = [abs(one) / error if error else 0.0 for one, error in zip(gap, spread, strict=True)]
    return np.array([float(np.sign(one)) * (at == np.argmax(away)) for at, one in enumerate(gap)])


def largest_of(pattern: Floats, noise: Floats, observed: float) -> float:
    """Return the largest error, by halves, that leaves at most the observed one, or 0."""
    low, high = 0.0, 4.0
    for _ in range(50):
        middle = (low + high) / 2
        if np.abs(middle * pattern + noise).sum() > observed:
            high = middle
        else:
            low = middle
    return low
