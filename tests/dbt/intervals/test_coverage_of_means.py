"""Reduced versions of the tables of `tests/bench`: intervals of means and of pass@k hold the truth.

Two bounds: no law is held too rarely, and all of them together not too often.
"""

from functools import cache

import numpy as np
import pytest

from tests.bench.coverage import covered as covered_rate
from tests.bench.means import Law, covered, laws

pytestmark = pytest.mark.long(seconds=60)

N_SETS = 400
SOME = [law for number, law in enumerate(laws()) if number % 3 == 0]
RATES = [
    ((0.1, 3), 10, 1),
    ((3, 3), 10, 5),
    ((30, 30), 5, 3),
    ((4, 0.2), 1, 1),
    ((4, 0.2), 5, 3),
    ((4, 0.2), 10, 5),
]
"""Laws of pass rates, samples and k: many near 1, where a few problems fail altogether."""

MOST_TOGETHER = {20: 0.985, 50: 0.975, 164: 0.97}
"""The share of all intervals that may hold: 95 %, and more where few problems take caution."""


@cache
def held(n_problems: int) -> dict[str, float]:
    """Return the share of intervals that hold the mean, of laws of which most sets have one."""
    found = {law.name: covered(law, n_problems, N_SETS, seed=1) for law in SOME}
    return {name: share for name, (share, has_one) in found.items() if has_one >= 0.25}


@cache
def held_rates(n_problems: int) -> list[float]:
    rng = np.random.Generator(np.random.PCG64(n_problems))
    return [covered_rate(rng, *law, n_problems, N_SETS) for law in RATES]


@pytest.mark.parametrize("n_problems", MOST_TOGETHER)
def test_intervals_hold_the_mean_of_their_law(n_problems: int) -> None:
    """True coverage is .92 or more: of 400 intervals, .88 is three standard errors below."""
    assert len(held(n_problems)) > len(SOME) / 2
    assert min(held(n_problems).values()) >= 0.88
    assert 0.94 <= np.mean(list(held(n_problems).values())) <= MOST_TOGETHER[n_problems]


@pytest.mark.parametrize("n_problems", MOST_TOGETHER)
def test_intervals_hold_pass_at_k_near_its_edge(n_problems: int) -> None:
    assert min(held_rates(n_problems)) >= 0.88
    assert 0.94 <= np.mean(held_rates(n_problems)) <= MOST_TOGETHER[n_problems]


def test_a_wrong_truth_is_not_held() -> None:
    law = next(law for law in laws() if law.name.startswith("fraction, Beta(16, 4)"))
    share, found = covered(Law(law.name, law.kind, law.truth - 0.05, law.draw), 164, N_SETS)
    assert found == 1
    assert share < 0.05
