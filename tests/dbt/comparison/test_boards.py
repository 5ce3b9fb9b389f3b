"""Boards of entries asked alike, against plain loops over the same random world."""

import statistics
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from scipy import stats

from tests.support.goldens import check_golden
from tests.support.oracles import boards as oracles
from tests.support.sql import rows_of, same
from tests.support.steps import build
from tests.support.worlds.comparison.entries import ComparedWorld, random_compared_world
from warehouse.store.connection import reading

VIEWS_READ = (
    "+comparison_v1 +headline_setting_v1 +leaderboard +pass_at_k_curve_v1 "
    "+pass_at_k_v1 +problem_difficulty_v1"
)

pytestmark = pytest.mark.long(seconds=40)

BOARD = ("release_id", "simulated", "task", "prompt_kind", "temperature")
Rows = dict[oracles.EntryKey, dict[str, Any]]


@pytest.fixture(scope="module")
def world() -> ComparedWorld:
    """A random world, two that miss a problem each, and one with ten samples of one problem only.

    One more has samples that are not judged yet.
    """
    world = random_compared_world(5)
    toy = [row["problem_id"] for row in world.raw["problem"] if row["release_id"] == "toy1"]
    for name, missing in (("y_first", toy[3]), ("y_second", toy[5])):
        right = {problem: [at % 3 == 0] for at, problem in enumerate(toy) if problem != missing}
        world.answers(world.lm(name, simulated=False), "s1", right)
    few = {problem: [True, False] * 5 if problem == toy[0] else [True] for problem in toy}
    world.answers(world.lm("y_uneven", simulated=False), "s1", few)
    waiting = world.lm("z_waiting", simulated=False)
    for problem in toy:
        world.generation(waiting, "s1", problem, 0)
    return world


@pytest.fixture(scope="module")
def con(world: ComparedWorld, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    home = tmp_path_factory.mktemp("boards")
    world.write(home / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        build(select=VIEWS_READ)
        with reading() as con:
            yield con


@pytest.fixture(scope="module")
def rows(con: duckdb.DuckDBPyConnection) -> Rows:
    """The view's rows by entry."""
    return {
        (row["lm_id"], row["dataset"], row["setting_id"]): row
        for row in rows_of(con, "select * from leaderboard_v2")
    }


@pytest.fixture(scope="module")
def expected(world: ComparedWorld) -> dict[oracles.EntryKey, oracles.BoardEntry]:
    return oracles.board_entries(world.raw)


@pytest.fixture(scope="module")
def ranked(rows: Rows) -> dict[Any, list[dict[str, Any]]]:
    """The ranked rows of each board, in their order."""
    found = defaultdict(list)
    for row in rows.values():
        if row["rank"] is not None:
            found[tuple(row[name] for name in BOARD)].append(row)
    for listed in found.values():
        listed.sort(key=lambda r: (-round(r["pass_at_1"], 9), r["lm"], r["setting_id"]))
    return found


def test_each_entry_has_its_board_coverage_and_value(
    rows: Rows, expected: dict[Any, oracles.BoardEntry]
) -> None:
    assert rows.keys() == expected.keys()
    for key, truth in expected.items():
        row = rows[key]
        assert tuple(row[name] for name in BOARD) == truth.board, key
        assert (row["n_used"], row["n_usable"]) == (len(truth.values), truth.n_usable), key
        assert same(row["coverage"], len(truth.values) / truth.n_usable), key
        assert row["unranked_reason"] == truth.unranked_reason, key
        if truth.values and truth.unranked_reason != "not_applicable":
            assert same(row["pass_at_1"], statistics.fmean(truth.values.values())), key
        else:
            assert row["pass_at_1"] is None, key
    assert {row["unranked_reason"] for row in rows.values()} == {
        *(None, "not_applicable", "no_value", "coverage_lt_min", "problems_lt_min")
    }


def test_pass_at_k_of_few_problems_is_left_out(con: duckdb.DuckDBPyConnection, rows: Rows) -> None:
    shown = set()
    for found in rows_of(con, "select * from pass_at_k_v1 where k in (5, 10) and n_used > 0"):
        row = rows[found["lm_id"], found["dataset"], found["setting_id"]]
        covered = found["n_used"] >= 0.9 * row["n_used"]
        name = f"pass_at_{found['k']}"
        assert row[name] == (found["pass_at_k"] if covered else None)
        assert (f"{name}: coverage_lt_min" in (row["interval_null_reasons"] or "")) != covered
        shown.add(covered)
    assert shown == {True, False}


def test_ranks_and_the_problems_of_all(
    rows: Rows, ranked: dict[Any, list[dict[str, Any]]], expected: dict[Any, oracles.BoardEntry]
) -> None:
    assert any(len(listed) > 4 for listed in ranked.values())
    for listed in ranked.values():
        values = [
            expected[row["lm_id"], row["dataset"], row["setting_id"]].values for row in listed
        ]
        common = set.intersection(*(set(each) for each in values))
        ours = [statistics.fmean(each[problem] for problem in common) for each in values]
        for row, rank, mean, rank_common in zip(
            listed,
            oracles.ranks([statistics.fmean(each.values()) for each in values]),
            ours,
            oracles.ranks(ours),
            strict=True,
        ):
            assert (row["rank"], row["n_ranked"]) == (rank, len(listed))
            assert (row["n_common"], row["rank_common"]) == (len(common), rank_common)
            assert row["common_null_reason"] is None
            assert same(row["pass_at_1_common"], mean)
    unranked = [row for row in rows.values() if row["unranked_reason"]]
    assert {row["common_null_reason"] for row in unranked} == {"unranked"}
    assert any(row["n_common"] < row["n_used"] for listed in ranked.values() for row in listed)


def test_bands_and_groups_follow_from_the_paired_tests(
    con: duckdb.DuckDBPyConnection, ranked: dict[Any, list[dict[str, Any]]]
) -> None:
    found = rows_of(
        con,
        "select * from comparison_v1 where pairing = 'board' and k = 1 and holm_p < 0.05",
    )
    ahead = set()
    for row in found:
        a, b = ((row[f"lm_id_{end}"], row[f"setting_id_{end}"]) for end in "ab")
        release = row["release_id"]
        ahead.add((release, *((a, b) if row["difference"] > 0 else (b, a))))
    n_groups = 0
    for board, listed in ranked.items():
        ends = [(row["lm_id"], row["setting_id"]) for row in listed]
        differing = set()
        for x, row in enumerate(listed):
            better = [y for y, end in enumerate(ends) if (board[0], end, ends[x]) in ahead]
            worse = [y for y, end in enumerate(ends) if (board[0], ends[x], end) in ahead]
            assert row["rank_best"] == min(row["rank"], 1 + len(better))
            assert row["rank_worst"] == max(row["rank"], len(listed) - len(worse))
            differing |= {(min(x, y), max(x, y)) for y in (*better, *worse)}
        groups = oracles.groups(len(listed), differing)
        n_groups += len(groups)
        for x, row in enumerate(listed):
            mine = [n for n, members in enumerate(groups, 1) if x in members]
            assert row["tied_groups"] == ", ".join(map(str, mine))
    assert n_groups > len(ranked), "some entries differ"


def test_what_a_solved_problem_costs(rows: Rows, expected: dict[Any, oracles.BoardEntry]) -> None:
    for key, truth in expected.items():
        row = rows[key]
        known = bool(truth.tokens) and None not in truth.tokens
        mean = statistics.fmean(x for x in truth.tokens if x is not None) if known else None
        assert same(row["tokens_per_answer"], mean), key
        reason = None if known else "not_recorded" if truth.values else "no_value"
        if known and row["pass_at_1"] is None:
            reason = "not_applicable"
        if known and row["pass_at_1"] == 0:
            reason = "none_solved"
        assert row["tokens_null_reason"] == reason, key
        wanted = mean / row["pass_at_1"] if mean is not None and reason is None else None
        assert same(row["tokens_per_solved"], wanted), key
    assert {row["tokens_null_reason"] for row in rows.values()} == {
        *(None, "not_recorded", "no_value", "not_applicable", "none_solved")
    }
    cheap = next(row for row in rows.values() if row["lm"] == "n_all")
    assert same(cheap["cost_per_solved"], 1e-6)


def test_prompts_and_missing_intervals_have_columns_of_their_own(rows: Rows) -> None:
    reasons = {"prompt_tokens_per_answer": set(), "prompt_tokens_null_reason": set()}
    for row in rows.values():
        for name, seen in reasons.items():
            seen.add(row[name])
        told = dict(
            part.split(": ") for part in (row["interval_null_reasons"] or "").split("; ") if part
        )
        for name in ("pass_at_1", "pass_at_5", "pass_at_10", "csim_at_10", "dpass_at_10"):
            assert (name in told) == (row[f"{name}_lo"] is None)
            empty = told.get(name) in ("no_value", "coverage_lt_min")
            assert name not in told or empty == (row[name] is None)
        assert told.get("pass_at_1") in (row["interval_null_reason"], "no_value")
    # the world's prompts have 11 tokens, those of lm2 an unknown number
    assert reasons["prompt_tokens_per_answer"] == {None, 11.0}
    assert reasons["prompt_tokens_null_reason"] >= {None, "not_recorded", "no_value"}
    costly = next(r for r in rows.values() if r["pass_at_1"] and r["prompt_tokens_per_answer"])
    assert same(costly["prompt_tokens_per_solved"], 11 / costly["pass_at_1"])


def test_twins_share_rank_and_group(rows: Rows) -> None:
    first, second = (
        next(row for row in rows.values() if row["lm"] == name) for name in ("m_twin_a", "m_twin_b")
    )
    for name in ("rank", "rank_best", "rank_worst", "tied_groups", "rank_common"):
        assert first[name] == second[name] is not None
    best = next(row for row in rows.values() if row["lm"] == "n_all")
    none = next(row for row in rows.values() if row["lm"] == "n_none")
    assert (best["rank"], best["rank_best"]) == (1, 1)
    assert none["rank_worst"] == none["n_ranked"]
    assert not set(best["tied_groups"].split(", ")) & set(none["tied_groups"].split(", "))


def test_a_curve_goes_through_the_published_points(con: duckdb.DuckDBPyConnection) -> None:
    columns = "lm_id, dataset, setting_id, k, n_used, interval_null_reason"
    values = "pass_at_k, pass_at_k_lo, pass_at_k_hi"
    published, curve = (
        rows_of(
            con,
            f"select {columns}, {values} from {view} "
            "where k in (1, 5, 10, 100) and pass_at_k is not null order by all",
        )
        for view in ("pass_at_k_v1", "pass_at_k_curve_v1")
    )
    assert len(published) == len(curve) > 40
    for one, other in zip(published, curve, strict=True):
        for name, value in one.items():
            assert same(other[name], value) if isinstance(value, float) else other[name] == value


def test_problems_are_as_hard_and_as_telling_as_scipy_says(
    world: ComparedWorld, con: duckdb.DuckDBPyConnection, expected: dict[Any, oracles.BoardEntry]
) -> None:
    shown = {
        (row["lm_id"], row["dataset"], row["setting_id"])
        for row in rows_of(
            con, "select * from headline_setting_v1 where family = 'leaderboard' and rank = 1"
        )
    }
    values: dict[Any, dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for key in shown:
        entry = expected[key]
        if entry.unranked_reason != "not_applicable":
            for problem, value in entry.values.items():
                values[entry.board[:2]][problem][key[0]] = value
    found = {
        (row["problem_id"], row["simulated"]): row
        for row in rows_of(con, "select * from problem_difficulty_v1")
    }
    assert len(found) == sum(len(problems) for problems in values.values())
    for (_, simulated), problems in values.items():
        for problem, mine in problems.items():
            row = found[problem, simulated]
            solving = sorted((lm for lm in mine if mine[lm]), key=lambda lm: (-mine[lm], lm))
            assert row["solved_by"] == (", ".join(solving) or None)
            assert (row["n_lms"], row["n_lms_solving"]) == (len(mine), len(solving))
            assert same(row["difficulty"], 1 - statistics.fmean(mine.values()))
            rests = {
                lm: [
                    other[lm] for name, other in problems.items() if name != problem and lm in other
                ]
                for lm in mine
            }
            reason = None
            if len(set(mine.values())) == 1:
                reason = "no_difference"
            if len(mine) < 5:
                reason = "lms_lt_min"
            if not all(rests.values()):
                reason = "one_problem"
            assert row["discrimination_null_reason"] == reason
            if reason is None:
                means = [statistics.fmean(rests[lm]) for lm in mine]
                assert same(row["discrimination"], stats.pearsonr(list(mine.values()), means)[0])
    reasons = {row["discrimination_null_reason"] for row in found.values()}
    assert reasons >= {None, "lms_lt_min", "one_problem"}


@pytest.mark.parametrize("view", ["leaderboard_v2", "pass_at_k_curve_v1", "problem_difficulty_v1"])
def test_golden(con: duckdb.DuckDBPyConnection, view: str) -> None:
    some = "where lm in ('q_tenths', 'lm2', 'lm4')" if view == "pass_at_k_curve_v1" else ""
    check_golden(view, rows_of(con, f"select * from {view} {some} order by all"))
