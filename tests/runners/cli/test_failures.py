"""Failures of commands: one line, and one exit code for each kind."""

import errno
import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from runners.cli import main
from tests.data import ROOT
from tests.support.commands import assay, held, refused, shell
from warehouse import errors
from warehouse.store import connection


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("pipe", "is a named pipe, not a folder"),
        ("loop", "leads in a circle of symbolic links"),
        ("dangling", "is a symbolic link to nothing"),
        ("file", "is a file, not a folder"),
        ("file/home", "lies below something that is no folder"),
    ],
)
def test_what_can_be_no_home_is_said(
    name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "dangling").symlink_to("nothing")
    (tmp_path / "file").touch()
    before = sorted(tmp_path.iterdir())
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / name))
    for command in (["status"], ["ingest", "starter"], ["sql", "select 1"], ["doctor"]):
        line = refused(*command, code=3, run=assay)
        assert f"{tmp_path / name}: {reason}: choose another home with --home" in line
    assert assay("config", "list").returncode == 0, "what needs no home has none"
    assert sorted(tmp_path.iterdir()) == before
    if "/" not in name and name != "file":
        line = refused("doctor", "--data", str(tmp_path / name), code=3, run=assay)
        assert reason in line or "choose another home" in line


def test_a_user_who_is_not_there_has_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no such user" in refused("--home", "~no_such_user/x", "status", code=3, run=assay)
    monkeypatch.setenv("ASSAY_HOME", "~no_such_user")
    assert "no such user" in refused("status", code=3, run=assay)


def test_a_folder_of_the_home_that_is_a_file_is_named(home: Path) -> None:
    home.mkdir()
    (home / "snapshots").touch()
    line = refused("publish", code=3, run=assay)
    assert f"{home / 'snapshots'}: is a file, not a folder: move it away" in line
    (home / "locks").touch()
    line = refused("execute", code=1, run=assay)
    assert f"{home / 'locks'}: something else is where a folder is needed" in line


def test_json_loses_no_column(published: Path) -> None:
    doubled = "select 1 as a, 2 as a"
    line = refused("sql", "--json", doubled, code=3)
    assert "two columns are named 'a'" in line
    assert "rename one with `as`" in line
    assert shell("sql", "--csv", doubled).stdout.splitlines()[0] == "a,a"


def test_what_is_missing_is_one_line(home: Path) -> None:
    missing = "no warehouse: run `assay ingest starter`"
    assert missing in refused("sql", "select 1", code=1, run=shell)
    assert "run `assay ingest" in refused("status", code=1)
    assert "nope.toml" in refused("nightly", "--config", "nope.toml", code=3)
    assert "nope" in refused("--home", "/proc/nope", "ingest", "starter", code=1, run=shell)


def test_bad_input_is_3(published: Path) -> None:
    assert "reads tables and views only" in refused("sql", "from read_csv('/x')", code=3)
    assert "only reading" in refused("sql", "attach 'x'", code=3, run=shell)
    assert "leaderboard_v9" in refused("leaderboard", "--view-version", "9", code=3)
    assert "' or 1 = 1" in refused("leaderboard", "--dataset", "' or 1 = 1 --", code=3)
    assert "no view named" in refused("export", 'x"; drop table y; --', code=3)
    assert "not UTF-8" in refused("sql", "select '\udcff'", code=3)
    assert "one SQL statement" in refused("sql", "--csv", "select 1; select 2", code=3)


def test_a_locked_warehouse_is_4_and_names_the_holder(
    published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient = partial(connection.reading, wait_s=0.1)
    monkeypatch.setattr("warehouse.store.connection.reading", impatient)
    with held(published / "warehouse.duckdb") as pid:
        assert f"process {pid}" in refused("leaderboard", "--warehouse", code=4)
        found = json.loads(assay("doctor", "--json").stdout)
        assert found["warehouse"]["locked"]
        assert str(pid) in found["warehouse"]["state"]
        assert shell("sql", "select 1").returncode == 0, "the snapshot is not locked"


def raising(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> int:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr("warehouse.snapshot.publish.publish", fail)
    return main.run(["publish"])


FAILURES = [
    (errors.IsolationRefused("no level"), 5, "no level"),
    (errors.CheckFailed("two\nlines"), 6, "two lines"),
    (errors.Locked("held"), 4, "held"),
    (errors.BadInput("odd", path="f.jsonl", row=3), 3, "f.jsonl:3: odd"),
    (OSError(errno.ENOSPC, "x", "/a/b"), 1, "/a/b: the disk is full"),
    (OSError(errno.EROFS, "x", "/a/b"), 1, "/a/b: the file system is read-only"),
    (PermissionError(errno.EACCES, "x", "/a/b"), 1, "/a/b: permission denied"),
    (KeyboardInterrupt(), 130, "interrupted"),
    (KeyError("inner"), 1, "unexpected KeyError: 'inner' (ASSAY_DEBUG=1 shows the traceback)"),
]


@pytest.mark.parametrize(("error", "code", "line"), FAILURES, ids=lambda value: str(value)[:30])
def test_failures_are_one_line(
    error: BaseException,
    code: int,
    line: str,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert raising(monkeypatch, error) == code
    assert capsys.readouterr().err.strip() == f"error: {line}"


def test_the_traceback_is_shown_on_request(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASSAY_DEBUG", "1")
    raising(monkeypatch, KeyError("inner"))
    shown = capsys.readouterr().err
    assert "Traceback" in shown
    assert "ASSAY_DEBUG" not in shown


ENDLESS = """
import sys, time
import click
from runners.cli import main
from runners.progress import track
@click.command()
def command():
    for _ in track([1], 1, "similarity", enabled=False):
        print("begun", flush=True)
        time.sleep(60)
main.COMMANDS["similarity"] = "__main__:command"
sys.argv = ["assay", "similarity"]
main.main()
"""


def test_a_termination_is_taken_as_ctrl_c(home: Path) -> None:
    """What supervisors and batch systems send; no file of the progress stays behind."""
    running = subprocess.Popen(
        [sys.executable, "-c", ENDLESS],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout
    assert running.stdout.readline() == "begun\n"
    assert list((home / "running").glob("*.json"))
    running.terminate()
    _, said = running.communicate(timeout=30)
    assert (running.returncode, said.strip()) == (main.INTERRUPTED, "error: interrupted")
    assert not list((home / "running").iterdir())


def ended(script: str) -> tuple[int, str, str]:
    """Run Python in a new process; return its code, and what it wrote to both outputs."""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=30
    )
    return done.returncode, done.stdout, done.stderr


IMPATIENT = """
import os, signal, sys
import click
from runners.cli import main
report = main._failed
def pressed_again(lines, code):
    code = report(lines, code)
    os.kill(os.getpid(), signal.SIGINT)
    return code
@click.command()
def command():
    os.kill(os.getpid(), signal.SIGINT)
main.COMMANDS["similarity"] = "__main__:command"
main._failed = pressed_again
sys.argv = ["assay", "similarity"]
main.main()
"""


def test_a_second_ctrl_c_shows_no_traceback(home: Path) -> None:
    """It comes while the first is reported."""
    code, _, said = ended(IMPATIENT)
    assert (code, said.strip()) == (main.INTERRUPTED, "error: interrupted")


LATE = """
import atexit, os, sys
from runners.cli import main
atexit.register(lambda: os.kill(os.getpid(), int(os.environ["LATE"])))
sys.argv = ["assay", "--version"]
main.main()
"""


@pytest.mark.parametrize("late", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_after_the_end_shows_no_traceback(
    home: Path, late: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LATE", str(int(late)))
    code, printed, said = ended(LATE)
    assert (code, said) == (-late, "")
    assert printed.startswith("assay ")
