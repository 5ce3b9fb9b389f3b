"""Statements are kept and sent again; where they fail or are damaged, dbt builds."""

import fcntl
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.builds.kept import STORE, read_kept, write_kept
from tests.support.builds.relations import relations
from tests.support.steps import build
from tests.support.worlds.world import World
from warehouse.errors import BadInput, CheckFailed, Locked
from warehouse.views import build as building
from warehouse.views import project
from warehouse.views.statements import keeping, sending

pytestmark = pytest.mark.long


PART = "+execution_runs"


@pytest.fixture
def dbt_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """The warehouses that dbt itself has built, with no statements kept before."""
    run_dbt = building._run_dbt
    runs: list[Path] = []

    def counted(path: Path, *how: Any) -> Any:
        runs.append(path)
        return run_dbt(path, *how)

    monkeypatch.setattr(building, "_run_dbt", counted)
    monkeypatch.setattr(keeping, "dbt_dir", lambda: tmp_path / "sent")
    monkeypatch.setattr(keeping, "shipped_file", lambda: tmp_path / "none")
    return runs


@pytest.fixture
def small_runs(dbt_runs: list[Path], monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The same, as if the project had no other views than these few."""
    run_dbt = building._run_dbt

    def small(path: Path, select: str | None, unwanted: list[str]) -> Any:
        return run_dbt(path, select or PART, unwanted)

    monkeypatch.setattr(building, "_run_dbt", small)
    return dbt_runs


def written(world: World, folder: Path) -> Path:
    folder.mkdir()
    return world.write(folder / "warehouse.duckdb")


@contextmanager
def held(path: Path, seconds: float) -> Iterator[int]:
    """Let another process write to a warehouse for so long; yield its id."""
    holding = (
        "import sys, time; from pathlib import Path\n"
        "from warehouse.store.connection import writing\n"
        "with writing(Path(sys.argv[1])):\n"
        "    print('held', flush=True); time.sleep(float(sys.argv[2]))"
    )
    command = [sys.executable, "-c", holding, str(path), str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        try:
            yield holder.pid
        finally:
            holder.kill()


def is_locked(path: Path) -> bool:
    """Whether a process has the lock on a file or folder, which may not be there."""
    if not path.exists():
        return False
    file = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


def test_a_build_that_waits_sends_what_the_other_kept(
    small_runs: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two builds begin where nothing is kept: dbt makes one, and the other sends what it sent."""
    first, second = (written(World(), tmp_path / name) for name in ("first", "second"))
    reports = []
    other = threading.Thread(target=lambda: reports.append(build(second)))
    run_dbt = building._run_dbt

    def beside_another(*how: Any) -> Any:
        other.start()
        deadline = time.monotonic() + 30
        while not is_waited_for(tmp_path / "sent" / "lock") and time.monotonic() < deadline:
            time.sleep(0.05)
        return run_dbt(*how)

    monkeypatch.setattr(building, "_run_dbt", beside_another)
    report = build(first)
    other.join()
    assert small_runs == [first]
    assert [each.views for each in reports] == [report.views]


def is_waited_for(lock: Path) -> bool:
    """Whether somebody waits for a lock on a file."""
    number = str(lock.stat().st_ino)
    lines = Path("/proc/locks").read_text().splitlines()
    return any("->" in line and f":{number} " in line for line in lines)


def test_a_failing_data_test_is_that_of_dbt(small_runs: list[Path], tmp_path: Path) -> None:
    good = World()
    good.run("r0", 0)
    build(written(good, tmp_path / "good"))
    bad = World()
    bad.run("r0", 0)
    problem = bad.release("toy", "toy", 1, "r0")[0]
    program = bad.program("c", problem, bad.admission(problem, "calibrated", "split", "r0"))
    bad.outcome(program, 1, "passed", "r0")
    bad.raw["outcome"][0]["n_passed"] = 2
    path = written(bad, tmp_path / "bad")
    for select in (None, PART):
        with pytest.raises(CheckFailed, match="outcome_passed_means_all"):
            build(path, select=select)
    assert small_runs == [tmp_path / "good" / "warehouse.duckdb", path, path]


def test_a_statement_that_fails_hands_the_build_to_dbt(
    small_runs: list[Path], tmp_path: Path
) -> None:
    first = written(World(), tmp_path / "first")
    report = build(first)
    (kept,) = (tmp_path / "sent").rglob("*.kept")
    wrong = read_kept(kept)
    (last,) = (each for each in wrong["nodes"] if each["relation"] == "main.execution_runs_v1")
    for statement in wrong["statements"]:
        if statement[0] == last["name"] and "create" in statement[1]:
            statement[1] = "selec 1"
    write_kept(kept, wrong)
    part = written(World(), tmp_path / "part")
    assert set(build(part, select=PART).views) == set(report.views)
    again = written(World(), tmp_path / "again")
    assert build(again).views == report.views
    assert small_runs == [first, part, again]
    third = written(World(), tmp_path / "third")
    assert build(third).tests_passed == report.tests_passed
    assert small_runs == [first, part, again], "what dbt sent the third time is kept"


def test_a_part_is_that_of_the_whole(
    small_runs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before all was ever built, a warehouse without rows tells what dbt sends.

    The part is made two nodes at a time, the whole one node after the other.
    """
    world = World()
    world.run("r0", 0)
    part = build(written(world, tmp_path / "part"), select=PART)
    (without_rows,) = small_runs
    assert not without_rows.exists()
    monkeypatch.setattr(sending, "SIDE_BY_SIDE", -1)
    whole = build(written(world, tmp_path / "whole"))
    assert sorted(part.views) == sorted(whole.views)
    assert sorted(part.tests_passed) == sorted(whole.tests_passed)
    made, wanted = (relations(tmp_path / name / "warehouse.duckdb") for name in ("part", "whole"))
    assert made == wanted
    assert made["main.execution_runs"] == made["main.execution_runs_v1"] != []
    assert len(small_runs) == 1


def test_another_state_of_the_project_keeps_its_own_statements(
    small_runs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = written(World(), tmp_path / "first")
    build(first)
    monkeypatch.setattr(keeping, "project_state", lambda: "f" * 64)
    second = written(World(), tmp_path / "second")
    build(second)
    assert small_runs == [first, second]
    assert STORE.find() is not None
    monkeypatch.setattr(keeping, "project_state", lambda: "e" * 64)
    build(first, select=PART, force=True)
    assert small_runs == [first, second, first], "a part of what was built is dbt's"


def test_a_damaged_file_is_no_file(small_runs: list[Path], tmp_path: Path) -> None:
    first = written(World(), tmp_path / "first")
    build(first)
    (kept,) = (tmp_path / "sent").rglob("*.kept")
    whole = read_kept(kept)
    text = kept.read_text()
    changed = (text.replace('"nodes": [\n{', '"nodes": [\n[{'), text.replace("create", "drop"))
    for damaged in ("", "[]", "{}", "\0", text[:-9], *changed):
        assert damaged != text
        kept.write_text(damaged)
        assert STORE.find() is None, damaged[:99]
    for strange in ([], {}, {"statements": [], "nodes": [], "built": [[], [], []]}):
        write_kept(kept, strange)
        assert STORE.find() is None, strange
    again = written(World(), tmp_path / "again")
    build(again)
    assert small_runs == [first, again]
    found = read_kept(kept)["built"]
    assert list(map(sorted, found)) == list(map(sorted, whole["built"]))


def test_what_cannot_be_kept_is_built_all_the_same(small_runs: list[Path], tmp_path: Path) -> None:
    (tmp_path / "sent").mkdir()
    (tmp_path / "sent" / "statements").write_text("in the way")
    first = written(World(), tmp_path / "first")
    again = written(World(), tmp_path / "again")
    assert build(first).views == build(again).views
    assert small_runs == [first, again]
    part = written(World(), tmp_path / "part")
    assert set(build(part, select=PART).views) == set(build(first, force=True).views)


def test_a_warehouse_in_use_is_waited_for_and_named(dbt_runs: list[Path], tmp_path: Path) -> None:
    path = written(World(), tmp_path / "first")
    one = keeping.SentStatement("", "select 1", None)
    STORE.write([one], [], keeping.Built(["a"], [], []))
    kept = STORE.find()
    assert kept is not None
    with held(path, 60), pytest.raises(Locked, match="is in use by process"):
        sending.send(path, kept, 1024)
    assert dbt_runs == []


def test_no_other_build_comes_between_the_steps_of_one(
    small_runs: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One that made a part with new rows would hide from the first what else they change."""
    path = written(World(), tmp_path / "first")
    seen: list[bool] = []
    for name in ("forget_builds", "remember_rows"):
        original = getattr(building, name)

        def noted(*given: Any, original: Any = original) -> Any:
            seen.append(is_locked(path.parent))
            return original(*given)

        monkeypatch.setattr(building, name, noted)
    build(path)
    assert seen == [True, True]
    assert not is_locked(path.parent)
    assert small_runs == [path]


def test_a_part_is_built_where_all_fails_without_rows(
    small_runs: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A view of the user, or its data test, may need rows; another part does not."""
    path = written(World(), tmp_path / "first")

    def failing(*_: Any) -> keeping.Built:
        raise CheckFailed("1 failed: not_empty_mine (no rows)")

    monkeypatch.setattr(building, "_all_built", failing)
    assert build(path, select="errata").views == ["errata"]
    with pytest.raises(BadInput, match="there is no view 'errata_v1'"):
        building._part_built(path, "errata_v1")
    assert small_runs == [path, path]


def test_dbt_names_who_keeps_the_warehouse(tmp_path: Path) -> None:
    path = written(World(), tmp_path / "first")
    with held(path, 60) as pid, pytest.raises(Locked, match=f"is in use by process {pid} "):
        building._run_dbt(path, "stg_problem", ["test", "unit_test"])


def test_dbt_waits_for_who_keeps_the_warehouse_for_a_moment(tmp_path: Path) -> None:
    path = written(World(), tmp_path / "first")
    building._run_dbt(path, "stg_problem", ["test", "unit_test"])  # parsed once
    with held(path, 3):
        built = building._run_dbt(path, "stg_problem", ["test", "unit_test"])
    assert building._sort_results(built).views == ["stg_problem"]


def test_each_checkout_has_its_own(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    here = project.dbt_dir()
    monkeypatch.setattr(project, "project_dir", lambda: Path("/elsewhere/dbt"))
    assert project.dbt_dir() != here, "what dbt has parsed names files of its checkout"
    assert project.dbt_dir().parent == here.parent
