"""A reduced version of the tables of `tests/bench/nights/alarms.py`: error and power of alarms."""

import numpy as np
import pytest

from tests.bench.nights.alarms import LAWS, e_values, false_alarms, found_within
from tests.support.oracles.statistics import nights as oracle


def test_the_simulation_is_the_oracle() -> None:
    rng = np.random.Generator(np.random.PCG64(5))
    values = rng.binomial(4, rng.beta(0.5, 0.5, (1, 1, 12)), (2, 40, 12)) / 4
    values[1, 25:] *= 0.5
    found = e_values(values)
    for history, ours in zip(values, found, strict=True):
        nights = [{str(at): [x] for at, x in enumerate(night)} for night in history.tolist()]
        theirs = oracle.e_values(nights)
        assert theirs[0] is None
        assert np.allclose(ours[1:], np.array(theirs[1:], dtype=float), rtol=1e-9, atol=0)


@pytest.mark.long(seconds=60)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("samples", [1, 10])
def test_at_most_one_history_in_twenty_without_a_change_has_an_alarm(
    law: tuple[float, float], samples: int
) -> None:
    any_alarm, of_nights, by_t = false_alarms(law, 20, samples, 1, (200, 200))
    assert any_alarm <= 0.05
    assert of_nights <= 0.001
    assert by_t > 0.5, "looking at each night alone keeps no error"


@pytest.mark.long(seconds=60)
def test_a_drop_of_five_points_is_found_within_three_nights() -> None:
    shares = dict(found_within((1, 1), before=14, samples=10, n_histories=100))
    assert shares[1][3] >= 0.9
    assert shares[10][3] >= 0.9


@pytest.mark.long(seconds=60)
def test_one_sample_a_night_does_not_find_it() -> None:
    """What 164 samples can say: the docs name the power, and this holds them to it."""
    shares = dict(found_within((1, 1), before=14, samples=1, n_histories=100))
    assert shares[1][3] < 0.3
