"""Data sets whose metrics the reference prints, and how near its printed numbers are."""

from typing import Any

import pytest

from tests.support.oracles.calibration import pairs_of

GOLDEN_A = pairs_of(
    (0.05, 0.10, 0.15, 0.35, 0.40, 0.55, 0.65, 0.80, 0.90, 1.00),
    (0, 0, 1, 0, 1, 0, 1, 1, 1, 1),
)
GOLDEN_B = pairs_of(
    (
        *(0.02, 0.05, 0.08, 0.12, 0.17, 0.21, 0.26, 0.30, 0.34, 0.41),
        *(0.45, 0.50, 0.57, 0.62, 0.68, 0.73, 0.81, 0.88, 0.93, 0.99),
    ),
    (0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1),
)
DEBIASED = pairs_of((0.15,) * 4 + (0.85,) * 4, (1, 1, 1, 0, 0, 0, 1, 0))


def near(value: float) -> Any:
    """Within half a unit of the sixth place, as the reference prints."""
    return pytest.approx(value, abs=5.1e-7)
