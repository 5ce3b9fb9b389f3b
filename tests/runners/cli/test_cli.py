"""The command line: light to start, early to refuse, one line and one code for every failure."""

import errno
import io
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from runners.cli import main
from runners.cli.commands import sql
from runners.cli.main import COMMANDS, cli
from tests.support.worlds.views import make_views
from warehouse import errors
from warehouse.snapshot.publish import publish
from warehouse.store import connection

ROOT = Path(__file__).resolve().parents[3]
HEAVY = {
    *("pandas", "numpy", "pyarrow", "duckdb", "sqlalchemy", "sqlmodel", "pydantic", "dbt", "rich"),
    *("great_expectations", "sklearn", "openai", "libcst", "pooch", "importlib.metadata"),
}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("cli")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(folder))
        make_views()
        publish()
        yield folder


@dataclass(frozen=True)
class Done:
    """A command line that ran: its exit code and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def assay(*arguments: str, text: str = "") -> Done:
    """Run a command line in this process, as ``main`` does; not ``sql``, which forks."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setenv("COLUMNS", "120")
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        code = main.run(list(arguments))
    return Done(code, out.getvalue(), err.getvalue())


def shell(*arguments: str, text: str = "", **environment: str) -> Done:
    """Run a command line as a shell would, ``text`` on its standard input."""
    done = subprocess.run(
        [sys.executable, "-m", "runners.cli.main", *arguments],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "120", **environment},
        input=text,
        capture_output=True,
        text=True,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def refused(*arguments: str, code: int, run: Callable[..., Done] | None = None) -> str:
    """Run a command line, which must fail with one line; return the line."""
    done = (run or (shell if "sql" in arguments else assay))(*arguments)
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.strip()


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from runners.cli.main import COMMANDS, cli, run; "
        "run(['--help']); loaded = set(sys.modules); "
        "[run([name, '--help']) for name in COMMANDS]; "
        "print(*loaded, sep='\\n', file=sys.stderr); print('--', file=sys.stderr); "
        "print(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for_group, for_commands = (set(part.split()) for part in done.stderr.split("--\n"))
    assert "runners.cli.main" in for_group
    assert not for_group & HEAVY
    assert not for_commands & HEAVY
    assert not {name for name in for_group if name.startswith("runners.cli.")} - {
        "runners.cli.main"
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_examples_and_no_file_of_its_own(name: str, home: Path) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert (command.help or "").strip()
    assert f"assay {name}" in (command.epilog or "")
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
    assert CliRunner().invoke(cli, [name, "--help"]).exit_code == 0
    assert not home.exists(), "help writes nothing"


def test_every_module_is_a_command() -> None:
    there = {path.stem for path in (ROOT / "runners" / "cli" / "commands").glob("*.py")}
    assert there - {"__init__"} == {module for module, _ in COMMANDS.values()}


def test_no_limit_that_may_be_given_is_too_long_to_wait_for() -> None:
    from runners.cli.options import CPU_SECONDS
    from runners.judging.sandbox.types import MAX_WALL_S, Limits, wall_for
    from runners.judging.trials import _times

    assert CPU_SECONDS.max is not None
    longest = wall_for(5 * CPU_SECONDS.max + 10)  # of a reference that takes all it may
    limits = _times(Limits(cpu_s=1, wall_s=longest), 100)
    assert longest < limits.wall_s == MAX_WALL_S
    assert 2 * (limits.wall_s + 3 * limits.judge_cpu_s) * 1000 < 2**31, "a worker is given twice it"


def test_help_lists_every_truncation_rule() -> None:
    from ingest.answers.truncate import CANONICAL_IMPORTS, RULES
    from runners.tasks import counterfactual, repair, synthesis

    def words(command: str) -> set[str]:
        shown = CliRunner().invoke(cli, [command, "--help"]).output
        return set(re.findall(r"\w+", shown.partition("--truncate")[2].partition("  --")[0]))

    assert {*RULES, CANONICAL_IMPORTS} <= words("import")
    kept = [*synthesis.KEEP.values(), *counterfactual.KEEP.values(), synthesis.KEEP_MODULE]
    drawn = {repair.RULE, *synthesis.KEEP_PROGRAM}.union(*kept)
    assert drawn <= words("generate")
    assert drawn <= words("run")


def test_version() -> None:
    done = shell("--version")
    assert (done.returncode, done.stdout.split()[0]) == (0, "assay")


WRONG_USAGE = [
    (["nonsense"], "nonsense"),
    (["execute", "--nonsense"], "--nonsense"),
    (["execute", "--limit"], "--limit"),
    (["sql", "--json", "--csv", "select 1"], "--json"),
    (["sql", "--raw", "select 1"], "--raw"),
    (["ingest"], "NAME"),
    (["ingest", "mbpp", "humaneval", "--path", "x"], "--path"),
    (["export"], "VIEW"),
    (["export", "leaderboard", "--sql", "select 1"], "VIEW"),
    (["nightly"], "--config"),
]

GENERATE = ["generate", "--backend", "planted", "--lm", "a", "--dataset", "b", "-n"]
IMPORT = ["import", "f", "--format", "codet", "--dataset", "d", "--lm", "m"]
WRONG_VALUES = [
    (["sql", "--max-rows", "-1", "select 1"], "--max-rows"),
    (["sql", "--threads", "0", "select 1"], "--threads"),
    (["sql", "--timeout", "-1", "select 1"], "--timeout"),
    (["sql", "--timeout", "nan", "select 1"], "nan is not a finite number"),
    (["sql", "--timeout", "inf", "select 1"], "inf is not in the range"),
    (["sql", "--timeout", "1e300", "select 1"], "1e+300 is not in the range"),
    (["sql", "--memory-mb", "9" * 20, "select 1"], "--memory-mb"),
    (["sql", "--threads", "9" * 20, "select 1"], "--threads"),
    (["execute", "--cpu-limit", "nan"], "nan is not a finite number"),
    (["execute", "--cpu-limit", "inf"], "inf is not in the range"),
    (["execute", "--test-cpu-limit", "nan"], "--test-cpu-limit"),
    (["execute", "--reference-cpu-limit", "nan"], "--reference-cpu-limit"),
    (["execute", "--try-limits", "nan"], "--try-limits"),
    (["execute", "--try-limits", "1e300"], "--try-limits"),
    (["execute", "--memory-limit", "99999999999999"], "--memory-limit"),
    ([*GENERATE, "1", "--temperature", "nan"], "nan is not a finite number"),
    ([*GENERATE, "1", "--top-p", "nan"], "nan is not a finite number"),
    ([*GENERATE, "1", "--seed", "9" * 20], "--seed"),
    ([*GENERATE, "1", "--max-tokens", "9" * 20], "--max-tokens"),
    ([*GENERATE, "9" * 20], "is not in the range 1<=x<=100000"),
    ([*GENERATE, "1000000000"], "is not in the range 1<=x<=100000"),
    (["--home", "", "status"], "the empty text names no folder"),
    (["doctor", "--data", ""], "the empty text names no file or folder"),
    (["export", "leaderboard", "--out", ""], "the empty text names no file or folder"),
    ([*GENERATE, "0"], "-n"),
    ([*GENERATE, "many"], "'many' is not a whole number"),
    ([*GENERATE, "1", "--temperature", "warm"], "'warm' is not a number"),
    ([*GENERATE, "1", "-o", "x"], "NAME=VALUE"),
    ([*GENERATE, "1", "--mutation", "nope"], "--mutation"),
    ([*GENERATE, "1", "--backend", "nobody"], "--backend"),
    ([*IMPORT, "--temperature", "-1"], "--temperature"),
    ([*IMPORT, "--top-p", "1.5"], "--top-p"),
    ([*IMPORT, "--format", "xml"], "--format"),
    (["execute", "--workers", "-2"], "--workers"),
    (["execute", "--workers", "0"], "--workers"),
    (["execute", "--limit", "0"], "--limit"),
    (["execute", "--isolation", "hope"], "--isolation"),
    (["similarity", "--max-samples", "1"], "--max-samples"),
    (["ingest", "nonsense"], "nonsense"),
    (["ingest", "defects4j", "--checkouts", "nowhere"], "there is no folder 'nowhere'"),
    (["--home", "README.md", "status"], "'README.md' is a file; a folder is needed"),
    (["publish", "--keep", "0"], "--keep"),
    (["leaderboard", "--view-version", "0"], "--view-version"),
    (["export", "leaderboard", "--format", "xls"], "--format"),
    (["completion", "csh"], "csh"),
    # the same mistake where the command itself finds it
    (["doctor", "--data", "nowhere"], "nowhere: no such folder"),
    (["config", "show", "nope"], "nope"),
]


@pytest.mark.parametrize(("arguments", "named"), WRONG_USAGE, ids=lambda value: str(value)[:40])
def test_wrong_usage_is_2_and_names_the_option(
    arguments: list[str], named: str, home: Path
) -> None:
    assert named in refused(*arguments, code=2, run=assay)
    assert not home.exists()


@pytest.mark.parametrize(("arguments", "named"), WRONG_VALUES, ids=lambda value: str(value)[:40])
def test_a_value_that_does_not_fit_is_3_whoever_finds_it(
    arguments: list[str], named: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert named in refused(*arguments, code=3, run=assay)
    assert not home.exists()


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
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import duckdb, sys; con = duckdb.connect(sys.argv[1]); print(1, flush=True); input()",
            str(published / "warehouse.duckdb"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert holder.stdout
    holder.stdout.readline()
    try:
        assert f"process {holder.pid}" in refused("leaderboard", "--warehouse", code=4)
        found = json.loads(assay("doctor", "--json").stdout)
        assert found["warehouse"]["locked"]
        assert str(holder.pid) in found["warehouse"]["state"]
        assert shell("sql", "select 1").returncode == 0, "the snapshot is not locked"
    finally:
        holder.communicate(b"\n")


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


ENDLESS = "select count(*) from range(100000000000) a, range(1000) b where hash(a, b) = 1"


def child_of(pid: int) -> int:
    """Return the process that answers the queries of a running ``assay sql``."""
    (found,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(found)


def test_interrupted_is_130(published: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "runners.cli.main", "sql", ENDLESS],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
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


def test_the_time_of_who_reads_the_output_does_not_count(published: Path) -> None:
    query = "select range, repeat('x', 100) as x from range(30000)"
    running = subprocess.Popen(
        [sys.executable, "-m", "runners.cli.main", "sql", "--csv", "--timeout", "5", query],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stdout
    assert running.stdout.readline() == "range,x\n"
    time.sleep(6)  # the pipe is full, and its writer waits
    assert len(running.stdout.readlines()) == 30_000
    assert running.wait() == 0


def test_the_child_dies_with_the_command(published: Path) -> None:
    running = subprocess.Popen([sys.executable, "-m", "runners.cli.main", "sql", ENDLESS], cwd=ROOT)
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
    assert line.endswith("there is no view leaderboard_v9: versions of leaderboard are 1")


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


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_completion(name: str) -> None:
    done = assay("completion", name)
    assert "_ASSAY_COMPLETE" in done.stdout
    if name == "bash":
        subprocess.run(["bash", "-n"], input=done.stdout, text=True, check=True)
        asked = shell(_ASSAY_COMPLETE="bash_complete", COMP_WORDS="assay le", COMP_CWORD="1")
        assert asked.stdout.split(",")[-1].strip() == "leaderboard"


def test_home_is_an_option(tmp_path: Path, published: Path) -> None:
    assert str(tmp_path) in refused("--home", str(tmp_path), "sql", "select 1", code=1, run=shell)


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
        **dict.fromkeys(["codecontests", "defects4j", "manysstubs4j"]),
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


def test_sql_on_standard_input_must_be_utf8(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"select '\xff'")))
    with pytest.raises(errors.BadInput, match="not UTF-8"):
        sql.read_standard_input()
