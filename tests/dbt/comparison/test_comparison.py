"""Comparisons against SciPy and plain loops on a random world, and pairs of a known kind."""

import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping
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

VIEWS_READ = (
    "+compared_entries_v1 +comparison_to_best_v1 +comparison_v1 +pass_at_k "
    "+problem_values_v1 +int_similarity_numbered +int_sign_flipped"
)

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
        build(select=VIEWS_READ)
        with reading() as con:
            yield con


Key = tuple[str, str, oracles.Entry, oracles.Entry, int, str]
"""Metric, pairing, both entries, k and release."""
Subjects = dict[tuple[str, int], dict[oracles.Entry, oracles.Values]]
"""By metric and k, the values of each entry."""


def similar_values(con: Any, metric: str) -> dict[oracles.Entry, oracles.Values]:
    """Return CSim or DPass of each problem of each entry, which has a separate oracle."""
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
def subjects(world: ComparedWorld, con: Any) -> Subjects:
    found = {("pass_at_k", k): oracles.pass_values(world.raw, k) for k in KS}
    return found | {(metric, 10): similar_values(con, metric) for metric in ("csim", "dpass")}


@pytest.fixture(scope="module")
def expected(world: ComparedWorld, subjects: Subjects) -> dict[Key, dict[str, Any]]:
    """What the oracle makes of each pair."""
    place = {row["problem_id"]: row["position"] for row in world.raw["problem"]}
    simulated = {row["lm_id"]: row["simulated"] for row in world.raw["language_model"]}
    found: dict[Key, dict[str, Any]] = {}
    for (metric, k), values in subjects.items():
        for pair in oracles.pairs(world.raw):
            a, b = values.get(pair.a), values.get(pair.b)
            if a and b:
                n = {"toy": N_TOY, "other": N_OTHER, "wide": N_WIDE}[pair.a[1]]
                release = next(iter(a)).rpartition(".")[0]
                solved = metric == "pass_at_k"
                row = oracles.compare(a, b, place, signs(n), solved=solved)
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
    assert {row["n_permutations"] for row in found.values()} == {None, 2000}


def test_the_world_has_every_kind_of_row(expected: dict[Any, Any]) -> None:
    rows = list(expected.values())
    kinds: dict[str, set[Any]] = {
        "interval_null_reason": {
            *(None, "no_common_problems", "one_problem", "no_difference", "zero_variance"),
            *("problems_lt_min", "differing_lt_min"),
        },
        "mcnemar_null_reason": {
            *(None, "no_common_problems", "one_problem", "several_samples"),
            "not_applicable",
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
    query = (
        "select n_dataset, signs from intermediate.int_sign_flipped order by n_dataset, replicate"
    )
    sizes: dict[int, list[list[float]]] = defaultdict(list)
    for row in rows_of(con, query):
        sizes[row["n_dataset"]].append(row["signs"])
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
    assert (row["test"], row["permutation_p"]) == ("permutation", 2 ** (1 - row["n_common"]))


def by_board(
    placed: Mapping[Any, Any], metric: str, values: Mapping[Any, Any]
) -> dict[Any, dict[Any, tuple[float, int, str | None]]]:
    """Return the entries of each board: mean, number of problems, and why it is not ranked."""
    boards: dict[Any, dict[Any, tuple[float, int, str | None]]] = defaultdict(dict)
    for entry in filter(values.get, values):
        given = [value for value, _, _ in values[entry].values()]
        reason = placed[entry].unranked_reason
        is_covered = metric != "pass_at_k" or len(given) >= 0.9 * placed[entry].n_usable
        if reason is None and not is_covered:
            reason = "coverage_lt_min"
        if reason is None and len(given) < 10:
            reason = "problems_lt_min"
        boards[placed[entry].board][entry] = (statistics.fmean(given), len(given), reason)
    return boards


def test_each_entry_stands_beside_the_best_of_its_board(
    world: ComparedWorld, con: Any, subjects: Subjects, expected: dict[Key, Any]
) -> None:
    rows = {
        ((row["lm_id"], row["dataset"], row["setting_id"]), row["metric"], row["k"]): row
        for row in rows_of(con, "select * from comparison_to_best_v1")
    }
    seen = set()
    n_rows = 0
    for (metric, k), values in subjects.items():
        boards = by_board(board_entries(world.raw), metric, values)
        for board in boards.values():
            worse = 1 if metric == "csim" else -1
            fit = [entry for entry in board if board[entry][2] is None]
            best = min(fit, key=lambda e: (worse * round(board[e][0], 9), e), default=None)
            for entry, (mean, n, reason) in board.items():
                row = rows[entry, metric, k]
                n_rows += 1
                assert same(row["value"], mean)
                assert (row["n_problems"], row["unranked_reason"]) == (n, reason)
                found = (row["best_lm_id"], row["dataset"], row["best_setting_id"])
                assert (found if row["best_lm_id"] else None) == best
                truth = "unranked" if reason else "is_best" if entry == best else None
                turned = (metric, "board", best, entry, k, row["release_id"]) in expected
                pair = (best, entry) if turned else (entry, best)
                found = expected.get((metric, "board", *pair, k, row["release_id"]))
                if truth is None and not found["n_common"]:
                    truth = "no_common_problems"
                assert row["null_reason"] == truth
                seen.add(truth)
                if truth is not None:
                    assert row["difference"] is None
                    continue
                ends = (
                    ["difference_hi", "difference_lo"]
                    if turned
                    else ["difference_lo", "difference_hi"]
                )
                for name, taken in zip(
                    ("difference", "difference_lo", "difference_hi"),
                    ("difference", *ends),
                    strict=True,
                ):
                    value = found[taken]
                    assert same(row[name], -value if turned and value is not None else value)
                for name in ("holm_p", "p_value", "test", "n_common", "interval_null_reason"):
                    assert (
                        same(row[name], found[name])
                        if isinstance(row[name], float)
                        else row[name] == found[name]
                    )
    assert n_rows == len(rows)
    assert seen >= {None, "unranked", "is_best"}


def test_values_of_problems_are_those_of_plain_loops(con: Any, subjects: Subjects) -> None:
    found: Subjects = defaultdict(lambda: defaultdict(dict))
    for row in rows_of(
        con,
        "select * from problem_values_v1 inner join compared_entries_v1 using (entry_no)",
    ):
        entry = (row["lm_id"], row["dataset"], row["setting_id"])
        value = (row["value"], row["sampling_variance"], row["n_samples"])
        found[row["metric"], row["k"]][entry][row["problem_id"]] = value
    wanted = {subject for subject, entries in subjects.items() if any(entries.values())}
    assert found.keys() == wanted
    for subject, entries in subjects.items():
        for entry, values in entries.items():
            ours = found[subject].get(entry, {}) if subject in wanted else {}
            assert len(ours) == len(values), (subject, entry)
            if subject[0] == "pass_at_k":
                for problem, (value, spread, n) in values.items():
                    assert same(ours[problem][0], value)
                    assert same(ours[problem][1], spread)
                    assert ours[problem][2] == n


SOME = {
    "comparison_v1": "where lm_a >= 'm' or lm_a in ('lm1', 'lm2')",
    "problem_values_v1": "where problem_index in (1, 26) and k in (1, 10)",
}


@pytest.mark.parametrize(
    "view", ["comparison_v1", "comparison_to_best_v1", "compared_entries_v1", "problem_values_v1"]
)
def test_golden(con: duckdb.DuckDBPyConnection, view: str) -> None:
    check_golden(view, rows_of(con, f"select * from {view} {SOME.get(view, '')} order by all"))
