"""The journal of a spool: rows that are in no shard yet, as JSON lines that survive ``kill -9``.

A line holds the rows of one call, each as table and values by column, and ends with a line feed. A
line without one was cut off and holds nothing. Lists of floating-point numbers are packed, because
writing log-probabilities as digits takes five times as long; times are in ISO form. It lives on the
machine that wrote it, between two runs.
"""

import json
import os
from array import array
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from models.base import Row
from models.tables import TABLES
from warehouse.errors import AssayError
from warehouse.frames import name_of, schema_of

NAME = "journal.jsonl"
PICKLED = "journal"
"""The journals of earlier versions were pickled: reading one would run what it says."""

Rows = dict[type[Row], list[Mapping[str, Any]]]


class Journal:
    """Lines that survive a kill of the process once ``write`` has returned."""

    def __init__(self, folder: Path):
        self._file = (folder / NAME).open("ab", buffering=0)
        self._encode = json.JSONEncoder(
            separators=(",", ":"), check_circular=False, default=_in_words
        ).encode
        self._names: dict[type[Row], str] = {table: name_of(table) for table in TABLES}

    def write(self, rows: Iterable[tuple[type[Row], Mapping[str, Any]]]) -> None:
        """Add one line; on a full disk what was written of it is taken back."""
        line = [(self._names[table], _packed(values)) for table, values in rows]
        data = memoryview(self._encode(line).encode() + b"\n")
        before = os.fstat(self._file.fileno()).st_size
        try:
            while data:
                data = data[self._file.write(data) :]
        except OSError:
            self._file.truncate(before)
            raise

    def clear(self) -> None:
        """Forget the lines: their rows are in a shard."""
        self._file.truncate(0)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def journaled_rows(folder: Path) -> Rows:
    """Return the rows of a folder's journal, if it has one.

    Raises AssayError for a journal of an earlier version, and for a line that is no journal's.
    """
    old = folder / PICKLED
    if old.exists() and old.stat().st_size:
        raise AssayError(
            f"{old}: rows that an earlier version of Assay left in another format: run that "
            "version's `assay execute` to keep them, or delete the file"
        )
    path = folder / NAME
    tables = {name_of(table): table for table in TABLES}
    rows: Rows = {}
    lines = path.read_bytes().split(b"\n") if path.exists() else [b""]
    for number, line in enumerate(lines[:-1], start=1):
        try:
            for name, values in json.loads(line):
                table = tables[name]
                rows.setdefault(table, []).append(_unpacked(values, table))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise AssayError(
                f"{path}:{number}: not a line of rows ({error!r:.80}): nothing was appended; "
                "mend or delete the line"
            ) from error
    return rows


def remove(folder: Path) -> None:
    """Remove a folder's journal."""
    for name in (NAME, PICKLED):
        (folder / name).unlink(missing_ok=True)


def _packed(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: {"doubles": array("d", value).tobytes().hex()}
        if type(value) is list and value and all(type(item) is float for item in value)
        else value
        for name, value in values.items()
    }


def _unpacked(values: dict[str, Any], table: type[Row]) -> dict[str, Any]:
    for name, value in values.items():
        if isinstance(value, dict):
            values[name] = array("d", bytes.fromhex(value["doubles"])).tolist()
        elif isinstance(value, str) and pa.types.is_timestamp(schema_of(table).field(name).type):
            values[name] = datetime.fromisoformat(value)
    return values


def _in_words(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"no row holds {type(value).__name__}")
