"""Numbered migrations: a warehouse of any older version is brought up to this one."""

from datetime import UTC, datetime
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import duckdb

from warehouse.errors import AssayError

FOLDER = resources.files("warehouse") / "migrations_sql"


def scripts() -> dict[int, str]:
    """Return the SQL of every migration by its number, in order."""
    return {number: file.read_text(encoding="utf-8") for number, file in sorted(_files().items())}


def latest() -> int:
    """Return the schema version this code writes."""
    return max(_files())


def version(con: duckdb.DuckDBPyConnection) -> int:
    """Return the schema version of an open warehouse; 0 when it is empty."""
    try:
        [(found,)] = con.execute(
            "select coalesce(max(version), 0) from meta.schema_version"
        ).fetchall()
    except duckdb.CatalogException:  # no such table yet
        return 0
    return int(found)


def migrate(con: duckdb.DuckDBPyConnection, path: Path) -> int:
    """Apply what is missing, each migration in one transaction; return how many were applied.

    Raises AssayError when the warehouse is newer than this code.
    """
    have, newest = version(con), latest()
    if have > newest:
        raise _too_new(path, have)
    if have == newest:
        return 0
    pending = {number: sql for number, sql in scripts().items() if number > have}
    for number, sql in pending.items():
        con.begin()
        try:
            con.execute(sql)
            con.execute(
                "insert into meta.schema_version values (?, ?)", [number, datetime.now(UTC)]
            )
        except BaseException:
            con.rollback()
            raise
        con.commit()
    return len(pending)


def require_current(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Refuse to read a warehouse of another version."""
    have, newest = version(con), latest()
    if have > newest:
        raise _too_new(path, have)
    if have < newest:
        raise AssayError(
            f"{path}: schema version {have}, this code reads {newest}: "
            "any writing command migrates it, such as `assay build`"
        )


def _files() -> dict[int, Traversable]:
    return {
        int(entry.name.split("_", 1)[0]): entry
        for entry in FOLDER.iterdir()
        if entry.name.endswith(".sql")
    }


def _too_new(path: Path, have: int) -> AssayError:
    return AssayError(
        f"{path}: written by a newer Assay (schema version {have}, this one knows {latest()}): "
        "upgrade Assay to open it"
    )
