"""The DuckDB file of a snapshot, written from its Parquet files: whole, or its views alone."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb

from warehouse.errors import AssayError
from warehouse.facts.query import run
from warehouse.snapshot.query import DEFAULT_MEMORY_MB, DEFAULT_THREADS, Row, connect, message_of
from warehouse.snapshot.snapshots import Snapshot
from warehouse.store import copies
from warehouse.tables import describe_tables
from warehouse.views.describe import describe_views

VIEWS = "main"
"""The schema of what people query."""


def write_views(snapshot: Snapshot, path: Path) -> None:
    """Write the views of a snapshot to a new file, without raw rows and without descriptions.

    Raises AssayError where it cannot be written.
    """
    con = connect(snapshot, memory_mb=DEFAULT_MEMORY_MB, threads=DEFAULT_THREADS)
    try:
        macros = run(con, "catalog/table_macros", {}).fetchall()
    finally:
        con.close()
    tables = snapshot.manifest["tables"].items()
    views = {name: facts for name, facts in tables if name.startswith(f"{VIEWS}.")}
    try:
        manifest = snapshot.manifest | {"tables": views}
        write_database(path, snapshot.folder, manifest, macros, described=False)
    except duckdb.Error as error:
        raise AssayError(f"{path}: {message_of(error)}") from error


def write_database(
    path: Path,
    folder: Path,
    manifest: dict[str, Any],
    macros: Sequence[Row],
    *,
    described: bool = True,
) -> None:
    """Write the tables of a manifest from the Parquet files in a folder, and count their rows."""
    tables = {tuple(name.split(".")): facts for name, facts in manifest["tables"].items()}
    con = duckdb.connect()
    try:
        # a file of this format has lambdas with an arrow, and so have the macros read from it
        con.execute("set lambda_syntax = 'ENABLE_SINGLE_ARROW'")
        copies.begin_snapshot(con, path, sorted({schema for schema, _ in tables} | {"meta"}))
        con.begin()  # one commit for all
        for (schema, name), facts in tables.items():
            count = copies.table_of_parquet(con, schema, name, folder / facts["parquet"])
            if count != facts["rows"]:
                raise AssayError(f"{name}: {count} rows in the snapshot, {facts['rows']} wanted")
        for plain, versioned in manifest["versions"].items():
            copies.make_alias(con, plain, versioned)
        for macro in macros:
            copies.make_table_macro(con, *macro)
        if described:
            _describe(con)
        con.commit()
        said = {
            name: None if value is None else str(value)
            for name, value in manifest.items()
            if name not in ("tables", "versions")
        }
        copies.end_snapshot(con, said)
    finally:
        con.close()


def _describe(con: duckdb.DuckDBPyConnection) -> None:
    """Carry the descriptions of views, tables and columns into the file as comments."""
    present: dict[tuple[str, str], set[str]] = {}
    for schema, name, column in run(con, "catalog/snapshot_columns", {}).fetchall():
        present.setdefault((schema, name), set()).add(column)
    views = set(run(con, "catalog/snapshot_views", {}).fetchall())
    for schema, name, text, columns in _descriptions():
        if (schema, name) not in present:
            continue
        kind = "view" if (schema, name) in views else "table"
        copies.comment_on(con, kind, (schema, name), text)
        for column in sorted(present[schema, name] & columns.keys()):
            copies.comment_on(con, "column", (schema, name, column), columns[column])


def _descriptions() -> Iterator[tuple[str, str, str, dict[str, str]]]:
    """Yield schema, name, description and columns' descriptions of every table and view."""
    for table in describe_tables():
        columns = {column.name: column.description for column in table.columns}
        yield "raw", table.name, table.description, columns
    for view in describe_views():
        columns = {column.name: column.description for column in view.columns}
        for name in filter(None, (view.name, view.plain_name)):
            yield view.schema, name, view.description, columns
