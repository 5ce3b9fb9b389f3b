"""Do two commits make the same rows, views, tables and help from the same inputs?

``python -m tests.support.same_rows COMMIT`` runs the worlds of three configurations at that commit
and in the working tree, and compares:

- raw rows, without what differs at every run: names of runs, moments, measured times;
- every mart, row by row and column by column, built by the working tree over the commit's raw rows;
- every table that both export from the commit's snapshot, every ``--help``, and the page of bad
  inputs with its exit codes.

What the commit makes is kept under ``.bench/same_rows``; a second comparison runs one side only.
Exits with 1 where anything differs, and prints what.
"""

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

from tests.data import ROOT, data_root

BENCH = ROOT / ".bench" / "same_rows"
WORLDS = ("demo", "humaneval", "mutations")
VOLATILE = r"(^|_)(run_id|issue_id|cpu_s|wall_s|rss_kb|seconds|nonce)$|_at$"
PER_RUN_TABLES = {"run", "gate_result", "canary"}
HELP = r"^  (\w[\w-]*)  "
EXPORTED = ("csv", "latex")


def main() -> int:
    """Compare, print every difference, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit")
    parser.add_argument("--worlds", default=",".join(WORLDS), help="by comma")
    arguments = parser.parse_args()
    before = checkout(arguments.commit)
    differences = [*differing_help(before)]
    for world in arguments.worlds.split(","):
        differences += differing_world(before, world)
    for line in differences:
        print(line)
    print(f"{len(differences)} differences from {arguments.commit}")
    return 1 if differences else 0


def checkout(commit: str) -> Path:
    """Return a working tree of the commit."""
    sha = subprocess.run(
        ["git", "rev-parse", "--short", commit],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    tree = BENCH / sha / "tree"
    if not tree.exists():
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(tree)], check=True)
        subprocess.run(["git", "checkout", "--quiet", sha], cwd=tree, check=True)
    return tree


def assay(tree: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run one command of a working tree."""
    environment = os.environ | {
        "ASSAY_HOME": str(home),
        "ASSAY_DATA": str(data_root()),
        "PYTHONPATH": str(tree),
        "COLUMNS": "100",
    }
    return subprocess.run(
        [sys.executable, "-m", "runners.cli.main", *arguments],
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
    )


def sound(done: subprocess.CompletedProcess[str]) -> None:
    """Raise SystemExit with what a command said where it failed."""
    if done.returncode:
        raise SystemExit(
            f"{' '.join(done.args[2:])}: exit {done.returncode}\n{done.stderr[-2000:]}"
        )


def night(tree: Path, home: Path, world: str) -> None:
    """Run a configuration into a fresh home, unless that was done."""
    if (home / "done").exists():
        return
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    began = time.monotonic()
    sound(assay(tree, home, "nightly", "--config", str(tree / "configs" / f"{world}.toml")))
    (home / "done").write_text(f"{time.monotonic() - began:.0f} s\n")


def differing_help(before: Path) -> Iterator[str]:
    """Yield each command whose help differs, and the lines of the page of bad inputs that do."""
    home = BENCH / "none"
    overview = assay(ROOT, home, "--help").stdout.split("Examples:")[0]
    for command in ["", *re.findall(HELP, overview, re.MULTILINE)]:
        texts = [assay(tree, home, *command.split(), "--help").stdout for tree in (before, ROOT)]
        yield from differing_lines(f"assay {command} --help", *texts)
    page = "docs/bad_inputs.md"
    texts = [(tree / page).read_text(encoding="utf-8") for tree in (before, ROOT)]
    yield from differing_lines(page, *texts)


def differing_world(before: Path, world: str) -> Iterator[str]:
    """Yield what differs between the two sides of one world."""
    old, new = before.parent / world, BENCH / "head" / world
    night(before, old, world)
    shutil.rmtree(new, ignore_errors=True)
    night(ROOT, new, world)
    yield from differing_tables(world, old, new, raw=True)
    built = BENCH / "head" / f"{world}_views"
    shutil.rmtree(built, ignore_errors=True)
    built.mkdir(parents=True)
    shutil.copy(old / "warehouse.duckdb", built)
    sound(assay(ROOT, built, "build", "--force"))
    yield from differing_tables(world, old, built, raw=False)
    for view in marts(old):
        for kind in EXPORTED:
            out = [exported(tree, old, view, kind) for tree in (before, ROOT)]
            yield from differing_lines(f"{world}: export {view} {kind}", *out)


def exported(tree: Path, home: Path, view: str, kind: str) -> str:
    """Return what one export writes; a view of nothing is empty."""
    out = home / f"{view}.{kind}"
    out.unlink(missing_ok=True)
    done = assay(tree, home, "export", view, "--format", kind, "--out", str(out))
    return out.read_text(encoding="utf-8") if out.exists() else f"exit {done.returncode}"


def marts(home: Path) -> list[str]:
    """Return the names of the views that readers use."""
    with duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) as con:
        sql = "select table_name from information_schema.tables where table_schema = 'main'"
        return sorted(name for (name,) in con.execute(sql).fetchall())


def differing_tables(world: str, old: Path, new: Path, *, raw: bool) -> Iterator[str]:
    """Yield each table of a schema that holds other rows on the other side."""
    schema = "raw" if raw else "main"
    sides = [duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) for home in (old, new)]
    before, after = (columns(con, schema) for con in sides)
    for name in sorted(before.keys() | after.keys()):
        table = f"{schema}.{name}"
        if name not in before or name not in after:
            yield f"{world}: {table} is on one side only"
        elif before[name] != after[name]:
            yield f"{world}: {table} has other columns"
        elif not (raw and name in PER_RUN_TABLES):
            query = compared(table, before[name], raw=raw)
            for number, side in differing_rows(*(con.sql(query).to_arrow_table() for con in sides)):
                yield f"{world}: {table}: {number} rows are {side} only"
    for con in sides:
        con.close()


def columns(con: duckdb.DuckDBPyConnection, schema: str) -> dict[str, dict[str, str]]:
    """Return the columns of each table, with their types."""
    found: dict[str, dict[str, str]] = {}
    rows = con.execute(
        "select table_name, column_name, data_type from information_schema.columns"
        " where table_schema = ? order by table_name, ordinal_position",
        [schema],
    ).fetchall()
    for table, column, kind in rows:
        found.setdefault(table, {})[column] = kind
    return found


def compared(table: str, kinds: dict[str, str], *, raw: bool) -> str:
    """Return the query for what is compared of a table; numbers have nine decimals."""
    kept = [name for name in kinds if not (raw and re.search(VOLATILE, name))]
    chosen = (
        f'round("{name}", 9) + 0 as "{name}"' if kinds[name] == "DOUBLE" else f'"{name}"'
        for name in kept
    )
    return f"select {', '.join(chosen)} from {table}"


def differing_rows(old: Any, new: Any) -> Iterator[tuple[int, str]]:
    """Yield how many rows each of two Arrow tables has alone."""
    with duckdb.connect() as con:
        con.register("old", old)
        con.register("new", new)
        for one, other in (("old", "new"), ("new", "old")):
            query = f"select count(*) from (from {one} except all from {other})"
            [(n,)] = con.execute(query).fetchall()
            if n:
                yield n, one


def differing_lines(name: str, before: str, after: str) -> Iterator[str]:
    """Yield the lines of a text that differ, at most ten."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "", "", lineterm="", n=0)
    changed = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
    yield from (f"{name}: {line}" for line in changed[:10])


if __name__ == "__main__":
    sys.exit(main())
