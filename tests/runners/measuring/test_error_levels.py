"""Levels of the tests of an error: slow loops, and planted gaps."""

import numpy as np
import pytest

from runners.measuring.calibration.errors.levels import LEAST, MOST, chosen_level
from runners.measuring.calibration.errors.smooth import POINTS
from runners.measuring.calibration.folds import Floats
from tests.support.oracles.statistics.levels import kept_at, level_of

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


def test_one_of_five_points_counts_for_all_of_them() -> None:
    at = np.linspace(0, 1, 101)
    gaps, weights, noise = np.sin(6 * at) / 500, 1 + at, noise_of(2, 400, 101, 0.001)
    fewer = gaps[::5] * np.abs(gaps).sum() / np.abs(gaps[::5]).sum()
    expected = level_of(fewer, weights[::5], 5 * noise[:, ::5], 0.01)
    assert chosen_level(gaps, weights, noise, 0.01) == expected


@pytest.mark.parametrize("n_points", POINTS)
def test_the_mirrored_case_has_the_same_level(n_points: int) -> None:
    at = np.linspace(0, 1, n_points)
    gaps, weights = np.sin(6 * at) / n_points, 1 + at
    noise = noise_of(2, 400, n_points, 0.1 / n_points)
    level = chosen_level(gaps, weights, noise, 0.01)
    assert chosen_level(-gaps[::-1], weights[::-1], -noise[:, ::-1], 0.01) == level
    assert LEAST < level < MOST


def test_more_resamples_than_are_needed_change_nothing() -> None:
    gaps, noise = np.full(10, 0.01), noise_of(3, 2000, 10, 0.01)
    levels = [chosen_level(gaps, np.ones(10), rows, 0.0) for rows in (noise, noise[:400])]
    assert levels[0] == levels[1]


@pytest.mark.parametrize("factor", [0.0, 1e-14])
def test_no_error_has_the_highest_level(factor: float) -> None:
    assert chosen_level(APART * factor, np.ones(10), noise_of(4, 400, 10, 0.01), 0.0) == MOST


@pytest.mark.parametrize("n", [1, 5, 19, 20, 21])
def test_a_level_is_chosen_from_a_few_resamples(n: int) -> None:
    level = chosen_level(APART * 0.01, np.ones(10), noise_of(8, n, 10, 0.01), 0.0)
    assert LEAST <= level <= MOST


def test_where_chance_explains_all_that_is_found_the_level_is_the_highest() -> None:
    """Of 400 data sets 20 have an error that chance alone would not leave: 5 % may miss."""
    noise = noise_of(4, 400, 10, 0.01)
    assert chosen_level(APART * 1e-9, np.ones(10), noise, 0.0) == MOST
    one_way = np.full(10, 0.01)
    errors = np.abs(one_way + noise).sum(axis=1)
    assert (errors > np.sort(np.abs(noise).sum(axis=1))[-21]).sum() > 30
    assert chosen_level(one_way, np.ones(10), noise, 0.0) < MOST


def test_gaps_of_one_direction_leave_all_of_the_level_to_the_upper_end() -> None:
    """The pattern of one gap always keeps this error, so only the upper end can miss it."""
    level = chosen_level(np.full(10, 0.02), np.ones(10), noise_of(5, 400, 10, 0.001), -1.0)
    assert level == pytest.approx(0.05, abs=0.01)


@pytest.mark.parametrize("size", [0.004, 0.008])
@pytest.mark.parametrize("n_up", [5, 8])
def test_planted_gaps_are_held_as_often_as_they_should_be(size: float, n_up: int) -> None:
    """Gaps of both directions: at 2.5 % the tests hold too often."""
    gaps = np.where(np.arange(10) < n_up, 0.01, -0.01)
    found = gaps + noise_of(7, 1000, 10, size)
    shares = []
    for seed in range(10, 16):
        known = noise_of(seed, 400, 10, size)
        level = chosen_level(gaps, np.ones(10), known, -1.0)
        kept = np.array(kept_at(float(np.abs(gaps).sum()), found, np.ones(10), known, -1.0))
        shares.append([(kept < level).mean(), (kept < 0.025).mean()])
    chosen, fixed = np.mean(shares, axis=0)
    assert chosen == pytest.approx(0.05, abs=0.015)
    assert fixed < 0.03
