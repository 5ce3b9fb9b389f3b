"""Patterns of gaps, and tests of the errors that gaps of one pattern add up to."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from runners.measuring.calibration.bootstrap import N_BINS
from runners.measuring.calibration.folds import Floats
from runners.measuring.calibration.intervals import ROUNDING


def patterns(gaps: Floats, weights: Floats, spread: Floats) -> list[Floats]:
    """Return patterns for each row of gaps: the row, like weights, like their noise, one gap.

    The one gap is in the place whose gap is the most standard errors from 0. Points of smooth ECE
    have no such pattern, because a blur is wider than a point. Sizes of a pattern add up to 1, or
    to 0 where there is none. ``weights`` and ``spread``: those of the gaps at each place. Rounding
    does not choose the direction of a gap that is 0.
    """
    one_way = np.where(gaps.sum(axis=1, keepdims=True) < -ROUNDING, -1, 1)
    direction = np.where(gaps < -ROUNDING, -1, 1)
    found = [gaps, one_way * weights, direction * spread]
    if gaps.shape[1] <= N_BINS:
        away = np.round(np.abs(gaps) / np.maximum(spread, ROUNDING), 9)
        found.append(direction * (np.arange(gaps.shape[1]) == away.argmax(axis=1)[:, None]))
    sizes = [np.abs(one).sum(axis=1, keepdims=True) for one in found]
    return [
        np.where(size > ROUNDING, one / np.maximum(size, ROUNDING), 0.0)
        for one, size in zip(found, sizes, strict=True)
    ]


@dataclass(frozen=True)
class PatternTests:
    """Tests of errors of one pattern: under which of them is the observed one no surprise?

    The sizes of the pattern add up to 1.
    """

    pattern: Floats
    noise: Floats
    observed: float

    @cached_property
    def largest(self) -> Floats:
        """Return the largest error that leaves at most the observed one, of each resample.

        They are sorted, so not in the order of the noise.
        """
        return _largest_errors(self.pattern, self.noise, self.observed)

    @property
    def middle(self) -> float:
        """Return the error of this pattern that leaves at most the observed one in half of them."""
        return float(self.largest[len(self.largest) // 2])

    def high(self, cut_off: float) -> float:
        """Return the largest error that the tests at this level do not reject."""
        n = len(self.largest)
        return float(self.largest[min(int((1 - cut_off) * n), n - 1)])

    def low(self, cut_off: float) -> float:
        """Return the smallest error that the tests at this level do not reject."""
        return float(self.largest[int(cut_off * len(self.largest))])


def _largest_errors(pattern: Floats, noise: Floats, observed: float) -> Floats:
    """Return the largest error that leaves at most the observed one, of each resample, sorted.

    What an error leaves is convex in it and made of straight lines, so Newton's steps from above
    never pass the answer. The first is along the last line, of slope 1: the sizes of the pattern
    add up to 1. The answer is 0 or less where there is none.
    """
    errors = observed - noise @ np.sign(pattern) - np.abs(noise[:, pattern == 0]).sum(axis=1)
    open_ = np.flatnonzero(errors > 0)
    while len(open_):
        gaps = errors[open_, None] * pattern + noise[open_]
        excess = np.abs(gaps).sum(axis=1) - observed
        slope = np.sign(gaps) @ pattern
        steep = slope > ROUNDING
        ahead = errors[open_] - excess / np.where(steep, slope, 1)
        moved = np.where(steep, ahead, -1.0)
        going = (excess > ROUNDING) & (errors[open_] > 0)
        errors[open_[going]] = moved[going]
        open_ = open_[going & steep]
    return np.sort(np.maximum(errors, 0))
