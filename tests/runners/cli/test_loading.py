"""What each command loads: nothing heavy that it does not need. Never timed: see `make bench`."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import HEAVY
from tests.support.steps import ingest_dataset, publish
from tests.support.worlds.views import make_views

ROWS = {"duckdb", "numpy", "pyarrow", "pydantic", "sqlalchemy", "sqlmodel"}
GATE = {*ROWS, "pandas", "great_expectations"}
SAMPLES = "samples.jsonl"
IMPORT = f"import {SAMPLES} --format generic --dataset starter --lm told"
LOADED = """
import sys
from runners.cli.main import run
code = run(sys.argv[2:])
assert code == 0, code
print(*(name for name in sys.argv[1].split(",") if name in sys.modules), file=sys.stderr)
"""


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with problems, a leaderboard made by hand, and a snapshot of both."""
    folder = tmp_path_factory.mktemp("loading")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(folder))
        ingest_dataset("starter")
        make_views()
        publish()
    lines = '{"task_id": "starter/ski_runs", "text": "def ski_runs(heights):\\n    return 0\\n"}\n'
    (folder / SAMPLES).write_text(lines, encoding="utf-8")
    return folder


def loaded_by(home: Path, *arguments: str) -> set[str]:
    """Run one command in a separate process and return what heavy libraries it loaded."""
    ended = subprocess.run(
        [sys.executable, "-c", LOADED, ",".join(HEAVY), "--home", str(home), *arguments],
        capture_output=True,
        text=True,
        cwd=home,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    *noise, names = ended.stderr.splitlines()
    assert not noise, f"a command that succeeds is silent: {noise}"
    return set(names.split())


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        ("completion bash", set()),
        ("sql select(1)", {"duckdb", "rich"}),
        ("sql --json select(1)", {"duckdb", "rich"}),
        ("leaderboard", {"duckdb", "rich"}),
        ("export leaderboard", {"duckdb"}),
        ("status", {*ROWS, "rich"}),
        ("doctor", {*ROWS}),
        ("ingest starter", {*ROWS, "pandas"}),
        (IMPORT, GATE),
    ],
)
def test_a_command_loads_what_it_needs(
    published: Path, tmp_path: Path, arguments: str, allowed: set[str]
) -> None:
    home = shutil.copytree(published, tmp_path / "home", symlinks=True)
    assert loaded_by(home, *arguments.split()) <= allowed
