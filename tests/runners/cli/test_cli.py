"""The command line: light to start, early to refuse what is wrong."""

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from runners.cli.main import COMMANDS, SUMMARIES, cli
from tests.data import ROOT
from tests.support.commands import HEAVY, assay, refused, shell


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
    heavy = {*HEAVY, "importlib.metadata"}
    assert not for_group & heavy
    assert not for_commands & set(HEAVY)  # the names of plug-ins are looked up
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
    places = {f"runners.cli.commands.{name}:command" for name in there - {"__init__"}}
    assert places == set(COMMANDS.values())
    assert list(SUMMARIES) == list(COMMANDS)


def test_no_limit_that_may_be_given_is_too_long_to_wait_for() -> None:
    from runners.judging.sandbox.types import MAX_WALL_S, Limits, wall_for
    from runners.judging.trials import _times
    from warehouse.parameters import CPU_SECONDS

    assert CPU_SECONDS.high is not None
    longest = wall_for(5 * CPU_SECONDS.high + 10)  # of a reference that takes all it may
    limits = _times(Limits(cpu_s=1, wall_s=longest), 100)
    assert longest < limits.wall_s == MAX_WALL_S
    assert 2 * (limits.wall_s + 3 * limits.judge_cpu_s) * 1000 < 2**31, "a worker is given twice it"


def test_help_lists_every_truncation_rule() -> None:
    from ingest.answers import RULES
    from ingest.answers.truncate import CANONICAL_IMPORTS
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
