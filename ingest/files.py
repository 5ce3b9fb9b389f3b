"""Files from the world, read strictly: a fault names its file, its line and its reason."""

import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from warehouse.errors import BadInput

MAX_LINE_BYTES = 256_000_000
"""Longest line of a JSON Lines file, unpacked."""


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number from 1, object) for each line of a JSON Lines file, packed or not.

    Blank lines are passed over. Raises BadInput for a missing, empty, cut or damaged file, and
    for a line that is too long, not UTF-8, not JSON or not an object.
    """
    n_objects = 0
    for row, line in _lines(path):
        if line.isspace():
            continue
        value = _json(line, path, row)
        if not isinstance(value, dict):
            raise BadInput(f"expected a JSON object, found {kind_of(value)}", path=path, row=row)
        n_objects += 1
        yield row, value
    if n_objects == 0:
        raise BadInput("the file is empty", path=path)


def json_document(path: Path) -> Any:
    """Return the one JSON value a file holds, packed or not."""
    with _opened(path) as file:
        data = file.read()
    if not data.strip():
        raise BadInput("the file is empty", path=path)
    return _json(data, path, None)


def utf8_text(path: Path) -> str:
    """Return the text of a file; raises BadInput when it is not UTF-8."""
    with _opened(path) as file:
        return _decoded(file.read(), path, None)


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file; of a folder, the SHA-256 over its files' names and sums."""
    if path.is_dir():
        parts = [
            f"{file.relative_to(path).as_posix()} {sha256_of(file)}\n" for file in files_under(path)
        ]
        return hashlib.sha256("".join(parts).encode()).hexdigest()
    digest = hashlib.sha256()
    with _opened(path, unpack=False) as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def files_under(folder: Path) -> list[Path]:
    """Return the files below a folder in a fixed order, caches left out."""
    return sorted(
        file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts
    )


def kind_of(value: object) -> str:
    """Name a JSON value's kind in words."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "a truth value"}
    return "null" if value is None else names.get(type(value), "a number")


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    with _opened(path) as file:
        row = 0
        while line := file.readline(MAX_LINE_BYTES + 1):
            row += 1
            if len(line) > MAX_LINE_BYTES:
                raise BadInput(
                    f"the line is longer than {MAX_LINE_BYTES:,} bytes", path=path, row=row
                )
            yield row, line


@contextmanager
def _opened(path: Path, *, unpack: bool = True) -> Iterator[IO[bytes]]:
    try:
        with path.open("rb") as raw:
            packed = unpack and raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            if packed:
                with gzip.open(raw, "rb") as unpacked:
                    yield io.BufferedReader(unpacked)
            else:
                yield raw
    except FileNotFoundError as error:
        raise BadInput("no such file", path=path) from error
    except IsADirectoryError as error:
        raise BadInput("is a folder, not a file", path=path) from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise BadInput(f"the gzip stream is cut short or damaged ({error})", path=path) from error
    except OSError as error:
        raise BadInput(f"cannot be read ({error.strerror or error})", path=path) from error


def _json(data: bytes, path: Path, row: int | None) -> Any:
    text = _decoded(data, path, row)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"column {error.colno}" if row else f"line {error.lineno}, column {error.colno}"
        raise BadInput(f"not JSON: {error.msg} at {where}", path=path, row=row) from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"not JSON we can hold: {error}", path=path, row=row) from error


def _decoded(data: bytes, path: Path, row: int | None) -> str:
    try:
        return data.decode("utf-8-sig" if row in (None, 1) else "utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"not UTF-8 at byte {error.start}", path=path, row=row) from error
