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

from ingest.loader import ingest_dataset
from runners.cli import main
from tests.data import ROOT
from tests.support.worlds.views import make_views
from warehouse.snapshot.publish import publish
from warehouse.store.connection import reading, writing
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

IMPORT = "assay import {} --format {} --dataset starter --lm m"
GENERATE = "assay generate --backend {} --lm m --dataset starter -n 1"
OPENAI = GENERATE.format("openai") + " -o base_url=http://127.0.0.1:1/v1"

Lines = list[str]
BUSY = "While another process works"
LOCKS = ("execute", "similarity", "calibrate", "nightly")


def _imports() -> Iterator[str]:
    """A file of every kind of damage, then every format with what it cannot hold."""
    for file in ("none.jsonl", "folder", "empty.jsonl", "latin1.jsonl", "not_json.jsonl"):
        yield IMPORT.format(file, "generic")
    for file in ("cut.jsonl.gz", "list.jsonl", "deep.jsonl", "no_task.jsonl", "no_text.jsonl"):
        yield IMPORT.format(file, "generic")
    for file in ("unknown_task.jsonl", "unknown_field.jsonl", "text_is_number.jsonl"):
        yield IMPORT.format(file, "generic")
    for file in ("nul.jsonl", "style.jsonl", "index.jsonl", "conflict.jsonl", "nan.jsonl"):
        yield IMPORT.format(file, "generic")
    for file in ("tokens_alone.jsonl", "tokens_counts.jsonl", "tokens_spell.jsonl"):
        yield IMPORT.format(file, "generic")
    for format in ("humaneval", "evalplus", "codet", "ldb", "vllm"):
        yield IMPORT.format("no_task.jsonl", format)
        yield IMPORT.format("empty.jsonl", format)
    for format in ("bigcode", "evalperf"):
        yield IMPORT.format("object.json", format)
        yield IMPORT.format("not_json.jsonl", format)
    good = IMPORT.format("good.jsonl", "generic")
    yield good.replace("generic", "xml")
    yield good.replace("--dataset starter", "--dataset humaneval")
    yield good.replace("--dataset starter", "--dataset nope")
    yield good.replace("--lm m", "--lm ' '")
    yield good + " --truncate nope"
    yield good + " --truncate stop"
    yield good + " --temperature -1"
    yield good + " --top-p 1.5"
    yield good + " --max-tokens 0"
    yield good + " --prompts none.jsonl"
    yield good + " --first-position -1"
    yield "assay import good.jsonl --format generic --dataset starter"


COMMANDS: Mapping[str, Lines] = {
    "The command line": [
        "assay nonsense",
        "assay --nonsense",
        "assay execute --nonsense",
        "assay execute starter",
        "assay completion csh",
        "assay --home file.txt ingest starter",
        "assay --home /proc/nope ingest starter",
        "assay doctor --data nowhere",
        "assay doctor --data file.txt",
        "assay --home '' status",
        "assay --home pipe status",
        "assay --home loop status",
        "assay --home dangling ingest starter",
        "assay --home file.txt/home status",
        "ASSAY_HOME=file.txt assay status",
        "assay doctor --data pipe",
        "assay doctor --data loop",
    ],
    "The warehouse": [
        "assay --home nowhere status",
        "assay --home nowhere execute",
        "assay --home nowhere sql 'select 1'",
        "assay --home nowhere build --select leaderboard",
        "assay --home nowhere leaderboard",
        "assay --home truncated status",
        "assay --home truncated execute",
        "assay --home cut_early status",
        "assay --home garbage status",
        "assay --home folder_for_file status",
        "assay --home newer status",
        "assay --home newer ingest starter",
        "assay --home damaged_snapshot sql 'select 1'",
        "assay --home unpublished sql 'select 1'",
        "assay --home unpublished publish",
        "assay --home unpublished leaderboard --warehouse",
        "assay --home snapshots_file publish",
    ],
    "assay ingest": [
        "assay ingest",
        "assay ingest humanevl",
        "assay ingest humaneval --path none.jsonl",
        "assay ingest humaneval --path folder",
        "assay ingest humaneval --path empty.jsonl --unpinned",
        "assay ingest humaneval --path good.jsonl",
        "assay ingest humaneval --path good.jsonl --unpinned",
        "assay ingest humaneval --path good.jsonl --sha256 abc",
        "assay ingest humaneval --seed 1 --path good.jsonl --unpinned",
        "assay ingest humaneval mbpp --path good.jsonl",
        "assay ingest codecontests",
        "assay ingest codecontests --path good.jsonl",
        "assay ingest defects4j --path good.jsonl",
        "assay ingest defects4j --path none.tar.gz",
        "assay ingest defects4j --path cut.jsonl.gz --checkouts nowhere",
        "assay ingest manysstubs4j --path good.jsonl",
        "ASSAY_DATA=nowhere assay ingest humaneval",
    ],
    "assay import": list(_imports()),
    "assay mutate": [
        "assay mutate",
        "assay mutate nope",
        "assay mutate humaneval",
        "assay mutate defects4j",
        "assay mutate starter --mutation nope",
        "assay mutate starter --workers 0",
        "assay mutate starter --isolation hope",
    ],
    "assay generate": [
        "assay generate",
        GENERATE.format("nobody"),
        GENERATE.format("planted").replace("-n 1", "-n 0"),
        GENERATE.format("planted").replace("-n 1", "-n many"),
        GENERATE.format("planted").replace("-n 1", "-n 1000000000"),
        GENERATE.format("planted") + " --seed 99999999999",
        GENERATE.format("planted") + " --max-tokens 99999999999",
        GENERATE.format("planted") + " --temperature nan",
        GENERATE.format("planted") + " --top-p nan",
        GENERATE.format("planted").replace("starter", "nope"),
        GENERATE.format("planted").replace("starter", "humaneval"),
        GENERATE.format("planted").replace("--lm m", "--lm ''"),
        GENERATE.format("planted") + " -o pass_rate",
        GENERATE.format("planted") + " -o pass_rte=1",
        GENERATE.format("planted") + " -o pass_rate=2",
        GENERATE.format("planted") + " -o pass_rate=high",
        GENERATE.format("planted") + " --temperature -1",
        GENERATE.format("planted") + " --top-p 0",
        GENERATE.format("planted") + " --prompt nope",
        GENERATE.format("planted") + " --truncate nope",
        GENERATE.format("planted") + " --task repair",
        GENERATE.format("planted") + " --task counterfactual",
        GENERATE.format("planted") + " --task counterfactual --mutation nope",
        GENERATE.format("planted") + " --task counterfactual --edition 3",
        GENERATE.format("planted") + " --max-pairs 5",
        GENERATE.format("replay"),
        GENERATE.format("replay") + " -o file=none.jsonl",
        GENERATE.format("replay") + " -o file=good.jsonl -o style=odd",
        GENERATE.format("replay") + " -o file=not_json.jsonl",
        GENERATE.format("openai"),
        GENERATE.format("openai") + " -o base_url=localhost",
        OPENAI.replace("127.0.0.1", "user:secret@127.0.0.1"),
        OPENAI + " -o api=chatty",
        OPENAI + " -o api_key=secret",
        OPENAI + " -o concurrency=0",
        OPENAI + " -o give_up_after_s=0",
        OPENAI + " -o timeout_s=soon",
        OPENAI + " -o max_cost_usd=1",
        OPENAI + " -o api=chat -o prompts_per_call=2",
    ],
    "assay reflect": [
        "assay reflect --backend planted --lm nope",
        "assay reflect --backend planted --lm coin --template nope",
        "assay reflect --backend planted --lm coin --dataset nope",
        "assay reflect --backend planted --lm coin --dataset humaneval",
        "assay reflect --backend nobody --lm coin",
        "assay reflect --backend planted --lm coin --max-tokens 0",
    ],
    "assay execute": [
        "assay execute --dataset nope",
        "assay execute --dataset humaneval",
        "assay execute --dataset mbpp",
        "assay execute --rescore nope",
        "assay execute --dataset starter --rescore humaneval",
        "assay execute --workers 0",
        "assay execute --limit 0",
        "assay execute --workers 100000",
        "assay execute --cpu-limit nan",
        "assay execute --test-cpu-limit inf",
        "assay execute --reference-cpu-limit nan",
        "assay execute --try-limits nan",
        "assay execute --memory-limit 99999999999999",
        "assay execute --isolation hope",
        "assay execute --policy hope",
    ],
    "assay similarity, calibrate, build": [
        "assay similarity --max-samples 1",
        "assay calibrate --lm nope",
        "assay calibrate --dataset nope",
        "assay calibrate --seeds 21",
        "assay calibrate --replicates 0",
        "assay calibrate --workers none",
        "assay build --select nope",
        "assay build --select leaderbord",
        "assay build --select ''",
    ],
    "assay publish, leaderboard, sql": [
        "assay publish --keep 0",
        "assay leaderboard --dataset nope",
        "assay leaderboard --view-version 9",
        "assay leaderboard --view-version 0",
        "assay leaderboard --columns nope",
        "assay sql 'select * from nope'",
        "assay sql 'select nope from leaderboard'",
        "assay sql 'selec 1'",
        "assay sql ''",
        "assay sql 'drop table leaderboard_v1'",
        "assay sql \"copy (select 1) to 'out.csv'\"",
        "assay sql \"select * from read_csv('/etc/passwd')\"",
        "assay sql \"attach 'other.duckdb'\"",
        "assay sql 'select 1' --json --csv",
        "assay sql 'select 1' --max-rows -1",
        "assay sql 'select 1' --memory-mb 1",
        "assay sql 'select 1' --threads 0",
        "assay sql 'select 1' --threads 99999999999999999999",
        "assay sql 'select 1' --memory-mb 99999999999999999999",
        "assay sql 'select 1' --timeout nan",
        "assay sql 'select 1' --timeout 1e300",
        "assay sql 'select 1 as a, 2 as a' --json",
    ],
    "assay export, plot": [
        "assay export",
        "assay export nope",
        "assay export leaderbord",
        "assay export leaderboard --sql 'select 1'",
        "assay export leaderboard --format xls",
        "assay export leaderboard --columns nope",
        "assay export leaderboard --out /proc/nope/x.csv",
        "assay export leaderboard --out nowhere/deep/x.csv",
        "assay export leaderboard --out ''",
        "assay export leaderboard --out pipe",
        "assay export leaderboard --out loop",
        "assay export leaderboard --out dangling",
        "assay export leaderboard --columns ''",
        "assay export --paper calibration --out pipe",
        "assay export leaderboard --version 2",
        "assay export leaderboard_v9",
        "assay export --sql 'select nope'",
        "assay export --paper nope",
        "assay export --paper calibration --columns lm",
        "assay plot",
        "assay plot pie",
        "assay plot reliability --version 9",
        "assay plot reliability --version 0",
        "assay plot reliability --out pipe",
    ],
    BUSY: [
        "assay execute",
        "assay mutate starter",
        "assay similarity",
        "assay calibrate",
        "assay nightly --config good.toml",
    ],
    "assay run, config, gc": [
        "assay run --backend planted --lm m --dataset nope -n 1",
        "assay run --backend planted --lm m --dataset starter",
        "assay run --backend planted --lm m --dataset starter -n 0",
        "assay run --backend planted --lm m --dataset starter -n 1 -o pass_rte=1",
        "assay run --backend planted --lm m --dataset humaneval -n 1 --path none.jsonl",
        "assay run --backend planted --lm m --dataset starter -n 1 --prompt nope",
        "assay config nope",
        "assay config show nope",
        "assay config copy demo file.txt",
        "assay config copy demo nowhere/night.toml",
        "assay gc --keep 0",
    ],
    "assay nightly": [
        "assay nightly",
        "assay nightly --config none.toml",
        "assay nightly --config folder",
        "assay nightly --config pipe",
        "assay nightly --config empty.toml",
        "assay nightly --config not_toml.toml",
        "assay nightly --config section.toml",
        "assay nightly --config setting.toml",
        "assay nightly --config n_zero.toml",
        "assay nightly --config n_many.toml",
        "assay nightly --config temperature_nan.toml",
        "assay nightly --config workers_two.toml",
        "assay nightly --config view.toml",
        "assay nightly --config dataset.toml",
        "assay nightly --config no_file.toml",
        "assay nightly --config backend_option.toml",
        "assay nightly --config variable.toml",
    ],
}

DRAW = '[[generate]]\nbackend = "planted"\nlm = "m"\ndataset = "starter"\n'


def _line(**values: object) -> str:
    return json.dumps(values) + "\n"


FILES: dict[str, str | bytes] = {
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
    "nul.jsonl": _line(task_id="starter/apple_grades", text="a\0b"),
    "style.jsonl": _line(task_id="starter/apple_grades", text="x", style="odd"),
    "index.jsonl": _line(task_id="starter/apple_grades", text="x", sample_index=-1),
    "conflict.jsonl": _line(task_id="starter/apple_grades", text="x", sample_index=0)
    + _line(task_id="starter/apple_grades", text="y", sample_index=0),
    "nan.jsonl": '{"task_id": "starter/apple_grades", "text": "x", "cost_usd": NaN}\n',
    "tokens_alone.jsonl": _line(task_id="starter/apple_grades", text="x", tokens=["x"]),
    "tokens_counts.jsonl": _line(
        task_id="starter/apple_grades", text="x", tokens=["x"], logprobs=[]
    ),
    "tokens_spell.jsonl": _line(
        task_id="starter/apple_grades", text="x", tokens=["y"], logprobs=[-1]
    ),
    "good.toml": "[execute]\nworkers = 1\n",
    "empty.toml": "",
    "not_toml.toml": "[execute]\nworkers = \n",
    "section.toml": "[exceute]\nworkers = 2\n",
    "setting.toml": "[execute]\nworkrs = 2\n",
    "n_zero.toml": DRAW + "n = 0\n",
    "n_many.toml": DRAW + "n = 1_000_000_000\n",
    "temperature_nan.toml": DRAW + "n = 1\ntemperature = nan\n",
    "workers_two.toml": '[execute]\nworkers = "two"\n',
    "view.toml": '[[export]]\nview = "leaderbord"\n',
    "dataset.toml": '[execute]\ndataset = "startr"\n',
    "no_file.toml": '[[ingest]]\nname = "humaneval"\npath = "none.jsonl"\n',
    "backend_option.toml": DRAW + "n = 1\noptions = { pass_rte = 1 }\n",
    "variable.toml": '[[ingest]]\nname = "humaneval"\npath = "${NOT_SET}/x"\n',
}


@dataclass(frozen=True)
class Case:
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


def run_case(line: str, folder: Path) -> Case:
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
    return Case(line, code, out.getvalue(), told(err.getvalue(), folder))


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


def run_all(folder: Path) -> dict[str, list[Case]]:
    """Run every case by its section."""
    found = {}
    for title, lines in COMMANDS.items():
        with ExitStack() as held, patch.dict(os.environ, {"ASSAY_HOME": str(folder / "home")}):
            for name in LOCKS if title == BUSY else ():
                held.enter_context(alone(name, name))
            found[title] = [run_case(line, folder) for line in lines]
    return found


def page(sections: Mapping[str, list[Case]]) -> str:
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
    with patch.dict(os.environ, {"ASSAY_HOME": str(folder / "home")}), reading() as con:
        tables = [
            row[0]
            for row in con.execute(
                "select table_name from duckdb_tables() where schema_name = 'raw'"
            ).fetchall()
        ]
        rows = {
            name: con.execute(f"select count(*) from raw.{name}").fetchone()
            for name in sorted(tables)
        }
    return {"files": files, "rows": rows}


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
