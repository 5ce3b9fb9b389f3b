"""Agreement of similarities on random worlds, against scipy."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.support.oracles import execution as oracles
from tests.support.sql import rows_of, same
from tests.support.steps import build
from tests.support.worlds.world import World, random_world
from warehouse.store.connection import reading

UNSCORED = ("scc_clone_80", "overlap_ratio", "clone_70", "clone_80", "clone_90", oracles.BEHAVIOUR)


def values_of(
    world: World, lm_id: str, setting_id: str, cells: dict[str, Any]
) -> dict[tuple[str, str], list[Any]]:
    """Return, for each similarity and scorer, problem and value of every neighbouring pair."""
    pairs = oracles.SharedTokens(world.raw)
    found: dict[tuple[str, str], list[Any]] = {(name, ""): [] for name in UNSCORED}
    codes = [[each["candidate"] for each in cell if each["verdict"]] for cell in cells.values()]
    found |= {each: [] for each in pairs.shown(lm_id, setting_id, codes) if each[1]}
    for problem, samples in cells.items():
        if oracles.set_aside(world.raw, problem):
            continue
        scored = [sample["candidate"] for sample in samples if sample["verdict"]]
        for x, y in oracles.neighbours(scored[: oracles.SIM_K]):
            for name, scorer in found:
                by_scorer = pairs.scored(scorer, -1.0, x, y)
                value = by_scorer if scorer else pairs.unscored(name, x, y)
                found[name, scorer].append(
                    (problem, None if value in (oracles.NO_SCORE, oracles.NO_MEAN) else value)
                )
    return found


def check(row: dict[str, Any], first: list[Any], second: list[Any]) -> None:
    both = [
        (problem, round(a, 12), round(b, 12))
        for (problem, a), (_, b) in zip(first, second, strict=True)
        if a is not None and b is not None
    ]
    assert row["n_pairs"] == len(both)
    assert row["n_problems"] == len({problem for problem, _, _ in both})
    a, b = (np.array([each[column] for each in both]) for column in (1, 2))
    if len(both) < 10 or np.ptp(a) < 1e-9 or np.ptp(b) < 1e-9:
        assert row["null_reason"] == ("n_lt_min" if len(both) < 10 else "zero_variance")
        assert row["pearson"] is row["spearman"] is row["kendall"] is row["pearson_within"] is None
        return
    assert row["null_reason"] is row["kendall_null_reason"] is None
    assert same(row["pearson"], stats.pearsonr(a, b).statistic)
    assert same(row["spearman"], stats.spearmanr(a, b).statistic)
    assert same(row["kendall"], stats.kendalltau(a, b).statistic)
    names = np.array([problem for problem, _, _ in both])
    for name in set(names):
        for values in (a, b):
            values[names == name] -= values[names == name].mean()
    if np.ptp(a) > 1e-9 and np.ptp(b) > 1e-9:
        assert same(row["pearson_within"], stats.pearsonr(a, b).statistic)
    else:
        assert row["pearson_within"] is None
    assert row["interval_null_reason"] == "problems_lt_min"


@pytest.mark.long(seconds=20)
def test_correlations_are_those_of_scipy(home: Any) -> None:
    world = random_world(7)
    world.write(home / "warehouse.duckdb")
    build(select="+measure_agreement_v1")
    with reading() as con:
        found = rows_of(con, "select * from measure_agreement_v1")
    n_correlations = 0
    for key, cells in oracles.samples(world.raw).items():
        mine = {
            frozenset(
                [
                    (row["similarity_a"], row["scorer_id_a"]),
                    (row["similarity_b"], row["scorer_id_b"]),
                ]
            ): row
            for row in found
            if (row["lm_id"], row["dataset"], row["setting_id"]) == key
        }
        values = values_of(world, key[0], key[2], cells)
        for one, other in combinations(values, 2):
            pairs = list(zip(values[one], values[other], strict=True))
            if any(None not in (a, b) for (_, a), (_, b) in pairs):
                check(mine.pop(frozenset([one, other])), values[one], values[other])
                n_correlations += 1
        assert mine == {}
    assert n_correlations > 50
    assert sum(row["kendall"] is not None for row in found) > 10
