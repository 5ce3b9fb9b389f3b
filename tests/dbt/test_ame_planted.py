"""Mutation effects: planted sensitivities come back, with the noise that asking again has."""

import itertools
import math
from typing import Any

import pytest

from tests.support.goldens import check_golden
from tests.support.oracles import ame as ame_oracles
from tests.support.oracles import ame_statistics
from tests.support.worlds.ame import (
    EASE,
    N_PLANTED,
    N_TWINS,
    OPERATORS,
    PLANTED_M,
    SENSITIVITY,
    ease_of,
    n_sites_of,
    planted_pair_world,
)
from tests.support.worlds.ame_views import OTHERS, RULES, built, check_interval

pytestmark = pytest.mark.long(seconds=40)

READ = (*RULES, *OTHERS, "ame_pairs_v1")


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    return built(planted_pair_world(1), tmp_path_factory.mktemp("pairs"), READ)


def rows_like(rows: list[dict[str, Any]], mutation: str, setting: str) -> list[dict[str, Any]]:
    found = [r for r in rows if (r["mutation"], r["setting_id"]) == (mutation, setting)]
    assert len(found) == N_TWINS
    return found


def check(rows: list[dict[str, Any]], name: str, truth: float) -> None:
    """Nineteen of twenty intervals hold the truth, and the mean of all is as near as they say.

    Of twelve, four miss it once in 450 times; the mean is allowed four of its standard errors.
    """
    held = sum(r[f"{name}_lo"] <= truth <= r[f"{name}_hi"] for r in rows)
    assert held >= N_TWINS - 3, (name, truth, held)
    width = sum(r[f"{name}_hi"] - r[f"{name}_lo"] for r in rows) / N_TWINS
    mean = sum(r[name] for r in rows) / N_TWINS
    assert abs(mean - truth) < 4 * width / (2 * 1.96) / math.sqrt(N_TWINS), (name, truth, mean)


@pytest.mark.parametrize("mutation", sorted(SENSITIVITY))
@pytest.mark.parametrize(("setting", "width"), [("warm", 0.06), ("cold", 0.2)])
def test_planted_drop_comes_back_signed(
    planted: Any, mutation: str, setting: str, width: float
) -> None:
    drop = SENSITIVITY[mutation]
    rows = rows_like(planted["ame_v2"], mutation, setting)
    mean = sum(map(ease_of, range(N_PLANTED))) / N_PLANTED
    check(rows, "accuracy_drop", drop)
    check(rows, "original_accuracy", mean)
    check(rows, "mutated_accuracy", mean - drop)
    lost = sum(p * (1 - p + drop) for p in EASE) / sum(EASE)
    gained = sum((1 - p) * (p - drop) for p in EASE) / sum(1 - p for p in EASE)
    check(rows, "conditional_loss", lost)
    check(rows, "conditional_gain", gained)
    if setting == "warm":  # the original side asked twice loses and gains by chance alone
        check(rows, "conditional_loss_aa", sum(p * (1 - p) for p in EASE) / sum(EASE))
        check(
            rows, "conditional_gain_aa", sum((1 - p) * p for p in EASE) / sum(1 - p for p in EASE)
        )
    for row in rows:
        assert row["accuracy_drop_hi"] - row["accuracy_drop_lo"] < width
        assert row["n_problems"] == N_PLANTED
        if setting == "warm":
            assert row["mcnemar_p"] is None
        else:
            assert row["ame_aa"] is None
            assert drop == 0 or row["mcnemar_p"] < 0.05
            assert drop == 0 or row["accuracy_drop_p"] < 0.05


@pytest.mark.parametrize("mutation", sorted(SENSITIVITY))
def test_planted_drop_comes_back_by_the_rule_of_the_table(planted: Any, mutation: str) -> None:
    """What ten completions a side, absolute, given a pass, lead to: not the drop itself."""
    drop, effects, kept = SENSITIVITY[mutation], 0.0, 0.0
    for number in range(N_PLANTED):
        p = ease_of(number)
        effect, share = ame_statistics.expected_table_rule(p, p - drop, PLANTED_M)
        effects += n_sites_of(number, mutation) * effect * share
        kept += n_sites_of(number, mutation) * share
    rows = rows_like(planted["ame_v1"], mutation, "warm")
    check(rows, "ame", effects / kept)
    for row in rows:
        assert row["ame_hi"] - row["ame_lo"] < 0.06
        assert row["n_completions"] == row["n_completions_min"] == PLANTED_M


@pytest.mark.parametrize("mutation", sorted(SENSITIVITY))
def test_planted_drop_comes_back_by_the_rule_of_the_text(planted: Any, mutation: str) -> None:
    drop, differ, kept = SENSITIVITY[mutation], 0.0, 0.0
    for number in range(N_PLANTED):
        p, q = ease_of(number), ease_of(number) - drop
        share = n_sites_of(number, mutation) * (1 - (1 - p) * (1 - q))
        differ += share * ame_statistics.expected_text_rule(p, q)
        kept += share
    check(rows_like(planted["ame_greedy_v1"], mutation, "cold"), "ame", differ / kept)
    for row in rows_like(planted["ame_greedy_v1"], mutation, "warm"):
        assert (row["ame"], row["null_reason"]) == (None, "not_applicable")


@pytest.mark.parametrize("view", READ)
def test_golden(planted: Any, view: str) -> None:
    rows = [
        row
        for row in planted[view]
        if row.get("lm", "twin0") == "twin0" and row.get("task_id", "toy/0") == "toy/0"
    ]
    check_golden(view, sorted(rows, key=lambda row: str(list(row.values()))))


def test_the_floor_absorbs_noise(planted: Any) -> None:
    """A mutation that changes nothing has an absolute effect, and no excess over the floor."""
    none = rows_like(planted["ame_v2"], "def_use_break", "warm")
    noise = sum(ame_statistics.expected_difference(p, p, PLANTED_M) for p in EASE) / len(EASE)
    assert noise > 0.14
    check(none, "ame", noise)
    check(none, "ame_aa", noise)
    check(none, "ame_excess", 0.0)
    assert all(row["ame_lo"] > 0.1 for row in none)
    table = rows_like(planted["ame_v1"], "def_use_break", "warm")
    assert all(row["ame_lo"] > 0.1 for row in table)
    for mutation in ("names_random", "if_else_flip"):
        some = rows_like(planted["ame_v2"], mutation, "warm")
        absolute = [
            ame_statistics.expected_difference(p, p - SENSITIVITY[mutation], PLANTED_M)
            for p in EASE
        ]
        check(some, "ame", sum(absolute) / len(EASE))
        check(some, "ame_excess", sum(absolute) / len(EASE) - noise)
        assert all(row["ame_excess_lo"] > 0.05 for row in some)


def test_drops_against_one_original_correlate_by_its_luck(planted: Any) -> None:
    """Nothing ties the planted drops of a problem; only version 2, sampled, says so."""
    for a, b in itertools.combinations(sorted(SENSITIVITY), 2):
        rows = [
            r
            for r in planted["mutation_correlation_v2"]
            if (r["mutation_a"], r["mutation_b"]) == (a, b)
        ]
        apart = [r for r in rows if r["setting_id"] == "warm"]
        assert len(apart) == N_TWINS
        check(apart, "pearson", 0.0)
        assert not any(r["shares_original"] for r in apart)
        shared = [r for r in rows if r["setting_id"] == "cold"]
        assert all(r["pearson"] > 0.2 and r["shares_original"] for r in shared)
    # absolute effects show it where both drops are far from 0
    (pooled,) = [
        r
        for r in planted["mutation_correlation_v1"]
        if (r["setting_id"], r["mutation_a"], r["mutation_b"])
        == ("warm", "if_else_flip", "names_random")
    ]
    assert pooled["pearson_lo"] > 0.05
    assert pooled["n_lms"] == N_TWINS


def test_intervals_of_correlations_leave_problems_out(planted: Any) -> None:
    """The release of 300 problems against the oracle: pooled language models, and one alone."""
    world = planted_pair_world(1)
    entries = ame_oracles.scores(world.raw)
    two = ("if_else_flip", "names_random")
    xs, ys, drawn = [], [], []
    for (_, _, setting), rows in entries.items():
        effects = ame_oracles.effects_of(rows)
        if setting == "warm":
            for problem in sorted(effects[two[0]].keys() & effects[two[1]].keys()):
                xs.append(effects[two[0]][problem])
                ys.append(effects[two[1]][problem])
                drawn.append(problem)
    (row,) = [
        row
        for row in planted["mutation_correlation_v1"]
        if (row["setting_id"], row["mutation_a"], row["mutation_b"]) == ("warm", *two)
    ]
    low, high = ame_oracles.jackknife(drawn, xs, ys)
    check_interval(row, low, high, len(set(drawn)))
    assert row["n"] > 10 * row["n_problems"]
    first, second = ame_oracles.drops_of(entries["twin0", "toy", "warm"], False)
    shared = sorted(first[two[0]].keys() & second[two[1]].keys())
    (row,) = [
        row
        for row in planted["mutation_correlation_v2"]
        if (row["lm"], row["setting_id"], row["mutation_a"], row["mutation_b"])
        == ("twin0", "warm", *two)
    ]
    low, high = ame_oracles.jackknife(
        shared,
        [first[two[0]][p] for p in shared],
        [second[two[1]][p] for p in shared],
    )
    check_interval(row, low, high, len(shared))


def test_planted_operators(planted: Any) -> None:
    """The same drop whatever the operator."""
    rows = [r for r in planted["operator_effect_v1"] if r["setting_id"] == "warm"]
    for operator in OPERATORS[:3]:
        mine = [r for r in rows if r["operator"] == operator]
        assert len(mine) == N_TWINS
        check(mine, "accuracy_drop", SENSITIVITY["if_else_flip"])
        assert {r["n_problems"] for r in mine} == {N_PLANTED // 3}


def test_planted_yield(planted: Any) -> None:
    n_sites = {m: sum(n_sites_of(n, m) for n in range(N_PLANTED)) for m in SENSITIVITY}
    for row in planted["mutation_yield_v1"]:
        assert row["n_kept"] == row["n_mutated"] == n_sites[row["mutation"]]
        assert row["n_found"] - row["n_kept"] == N_PLANTED
        assert row["declined_by_code"] == f'{{"call": {N_PLANTED}}}'
    assert len(planted["mutation_yield_v1"]) == 2 * len(SENSITIVITY)
