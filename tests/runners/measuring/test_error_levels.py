"""Levels of the tests of an error: slow loops, and planted gaps that the tests hold too often."""

import numpy as np
import pytest

from runners.measuring.calibration.errors.levels import LEAST, MOST, chosen_level
from runners.measuring.calibration.errors.patterns import patterns
from runners.measuring.calibration.folds import Floats
from tests.support.oracles.statistics.levels import level_of

APART = np.tile([1.0, -1.0], 5)


def noise_of(seed: int, n: int, places: int, size: float) -> Floats:
    """Draw normal noise, alike at neighbouring places."""
    drawn = np.random.default_rng(seed).normal(0, size, (n, places + 2))
    return (drawn[:, 2:] + drawn[:, 1:-1] + drawn[:, :-2]) / np.sqrt(3)


@pytest.mark.parametrize("margin", [-0.2, 0.05, 0.4])
@pytest.mark.parametrize("size", [0.002, 0.01, 0.03])
@pytest.mark.parametrize("gaps", [np.full(10, 0.01), APART * 0.01, np.arange(10) * 0.002 - 0.005])
def test_levels_are_those_of_slow_loops(gaps: Floats, size: float, margin: float) -> None:
    noise, weights = noise_of(1, 400, 10, size), np.arange(1.0, 11)
    assert chosen_level(gaps, weights, noise, margin) == level_of(gaps, weights, noise, margin)


def test_one_of_four_points_counts_for_all_of_them() -> None:
    at = np.linspace(0, 1, 101)
    gaps, weights, noise = np.sin(6 * at) / 500, 1 + at, noise_of(2, 400, 101, 0.001)
    fewer = gaps[::4] * np.abs(gaps).sum() / np.abs(gaps[::4]).sum()
    expected = level_of(fewer, weights[::4], 4 * noise[:, ::4], 0.01)
    assert chosen_level(gaps, weights, noise, 0.01) == expected


def test_more_resamples_than_are_needed_change_nothing() -> None:
    gaps, noise = np.full(10, 0.01), noise_of(3, 2000, 10, 0.01)
    levels = [chosen_level(gaps, np.ones(10), rows, 0.0) for rows in (noise, noise[:400])]
    assert levels[0] == levels[1]


@pytest.mark.parametrize("factor", [0.0, 1e-14])
def test_no_error_has_the_highest_level(factor: float) -> None:
    assert chosen_level(APART * factor, np.ones(10), noise_of(4, 400, 10, 0.01), 0.0) == MOST


def test_gaps_of_one_direction_keep_the_level_of_two_ends() -> None:
    """Noise is small, so the error is the gap of means: both ends miss in 2.5 %."""
    level = chosen_level(np.full(10, 0.02), np.ones(10), noise_of(5, 400, 10, 0.001), -1.0)
    assert level == pytest.approx(0.025, abs=0.008)
    assert level > LEAST


@pytest.mark.parametrize("size", [0.004, 0.008])
@pytest.mark.parametrize("n_up", [5, 8])
def test_planted_gaps_are_held_as_often_as_they_should_be(size: float, n_up: int) -> None:
    """Gaps of both directions: at 2.5 % the tests hold too often."""
    gaps = np.where(np.arange(10) < n_up, 0.01, -0.01)
    weights, known = np.ones(10), noise_of(6, 400, 10, size)
    error, level = float(np.abs(gaps).sum()), chosen_level(gaps, weights, known, -1.0)
    found = gaps + noise_of(7, 4000, 10, size)
    sizes, limit = np.abs(found).sum(axis=1), np.quantile(np.abs(known).sum(axis=1), 0.95)
    shares = []
    for pattern in patterns(found, weights, known.std(axis=0)):
        left = [np.abs(error * one + known).sum(axis=1) for one in pattern]
        above = [float((of <= size).mean()) for of, size in zip(left, sizes, strict=True)]
        below = [float((of >= size).mean()) for of, size in zip(left, sizes, strict=True)]
        shares.append(np.where(sizes < error, above, np.where(sizes > limit, below, 1.0)))
    most = np.max(shares, axis=0)
    assert (most < level).mean() == pytest.approx(0.05, abs=0.02)
    assert (most < 0.025).mean() < 0.03
