"""A replayed build makes the rows of dbt's own, and where it cannot, dbt has the word."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.builds.replay import Replay
from tests.support.sql import rows_of
from tests.support.steps import build
from tests.support.worlds.planted import planted_world
from tests.support.worlds.world import World, random_world
from warehouse.errors import CheckFailed
from warehouse.store.connection import reading
from warehouse.views import build as building

pytestmark = pytest.mark.long

RELATIONS = """
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema not in ('raw', 'meta', 'facts') order by 1
"""
ALL = "select * from {} order by all"


@pytest.fixture
def dbt_runs(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The warehouses that dbt itself has built, with a replay that knows none."""
    run_dbt = building._run_dbt.run_dbt  # type: ignore[attr-defined]
    runs: list[Path] = []

    def counted(path: Path, **how: Any) -> Any:
        runs.append(path)
        return run_dbt(path, **how)

    monkeypatch.setattr(building, "_run_dbt", Replay(counted))
    return runs


def written(world: World, folder: Path) -> Path:
    folder.mkdir()
    return world.write(folder / "warehouse.duckdb")


def relations(path: Path) -> dict[str, list[dict[str, Any]]]:
    with reading(path) as con:
        names = [row["name"] for row in rows_of(con, RELATIONS)]
        return {name: [rounded(row) for row in rows_of(con, ALL.format(name))] for name in names}


def rounded(row: dict[str, Any]) -> dict[str, Any]:
    """Sums of floats may differ in their last digits, whoever builds."""
    return {
        name: round(value, 9) if isinstance(value, float) else value for name, value in row.items()
    }


def test_the_rows_are_those_of_dbt(dbt_runs: list[Path], tmp_path: Path) -> None:
    first = written(random_world(1), tmp_path / "first")
    replayed = written(planted_world(), tmp_path / "replayed")
    by_dbt = written(planted_world(), tmp_path / "by_dbt")
    for path in (first, replayed):
        build(path)
    assert dbt_runs == [first]
    building._run_dbt.kept.clear()  # type: ignore[attr-defined]
    report = build(by_dbt)
    assert dbt_runs == [first, by_dbt]
    assert "leaderboard_v1" in report.views
    found = relations(replayed)
    assert found == relations(by_dbt)
    assert found["main.leaderboard_v1"] != []


def test_a_failing_data_test_is_that_of_dbt(dbt_runs: list[Path], tmp_path: Path) -> None:
    select = "path:models/staging +execution_runs"
    good = World()
    good.run("r0", 0)
    build(written(good, tmp_path / "good"), select=select)
    bad = World()
    bad.run("r0", 0)
    problem = bad.release("toy", "toy", 1, "r0")[0]
    program = bad.program("c", problem, bad.admission(problem, "calibrated", "split", "r0"))
    bad.outcome(program, 1, "passed", "r0")
    bad.raw["outcome"][0]["n_passed"] = 2
    path = written(bad, tmp_path / "bad")
    with pytest.raises(CheckFailed, match="outcome_passed_means_all"):
        build(path, select=select)
    assert dbt_runs == [tmp_path / "good" / "warehouse.duckdb", path]
