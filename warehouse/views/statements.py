"""The statements that dbt sent for a build, kept, and sent again while they would be the same.

A full build takes dbt some 20 seconds of processor time, of which DuckDB needs three: the rest
finds out which statements to send. These depend on the project, on what is selected and on the
relations that are there, never on rows. So dbt makes the first build of a kind, and later ones send
its statements. Where one of them fails, or a data test finds rows, nothing is believed. dbt builds
again from the start and says what is wrong (docs/decisions/0022).
"""

import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from warehouse.facts.query import run
from warehouse.store.builds import n_rows
from warehouse.store.connection import writing
from warehouse.views.project import dbt_dir, project_state

Statement = tuple[int, str, Any]
"""The number of its cursor, its text, and what is bound."""

VERDICT = ["failures", "should_warn", "should_error"]
"""The columns of a data test's answer."""


ASKS_OF_TYPES = re.compile(r"\s*(/\*.*?\*/)?\s*describe\b", re.DOTALL | re.IGNORECASE)
"""How dbt compares a view with its contract; it changes nothing, and is not sent again."""

FEW_GENERATIONS = 5_000
"""Below so many, DuckDB spends its time on plans, and a second thread costs more than it gains."""


class Built(NamedTuple):
    """What a build made: names of views, of data tests that passed, and of those that warn."""

    views: list[str]
    tests: list[str]
    warnings: list[str]


class Deviates(Exception):
    """A data test found rows."""


def relations_of(con: duckdb.DuckDBPyConnection) -> list[tuple[str, str, str]]:
    """Return schema, name and kind of each relation that dbt may have made."""
    return run(con, "catalog/built_relations", {}).fetchall()


def statements_file(
    con: duckdb.DuckDBPyConnection, name: str, select: str | None, unwanted: Sequence[str]
) -> Path:
    """Return where the statements of one kind of build are kept, for a warehouse as it is now.

    ``name`` is that of the warehouse's file, which statements hold.
    """
    kind = json.dumps([name, select, list(unwanted), relations_of(con)])
    folder = dbt_dir() / "statements" / project_state()[:32]
    return folder / f"{hashlib.sha256(kind.encode()).hexdigest()[:32]}.json"


def send(path: Path, file: Path, memory: str) -> Built | None:
    """Build as a file says; None where there is no such file, or where dbt has to build.

    Raises Locked where another process keeps the warehouse.
    """
    kept = _read(file)
    if kept is None:
        return None
    statements, built = kept
    try:
        _send(path, statements, memory)
    except (duckdb.Error, Deviates):
        return None
    return built


def keep_statements(file: Path, statements: Sequence[Statement], built: Built) -> None:
    """Keep the statements of a build, and none of another state of the project.

    Only what can be written is kept; else the next build is dbt's again.
    """
    partial = file.with_suffix(".partial")
    text = json.dumps({"built": built, "statements": statements}, default=str)
    for other in file.parent.parent.glob("*"):
        if other != file.parent:
            shutil.rmtree(other, ignore_errors=True)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(text, "utf-8")
        partial.replace(file)
    except OSError:
        with suppress(OSError):
            partial.unlink()


def _read(file: Path) -> tuple[list[Statement], Built] | None:
    """Return what is kept, None where nothing is or where it is damaged."""
    try:
        kept = json.loads(file.read_text("utf-8"))
        statements = [(int(number), str(text), bound) for number, text, bound in kept["statements"]]
        built = Built(*([str(name) for name in names] for names in kept["built"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return (statements, built) if statements and built.views else None


@contextmanager
def listening() -> Iterator[list[Statement]]:
    """Note every statement that dbt sends, in order."""
    from dbt.adapters.duckdb.environments import local  # two seconds

    wrapper: Any = local.DuckDBCursorWrapper
    found: list[Statement] = []
    cursors: dict[int, tuple[int, Any]] = {}  # the cursors too, so that no id comes twice
    execute = wrapper.execute

    def noted(self: Any, sql: str, bindings: Any = None) -> Any:
        answer = execute(self, sql, bindings)
        number, _ = cursors.setdefault(id(self), (len(cursors), self))
        if not ASKS_OF_TYPES.match(sql):
            found.append((number, sql, bindings))
        return answer

    wrapper.execute = noted
    try:
        yield found
    finally:
        wrapper.execute = execute


def _send(path: Path, statements: Sequence[Statement], memory: str) -> None:
    with writing(path) as con:
        con.execute(f"set memory_limit = '{memory}'")
        if n_rows(con, "generation") < FEW_GENERATIONS:
            con.execute("set threads = 1")
        cursors: dict[int, duckdb.DuckDBPyConnection] = {}  # with separate settings, as dbt's
        for number, text, bound in statements:
            cursor = cursors.setdefault(number, con.cursor())
            cursor.execute(text, bound)
            if [column[0] for column in cursor.description or ()] == VERDICT:
                answer = cursor.fetchone()
                if answer is None or answer[1] or answer[2]:
                    raise Deviates
        for cursor in cursors.values():
            cursor.close()
