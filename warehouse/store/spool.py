"""Long work leaves Parquet shards here, so that it never holds the warehouse's lock.

A shard is a folder with one file per table, named into place in one step. After ``kill -9`` it is
there whole or not at all. The next run drains what an earlier one left behind.
"""

import fcntl
import os
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from models.base import Row
from models.tables import TABLES
from warehouse import settings
from warehouse.errors import AssayError, CheckFailed
from warehouse.frames import Frames, frames_of, frames_of_values, name_of, schema_of, values_of
from warehouse.store import journal as journals
from warehouse.store.append import append_frames
from warehouse.store.connection import bring_up_to_date
from warehouse.store.runs import RunHandle

FLUSH_ROWS = 20_000
FLUSH_BYTES = 8_000_000
FLUSH_S = 5.0
DRAIN_BYTES = 32_000_000


class Spool:
    """Shards of one run; a context manager that flushes and drains at the end.

    With ``journal``, rows survive ``kill -9`` as soon as ``put`` returns: until their shard is
    written they are in a file beside it.
    """

    def __init__(self, run: RunHandle, *, journal: bool = False):
        self.run = run
        self.folder = settings.spool_dir() / run.run_id
        self._rows: dict[type[Row], list[Mapping[str, Any]]] = {}
        self._n_rows = self._n_bytes = self._count = 0
        self._last = time.monotonic()
        self._lock: IO[str] | None = None
        self._journalled = journal
        self._journal: journals.Journal | None = None

    def __enter__(self) -> "Spool":
        self.folder.mkdir(parents=True)
        self._lock = _try_lock(self.folder)
        self._write(frames_of([self.run.row]))
        if self._journalled:
            self._journal = journals.Journal(self.folder)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self.flush()
            if self._journal:
                self._journal.close()
            self.run.count(_drain_folder(self.folder))
            self.run.spooled = False
        finally:
            if self._lock:
                self._lock.close()

    def add(self, rows: Iterable[Row]) -> None:
        """Keep rows; a shard is written after 5 seconds, 20,000 rows or 8 MB."""
        self.put((type(row), values_of(row)) for row in rows)

    def put(self, rows: Iterable[tuple[type[Row], Mapping[str, Any]]]) -> None:
        """Keep rows given as table and values by column: for the many rows of a fast source.

        The rows of one call reach disk together.
        """
        taken = list(rows)
        if self._journal:
            self._journal.write(taken)
        for table, values in taken:
            self._rows.setdefault(table, []).append(values)
            self._n_rows += 1
            self._n_bytes += _size(values)
        full = self._n_rows >= FLUSH_ROWS or self._n_bytes >= FLUSH_BYTES
        if full or time.monotonic() - self._last > FLUSH_S:
            self.flush()

    def flush(self) -> None:
        """Write what is kept as one shard; what cannot be written is kept."""
        self._last = time.monotonic()
        if self._rows:
            self._write(frames_of_values(self._rows))
            self.run.spooled = True
            self._rows = {}
            self._n_rows = self._n_bytes = 0
            if self._journal:
                self._journal.clear()

    def _write(self, frames: Frames) -> None:
        _write_shard(self.folder, self._count, frames)
        self._count += 1


def drain_leftovers() -> dict[str, int]:
    """Append the shards of runs that were cut off; return new rows by table.

    An older warehouse is migrated first: every step that spools begins here.
    """
    bring_up_to_date()
    added: Counter[str] = Counter()
    for folder in _folders():
        lock = _try_lock(folder)
        if lock is None:
            continue  # its run is alive
        try:
            added.update(_drain_folder(folder))
        finally:
            lock.close()
    return dict(added)


def leftovers() -> int:
    """Return how many shards of runs that were cut off wait to be appended."""
    return sum(len(_shards(folder)) for folder in _folders() if not _is_alive(folder))


def spooled() -> dict[str, int]:
    """Return how many rows of living runs wait to be appended, by table."""
    found: Counter[str] = Counter()
    for folder in filter(_is_alive, _folders()):
        for shard in _shards(folder):
            with suppress(FileNotFoundError):  # its run is appending
                for file in shard.glob("*.parquet"):
                    found[file.stem] += pq.read_metadata(file).num_rows
    return dict(found)


def _folders() -> list[Path]:
    root = settings.spool_dir()
    return sorted(root.iterdir()) if root.exists() else []


def _shards(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("[0-9]*") if path.suffix == "")


def _is_alive(folder: Path) -> bool:
    """Return whether a process writes here; looks without taking its lock from it."""
    try:
        with (folder / "lock").open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _drain_folder(folder: Path) -> dict[str, int]:
    """Append all shards of one run, some at a time so that memory stays small; remove the folder.

    What is appended twice, because the process died in between, adds nothing the second time.
    """
    _journal_to_shard(folder)
    tables = {name_of(table): table for table in TABLES}
    shards = _shards(folder)
    added: Counter[str] = Counter()
    run_row: pa.Table | None = None
    while shards:
        frames, taken = _next_shards(shards, tables)
        run_row = frames.get(tables["run"], run_row)
        if set(frames) - {tables["run"]}:
            try:
                added.update(append_frames({tables["run"]: run_row, **frames}, folder.name))
            except CheckFailed as error:
                kept = settings.home() / "refused" / folder.name
                kept.parent.mkdir(exist_ok=True)
                folder.rename(kept)
                raise CheckFailed(f"{error}; the shards are kept in {kept}") from error
        shards = shards[taken:]
    shutil.rmtree(folder)
    return dict(added)


def _journal_to_shard(folder: Path) -> None:
    """Write what a run that was cut off left in its journal as one more shard.

    The last entry may be cut off too. Rows that are in a shard as well add nothing.
    """
    rows = journals.journaled_rows(folder)
    shards = [int(path.name) for path in _shards(folder)]
    if rows and shards:
        try:
            frames = frames_of_values(rows)
        except (KeyError, TypeError, pa.ArrowException) as error:
            raise _of_other_columns(folder / journals.NAME, repr(error)) from error
        _write_shard(folder, max(shards) + 1, frames)
    journals.remove(folder)


def _next_shards(shards: list[Path], tables: Mapping[str, type[Row]]) -> tuple[Frames, int]:
    """Return the rows of the first shards, as many as are small enough together, and how many."""
    pieces: dict[type[Row], list[pa.Table]] = {}
    n_bytes = taken = 0
    for shard in shards:
        for file in sorted(shard.glob("*.parquet")):
            piece = pq.read_table(file)
            _require_own(file, piece, tables[file.stem])
            pieces.setdefault(tables[file.stem], []).append(piece)
            n_bytes += piece.nbytes
        taken += 1
        if n_bytes >= DRAIN_BYTES:
            break
    return {table: pa.concat_tables(found) for table, found in pieces.items()}, taken


def _require_own(file: Path, piece: pa.Table, table: type[Row]) -> None:
    """Refuse rows that another version of Assay left, with columns of other types."""
    ours = schema_of(table)
    for field in piece.schema:
        if field.name in ours.names and field.type != ours.field(field.name).type:
            raise _of_other_columns(file, f"{field.name} is {field.type}")


def _of_other_columns(file: Path, how: str) -> AssayError:
    return AssayError(
        f"{file}: its rows have other columns or types ({how}); another version of Assay left "
        "them, and this one cannot append them: move their folder out of spool/"
    )


def _size(values: Mapping[str, Any]) -> int:
    """Return about how many bytes the values take in memory."""
    total = 200
    for value in values.values():
        kind = type(value)
        if kind is str:
            total += len(value)
        elif kind is list:
            total += 40 * sum(len(item) if type(item) is list else 1 for item in value)
    return total


def _write_shard(folder: Path, number: int, frames: Frames) -> None:
    final = folder / f"{number:06d}"
    partial = final.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    try:
        for table, frame in frames.items():
            with (partial / f"{name_of(table)}.parquet").open("wb") as file:
                pq.write_table(frame, file, compression="zstd")
                file.flush()
                os.fsync(file.fileno())
    except OSError:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    partial.rename(final)


def _try_lock(folder: Path) -> IO[str] | None:
    """Return an open lock file, or None when a living process holds it."""
    file = (folder / "lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file
