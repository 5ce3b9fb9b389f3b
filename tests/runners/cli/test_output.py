"""What commands print: the leaderboard on a terminal and off it, records, JSON, files."""

import json
import os
import pty
import re
import sys
from pathlib import Path

import pytest

from tests.data import ROOT
from tests.support.commands import assay, refused, shell


def test_the_leaderboard_keeps_simulated_apart(published: Path) -> None:
    shown = assay("leaderboard").stdout
    real, simulated = shown.split("humaneval, simulated language models")
    assert "50.0 [40.0, 60.0]" in real
    assert "planted" not in real
    assert "90.0 [80.0, 95.0]" in simulated
    assert "leaderboard_v1" in simulated
    assert len(json.loads(assay("leaderboard", "--json", "--no-simulated").stdout)) == 3
    assert len(json.loads(assay("leaderboard", "--json", "--simulated").stdout)) == 1
    assert "NULL" not in assay("leaderboard", "--columns", "lm,csim_at_10").stdout


def on_a_terminal(width: int, *arguments: str) -> str:
    """Run a command line on a terminal; return what it shows, without colours."""
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        os.environ.update(COLUMNS=str(width), TERM="dumb")
        os.execv(sys.executable, [sys.executable, "-m", "runners.cli.main", *arguments])
    shown = b""
    while True:
        try:
            piece = os.read(fd, 65536)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        shown += piece
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    return re.sub(r"\x1b\[[0-9;]*m", "", shown.decode()).replace("\r\n", "\n")


@pytest.mark.parametrize("width", [40, 80])
def test_the_leaderboard_fits_the_terminal(published: Path, width: int) -> None:
    shown = on_a_terminal(width, "leaderboard")
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= width
    assert "50.0 [40.0, 60.0]" in shown or "no room for" in shown
    assert "gpt_4 & co" in shown


def test_outside_a_terminal_the_leaderboard_is_whole(published: Path) -> None:
    shown = shell("leaderboard", COLUMNS="30").stdout
    assert "no room for" not in shown
    assert re.search(r"gpt_4 & co +120 +50.0 \[40.0, 60.0\] +10.0\n", shown)


def test_too_many_columns_become_records(published: Path) -> None:
    wide = ", ".join(f"{i} as column_{i}" for i in range(40))
    lines = shell("sql", f"select {wide}").stdout.splitlines()
    assert lines[0] == "row 1"
    assert lines[8].split() == ["column_7", "7"]
    assert lines[-1] == "1 row"


def test_publish_and_export_answer_scripts(published: Path, tmp_path: Path) -> None:
    assert json.loads(assay("publish", "--json").stdout)["fresh"] is False
    done = assay("export", "leaderboard", "--format", "latex", "--out", str(tmp_path), "--json")
    report = json.loads(done.stdout)
    assert report["n_rows"] == 4
    assert Path(report["path"]).read_text().count("\\") > 10
    assert "nowhere" in refused("export", "leaderboard", "--out", "/nowhere/x.csv", code=1)


def test_what_there_is_instead_is_named(published: Path, tmp_path: Path) -> None:
    line = refused("leaderboard", "--columns", "lm,nope", code=3)
    assert "no column 'nope' in leaderboard_v1; available: rank, dataset, lm," in line
    assert "no column 'nope'; available: rank," in refused(
        "export", "leaderboard", "--columns", "nope", code=3
    )
    line = refused("leaderboard", "--view-version", "9", code=3)
    assert line.endswith("there is no view leaderboard_v9: versions of leaderboard are 1, 2")


def test_an_output_that_cannot_be_written_leaves_nothing(published: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    for format in ("csv", "md", "latex", "parquet"):
        arguments = ("export", "leaderboard", "--format", format, "--out")
        assert refused(*arguments, "/nowhere/x", code=1) == (
            "error: /nowhere/x: cannot be written: there is no folder /nowhere"
        )
    arguments = ("export", "leaderboard", "--out")
    below = tmp_path / "file" / "x.csv"
    assert "lies below something that is no folder" in refused(*arguments, str(below), code=3)
    line = refused(*arguments, "/proc/x.csv", code=1)
    assert line.startswith("error: /proc/x.csv: cannot be written: ")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "kept"
