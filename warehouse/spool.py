"""Long work leaves Parquet shards here, so that it never holds the warehouse's lock.

A shard is a folder with one file per table, named into place in one step: after ``kill -9`` it is
there whole or not at all. The next run drains what an earlier one left behind.
"""

import fcntl
import os
import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from models import TABLES
from models.base import Row
from warehouse import settings
from warehouse.append import append_frames
from warehouse.errors import CheckFailed
from warehouse.frames import Frames, frames_of, name_of
from warehouse.runs import RunHandle

FLUSH_ROWS = 20_000
FLUSH_S = 5.0


class Spool:
    """Shards of one run; a context manager that flushes and drains at the end."""

    def __init__(self, run: RunHandle):
        self.run = run
        self.folder = settings.spool_dir() / run.run_id
        self._rows: list[Row] = []
        self._count = 0
        self._last = time.monotonic()
        self._lock: IO[str] | None = None

    def __enter__(self) -> "Spool":
        self.folder.mkdir(parents=True)
        self._lock = _try_lock(self.folder)
        self._write(frames_of([self.run.row]))
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self.flush()
            self.run.count(_drain_folder(self.folder))
        finally:
            if self._lock:
                self._lock.close()

    def add(self, rows: Iterable[Row]) -> None:
        """Keep rows; they reach disk within 5 seconds or 20,000 rows, whichever is first."""
        self._rows.extend(rows)
        if len(self._rows) >= FLUSH_ROWS or time.monotonic() - self._last > FLUSH_S:
            self.flush()

    def flush(self) -> None:
        """Write what is kept as one shard."""
        self._last = time.monotonic()
        if self._rows:
            self._write(frames_of(self._rows))
            self._rows = []

    def _write(self, frames: Frames) -> None:
        final = self.folder / f"{self._count:06d}"
        partial = final.with_suffix(".partial")
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
        self._count += 1


def drain_leftovers() -> dict[str, int]:
    """Append the shards of runs that were cut off; return new rows by table."""
    added: dict[str, int] = {}
    root = settings.spool_dir()
    for folder in sorted(root.iterdir()) if root.exists() else []:
        lock = _try_lock(folder)
        if lock is None:
            continue  # its run is alive
        try:
            for name, count in _drain_folder(folder).items():
                added[name] = added.get(name, 0) + count
        finally:
            lock.close()
    return added


def leftovers() -> int:
    """Return how many shards wait to be appended."""
    root = settings.spool_dir()
    return sum(1 for shard in root.glob("*/[0-9]*") if shard.suffix == "") if root.exists() else 0


def _drain_folder(folder: Path) -> dict[str, int]:
    """Append all shards of one run in one transaction, then remove the folder."""
    tables = {name_of(table): table for table in TABLES}
    shards = sorted(path for path in folder.glob("[0-9]*") if path.suffix == "")
    pieces: dict[type[Row], list[pa.Table]] = {}
    for shard in shards:
        for file in sorted(shard.glob("*.parquet")):
            pieces.setdefault(tables[file.stem], []).append(pq.read_table(file))
    frames = {table: pa.concat_tables(found) for table, found in pieces.items()}
    own_row_only = set(frames) <= {tables["run"]}
    try:
        added = {} if own_row_only else append_frames(frames, folder.name)
    except CheckFailed as error:
        kept = settings.home() / "refused" / folder.name
        kept.parent.mkdir(exist_ok=True)
        folder.rename(kept)
        raise CheckFailed(f"{error}; the shards are kept in {kept}") from error
    shutil.rmtree(folder)
    return added


def _try_lock(folder: Path) -> IO[str] | None:
    """Return an open lock file, or None when a living process holds it."""
    file = (folder / "lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file
