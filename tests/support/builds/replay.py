"""Builds of a kind that dbt has already made in this process, without dbt.

A full build takes dbt sixteen seconds of processor time, of which DuckDB needs three: the rest
finds out again which statements to send. These depend on the project, on what is selected and on
the relations that are there, never on rows. So the first build of a kind is dbt's own and its
statements are kept. Later ones send the same statements to their own warehouse. Where any of them
fails, or a data test finds rows, dbt builds again from the start and says what is wrong.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.support.builds.parsed import project_state
from warehouse.views import build

Statement = tuple[int, str, Any]  # the number of its cursor, its text, what is bound
Built = tuple[list[str], list[str], list[str]]

VERDICT = ["failures", "should_warn", "should_error"]  # the columns of a data test's answer


class Deviates(Exception):
    """A data test found rows."""


class Replay:
    """Stands for ``warehouse.views.build._run_dbt`` and returns what it returns."""

    def __init__(self, run_dbt: Callable[..., Built]) -> None:
        self.run_dbt = run_dbt
        self.kept: dict[tuple[Any, ...], tuple[list[Statement], Built]] = {}

    def __call__(self, path: Path, *, select: str | None, unwanted: list[str]) -> Built:
        kind = (project_state(), path.name, select, tuple(unwanted), _relations(path))
        if kind in self.kept:
            statements, built = self.kept[kind]
            try:
                _send(path, statements)
            except (duckdb.Error, Deviates):
                return self.run_dbt(path, select=select, unwanted=unwanted)
            return built
        with _listening() as statements:
            built = self.run_dbt(path, select=select, unwanted=unwanted)
        views, _, warnings = built
        if views and not warnings and "unit_test" in unwanted:
            self.kept[kind] = statements, built
        return built


def _relations(path: Path) -> tuple[Any, ...]:
    with duckdb.connect(str(path), read_only=True) as con:
        return tuple(
            con.execute(
                "select table_schema, table_name, table_type from information_schema.tables "
                "where table_schema not in ('raw', 'meta') order by all"
            ).fetchall()
        )


def _send(path: Path, statements: list[Statement]) -> None:
    with duckdb.connect(str(path)) as con:
        cursors: dict[int, duckdb.DuckDBPyConnection] = {}
        for number, text, bound in statements:
            cursor = cursors.setdefault(number, con.cursor())
            cursor.execute(text, bound)
            if [column[0] for column in cursor.description or ()] == VERDICT:
                answer = cursor.fetchone()
                if answer is None or answer[1] or answer[2]:
                    raise Deviates
        for cursor in cursors.values():
            cursor.close()


@contextmanager
def _listening() -> Iterator[list[Statement]]:
    """Keep every statement that dbt sends, in order."""
    from dbt.adapters.duckdb.environments.local import DuckDBCursorWrapper  # two seconds

    found: list[Statement] = []
    cursors: dict[int, tuple[int, Any]] = {}  # the cursors too, so that no id comes twice
    execute = DuckDBCursorWrapper.execute

    def kept(self: Any, sql: str, bindings: Any = None) -> Any:
        answer = execute(self, sql, bindings)
        number, _ = cursors.setdefault(id(self), (len(cursors), self))
        found.append((number, sql, bindings))
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DuckDBCursorWrapper, "execute", kept)
        yield found


@contextmanager
def replayed() -> Iterator[None]:
    """Let all builds of this process be replayed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "_run_dbt", Replay(build._run_dbt))
        yield
