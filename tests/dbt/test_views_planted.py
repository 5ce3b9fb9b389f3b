"""A planted world whose truth is known, and what a build says of a warehouse."""

import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tests.support.builds.relations import relations, relations_in
from tests.support.goldens import check_golden
from tests.support.sql import rows, rows_of, same
from tests.support.steps import build
from tests.support.worlds.planted import N_PROBLEMS, TRUTH, planted_world
from tests.support.worlds.world import World
from warehouse.errors import CheckFailed
from warehouse.store.connection import reading, writing
from warehouse.views import build as building

pytestmark = pytest.mark.long(seconds=60)

ANY_PAIR = {"int_language_model_family", "mutation_yield_v1", "operator_effect_v1"}
"""Views that may compare every two rows: small tables join by a pattern, or one of two keys."""


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    path = planted_world().write(tmp_path_factory.mktemp("planted") / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(path.parent))
        report = build(path, unit_tests=True)
        assert report.fresh
        for test in ("pass_at_k_of_ten_samples", "headline_setting_of_each_family"):
            assert any(test in name for name in report.tests_passed)
        assert not build(path).fresh, "nothing new, nothing built"
    with reading(path) as con:
        yield con


def test_statements_sent_again_make_the_rows_of_dbt(
    planted: duckdb.DuckDBPyConnection, home: Path
) -> None:
    """Unit tests are dbt's, so the planted world was built by dbt."""
    path = planted_world().write(home / "warehouse.duckdb")
    build(path, select="stg_run")  # from here on statements are kept, where they did not come along
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "_run_dbt", None)
        build(path)
    found = relations(path)
    assert found == relations_in(planted)
    assert found["main.leaderboard_v1"] != []


@pytest.mark.parametrize("lm", sorted(TRUTH))
def test_planted_truth_comes_back(planted: duckdb.DuckDBPyConnection, lm: str) -> None:
    board = rows_of(planted, f"select * from leaderboard_v1 where lm = '{lm}'")
    assert len(board) == 1
    for column, truth in TRUTH[lm].items():
        assert same(board[0][column], truth), (lm, column, board[0][column], truth)


def test_a_join_on_keys_finds_its_rows_by_them(planted: duckdb.DuckDBPyConnection) -> None:
    """A condition on one side alone, beside equal keys, makes DuckDB compare every two rows."""
    folder = building.dbt_dir() / "target/compiled/assay/models"
    files = [file for file in folder.rglob("*.sql") if file.parent.suffix != ".yml"]
    plans = {
        file.stem: planted.execute(f"explain {file.read_text('utf-8')}").fetchall()[0][1]
        for file in files
    }
    assert len(plans) > 200
    assert {name for name, plan in plans.items() if "BLOCKWISE_NL_JOIN" in plan} <= ANY_PAIR


def test_the_planted_levels_of_a_judge_come_back(planted: duckdb.DuckDBPyConnection) -> None:
    found = rows_of(planted, "select * from sim_at_k_v1 where similarity = 'judge_v1'")
    rated = {row["lm"]: row for row in found if row["scope"] == "first_k" and row["sim"]}
    assert set(rated) == {"coin", "halves"}
    assert (rated["coin"]["sim"], rated["coin"]["csim"]) == (0.75, 1.0)
    assert (rated["halves"]["sim"], rated["halves"]["csim"]) == (0.25, 0.25)
    assert rated["coin"]["dpass"] == 0.0
    once, often = rows_of(planted, "select * from judge_health_v1 order by measure")
    assert (once["n_replies"], once["level_of_identical"]) == (3 * N_PROBLEMS, 5)
    assert once["order_bias_null_reason"] == "one_order"
    # a level more on every second problem, of which one has no level in an order; one pair of two
    assert same(often["order_bias"], 11 / (2 * (N_PROBLEMS - 1)))
    assert often["order_bias_lo"] < often["order_bias"] < often["order_bias_hi"]
    assert often["n_no_level"] == 3 * N_PROBLEMS + 3 * 2
    assert (often["n_pairs_no_rating"], often["vote_difference"]) == (3, 0)


def test_planted_twins_share_every_number(planted: duckdb.DuckDBPyConnection) -> None:
    rows = rows_of(planted, "select * from leaderboard_v1 where lm in ('twin_a', 'twin_b')")
    assert len(rows) == 2
    names = {"lm", "lm_id"}
    first, second = ({k: v for k, v in row.items() if k not in names} for row in rows)
    assert first == second


@pytest.mark.parametrize(
    "view",
    [
        *("pass_at_k_v1", "sim_at_k_v1", "sim_at_k_v2", "measure_agreement_v1"),
        "distinct_solutions_v1",
        *("judge_health_v1", "rater_agreement_v1"),
        *("execution_health_v1", "leaderboard_v1"),
        "limit_sensitivity_v1",
        "generation_verdicts_v1",
        "headline_setting_v1",
    ],
)
def test_golden(planted: duckdb.DuckDBPyConnection, view: str) -> None:
    some = "where sample_index = 0" if view == "generation_verdicts_v1" else ""
    check_golden(view, rows_of(planted, f"select * from {view} {some} order by all"))


def test_plain_names_are_the_newest_versions(planted: duckdb.DuckDBPyConnection) -> None:
    for plain, version in (("pass_at_k", 1), ("sim_at_k", 2), ("leaderboard", 2)):
        newest = planted.execute(f"select distinct view_version from {plain}").fetchall()
        assert newest == [(f"{plain}_v{version}",)]


def test_resampled_samples_keep_their_diversity_and_have_no_rank(home: Path) -> None:
    world = planted_world()
    world.raw["setting"][0]["resampled"] = True
    # one sample asked for openly outweighs 240 whose failures were replaced
    opened = world.setting("s2")
    world.generation("novice", opened, "toy1.0", 0)
    world.write(home / "warehouse.duckdb")
    build()
    with reading() as con:
        board = {row["lm"]: row for row in rows_of(con, "select * from leaderboard_v1")}
    assert set(TRUTH) < set(board)
    assert (board["novice"]["setting_id"], board["novice"]["n_settings"]) == ("s2", 2)
    for lm in set(TRUTH) - {"novice"}:
        row = board[lm]
        assert row["n_null_not_applicable"] == row["n_total"] == N_PROBLEMS
        shares = [
            name for name in row if re.fullmatch(r"(pass|dpass|dpair)_at_\d+(_lo|_hi)?", name)
        ]
        assert len(shares) == 3 * (4 + 2)
        assert {row[name] for name in ["rank", "rank_best", "rank_worst", *shares]} == {None}
        for column in ("sim_at_10", "csim_at_10"):
            if column in TRUTH[lm]:
                assert same(row[column], TRUTH[lm][column]), (lm, column)


def test_a_failing_data_test_names_itself(home: Path) -> None:
    world = World()
    world.run("r0", 0)
    problem = world.release("toy", "toy", 1, "r0")[0]
    program = world.program("c", problem, world.admission(problem, "calibrated", "split", "r0"))
    world.outcome(program, 1, "passed", "r0")
    world.raw["outcome"][0]["n_passed"] = 2
    world.write(home / "warehouse.duckdb")
    with pytest.raises(CheckFailed, match="outcome_passed_means_all"):
        build()
    # the file is free, and the failed build is not remembered
    assert rows("select count(*) from meta.view_build") == [(0,)]


def test_a_pair_of_a_candidate_that_is_not_there_is_found(home: Path) -> None:
    world = World()
    world.run("r0", 0)
    problem = world.release("toy", "toy", 1, "r0")[0]
    world.program("here", problem, world.admission(problem, "calibrated", "split", "r0"))
    world.pair("tokens_v2", "gone", "here", 5, 10, 10)
    world.write(home / "warehouse.duckdb")
    with pytest.raises(CheckFailed, match="pair_count_block_candidates_is_a_candidate"):
        build()


def test_a_view_that_cannot_be_built_leaves_the_one_before(home: Path) -> None:
    world = World()
    world.run("r0", 0)
    home.mkdir()
    world.write(home / "warehouse.duckdb")
    with writing() as con:
        con.execute("create view execution_runs_v1 as select 'of another kind' as run_id")
    build(select="+execution_runs")
    with writing() as con:
        con.execute("alter table raw.run alter column started_at drop not null")
        con.execute("update raw.run set started_at = null")
    with pytest.raises(CheckFailed, match="execution_runs_v1"):
        build(select="+execution_runs")
    with reading() as con:
        query = "select run_id, started_at is null from execution_runs"
        assert con.execute(query).fetchall() == [("r0", False)]


def test_an_empty_warehouse_builds(home: Path) -> None:
    assert build().fresh
    assert rows("select count(*) from leaderboard_v1") == [(0,)]


def test_a_size_is_the_stored_one_or_the_public_one_however_large(home: Path) -> None:
    world = World()
    world.run("r0", 0)
    world.lm("StarCoder", simulated=False)
    world.lm("own", simulated=False, n_parameters=70_000_000_000)
    world.lm("unknown", simulated=False)
    world.write(home / "warehouse.duckdb")
    build()
    found = rows(
        "select lm, n_parameters from intermediate.int_language_model_numbered order by lm"
    )
    assert found == [("StarCoder", 15_500_000_000), ("own", 70_000_000_000), ("unknown", None)]
