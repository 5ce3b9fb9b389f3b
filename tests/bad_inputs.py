"""What Assay says to what does not fit: every case is run, and the page is written from it.

``python -m tests.bad_inputs`` writes docs/bad_inputs.md; a test compares.
"""

import io
import json
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from runners.cli import main
from tests.bad_commands import BUSY, COMMANDS
from tests.data import ROOT
from tests.support.claims import refused
from tests.support.sql import n_rows, rows
from tests.support.steps import ingest_dataset, publish
from tests.support.worlds.projects import SOURCE, store_ingested, write_project
from tests.support.worlds.views import make_views
from warehouse.store.connection import writing
from warehouse.store.locks import alone

PAGE = ROOT / "docs" / "bad_inputs.md"
HEAD = """# Bad inputs

<!-- Written by `make docs`; a test runs every command and compares. -->

What `assay` says to what does not fit: the command, its exit code, and the one line on standard
error. None of them writes anything. The exit codes are explained in
[running Assay](operations.md). The commands run in a folder whose files and homes are named
for what is wrong with them: `empty.jsonl`, `--home truncated`, `--home newer`. `nowhere`,
`none.jsonl` and `/proc/nope` do not exist. Without `--home`, the command runs in a small, intact
warehouse. `N` and `SNAPSHOT` replace text that differs at each run.
"""
LOCKS = ("execute", "similarity", "calibrate", "nightly")

DRAW = '[[generate]]\nbackend = "planted"\nlm = "m"\ndataset = "starter"\n'


def _line(**values: object) -> str:
    return json.dumps(values) + "\n"


OWN = {
    "task_id": "add",
    "entry_point": "add",
    "prompt": "def add(a, b):\n",
    "reference": "    return a + b\n",
    "asserts": ["assert add(1, 2) == 3"],
}
RATING = {"dataset": "starter", "task_id": "starter/apple_grades", "rater": "ada", "level": 3}

FILES: dict[str, str | bytes] = {
    **refused.FILES,
    "file.txt": "a file\n",
    "empty.jsonl": "",
    "latin1.jsonl": b'{"task_id": "\xe9"}\n',
    "not_json.jsonl": '{"task_id": \n',
    "cut.jsonl.gz": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b",
    "list.jsonl": "[1]\n",
    "object.json": "{}\n",
    "deep.jsonl": "[" * 100_000 + "\n",
    "good.jsonl": _line(task_id="starter/apple_grades", text="    return 1\n"),
    "no_task.jsonl": _line(text="    return 1\n"),
    "no_text.jsonl": _line(task_id="starter/apple_grades"),
    "unknown_task.jsonl": _line(task_id="starter/999", text="x"),
    "unknown_field.jsonl": _line(task_id="starter/apple_grades", text="x", txet="y"),
    "text_is_number.jsonl": _line(task_id="starter/apple_grades", text=1),
    "nul.jsonl": _line(task_id="starter/apple_grades\0", text="x"),
    "style.jsonl": _line(task_id="starter/apple_grades", text="x", style="odd"),
    "index.jsonl": _line(task_id="starter/apple_grades", text="x", sample_index=-1),
    "conflict.jsonl": _line(task_id="starter/apple_grades", text="x", sample_index=0)
    + _line(task_id="starter/apple_grades", text="y", sample_index=0),
    "nan.jsonl": '{"task_id": "starter/apple_grades", "text": "x", "cost_usd": NaN}\n',
    "twice.jsonl": '{"task_id": "starter/apple_grades", "text": "x", "text": "y"}\n',
    "tokens_alone.jsonl": _line(task_id="starter/apple_grades", text="x", tokens=["x"]),
    "tokens_counts.jsonl": _line(
        task_id="starter/apple_grades", text="x", tokens=["x"], logprobs=[]
    ),
    "tokens_spell.jsonl": _line(
        task_id="starter/apple_grades", text="x", tokens=["y"], logprobs=[-1]
    ),
    "level.jsonl": _line(**RATING | {"level": 6}, code_a="x", code_b="y"),
    "code.jsonl": _line(**RATING, code_a="x", code_b="y"),
    "own_key.jsonl": _line(**OWN) + _line(**OWN, licence="MIT"),
    "own_import.jsonl": _line(**OWN | {"asserts": ["import nump", "assert add(1, 2) == 3"]}),
    "own_class.jsonl": _line(**OWN | {"entry_point": "Adder"}),
    "own_wrong.jsonl": _line(**OWN | {"reference": "    return a\n"}),
    "own_good.jsonl": _line(**OWN),
    "good.toml": "[execute]\nworkers = 1\n",
    "empty.toml": "",
    "not_toml.toml": "[execute]\nworkers = \n",
    "section.toml": "[exceute]\nworkers = 2\n",
    "setting.toml": "[execute]\nworkrs = 2\n",
    "n_zero.toml": DRAW + "n = 0\n",
    "n_many.toml": DRAW + "n = 1_000_000_000\n",
    "temperature_nan.toml": DRAW + "n = 1\ntemperature = nan\n",
    "workers_two.toml": '[execute]\nworkers = "two"\n',
    "columns.toml": '[[export]]\nview = "leaderboard"\ncolumns = ["lmm"]\n',
    "query.toml": '[[export]]\nsql = "drop table leaderboard_v1"\n',
    "select.toml": '[build]\nselect = "leaderboard"\n',
    "truncate.toml": DRAW + "n = 1\n'truncate' = 'nope'\n",
    "prompt.toml": DRAW + 'n = 1\nprompt = "repair_v1"\n',
    "pairs.toml": DRAW + "n = 1\nmax_pairs = 5\n",
    "repairs.toml": '[[mutate]]\ndataset = "defects4j"\n',
    "editions.toml": DRAW + 'n = 1\neditions = ["new"]\n',
    "not_ingested.toml": '[execute]\ndataset = "humaneval"\n',
    "nobody.toml": '[calibrate]\nlm = "nobody"\n',
    "view.toml": '[[export]]\nview = "leaderbord"\n',
    "dataset.toml": '[execute]\ndataset = "startr"\n',
    "no_file.toml": '[[ingest]]\nname = "humaneval"\npath = "none.jsonl"\n',
    "backend_option.toml": DRAW + "n = 1\noptions = { pass_rte = 1 }\n",
    "project.toml": '[[project]]\nnames = ["tolz"]\n',
    "regions.toml": '[[regions]]\nnames = ["toolz"]\n',
    "lines.toml": '[[project]]\nnames = ["toolz"]\n[[lines]]\nn = 5\n',
    "variable.toml": '[[ingest]]\nname = "humaneval"\npath = "${NOT_SET}/x"\n',
}


@dataclass(frozen=True)
class BadCase:
    """A command that ran, and what it said."""

    command: str
    code: int
    out: str
    err: str


def make_world(folder: Path) -> None:
    """Make the files, a home with rows and a snapshot, and homes that are damaged."""
    for name, content in FILES.items():
        data = content.encode() if isinstance(content, str) else content
        (folder / name).write_bytes(data)
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "loop").symlink_to("loop")
    (folder / "dangling").symlink_to("nowhere")
    (folder / "snapshots_file").mkdir()
    (folder / "snapshots_file" / "snapshots").touch()
    home = folder / "home"
    with patch.dict(os.environ, {"ASSAY_HOME": str(home)}):
        make_views()
        publish()
        write_project(folder / "small")
        store_ingested(write_project(folder / "failing", SOURCE + "1 / 0\n"), "failed")
        ingest_dataset("starter")
        draw = ["generate", "--backend", "planted", "--lm", "coin", "--dataset", "starter"]
        with redirect_stdout(io.StringIO()):
            assert main.run([*draw, "-n", "1", "-o", "pass_rate=0.5", "--no-progress"]) == 0
    database = (home / "warehouse.duckdb").read_bytes()
    for name in ("truncated", "cut_early", "garbage", "folder_for_file", "newer", "unpublished"):
        (folder / name).mkdir()
    (folder / "truncated" / "warehouse.duckdb").write_bytes(database[: len(database) // 2])
    (folder / "cut_early" / "warehouse.duckdb").write_bytes(database[:20_000])
    (folder / "garbage" / "warehouse.duckdb").write_bytes(b"not a database\n" * 1000)
    (folder / "folder_for_file" / "warehouse.duckdb").mkdir()
    (folder / "newer" / "warehouse.duckdb").write_bytes(database)
    with writing(folder / "newer" / "warehouse.duckdb") as con:
        con.execute("insert into meta.schema_version values (999, now())")
    with patch.dict(os.environ, {"ASSAY_HOME": str(folder / "unpublished")}):
        ingest_dataset("starter")
    damaged = folder / "damaged_snapshot"
    shutil.copytree(home, damaged, symlinks=True)
    for path in damaged.rglob("*"):
        path.chmod(0o755) if path.is_dir() else path.chmod(0o644)
    (next(damaged.glob("snapshots/current/")) / "manifest.json").write_text("{")


def run_case(line: str, folder: Path) -> BadCase:
    """Run one command line in a world's folder, in this process, as ``main`` does."""
    words = shlex.split(line)
    environment = {"ASSAY_HOME": str(folder / "home"), "COLUMNS": "120"}
    while "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        environment[name] = value
    assert words.pop(0) == "assay"
    out, err = io.StringIO(), io.StringIO()
    with (
        chdir(folder),
        patch.dict(os.environ, environment),
        redirect_stdout(out),
        redirect_stderr(err),
        patch("sys.stdin", io.StringIO("")),
    ):
        for name in ("ASSAY_DATA", "ASSAY_DEBUG", "OPENAI_API_KEY"):
            if name not in environment:
                os.environ.pop(name, None)
        code = main.run(words)
    return BadCase(line, code, out.getvalue(), told(err.getvalue(), folder))


def told(text: str, folder: Path) -> str:
    """Return a message without what differs between machines."""
    text = text.replace(str(folder / "home"), "$HOME").replace(f"{folder}/", "")
    for pattern, plain in (
        (r"process \d+ since .*? UTC \(.*?\)", "process N since 02:17:00 UTC (assay nightly ...)"),
        (r"\d+ bytes from location \d+", "N bytes from location N"),
        (r"\.x\.csv\.\d+-[0-9a-f]+", "x.csv"),
        (r"this one knows \d+", "this one knows N"),
        (r"\d{8}T\d{6}Z-[0-9a-f]+", "SNAPSHOT"),
    ):
        text = re.sub(pattern, plain, text)
    return text


def run_all(folder: Path) -> dict[str, list[BadCase]]:
    """Run every case by its section."""
    found = {}
    for title, lines in COMMANDS.items():
        with ExitStack() as held, patch.dict(os.environ, {"ASSAY_HOME": str(folder / "home")}):
            for name in LOCKS if title == BUSY else ():
                held.enter_context(alone(name, name))
            found[title] = [run_case(line, folder) for line in lines]
    return found


def page(sections: Mapping[str, list[BadCase]]) -> str:
    """Return the page."""
    lines = [HEAD]
    for title, cases in sections.items():
        lines += [f"## {title}", "", "| command | exit | message |", "|---|---|---|"]
        lines += [
            f"| `{_cell(case.command)}` | {case.code} | {_cell(case.err.strip())} |"
            for case in cases
        ]
        lines.append("")
    return "\n".join(lines)


def state(folder: Path) -> dict[str, object]:
    """Return what may not change: the files that are there, and how many rows."""
    aside = ("/locks/", "/running/", "/cache/", "/spool")
    files = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if not path.is_dir() and not any(part in f"{path}/" for part in aside)
    }
    with patch.dict(os.environ, {"ASSAY_HOME": str(folder / "home")}):
        tables = rows("select table_name from duckdb_tables() where schema_name = 'raw'")
        counts = {name: n_rows(name) for (name,) in tables}
    return {"files": files, "rows": counts}


def _cell(text: str) -> str:
    short = text if len(text) <= 400 else text[:397] + "..."
    return short.replace("|", "\\|").replace("\n", " ⏎ ")


@contextmanager
def world() -> Iterator[Path]:
    """Yield the folder of a world that goes away."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        make_world(folder)
        try:
            yield folder
        finally:
            for path in folder.rglob("*"):
                if path.is_dir() and not path.is_symlink():
                    path.chmod(0o755)  # snapshots are sealed


if __name__ == "__main__":
    with world() as made:
        PAGE.write_text(page(run_all(made)), encoding="utf-8")
    print(f"wrote {PAGE}")
