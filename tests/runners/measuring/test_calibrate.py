"""assay calibrate from warehouse to rows: only what is missing, exactly what changed, whole."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from click.testing import CliRunner

from ingest.datasets import DATASETS
from models.words import MOST_SPLITS
from runners.cli import main
from runners.cli.main import cli
from runners.measuring.calibration.fit import MIN_ISOTONIC, sigmoid
from runners.measuring.calibration.intervals import rate_interval
from runners.steps import calibrate as module
from runners.steps.calibrate import CalibrateReport, splits_of
from tests.data import ROOT
from tests.support.sql import macro, rows, rows_of
from tests.support.steps import build, calibrate
from tests.support.worlds.calibration.sets import many_small_sets
from warehouse.store.connection import reading, writing
from warehouse.store.spool import leftovers

pytestmark = pytest.mark.long(seconds=15)

Facts = dict[str, list[tuple[Any, ...]]]
FACTS = {
    "calibration_fit": "fit_id, slope, intercept, steps_y, null_reason",
    "calibration_fold": "fold_id, folds",
    "kfold_order": "order_id, folds",
    "estimate": "estimate_id, value, low, high, n_dropped, null_reason",
}


REPLICATES = 40


@dataclass(frozen=True)
class Homes:
    """Two warehouses: one with the views that calibrate reads, one calibrated in a single call."""

    ready: Path
    whole: Path
    report: CalibrateReport


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Homes:
    """Three small language models, one of them with several answers to few problems."""
    folder = tmp_path_factory.mktemp("calibrate")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(folder))
        warehouse = many_small_sets(7, 3).write(folder / "warehouse.duckdb")
        build(warehouse)
        ready = Path(shutil.copy(warehouse, folder / "ready"))
        patch.setattr(module, "build", lambda *_, **__: None)
        report = calibrate(replicates=REPLICATES, progress=False)
    return Homes(ready, warehouse, report)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare dbt: what calibrate would build is there."""
    monkeypatch.setattr(module, "build", lambda *_, **__: None)


@pytest.fixture
def ready(homes: Homes, home: Path, built: None) -> Path:
    """A home with nothing calibrated."""
    home.mkdir()
    shutil.copy(homes.ready, home / "warehouse.duckdb")
    return home


@pytest.fixture
def whole(homes: Homes, home: Path) -> Path:
    """A home with everything calibrated."""
    home.mkdir()
    shutil.copy(homes.whole, home / "warehouse.duckdb")
    return home


def facts(path: Path | None = None) -> Facts:
    return {
        table: rows(f"select {columns} from raw.{table} order by all", path=path)
        for table, columns in FACTS.items()
    }


def assert_same(found: Facts, expected: Facts) -> None:
    """Compare rows; how many fits share a matrix may move the last digits of their sums."""
    for table, theirs in expected.items():
        assert [row[0] for row in found[table]] == [row[0] for row in theirs], table
        for one, two in zip(found[table], theirs, strict=True):
            numbers, others = ([v for v in row if isinstance(v, float)] for row in (one, two))
            assert numbers == pytest.approx(others, rel=1e-9, abs=1e-9)
            assert [v for v in one if isinstance(v, str)] == [v for v in two if isinstance(v, str)]


def subjects() -> list[dict[str, Any]]:
    with reading() as con:
        return rows_of(con, "select * from calibration_subjects_v1 where n_used > 0")


@pytest.fixture(scope="module")
def undisturbed(homes: Homes) -> Facts:
    return facts(homes.whole)


def test_every_subject_gets_its_rows_once(homes: Homes, whole: Path, built: None) -> None:
    assert homes.report.n_subjects == len(subjects())
    found = Counter(
        rows("select subject_key, rescaler, fold_seed is null from raw.calibration_fit")
    )
    reasons = dict(
        rows("select subject_key, max(null_reason) from raw.calibration_fit group by all")
    )
    for subject in subjects():
        key = subject["subject_key"]
        if subject["version"] == 1:
            many = subject["n_used"] >= 5
            assert found[key, "platt", False] == (5 if many else 1)
            assert many or reasons[key] == "n_lt_min"
            continue
        many = subject["n_clusters"] >= 5
        for rescaler in ("platt", "temperature"):
            assert found[key, rescaler, False] == (5 * MOST_SPLITS if many else 0)
            assert found[key, rescaler, True] == 1
        assert found[key, "isotonic", False] == 0  # far from 1,000 rows
        assert found[key, "isotonic", True] == 1  # the CORP curve
        assert many or reasons[key] == "n_lt_min"
    assert any(subject["n_used"] > subject["n_clusters"] for subject in subjects())
    first = facts()
    assert calibrate(replicates=REPLICATES, progress=False) == CalibrateReport()
    assert facts() == first
    runs = rows("select kind, count(*) from raw.run where kind = 'calibrate' group by all")
    assert runs == [("calibrate", 1)]


def test_stored_curves_and_folds_give_the_stored_intervals(
    ready: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What SQL can see is enough to make the scaled scores again."""
    # these data sets have a few problems each, too few for an interval
    monkeypatch.setattr("runners.measuring.calibration.intervals.LEAST_CLUSTERS", 2)
    calibrate(replicates=REPLICATES, progress=False)
    made = rows(
        """
        select subject_no, version, split_key, fold, slope, intercept
        from raw.calibration_fit
        inner join calibration_subjects_v1 using (subject_key, input_key)
        where rescaler = 'platt' and fold_seed = if(version = 1, 42, 0) and fold is not null
        """
    )
    estimated = rows(
        """
        select subject_no, low, high
        from raw.estimate
        inner join calibration_subjects_v1 using (subject_key, input_key)
        where rescaler = 'platt' and statistic = 'mean_score'
        """
    )
    means = {number: ends for number, *ends in estimated}
    pair = rows(
        "select subject_no, position, problem_id, x, w from calibration_pairs_v1 order by 1, 2"
    )
    folds = dict(rows("select split_key || problem_id, folds[1] from raw.calibration_fold"))
    orders = dict(rows("select n_rows, folds from raw.kfold_order"))
    curves: dict[int, dict[int, tuple[float | None, float | None]]] = {}
    for number, _, _, fold, slope, intercept in made:
        curves.setdefault(number, {})[fold] = (slope, intercept)
    versions, splits = ({row[0]: row[column] for row in made} for column in (1, 2))
    checked = Counter[int]()
    for number, lines in curves.items():
        mine = [row[1:] for row in pair if row[0] == number]
        if any(slope is None for slope, _ in lines.values()):
            assert number not in means  # a fold without a curve
            continue
        parts: dict[str, list[float]] = {}
        for position, problem, x, w in mine:
            if versions[number] == 1:
                fold = orders[len(mine)][position - 1]
            else:
                fold = folds[splits[number] + problem]
            slope, intercept = lines[fold]
            score = float(sigmoid(np.array([(slope or 0) * x + (intercept or 0)]))[0])
            held = parts.setdefault(problem, [0.0, 0.0])
            held[0], held[1] = held[0] + w * score, held[1] + w
        top, bottom = np.array(list(parts.values())).T
        expected = rate_interval(top, bottom)
        assert means[number] == pytest.approx([expected.low, expected.high], abs=1e-9)
        checked[versions[number]] += 1
    assert min(checked[1], checked[2]) >= 10


def test_a_changed_verdict_is_fitted_anew_and_nothing_else(whole: Path) -> None:
    before, known = facts(), {s["subject_key"]: s["input_key"] for s in subjects()}
    with writing() as con:
        con.execute(
            """
            insert into raw.outcome by name
            select * replace (2 as attempt, 'passed' as verdict, n_tests as n_passed)
            from raw.outcome
            where verdict = 'failed' and program_id in (
                select program_id
                from raw.evaluation
                inner join raw.generation using (generation_id)
                group by program_id
                having count(distinct lm_id) = 1
            )
            order by program_id limit 1
            """
        )
    report = calibrate(replicates=REPLICATES, progress=False)
    changed = {s["subject_key"] for s in subjects() if known[s["subject_key"]] != s["input_key"]}
    assert 0 < len(changed) < len(known) / 2
    assert len({s["lm_id"] for s in subjects() if s["subject_key"] in changed}) == 1
    assert report.n_subjects == len(changed)
    after = facts()
    assert all(set(map(str, before[t])) <= set(map(str, after[t])) for t in FACTS)
    stale = rows(
        """
        select count(*) from calibration_subjects_v1
        where n_used > 0
            and not exists (
                from raw.estimate
                where
                    estimate.subject_key = calibration_subjects_v1.subject_key
                    and estimate.input_key = calibration_subjects_v1.input_key
            )
        """
    )
    assert stale == [(0,)]


OLDER = """
update raw.estimate set method = 'older', estimate_id = md5(estimate_id), low = -1
where rescaler = 'none' and method in (select method from raw.estimate where statistic = '{}')
"""


@pytest.mark.parametrize("statistic", ["brier", "skill_score", "auroc", "ece"])
def test_intervals_of_an_older_method_are_made_again(statistic: str, whole: Path) -> None:
    before = facts()
    with writing() as con:
        con.execute(OLDER.format(statistic))
    assert calibrate(replicates=REPLICATES, progress=False).n_subjects == len(subjects())
    again = {row[0] for row in facts()["estimate"]}
    assert {row[0] for row in before["estimate"]} < again
    assert calibrate(replicates=REPLICATES, progress=False) == CalibrateReport()
    build()
    assert rows("select count(*) from calibration_raw_v2 where brier_lo = -1 or ece_lo = -1") == [
        (0,)
    ]


def test_many_rows_are_split_less_often() -> None:
    sizes = (1, 50, 164, 393, 500, 1640, 2001, 9740, 20_001, 40_001, 10**6)
    found = [splits_of(n, MOST_SPLITS) for n in sizes]
    assert found == [180, 180, 79, 35, 35, 24, 19, 4, 1, 1, 1]
    assert splits_of(100, 3) == 3


def test_the_views_read_as_many_splits_as_are_made() -> None:
    """Whatever a warehouse holds: an earlier version fitted 20 of any number of rows."""
    splits = macro("calibration_formulas.sql", "calibration_splits('n')")
    read = duckdb.sql(f"select n, {splits} from (select unnest(range(1, 50_000, 37)) as n)")
    assert all(found == splits_of(n, MOST_SPLITS) for n, found in read.fetchall())
    text = (ROOT / "dbt/models/intermediate/rescaling/int_calibration_fit_chosen.sql").read_text()
    assert "fits.fold_seed < {{ calibration_splits('subjects.n_used') }}" in text


@pytest.mark.long
def test_curves_first_then_two_processes_for_the_rest(
    ready: Path, undisturbed: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is missing is filled in, and the rows are those of one call."""
    calibrate(seeds=2, intervals=False, progress=False)
    assert rows("select count(*) from raw.estimate") == [(0,)]
    seeds = rows("select distinct fold_seed from raw.calibration_fit order by all")
    assert seeds == [(0,), (1,), (42,), (None,)]
    monkeypatch.setattr(module, "ROWS_WORTH_A_POOL", 0)
    calibrate(replicates=REPLICATES, workers=2, progress=False)
    assert_same(facts(), undisturbed)


KILLED = """
import os, signal
from runners.steps import calibrate as module
from warehouse.store import spool

module.build = lambda *_, **__: None
spool.FLUSH_S = 0.0  # each split reaches disk
made, rows = [], module._rows

def then_die(done, run_id):
    if len(made) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    made.append(done)
    return rows(done, run_id)

module._rows = then_die
module.calibrate(module.CalibrateSpec(replicates=40), progress=False)
"""


@pytest.mark.long
def test_killed_in_the_middle_it_goes_on(homes: Homes, ready: Path, undisturbed: Facts) -> None:
    died = subprocess.run([sys.executable, "-c", KILLED], cwd=ROOT, env={**os.environ})
    assert died.returncode == -signal.SIGKILL
    assert leftovers() > 3
    report = calibrate(replicates=REPLICATES, progress=False)
    assert report.n_groups == homes.report.n_groups - 3  # those on disk are not done again
    assert_same(facts(), undisturbed)
    assert leftovers() == 0


def test_isotonic_where_every_training_fold_has_a_thousand_rows() -> None:
    from runners.measuring.calibration.split import Split, Subject, work

    rng = np.random.Generator(np.random.PCG64(1))

    def found(n_rows: int) -> Counter[tuple[str, bool]]:
        p = np.sort(rng.random(n_rows))
        problem = np.arange(n_rows)
        subject = Subject(
            "s", "i", 2, problem, p, np.log(p / (1 - p)), rng.random(n_rows) < p,
            np.ones(n_rows), seeds=(0, 1), full=True, estimates=True,
        )  # fmt: skip
        done = work(Split("k", [f"{i:05d}" for i in range(n_rows)], [subject], 20, 2))
        kinds = {rescaler for rescaler, _ in done.found[0].estimates}
        assert ("isotonic" in kinds) == (n_rows > 1250)
        return Counter((fit.rescaler, fit.fold is None) for fit in done.found[0].fits)

    assert MIN_ISOTONIC == 1000
    assert found(1240)["isotonic", False] == 0
    assert found(1300)["isotonic", False] == 10


def test_command_does_only_what_is_asked_for(ready: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DATASETS, "toy", "the dataset of this world")
    runner = CliRunner()
    assert "assay calibrate --lm" in runner.invoke(cli, ["calibrate", "--help"]).output
    lm = min(subject["lm_id"] for subject in subjects())  # its name is its key here

    def called(*arguments: str) -> int:
        shared = ["calibrate", "--no-intervals", "--seeds", "2", "--json", *arguments]
        return int(json.loads(runner.invoke(cli, shared).stdout)["n_subjects"])

    assert main.run(["calibrate", "--lm", "nobody"]) == 3
    assert main.run(["calibrate", "--dataset", "nothing"]) == 3
    assert called("--lm", lm, "--dataset", "toy") == sum(s["lm_id"] == lm for s in subjects())
    assert called("--lm", lm) == 0
    done = rows(
        """
        select distinct lm_id
        from raw.calibration_fit
        inner join calibration_subjects_v1 using (subject_key)
        """
    )
    assert done == [(lm,)]
