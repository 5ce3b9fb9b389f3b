"""Mutations, round trips and edits in comparisons: their values are what the views publish."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from tests.support.sql import rows_of
from tests.support.steps import build
from tests.support.worlds.ame import random_pair_world
from tests.support.worlds.edits import random_edits
from tests.support.worlds.round_trips import random_round_trips
from warehouse.store.connection import reading

VIEWS_READ = (
    "+ame_v2 +compared_entries_v1 +comparison_v1 +problem_values_v1 +rtc_editing_v2 "
    "+rtc_synthesis_v2"
)

pytestmark = pytest.mark.long(seconds=90)

WORLDS = {
    "ame_v2": partial(random_pair_world, n_lms=12),
    "rtc_synthesis_v2": random_round_trips,
    "rtc_editing_v2": random_edits,
}
ENTRY = "lm_id, dataset, setting_id, forward_lm_id, forward_setting_id"


@pytest.fixture(scope="module", params=list(WORLDS))
def built(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Any]]:
    """A random world of each kind, with the view and the comparisons of its metric."""
    view = request.param
    path = WORLDS[view](20240208).write(tmp_path_factory.mktemp(view) / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(path.parent))
        build(path, select=VIEWS_READ)
    with reading(path) as con:
        yield view, con


def test_means_over_problems_are_what_the_view_publishes(built: tuple[str, Any]) -> None:
    view, con = built
    ours = {
        tuple(row.values())[:-1]: row["value"]
        for row in rows_of(
            con,
            f"select {ENTRY}, metric, avg(value) as value from problem_values_v1 "
            "inner join compared_entries_v1 using (entry_no) "
            "where starts_with(metric, 'accuracy_drop_') or starts_with(metric, 'rtc_') "
            "group by all",
        )
    }
    named = (
        "lm_id, dataset, setting_id, null as forward_lm_id, null as forward_setting_id, "
        "'accuracy_drop_' || mutation as metric, accuracy_drop as value"
        if view == "ame_v2"
        else f"{ENTRY}, 'rtc_' || similarity as metric, rtc as value"
    )
    published = {
        tuple(row.values())[:-1]: row["value"]
        for row in rows_of(con, f"select {named} from {view}")
        if row["value"] is not None
    }
    datasets = {dataset for _, dataset, *_ in published}  # a world of edits has round trips too
    ours = {key: value for key, value in ours.items() if key[1] in datasets}
    assert ours.keys() == published.keys()
    assert len(ours) > 5
    for key, value in published.items():
        assert math.isclose(ours[key], value, abs_tol=1e-9), key


def test_what_was_asked_alike_is_compared(built: tuple[str, Any]) -> None:
    view, con = built
    rows = rows_of(con, "select * from comparison_v1 where not starts_with(metric, 'brier_')")
    assert rows
    for row in rows:
        if row["pairing"] == "language_models":
            assert row["asked_otherwise"] is None
            assert row["forward_lm_id_a"] in (None, row["lm_id_a"])
        if view == "ame_v2" and row["metric"].startswith("accuracy_drop_"):
            assert row["mcnemar_null_reason"] not in (None, "several_samples")
            assert row["variance_null_reason"] is not None
