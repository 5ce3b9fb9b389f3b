"""Building a part: what it is made of is built where the warehouse lacks it, and only there."""

from pathlib import Path

import pytest

from tests.support.sql import rows_of
from tests.support.steps import build
from tests.support.worlds.planted import planted_world
from warehouse.store.connection import reading
from warehouse.views.build import with_parents


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        ("judge_health", "+judge_health"),
        ("sim_at_k  judge_health+", "+sim_at_k +judge_health+"),
        ("+a 2+b @c path:models/staging", "+a 2+b @c +path:models/staging"),
        ("a,tag:b c", "a,tag:b +c"),
    ],
)
def test_each_part_brings_what_it_is_made_of(select: str, expected: str) -> None:
    assert with_parents(select) == expected


@pytest.mark.long(seconds=60)
def test_a_part_is_built_in_a_warehouse_that_was_never_built(tmp_path: Path) -> None:
    path = planted_world().write(tmp_path / "warehouse.duckdb")
    part = build(path, select="sim_at_k judge_health", tests=False)
    assert {"sim_at_k_v1", "sim_at_k_v2", "judge_health_v1", "int_pair_valued"} <= {*part.views}
    assert "calibration_raw_v1" not in part.views
    with reading(path) as con:
        alone = rows_of(con, "select lm, similarity, sim from sim_at_k_v2 order by all")
    assert alone
    build(path, tests=False)
    again = build(path, select="sim_at_k_v2", tests=False, force=True)
    assert again.views == ["sim_at_k_v2"], "nothing else is missing now"
    with reading(path) as con:
        assert rows_of(con, "select lm, similarity, sim from sim_at_k_v2 order by all") == alone
