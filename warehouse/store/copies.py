"""Copies of relations in Parquet and in another file: statements with names no parameter takes."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import duckdb

from warehouse.names import literal, quoted

# Files of this version are read by DuckDB 1.x and 2.x and by duckdb-wasm.
STORAGE_VERSION = "v1.0.0"

# Types that need an extension to be read, and what they become; times are UTC throughout.
PLAIN_TYPES = {
    "TIMESTAMP WITH TIME ZONE": "({column} at time zone 'UTC')",
    "JSON": "cast({column} as varchar)",
    "HUGEINT": "cast({column} as bigint)",
    "UUID": "cast({column} as varchar)",
}


def copy_to_parquet(
    con: duckdb.DuckDBPyConnection,
    schema: str,
    name: str,
    columns: Mapping[str, str],
    path: Path,
    *,
    ordered: bool,
) -> int:
    """Copy columns, given with their types, in types that need no extension; return the rows."""
    chosen = [
        f"{PLAIN_TYPES.get(kind, '{column}').format(column=quoted(column))} as {quoted(column)}"
        for column, kind in columns.items()
    ]
    query = f"select {', '.join(chosen)} from {quoted(schema, name)}"
    query += " order by all" * ordered
    [(copied,)] = con.execute(
        f"copy ({query}) to {literal(str(path))} (format parquet, compression zstd)"
    ).fetchall()
    return int(copied)


def begin_snapshot(con: duckdb.DuckDBPyConnection, path: Path, schemas: Iterable[str]) -> None:
    """Make a database file with some schemas, where what is made next goes."""
    con.execute(f"attach {literal(str(path))} as snapshot (storage_version '{STORAGE_VERSION}')")
    con.execute("use snapshot")
    for schema in schemas:
        con.execute(f"create schema if not exists {quoted(schema)}")


def end_snapshot(con: duckdb.DuckDBPyConnection, facts: Mapping[str, str | None]) -> None:
    """Write what a snapshot says of itself, and let go of its file."""
    con.execute("create table meta.snapshot (name varchar, value varchar)")
    con.executemany("insert into meta.snapshot values (?, ?)", list(facts.items()))
    con.execute("use memory")
    con.execute("checkpoint snapshot")
    con.execute("detach snapshot")


def table_of_parquet(con: duckdb.DuckDBPyConnection, schema: str, name: str, path: Path) -> int:
    """Make a table of a Parquet file and return how many rows it has."""
    table = quoted(schema, name)
    con.execute(f"create table {table} as select * from read_parquet({literal(str(path))})")
    [(counted,)] = con.execute(f"select count(*) from {table}").fetchall()
    return int(counted)


def make_alias(con: duckdb.DuckDBPyConnection, name: str, other: str) -> None:
    """Make a view that shows another one whole."""
    con.execute(f"create view {quoted(name)} as select * from {quoted(other)}")


def make_table_macro(
    con: duckdb.DuckDBPyConnection, name: str, parameters: Sequence[str], definition: str
) -> None:
    """Make a table macro once more."""
    listed = ", ".join(map(quoted, parameters))
    con.execute(f"create macro {quoted(name)}({listed}) as table {definition}")


def comment_on(con: duckdb.DuckDBPyConnection, kind: str, name: Sequence[str], text: str) -> None:
    """Carry a description into the file; ``kind`` is table, view or column."""
    con.execute(f"comment on {kind} {quoted(*name)} is {literal(text)}")
