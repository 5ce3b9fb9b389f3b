"""Ratings of judges on random worlds, against plain Python."""

from collections import Counter
from pathlib import Path

import pytest

from tests.support.oracles.similarity.ratings import health, rated_values
from tests.support.oracles.statistics.intervals import of_ratio
from tests.support.sql import rows_of, same
from tests.support.steps import build
from tests.support.worlds.world import random_world
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=20)


@pytest.mark.parametrize("seed", [3, 4])
def test_health_and_values_are_those_of_plain_python(home: Path, seed: int) -> None:
    world = random_world(seed, n_lms=3, sizes=(16, 3))
    world.write(home / "warehouse.duckdb")
    build(select="+int_pair_rated +judge_health_v1")
    with reading() as con:
        found = {row["scorer_id"]: row for row in rows_of(con, "select * from judge_health_v1")}
        values = rows_of(con, "select * from intermediate.int_pair_rated")
    wanted = rated_values(world.raw)
    assert len(values) == len(wanted) > 50
    for row in values:
        value = wanted[row["scorer_id"], row["candidate_a"], row["candidate_b"]]
        assert same(row["value"], value)
        assert row["null_reason"] == ("no_rating" if value is None else None)
    replies = [row for row in world.raw["pair_rating"] if row["rater"] is None]
    assert set(found) == {row["scorer_id"] for row in replies}
    for scorer, row in found.items():
        truth = health(world.raw, scorer)
        biases = truth.pop("biases")
        for column, value in truth.items():
            assert same(row[column], value), (scorer, column)
        reasons = Counter(each["null_reason"] for each in replies if each["scorer_id"] == scorer)
        assert reasons.total() == row["n_replies"]
        assert reasons[None] == row["n_levels"]
        for reason in ("empty_reply", "no_level", "unreadable", "out_of_range"):
            assert row[f"n_{reason}"] == reasons[reason]
        mine = [value for key, value in wanted.items() if key[0] == scorer]
        assert row["n_pairs_no_rating"] == mine.count(None)
        assert row["n_pairs_rated"] == len(mine) - mine.count(None)
        check_bias(row, biases)
    assert {row["order_bias_null_reason"] for row in found.values()} == {None, "one_order"}


def check_bias(row: dict[str, object], biases: list[list[float]]) -> None:
    """Compare the interval over problems with all their pairs."""
    assert row["few_clusters"] is (len(biases) < 20)
    if not biases:
        assert row["order_bias"] is row["order_bias_lo"] is row["order_bias_hi"] is None
        return
    (low, high), why = of_ratio([(sum(gaps), len(gaps)) for gaps in biases], "difference")
    assert same(row["order_bias_lo"], low)
    assert same(row["order_bias_hi"], high)
    assert row["interval_null_reason"] == why
