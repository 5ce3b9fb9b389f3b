"""What `assay build --select` may name, asked without starting dbt."""

import pytest

from warehouse.views.part import unknown_selection


@pytest.mark.parametrize(
    "select",
    [
        "leaderboard",
        "pass_at_k_v1",
        "+pass_at_k.v1",
        "stg_problem",
        "errata",
        "+calibration_raw",
        "stg_problem+ +errata",
    ],
)
def test_views_and_seeds_select_something(select: str) -> None:
    assert unknown_selection(select) == ""


def test_a_view_that_is_not_there_is_named() -> None:
    assert "no view 'leaderbord': did you mean leaderboard?" in str(
        unknown_selection("+stg_problem +leaderbord")
    )


@pytest.mark.parametrize(
    "folder", ["marts", "calibration", "statistics", "words", "path:models/staging"]
)
def test_a_folder_or_file_of_macros_is_no_view(folder: str) -> None:
    assert f"there is no view '{folder}'" in unknown_selection(folder)
