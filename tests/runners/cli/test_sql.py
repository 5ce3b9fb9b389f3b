"""The command sql: limits, interruption, and what it prints."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from runners.cli.commands import sql
from tests.data import ROOT
from tests.support.commands import refused, shell, started
from warehouse import errors

ENDLESS = "select count(*) from range(100000000000) a, range(1000) b where hash(a, b) = 1"


def child_of(pid: int) -> int:
    """Return the process that answers the queries of a running ``assay sql``."""
    (found,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(found)


def test_interrupted_is_130(published: Path) -> None:
    running = started("sql", ENDLESS, stderr=subprocess.PIPE)
    try:
        used = 0
        while used < 2 * os.sysconf("SC_CLK_TCK"):  # two seconds of CPU: the query is under way
            time.sleep(0.1)
            with suppress(ValueError):
                child = child_of(running.pid)
                used = sum(map(int, Path(f"/proc/{child}/stat").read_text().split()[13:15]))
        running.send_signal(signal.SIGINT)
        _, shown = running.communicate(timeout=20)
    finally:
        running.kill()
    assert running.returncode == 130
    assert "Traceback" not in shown
    assert shown.strip() == "error: interrupted"
    assert not Path(f"/proc/{child}").exists()


def peak_kb(*arguments: str) -> tuple[str, int]:
    """Run a command line that is refused; return its line and the most memory it ever held."""
    code = (
        "import resource, subprocess, sys; "
        "done = subprocess.run([sys.executable, '-m', 'runners.cli.main', *sys.argv[1:]]); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(done.returncode)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 3, done.stderr
    assert done.stderr.count("\n") == 1
    return done.stderr, int(done.stdout)


@pytest.mark.parametrize(
    "query",
    ["select range, repeat('x', 100) from range(40000000)", "select list(range) from range(1e9)"],
    ids=["rows", "engine"],
)
def test_a_query_keeps_to_its_memory(published: Path, query: str) -> None:
    arguments = ("sql", "--memory-mb", "64", "--json", query.replace("1e9", "1000000000"))
    line, peak = peak_kb(*arguments)
    assert line.startswith("error: the query was stopped at its limit of 64 MB of memory")
    assert "--memory-mb" in line
    assert peak < 400_000


def test_a_query_keeps_to_its_time(published: Path) -> None:
    began = time.monotonic()
    line = refused("sql", "--timeout", "0.5", ENDLESS, code=3, run=shell)
    assert line.startswith("error: the query was stopped after 0.5 s")
    assert "--timeout" in line
    assert time.monotonic() - began < 60


@pytest.mark.long(seconds=10)
def test_the_time_of_who_reads_the_output_does_not_count(published: Path) -> None:
    query = "select range, repeat('x', 100) as x from range(30000)"
    running = started("sql", "--csv", "--timeout", "5", query, stdout=subprocess.PIPE)
    assert running.stdout
    assert running.stdout.readline() == "range,x\n"
    time.sleep(6)  # the pipe is full, and its writer waits
    assert len(running.stdout.readlines()) == 30_000
    assert running.wait() == 0


def test_the_child_dies_with_the_command(published: Path) -> None:
    running = started("sql", ENDLESS)
    child = None
    while child is None:
        with suppress(ValueError):
            child = child_of(running.pid)
    time.sleep(0.5)
    running.kill()
    running.wait()
    deadline = time.monotonic() + 10
    while Path(f"/proc/{child}").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_reader_that_leaves_is_no_trouble(published: Path) -> None:
    command = f"{sys.executable} -m runners.cli.main sql --csv 'from range(300000)' | head -n 2"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "range\n0\n"
    assert done.stderr == ""


@pytest.mark.parametrize("layout", ["", "--csv", "--json"])
def test_a_reader_that_has_left_is_no_trouble(published: Path, layout: str) -> None:
    query = f"{sys.executable} -m runners.cli.main sql {layout} 'from range(300)'"
    done = subprocess.run(
        f"({query}; echo exit $? >&2) | true", shell=True, cwd=ROOT, capture_output=True, text=True
    )
    assert done.stderr == "exit 1\n"  # and no word of a limit


def test_sql_prints_tables_json_and_csv(published: Path) -> None:
    statement = "select lm, csim_at_10 from leaderboard where rank = 1 order by lm"
    table = shell("sql", statement).stdout.splitlines()
    assert table[0].split() == ["lm", "csim_at_10"]
    assert table[1].split() == ["b%#$", "NULL"]
    assert json.loads(shell("sql", "--json", statement).stdout)[1] == {
        "lm": "gpt_4 & co",
        "csim_at_10": 0.1,
    }
    assert shell("sql", "--csv", text=statement).stdout.splitlines()[:2] == [
        "lm,csim_at_10",
        "b%#$,",
    ]
    assert shell("sql", "select 1 as a; select 2 as b").stdout.split()[:1] == ["a"]
    kinds = "select 'nan'::double as n, date '2026-01-02' as d, [1, null] as l, {'a': 1.5} as s"
    assert json.loads(shell("sql", "--json", kinds).stdout) == [
        {"n": "nan", "d": "2026-01-02", "l": [1, None], "s": {"a": 1.5}}
    ]
    assert shell("sql", "--csv", kinds).stdout.splitlines()[1] == (
        'nan,2026-01-02,"[1, null]","{""a"": 1.5}"'
    )


def test_data_does_not_drive_the_terminal(published: Path) -> None:
    shown = shell("sql", "select chr(27) || '[31mred[/]' as a, '[bold]x[/bold]' as b").stdout
    assert "\x1b" not in shown
    assert r"\x1b[31mred[/]" in shown
    assert "[bold]x[/bold]" in shown


def test_csv_for_spreadsheets_runs_no_formula(published: Path) -> None:
    cells = "'=1+1' as a, '-2' as b, -2 as c, chr(9) || 'x' as d, 'a' || chr(27) || '[31m' as e"
    assert shell("sql", "--csv", f"select {cells}").stdout.splitlines()[1] == (
        r"'=1+1,'-2,-2,'" + "\tx" + r",a\x1b[31m"
    )
    assert shell("sql", "--csv", "--raw", f"select {cells}").stdout.splitlines()[1] == (
        "=1+1,-2,-2,\tx,a\x1b[31m"
    )


def test_sql_on_standard_input_must_be_utf8(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"select '\xff'")))
    with pytest.raises(errors.BadInput, match="not UTF-8"):
        sql.read_standard_input()
