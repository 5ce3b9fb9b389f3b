"""Status and doctor, and files of the home that are spoilt."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from runners.cli import main
from tests.support.commands import assay, refused


def test_a_database_file_that_is_none_is_named(published: Path, tmp_path: Path) -> None:
    home = tmp_path / "spoilt"
    home.mkdir()
    path = home / "warehouse.duckdb"
    whole = (published / "warehouse.duckdb").read_bytes()
    for spoilt, reason in (
        (whole[:5000], ": the database file is cut short"),
        (whole[: len(whole) // 2], ": the database file is cut short"),
        (b"hello", " is not a database file"),
    ):
        path.write_bytes(spoilt)
        line = refused("--home", str(home), "status", code=1)
        assert line == (
            f"error: {path}{reason}: restore a backup, or move the file away to start with an "
            "empty warehouse"
        )
    spoilt_sql = ("--home", str(home), "sql", "--warehouse", "select 1")
    assert "is not a database file" in refused(*spoilt_sql, code=1)
    path.unlink()
    path.mkdir()
    assert "is a folder; a database file is needed" in refused(
        "--home", str(home), "ingest", "starter", code=1
    )


def test_a_disk_that_is_read_only_is_named_and_no_backup_is_needed(
    published: Path, tmp_path: Path
) -> None:
    """In a namespace with another disk, which is made read-only."""
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(published / "warehouse.duckdb", tmp_path)
    commands = (
        "mount -t tmpfs none $1 && cp $2 $1 && mount -o remount,ro $1 && "
        "exec $3 -m runners.cli.main --home $1 ingest starter"
    )
    arguments = [str(home), str(tmp_path / "warehouse.duckdb"), sys.executable]
    made = subprocess.run(
        ["unshare", "-rm", "sh", "-c", commands, "sh", *arguments],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "unshare" in made.stderr or "mount" in made.stderr:
        pytest.skip(f"no mounts in a namespace here: {made.stderr}")
    assert made.returncode == 1
    assert made.stderr.splitlines() == [
        f"error: {home}/warehouse.duckdb: read-only file system: make its disk writable, or "
        "choose another home with --home"
    ]


def test_a_spoilt_snapshot_says_how_to_make_another(published: Path, tmp_path: Path) -> None:
    home = tmp_path / "spoilt"
    shutil.copytree(published / "snapshots", home / "snapshots", symlinks=True)
    folder = (home / "snapshots" / "current").resolve()
    folder.chmod(0o755)
    database = folder / "assay.duckdb"
    database.chmod(0o644)
    os.truncate(database, 5000)
    line = refused("--home", str(home), "leaderboard", code=1)
    assert line == (
        f"error: {database}: the database file is cut short: run `assay publish --force`"
    )


def test_status_counts_what_is_there_and_what_is_pending(home: Path) -> None:
    assert assay("ingest", "starter").returncode == 0
    drawn = ["generate", "--backend", "planted", "--lm", "coin", "--dataset", "starter"]
    assert assay(*drawn, "-n", "2", "-o", "pass_rate=0.5").returncode == 0
    found = json.loads(assay("status", "--json").stdout)
    n_problems = found["datasets"][0]["n_problems"]
    assert found["generations"] == [
        {
            "dataset": "starter",
            "lm": "coin",
            "simulated": True,
            "n_generations": 2 * n_problems,
            "n_reflections": 0,
            "n_judged": 0,
            "n_pending": 2 * n_problems,
        }
    ]
    assert found["pending"] == {
        "generations": 2 * n_problems,
        "programs": 0,
        "problems_not_admitted": n_problems,
        "spooled_shards": 0,
        "build": True,
    }
    assert [run["kind"] for run in found["runs"]] == ["generate", "ingest"]
    assert found["snapshot"]["snapshot_id"] is None
    shown = assay("status").stdout
    assert f"{2 * n_problems} generations not yet turned into programs" in shown


def test_doctor_finds_datasets_by_checksum(home: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "renamed.bin").write_bytes(b"not a dataset")
    (data / "MANIFEST.csv").write_text(f"file,sha256\nrenamed.bin,{'0' * 64}\n")
    done = assay("doctor", "--data", str(data), "--json")
    found = json.loads(done.stdout)
    assert done.returncode == (0 if found["isolation"]["best"] else 5)
    assert "1 missing or unlike MANIFEST.csv: renamed.bin" in found["data"]["state"]
    assert {entry["dataset"]: entry["file"] for entry in found["data"]["datasets"]} == {
        "starter": None,
        **dict.fromkeys(["humaneval", "humaneval_plus", "mbpp", "mbpp_sanitized", "mbpp_plus"]),
        **dict.fromkeys(["codecontests", "apps", "defects4j", "manysstubs4j", "codereviewer"]),
        **dict.fromkeys(["arcade", "cruxeval_input", "cruxeval_output", "evoeval", "classeval"]),
        **dict.fromkeys(["humaneval_x_js", "humaneval_x_java", "humaneval_x_cpp"]),
        "humaneval_x_rust": None,
    }
    assert found["home"]["writable"]


def test_doctor_refuses_a_data_folder_that_does_not_exist(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main.run(["doctor", "--data", "nowhere"]) == 3
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "error: nowhere: no such folder\n")
    # a setting for all commands is part of what doctor reports
    monkeypatch.setenv("ASSAY_DATA", "nowhere")
    assert main.run(["doctor"]) == 0
    assert "no such folder" in capsys.readouterr().out


def test_doctor_without_isolation_is_5(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    none = {"contains": False, "works": False, "reason": "not here", "effects": {}}
    monkeypatch.setattr(
        "runners.judging.sandbox.walls.probe.probe",
        lambda: {"best": None, "levels": {"ns+seccomp": none}},
    )
    assert main.run(["doctor"]) == 5
    shown = capsys.readouterr()
    assert "none is safe here" in shown.out
    assert "not here" in shown.out
    assert "--isolation none" in shown.err
