"""Comparisons against SciPy and plain loops on a random world, and pairs of a known kind."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

import duckdb
import pytest

from tests.support.goldens import check_golden
from tests.support.oracles import comparisons as oracles
from tests.support.oracles.boards import board_entries
from tests.support.sql import rows_of, same
from tests.support.steps import build
from tests.support.worlds.comparison.entries import (
    N_OTHER,
    N_TOY,
    N_WIDE,
    ComparedWorld,
    random_compared_world,
)
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=60)

KS = (1, 5, 10, 100)
VIEWS = ("comparison", "comparison_to_best")
signs = cache(oracles.signs)


@pytest.fixture(scope="module")
def world() -> ComparedWorld:
    return random_compared_world(5)


@pytest.fixture(scope="module")
def con(world: ComparedWorld, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    home = tmp_path_factory.mktemp("comparison")
    world.write(home / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        views = " ".join(f"+{name}" for name in VIEWS)
        build(select=f"path:models/staging {views}")
        with reading() as con:
            yield con


Key = tuple[str, str, oracles.Entry, oracles.Entry, int, str]
"""Metric, pairing, both entries, k and release."""


def similar_values(con: Any, metric: str) -> dict[oracles.Entry, oracles.Values]:
    """Return CSim or DPass of each problem of each entry, which has an oracle of its own."""
    rows = rows_of(
        con,
        "select lm_id, dataset, setting_id, entries.release_id, problem_index, values_of.n, "
        f"values_of.{metric} as value from intermediate.int_problem_similarity as values_of "
        "inner join intermediate.int_similarity_numbered using (similarity_no) "
        "inner join intermediate.int_entry_numbered as entries using (entry_no) "
        "where version = 2 and scope = 'first_k' and similarity = 'clone_80'",
    )
    found: dict[oracles.Entry, oracles.Values] = defaultdict(dict)
    for row in rows:
        if row["value"] is not None:
            problem = f"{row['release_id']}.{row['problem_index'] - 1}"
            entry = (row["lm_id"], row["dataset"], row["setting_id"])
            found[entry][problem] = (row["value"], None, row["n"])
    return found


@pytest.fixture(scope="module")
def expected(world: ComparedWorld, con: Any) -> dict[Key, dict[str, Any]]:
    """What the oracle makes of each pair."""
    place = {row["problem_id"]: row["position"] for row in world.raw["problem"]}
    simulated = {row["lm_id"]: row["simulated"] for row in world.raw["language_model"]}
    subjects = [("pass_at_k", k, oracles.pass_values(world.raw, k)) for k in KS]
    subjects += [(metric, 10, similar_values(con, metric)) for metric in ("csim", "dpass")]
    found: dict[Key, dict[str, Any]] = {}
    for metric, k, values in subjects:
        for pair in oracles.pairs(world.raw):
            if pair.pairing == "board" and metric != "pass_at_k":
                continue
            a, b = values.get(pair.a), values.get(pair.b)
            if a and b:
                n = {"toy": N_TOY, "other": N_OTHER, "wide": N_WIDE}[pair.a[1]]
                release = next(iter(a)).rpartition(".")[0]
                row = oracles.compare(a, b, place, signs(n))
                if metric != "pass_at_k" and row["test_null_reason"] is None:
                    row["variance_null_reason"] = "not_estimated"
                found[metric, pair.pairing, pair.a, pair.b, k, release] = row
    placed = board_entries(world.raw)

    def family(key: Key) -> tuple[Any, ...]:
        board = placed[key[2]].board if key[1] == "board" else ()
        return (*key[:2], *key[4:], simulated[key[2][0]], *board)

    oracles.correct(found, family)
    return found


def test_comparisons_agree_with_scipy_and_loops(con: Any, expected: dict[Key, Any]) -> None:
    found = {
        (
            row["metric"],
            row["pairing"],
            (row["lm_id_a"], row["dataset"], row["setting_id_a"]),
            (row["lm_id_b"], row["dataset"], row["setting_id_b"]),
            row["k"],
            row["release_id"],
        ): row
        for row in rows_of(con, "select * from comparison_v1")
    }
    assert found.keys() == expected.keys()
    for key, truth in expected.items():
        for name, value in truth.items():
            ours = found[key][name]
            if isinstance(value, float):
                assert same(ours, value), (key, name, ours, value)
            else:
                assert ours == value, (key, name, ours, value)
    for row in found.values():
        assert row["n_flips"] == (None if row["test_null_reason"] else 2000)


def test_the_world_has_every_kind_of_row(expected: dict[Any, Any]) -> None:
    rows = list(expected.values())
    kinds: dict[str, set[Any]] = {
        "interval_null_reason": {
            *(None, "no_common_problems", "one_problem", "no_difference", "zero_variance"),
            *("problems_lt_min", "differing_lt_min"),
        },
        "mcnemar_null_reason": {
            *(None, "no_common_problems", "one_problem", "several_samples"),
        },
        "variance_null_reason": {
            *(None, "no_common_problems", "one_problem", "n_lt_2k", "not_estimated"),
        },
        "test": {None, "mcnemar", "t", "permutation"},
    }
    for name, wanted in kinds.items():
        assert {row[name] for row in rows} == wanted, name
    assert {key[1] for key in expected} == {"language_models", "settings", "board"}
    assert {key[0] for key in expected} == {"pass_at_k", "csim", "dpass"}
    assert any(row["n_dropped_a"] and row["n_dropped_b"] and row["n_common"] > 1 for row in rows)
    assert any(row["p_value"] not in (None, row["holm_p"]) for row in rows)
    assert {row["equivalent"] for row in rows} >= {None, False}


def test_signs_are_those_of_md5(con: Any) -> None:
    found = rows_of(
        con, "select release_no, replicate, signs from intermediate.int_sign_flipped order by all"
    )
    lists: dict[int, list[list[float]]] = defaultdict(list)
    for row in found:
        lists[row["release_no"]].append(row["signs"])
    sizes = {len(each[0]): each for each in lists.values()}
    assert sizes.keys() >= {N_TOY, N_OTHER, N_WIDE}
    for n, ours in sizes.items():
        assert ours == signs(n)


def pair(con: Any, a: str, b: str, k: int = 1) -> dict[str, Any]:
    (row,) = rows_of(
        con,
        f"select * from comparison_v1 where (lm_a, lm_b, k) = ('{a}', '{b}', {k}) "
        "and metric = 'pass_at_k' and dataset = 'toy' and pairing = 'language_models'",
    )
    return row


def test_twins_do_not_differ_and_no_interval_is_claimed(con: Any) -> None:
    row = pair(con, "m_twin_a", "m_twin_b")
    assert (row["difference"], row["n_differing"], row["mcnemar_p"]) == (0, 0, 1)
    assert row["t_p"] == row["permutation_p"] == row["p_value"] == row["holm_p"] == 1
    bounds = ("difference_lo", "difference_hi", "minimum_detectable_effect", "equivalent")
    assert {row[name] for name in (*bounds, "tost_lower_p", "tost_upper_p")} == {None}
    assert row["interval_null_reason"] == "no_difference"


def test_one_problem_and_none_have_no_test(con: Any) -> None:
    one, none = pair(con, "o_first", "o_first_too"), pair(con, "o_first", "p_last")
    assert (one["n_common"], one["difference"], one["null_reason"]) == (1, 1, None)
    assert (none["n_common"], none["difference"], none["null_reason"]) == (
        *(0, None),
        "no_common_problems",
    )
    for row, reason in ((one, "one_problem"), (none, "no_common_problems")):
        tests = ("t_p", "permutation_p", "mcnemar_p", "p_value", "holm_p", "bh_p", "test")
        assert {row[name] for name in tests} == {None}
        assert {row[f"{name}_null_reason"] for name in ("test", "interval", "mcnemar")} == {reason}


def test_a_constant_difference_has_no_standard_error(con: Any) -> None:
    row = pair(con, "q_tenths", "q_tenths_less")
    assert same(row["difference"], 0.3)
    assert (row["interval_null_reason"], row["t_p"], row["standard_error"]) == (
        *("zero_variance", None),
        None,
    )
    assert (row["test"], row["permutation_p"]) == ("permutation", 1 / 2001)


def test_each_entry_stands_beside_the_best(con: Any) -> None:
    rows = rows_of(con, "select * from comparison_to_best_v1")
    board = rows_of(con, "select * from pass_at_k_v1")
    pairs = rows_of(
        con, "select * from comparison_v1 where metric = 'pass_at_k' and pairing != 'board'"
    )
    both = {(p["lm_id_a"], p["lm_id_b"], p["release_id"], p["k"]): p for p in pairs}
    seen = set()
    for row in rows:
        rivals = [
            other
            for other in rows
            if other["value"] is not None
            and all(other[name] == row[name] for name in ("dataset", "simulated", "k"))
        ]
        (own,) = [
            b for b in board if all(b[n] == row[n] for n in ("lm_id", "setting_id", "dataset", "k"))
        ]
        assert row["value"] == own["pass_at_k"]
        seen.add(row["null_reason"])
        if row["value"] is None:
            assert row["null_reason"] == "no_value"
            continue
        best = min(rivals, key=lambda r: (-r["value"], r["lm"]))
        assert (row["best_lm_id"], row["best_value"]) == (best["lm_id"], best["value"])
        ends = (row["lm_id"], best["lm_id"])
        found = both.get((*ends, row["release_id"], row["k"]))
        if found is not None:
            low, high, sign = found["difference_lo"], found["difference_hi"], 1
        else:
            found = both.get((*reversed(ends), row["release_id"], row["k"]))
            if found is None:
                apart = row["release_id"] != best["release_id"]
                why = "is_best" if row is best else "other_release" if apart else "other_prompt"
                assert (row["null_reason"], row["difference"]) == (why, None)
                continue
            sign = -1
            low, high = (
                (None, None)
                if found["difference_lo"] is None
                else (-found["difference_hi"], -found["difference_lo"])
            )
        assert (row["difference_lo"], row["difference_hi"]) == (low, high)
        for name in ("holm_p", "p_value", "test", "n_common", "interval_null_reason"):
            assert row[name] == found[name], name
        wanted = None if found["difference"] is None else sign * found["difference"]
        assert same(row["difference"], wanted)
    assert seen >= {None, "no_value", "is_best", "other_release", "other_prompt"}


@pytest.mark.parametrize("view", ["comparison_v1", "comparison_to_best_v1"])
def test_golden(con: duckdb.DuckDBPyConnection, view: str) -> None:
    some = "where lm_a >= 'm' or lm_a in ('lm1', 'lm2')" if view == "comparison_v1" else ""
    check_golden(view, rows_of(con, f"select * from {view} {some} order by all"))
