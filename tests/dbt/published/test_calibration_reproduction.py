"""A planted language model with the name of one of the paper's: ours beside its printed numbers."""

import csv
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.oracles.calibration import ScoredPair
from tests.support.published import seed
from tests.support.sql import rows_in
from tests.support.steps import build, calibrate, export_paper
from tests.support.worlds.calibration.subjects import published_world
from warehouse.store.connection import writing

VIEWS_READ = "+calibration_raw_v1 +calibration_scaled_v1 +headline_setting_v1 +reproduction"

pytestmark = pytest.mark.long(seconds=30)

TABLES = {"2": "calibration_raw_v1", "5": "calibration_raw_v1", "8": "calibration_raw_v1"}


def answers(n: int) -> list[ScoredPair]:
    """Confident answers are right more often; every fourth is from the other half."""
    rng = random.Random(11)
    return [ScoredPair(p := rng.random(), rng.random() < p, 1.0, "") for _ in range(n)]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One of the paper's names in other letters, and one that the paper does not have."""
    home = tmp_path_factory.mktemp("reproduction")
    world = published_world({"Code-Davinci-002": answers(20), "other": answers(20)})
    for table in ("dataset_release", "problem"):
        for row in world.raw[table]:
            row |= {name: "humaneval" for name in row if row[name] == "toy"}
    path = world.write(home / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        calibrate(seeds=2, replicates=50, progress=False)
        build(path, select=VIEWS_READ)
        yield path


@pytest.fixture(scope="module")
def rows(path: Path) -> list[dict[str, Any]]:
    return rows_in(path, "select * from reproduction_v1 order by result_id")


def test_every_printed_cell_of_the_dataset_has_a_row(rows: list[dict[str, Any]]) -> None:
    assert {row["lm"] for row in rows} == {"Code-Davinci-002"}
    assert {row["printed_lm"] for row in rows} == {"Codex"}
    printed = {
        row["result_id"]: row
        for row in seed("published_results")
        if (row["paper"], row["lm"], row["dataset"]) == ("calibration", "Codex", "humaneval")
        and row["table_no"] in ("5", "6", "8")
        and row["value"]
    }
    found = {row["result_id"]: row for row in rows if row["table_no"] != "2"}
    assert found.keys() == printed.keys()
    assert Counter(row["table_no"] for row in rows) == {"2": 1, "5": 21, "6": 16, "8": 7}
    for name, row in found.items():
        assert row["printed"] == printed[name]["printed"]
        assert row["published"] == float(printed[name]["value"])


def test_ours_is_the_view_of_its_table(path: Path, rows: list[dict[str, Any]]) -> None:
    theirs = {
        (view, row["measure"], row.get("rescaler", "none")): row
        for view in ("calibration_raw_v1", "calibration_scaled_v1")
        for row in rows_in(path, f"select * from {view} where lm = 'Code-Davinci-002'")
        if row["notion"] == "all_pass"
    }
    for row in rows:
        view = TABLES.get(row["table_no"], "calibration_scaled_v1")
        its_own = theirs[view, row["measure"], row["rescaler"]]
        assert row["paper_departures"] == its_own["paper_departures"]
        expected = its_own[row["statistic"]]
        assert row["ours"] == expected, row["result_id"]
        if expected is None:
            assert row["agrees"] is None
        else:
            near = abs(expected - row["published"]) <= row["tolerance"]
            assert row["agrees"] is near
    counted = Counter((row["table_no"], row["ours"] is not None) for row in rows)
    assert counted["5", True] == 21
    assert counted["8", True] == 7
    assert counted["6", True] >= 12


def test_version_2_has_them_all(path: Path, rows: list[dict[str, Any]]) -> None:
    both = rows_in(path, "select * from reproduction_v2 where paper = 'calibration'")
    departing = {row["result_id"]: row["paper_departures"] for row in both}
    assert departing == {row["result_id"]: row["paper_departures"] for row in rows}
    assert all(departing.values()), "each row is at another temperature than the paper's"
    assert {row["printed_dataset"] for row in both} == {"humaneval"}


def test_the_export_has_ours_beside_theirs(
    path: Path, rows: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(path.parent))
    with writing(path) as con:
        con.execute("create table if not exists headline_setting_v1 (lm_id varchar)")
    reports = export_paper("calibration", beside=True, out=tmp_path, warehouse=True)
    names = {Path(report.path).name for report in reports}
    assert names == {f"calibration_beside_v1.{suffix}" for suffix in ("csv", "md", "tex")}
    with (tmp_path / "calibration_beside_v1.csv").open(encoding="utf-8", newline="") as file:
        written = {row["result_id"]: row for row in csv.DictReader(file)}
    assert written.keys() == {row["result_id"] for row in rows}
    for row in rows:
        factor = 100 if row["statistic"] == "base_rate" else 1
        found = written[row["result_id"]]
        assert float(found["published"]) == pytest.approx(factor * row["published"])
        assert (found["ours"] == "") == (row["ours"] is None)
        if row["ours"] is not None:
            assert float(found["ours"]) == pytest.approx(factor * row["ours"])
            assert float(found["difference"]) == pytest.approx(factor * row["difference"])
