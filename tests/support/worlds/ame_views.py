"""The views of mutation effects, and a world of pairs built with them."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.oracles import ame as ame_oracles
from tests.support.sql import rows_of, same
from tests.support.steps import build
from tests.support.worlds.ame import (
    PairWorld,
)
from warehouse.store.connection import reading

RULES = {
    "ame_v1": (1, ame_oracles.table_rule),
    "ame_greedy_v1": (1, ame_oracles.text_rule),
    "ame_v2": (2, ame_oracles.better_rule),
}


OTHERS = (
    "mutation_yield_v1",
    "operator_effect_v1",
    "mutation_correlation_v1",
    "mutation_correlation_v2",
    "mutation_baseline_v1",
    "mutation_baseline_v2",
    "mutation_losses_v1",
)
SINGLE = ("ame_pairs_v1", "generation_verdicts_v1", "confidence_v1")
AWAY = ("pass_at_k_v1", "leaderboard_v1", "calibration_raw_v1", "calibration_raw_v2")
VIEWS = (*RULES, *OTHERS, *SINGLE, *AWAY, "headline_setting_v1")

LEAST_PROBLEMS = 20
"""Fewer problems give no interval of a correlation."""


def built(world: PairWorld, place: Path, views: tuple[str, ...]) -> dict[str, list[dict[str, Any]]]:
    """Write a world, build it, and return the rows of some views."""
    path = world.write(place / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(path.parent))
        build(path)
    with reading(path) as con:
        return {view: rows_of(con, f"select * from {view}") for view in views}


def check_interval(
    row: dict[str, Any], low: float | None, high: float | None, n_problems: int
) -> None:
    """The interval is the oracle's, or the reason says why there is none."""
    assert same(row["pearson_lo"], low)
    assert same(row["pearson_hi"], high)
    expected = row["null_reason"]
    if expected is None and low is None:
        expected = "problems_lt_min" if n_problems < LEAST_PROBLEMS else "no_variation"
    assert row["interval_null_reason"] == expected
    assert row["interval_method"] == (None if low is None else "jackknife")
