"""What `assay build --select` may name, asked without starting dbt."""

import pytest

from warehouse.views.build import unknown_selection


@pytest.mark.parametrize(
    "select",
    [
        "leaderboard",
        "pass_at_k_v1",
        "+pass_at_k.v1",
        "staging",
        "marts",
        "+calibration_raw",
        "tag:x",
    ],
)
def test_views_folders_and_methods_select_something(select: str) -> None:
    assert unknown_selection(select) is None


def test_a_view_that_is_not_there_is_named() -> None:
    assert "no view 'leaderbord': did you mean leaderboard?" in str(
        unknown_selection("staging leaderbord")
    )
