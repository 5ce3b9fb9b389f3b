"""A reduced version of the table of `tests/bench/means.py`: intervals hold the truth."""

import pytest

from tests.bench.means import Law, covered, laws

pytestmark = pytest.mark.long(seconds=60)

N_SETS = 400
SOME = [law for number, law in enumerate(laws()) if number % 3 == 0]


@pytest.mark.parametrize("law", SOME, ids=lambda law: law.name)
@pytest.mark.parametrize("n_problems", [50, 164])
def test_intervals_hold_the_mean_of_their_law(law: Law, n_problems: int) -> None:
    """True coverage is .92 or more: of 400 intervals, .88 is three standard errors below."""
    held, found = covered(law, n_problems, N_SETS, seed=1)
    assert found < 0.25 or held >= 0.88


def test_a_wrong_truth_is_not_held() -> None:
    law = next(law for law in laws() if law.name.startswith("fraction, Beta(16, 4)"))
    held, found = covered(Law(law.name, law.kind, law.truth - 0.05, law.draw), 164, N_SETS)
    assert found == 1
    assert held < 0.05
