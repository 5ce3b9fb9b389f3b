"""The only door to the DuckDB file: opened late, closed soon, one writer at a time."""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from warehouse import settings
from warehouse.errors import AssayError, Locked
from warehouse.store import migrations
from warehouse.store.interrupts import interruptible

LOCK_WAIT_S = 10.0
NEW_FILES: dict[str, str | bool | int | float | list[str]] = {
    "storage_compatibility_version": "v1.4.0"
}
"""The format of a new warehouse: the default, of 1.0, takes three times as long to open."""
_up_to_date: set[tuple[Path, int, int, int, int]] = set()
"""Warehouses whose version this process has checked, as they were then: a check opens one."""
REMEDY = "restore a backup, or move the file away to start with an empty warehouse"
REFUSED = {
    "Permission denied": "give yourself access to it",
    "Read-only file system": "make its disk writable",
    "No space left on device": "free space on its disk",
}
"""What the system says when it refuses to open a file, and the remedy. The file is sound then."""


@contextmanager
def writing(
    path: Path | None = None, *, wait_s: float = LOCK_WAIT_S
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the warehouse for writing, creating or migrating it first.

    Raises Locked, naming the holder, when another process keeps it for longer than ``wait_s``.
    """
    path = path or settings.warehouse_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    with _closed_after(_connect(path, read_only=False, wait_s=wait_s), path) as con:
        migrations.migrate(con, path)
        yield con


@contextmanager
def reading(
    path: Path | None = None, *, wait_s: float = LOCK_WAIT_S
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the warehouse read-only; raises AssayError when there is none."""
    path = path or settings.warehouse_path()
    require_warehouse(path)
    with _closed_after(_connect(path, read_only=True, wait_s=wait_s), path) as con:
        migrations.require_current(con, path)
        yield con


def bring_up_to_date() -> None:
    """Migrate a warehouse that an older Assay wrote; do nothing where there is none."""
    path = settings.warehouse_path()
    if not path.exists():
        return
    found = _as_it_is(path)
    if found in _up_to_date:
        return
    with _closed_after(_connect(path, read_only=True, wait_s=LOCK_WAIT_S), path) as con:
        is_old = migrations.version(con) < migrations.latest()
    if is_old:
        with writing(path):
            pass  # opening to write migrates
    else:
        _up_to_date.add(found)


def _as_it_is(path: Path) -> tuple[Path, int, int, int, int]:
    """Return what differs where a file was written or replaced, or where this code is newer."""
    found = path.stat()
    return path, found.st_ino, found.st_size, found.st_mtime_ns, migrations.latest()


def require_warehouse(path: Path | None = None) -> None:
    """Raise AssayError where there is no warehouse."""
    path = path or settings.warehouse_path()
    if not path.exists():
        raise AssayError(f"no warehouse at {path}: run `assay ingest starter` to begin one")


@contextmanager
def _closed_after(
    con: duckdb.DuckDBPyConnection, path: Path
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Set up a connection and close it at the end; an interrupted query is a KeyboardInterrupt."""
    try:
        with interruptible(con):
            con.execute("set timezone = 'UTC'")
            yield con
    except BaseException as error:
        with suppress(duckdb.Error):  # what ended the block is raised, not what follows from it
            con.close()
        if isinstance(error, duckdb.IOException) and _is_cut(path, error):
            raise _cannot_open(path, error) from error
        raise
    con.close()


def _is_cut(path: Path, error: duckdb.IOException) -> bool:
    """A file that is cut short may open, and fail where what is missing is read."""
    return "read enough bytes" in str(error) and path.name in str(error)


def _connect(path: Path, *, read_only: bool, wait_s: float) -> duckdb.DuckDBPyConnection:
    deadline = time.monotonic() + wait_s
    while True:
        try:
            con = duckdb.connect(str(path), read_only, {} if read_only else NEW_FILES)
        except duckdb.Error as error:
            if not isinstance(error, duckdb.IOException) or "Could not set lock" not in str(error):
                raise _cannot_open(path, error) from error
            if time.monotonic() >= deadline:
                raise Locked(f"{path}: the warehouse is in use by {holder(str(error))}") from error
            time.sleep(0.1)
        else:
            return con


def _cannot_open(path: Path, error: duckdb.Error) -> AssayError:
    for words, remedy in REFUSED.items():
        if words in str(error):
            another = "or choose another home with --home"
            return AssayError(f"{path}: {words.lower()}: {remedy}, {another}")
    return AssayError(f"{why_unreadable(path, error)}: {REMEDY}")


def why_unreadable(path: Path, error: duckdb.Error) -> str:
    """Say in one line what is wrong with a database file that cannot be opened."""
    reason = _first_line(error)
    if path.is_dir():
        return f"{path} is a folder; a database file is needed"
    if not path.exists():
        reason = "the database file is missing"
    elif not os.access(path, os.R_OK):
        reason = "permission denied"
    elif "not enough bytes" in reason or "read enough bytes" in reason:
        reason = "the database file is cut short"
    elif "not a valid DuckDB" in reason:
        return f"{path} is not a database file"
    return f"{path}: {reason}"


def holder(message: str) -> str:
    """Name the process that holds the lock, from DuckDB's own message."""
    found = re.search(r"held in (?P<exe>.*?) \(PID (?P<pid>\d+)\)", message)
    if not found:
        return "another process"
    pid = found["pid"]
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except OSError:
        command = found["exe"]
    return f"process {pid} ({command[:120]})"


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
