"""A snapshot in Python: its views as relations and dataframes, for notebooks and scripts.

Reading is all there is: no file, no network and no setting can be reached through it. Numbers come
from the views, as everywhere.
"""

from pathlib import Path
from types import TracebackType

import duckdb

from warehouse.errors import BadInput, known_names
from warehouse.facts.query import text_of
from warehouse.snapshot import snapshots
from warehouse.snapshot.query import (
    DEFAULT_MEMORY_MB,
    DEFAULT_THREADS,
    Reader,
    connect,
    only,
    reading_statements,
)


class AssaySnapshot:
    """An open snapshot; each view of it is an attribute, as a DuckDB relation.

    A relation is computed when it is looked at: ``.df()`` gives a pandas frame,
    ``.to_arrow_table()`` an Arrow table, ``.filter("k = 1")`` and ``.order("lm")`` another
    relation. ``snapshot_id`` names the snapshot; cite it with every number.
    """

    def __init__(self, snapshot: snapshots.Snapshot, memory_mb: int, threads: int) -> None:
        self._con = connect(snapshot, memory_mb=memory_mb, threads=threads)
        self._reader = Reader(self._con, snapshot)
        self.snapshot_id = snapshot.snapshot_id
        self.views = tuple(name for schema, name, _ in self._reader.tables() if schema == "main")
        """The names of all views, versions and plain names."""

    def __getattr__(self, name: str) -> duckdb.DuckDBPyRelation:
        if name.startswith("_") or name == "views":  # of a half-made object, or of Python's
            raise AttributeError(name)
        if name not in self.views:
            raise AttributeError(f"there is no view {name!r}{known_names(name, self.views)}")
        return self._con.table(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.views]

    def __repr__(self) -> str:
        return f"<snapshot {self.snapshot_id}: {len(self.views)} views>"

    def sql(self, query: str) -> duckdb.DuckDBPyRelation:
        """Return the relation of one reading statement; raises BadInput for another."""
        return self._con.sql(only(reading_statements(query)))

    def describe(self, view: str) -> duckdb.DuckDBPyRelation:
        """Return name, type and description of each column of a view."""
        if view not in self.views:
            raise BadInput(f"there is no view {view!r}{known_names(view, self.views)}")
        asked = {"table": view, "schema": "main"}
        return self._con.sql(text_of("catalog/columns"), params=asked)

    def close(self) -> None:
        """Close the snapshot; its relations end with it."""
        self._con.close()

    def __enter__(self) -> "AssaySnapshot":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def assay_snapshot(
    folder: str | Path | None = None,
    *,
    memory_mb: int = DEFAULT_MEMORY_MB,
    threads: int = DEFAULT_THREADS,
) -> AssaySnapshot:
    """Open a published snapshot: that of a folder, or the current one of the home.

    Raises AssayError where there is none.
    """
    found = snapshots.current() if folder is None else snapshots.in_folder(Path(folder).resolve())
    return AssaySnapshot(found, memory_mb, threads)
