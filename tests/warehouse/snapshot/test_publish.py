"""A snapshot is whole, readable by old and new engines, and swapped in at once or not at all."""

import errno
import json
import os
import stat
import struct
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from tests.data import ROOT
from tests.support.sql import rows
from tests.support.steps import publish
from tests.support.worlds.views import STRANGE, make_views, mark_built
from tests.warehouse.rows import language_model
from warehouse.checksums import file_sha256
from warehouse.errors import AssayError, CheckFailed
from warehouse.snapshot import snapshots
from warehouse.snapshot.query import opened, query
from warehouse.store.connection import writing
from warehouse.store.runs import recorded

FLAT = {"VARCHAR", "BIGINT", "INTEGER", "DOUBLE", "BOOLEAN", "TIMESTAMP", "DATE"}


def add_row(name: str) -> None:
    with recorded("test", settings={}) as run:
        run.append([language_model(name, run.run_id)])


def test_a_snapshot_holds_the_views_and_the_narrow_rows(home: Path) -> None:
    add_row("a")
    make_views(strange=True)
    report = publish()
    assert report.fresh
    snapshot = snapshots.current()
    assert (
        query("select lm from leaderboard order by lm").rows
        == query("select lm from leaderboard_v1 order by lm").rows
    )
    assert query("select lm, n_parameters from raw.language_model").rows == [("a", 70_000_000_000)]
    assert snapshot.versions == {"leaderboard": "leaderboard_v1"}
    with opened() as reader:
        names = {(schema, name) for schema, name, _ in reader.tables()}
        columns = reader.one("select table_name, column_name, data_type from duckdb_columns() "
                             "where not internal").rows  # fmt: skip
        assert (
            reader.one("select seen_at from leaderboard where rank = 1 and n_samples = 120")
            .rows[0][0]
            .isoformat()
            == "2026-01-02T02:04:05"
        )
    assert ("main", STRANGE) in names
    assert ("raw", "generation_text") not in names
    assert ("problem", "prompt") not in {(table, column) for table, column, _ in columns}
    assert {kind for _, _, kind in columns} <= FLAT
    for name, facts in snapshot.manifest["files"].items():
        assert file_sha256(snapshot.folder / name) == facts["sha256"]
    assert snapshots.verify_current() == len(snapshot.manifest["files"])
    n_rows = {name: facts["rows"] for name, facts in snapshot.manifest["tables"].items()}
    assert n_rows["main.leaderboard_v1"] == 4
    assert n_rows["raw.language_model"] == 1
    parquet = snapshot.folder / "parquet" / "leaderboard_v1.parquet"
    assert duckdb.sql(f"select count(*) from '{parquet}'").fetchall() == [(4,)]


def test_the_file_is_of_the_oldest_format(published: Path) -> None:
    header = snapshots.current().database.read_bytes()[:20]
    assert header[8:12] == b"DUCK"
    # 64 is what DuckDB 0.9 to 1.1 wrote; duckdb-wasm 1.4 reads 64 to 67
    assert struct.unpack("<Q", header[12:20]) == (64,)


def test_a_table_macro_comes_along(home: Path) -> None:
    make_views()
    with writing() as con:
        con.execute(
            "create macro main.above(least) as table (with every as (select * from "
            "main.leaderboard_v1) select list_filter([1, 2, 3], lambda one: one >= least) as kept, "
            "lm from every)"
        )
    publish()
    rows = query("select distinct kept from above(2)").rows
    assert rows == [([2, 3],)]
    assert struct.unpack("<Q", snapshots.current().database.read_bytes()[12:20]) == (64,)


def test_nobody_may_write(published: Path) -> None:
    folder = snapshots.current().folder
    for path in [folder, *folder.rglob("*")]:
        assert not path.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH), path


def test_texts_come_when_asked_for(home: Path) -> None:
    make_views()
    publish(with_texts=True)
    assert query("select count(*) from raw.generation_text").rows == [(0,)]
    assert query("select prompt from raw.problem").rows == []


@pytest.mark.parametrize("with_texts", [False, True])
def test_what_calibrate_reads_row_by_row_comes_when_asked_for(home: Path, with_texts: bool) -> None:
    with writing() as con:
        con.execute("create view calibration_pairs_v1 as select 1 as subject_no")
        con.execute("create view calibration_pairs as select * from main.calibration_pairs_v1")
    mark_built()
    publish(with_texts=with_texts)
    tables = [name for (name,) in query("show tables").rows]
    assert ("calibration_pairs_v1" in tables) == ("calibration_pairs" in tables) == with_texts


def test_published_again_only_when_something_changed(home: Path) -> None:
    make_views()
    first = publish()
    assert not publish().fresh
    add_row("new")
    with pytest.raises(AssayError, match="run `assay build`"):
        publish()
    assert snapshots.current().snapshot_id == first.snapshot_id
    mark_built()
    second = publish(keep=2)
    assert second.fresh
    assert second.removed == []
    third = publish(force=True, keep=2)
    assert third.removed == [first.snapshot_id]
    assert snapshots.current().snapshot_id == third.snapshot_id


def test_snapshots_share_the_files_that_did_not_change(home: Path) -> None:
    make_views()
    first, folder = publish(), snapshots.current().folder
    assert first.n_bytes_shared == 0
    add_row("new")
    mark_built()
    second, newer = publish(), snapshots.current().folder
    assert 0 < second.n_bytes_shared < second.n_bytes
    same = {
        path.relative_to(newer)
        for path in newer.rglob("*")
        if path.is_file() and path.stat().st_nlink == 2
    }
    assert Path("parquet/leaderboard_v1.parquet") in same
    assert Path("parquet/raw/language_model.parquet") not in same
    assert Path(snapshots.DATABASE) not in same
    for name in same:
        assert (folder / name).samefile(newer / name)
    assert sum((newer / name).stat().st_size for name in same) == second.n_bytes_shared
    assert publish(force=True, keep=1).removed == [second.snapshot_id, first.snapshot_id]
    assert query("select count(*) from leaderboard_v1").rows[0][0] > 0
    assert snapshots.verify_current() > 0


def test_a_damaged_file_of_the_snapshot_before_is_not_shared(home: Path) -> None:
    make_views()
    publish()
    path = snapshots.current().folder / "parquet" / "leaderboard_v1.parquet"
    path.chmod(0o644)
    path.write_bytes(bytes(path.stat().st_size))
    publish(force=True)
    assert query("select count(*) from leaderboard_v1").rows[0][0] > 0
    assert (
        snapshots.current().folder.joinpath("parquet", path.name).read_bytes() != path.read_bytes()
    )


def test_a_link_in_the_snapshot_before_is_not_shared(home: Path, tmp_path: Path) -> None:
    make_views()
    publish()
    path = snapshots.current().folder / "parquet" / "leaderboard_v1.parquet"
    (tmp_path / "elsewhere").write_bytes(path.read_bytes())
    path.parent.chmod(0o755)
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    publish(force=True)
    fresh = snapshots.current().folder / "parquet" / path.name
    assert fresh.is_file()
    assert not fresh.is_symlink()


def test_without_hard_links_each_snapshot_has_its_own_copy(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Path, target: Path) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    make_views()
    publish()
    monkeypatch.setattr(Path, "hardlink_to", refused)
    assert publish(force=True).n_bytes_shared == 0
    assert {path.stat().st_nlink for path in snapshots.current().folder.rglob("*.parquet")} == {1}


def test_snapshots_of_one_second_are_in_the_order_they_were_made(home: Path) -> None:
    make_views()
    made = [publish(force=True, keep=99).snapshot_id for _ in range(6)]
    assert publish(force=True, keep=2).removed == list(reversed(made[:-1]))


def test_views_must_be_built(home: Path) -> None:
    add_row("a")
    with pytest.raises(AssayError, match="run `assay build`"):
        publish()


def test_a_reader_keeps_what_it_opened(published: Path) -> None:
    with opened() as reader:
        assert reader.snapshot is not None
        add_row("new")
        mark_built()
        publish(keep=1)
        assert not reader.snapshot.folder.exists()
        assert reader.one("select count(*) from raw.language_model").rows == [(0,)]
        assert len(reader.one("select * from leaderboard").rows) == 4
    assert query("select count(*) from raw.language_model").rows == [(1,)]


def test_a_file_that_was_touched_is_found(published: Path) -> None:
    path = snapshots.current().folder / "parquet" / "leaderboard_v1.parquet"
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(CheckFailed, match="leaderboard_v1"):
        snapshots.verify_current()


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=os.environ, capture_output=True, text=True
    )


@pytest.mark.long
@pytest.mark.parametrize("step", ["write_database", "seal", "point_to"])
def test_a_publish_that_dies_leaves_the_old_one(published: Path, step: str) -> None:
    before = snapshots.current().snapshot_id
    died = run_python(
        "import os; from warehouse.snapshot import publish as p; "
        f"p.{step} = lambda *a: os._exit(9); p.publish(p.PublishSpec(force=True))"
    )
    assert died.returncode == 9
    assert snapshots.current().snapshot_id == before
    assert len(query("select * from leaderboard").rows) == 4
    after = publish(force=True)
    assert snapshots.current().snapshot_id == after.snapshot_id
    assert not list((published / "snapshots").glob(".*")), "what the dead one left is cleared away"


@pytest.mark.long
def test_a_full_disk_leaves_the_old_one(published: Path) -> None:
    before = snapshots.current().snapshot_id
    failed = run_python(
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)); "
        "from runners.cli.main import run; sys.exit(run(['publish', '--force']))"
    )
    assert failed.returncode == 1
    assert failed.stderr.startswith("error: ")
    assert str(published) in failed.stderr
    assert len(failed.stderr.splitlines()) == 1
    assert snapshots.current().snapshot_id == before
    assert not list((published / "snapshots").glob(".*"))


def test_publishing_does_not_change_the_warehouse(home: Path) -> None:
    make_views()
    before = file_sha256(home / "warehouse.duckdb")
    publish()
    assert file_sha256(home / "warehouse.duckdb") == before
    assert rows("select count(*) from leaderboard") == [(4,)]


@pytest.mark.slow
def test_duckdb_1_opens_it(home: Path, tmp_path: Path) -> None:
    make_views()
    publish()
    venv = tmp_path / "venv"
    uv = Path(sys.executable).with_name("uv")
    subprocess.run([uv, "venv", "--quiet", venv], check=True)
    python = venv / "bin" / "python"
    subprocess.run(
        [uv, "pip", "install", "--quiet", "--python", python, "duckdb==1.5.6"], check=True
    )
    code = (
        "import duckdb, json, sys; con = duckdb.connect(sys.argv[1], read_only=True); "
        "print(json.dumps(con.execute('select lm from leaderboard order by lm').fetchall()))"
    )
    done = subprocess.run(
        [python, "-c", code, snapshots.current().database], capture_output=True, text=True
    )
    assert json.loads(done.stdout) == [["b%#$"], ["gpt_4 & co"], ["planted"], ["third{}"]]
