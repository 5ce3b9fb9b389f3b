"""Files from the world, read strictly: a fault names its file, its line and its reason.

Only regular files are opened, after a look at their kind and size: a pipe or a device could block
or never end. A file that is named may be a symbolic link. Below a folder that is named, no link is
followed, so that an import reads nothing from outside the folder. Packed files are unpacked within
bounds.
"""

import gzip
import hashlib
import io
import json
import os
import stat
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from warehouse.errors import BadInput
from warehouse.kinds import kind

MAX_LINE_BYTES = 256_000_000
"""Longest line of a JSON Lines file, unpacked."""

MAX_BLANK_LINES = 100_000
"""Blank lines that are passed over in a JSON Lines file."""

MAX_FILE_BYTES = 50_000_000_000
"""Largest file that is read in pieces, packed or not."""

MAX_DOCUMENT_BYTES = 2_000_000_000
"""Largest file that is held in memory whole, unpacked."""

MAX_TEXT_FILE_BYTES = 20_000_000
"""Largest file that is one text: one program, one problem."""

UNPACKED_FREELY_BYTES = 256_000_000
UNPACKED_RATIO = 100
"""A packed file may unpack to so many bytes, or to so many times its size, whichever is more."""


def json_lines(path: Path, *, below: Path | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number from 1, object) for each line of a JSON Lines file, packed or not.

    Blank lines are passed over; ``below`` is the folder it was found in. Raises BadInput for a
    missing, empty, cut or damaged file. Also for a line that is too long, not UTF-8, not JSON or
    not an object.
    """
    n_objects = n_blank = 0
    for row, line in _lines(path, below):
        if line.isspace():
            n_blank += 1
            if n_blank > MAX_BLANK_LINES:
                raise BadInput(f"more than {MAX_BLANK_LINES:,} lines are blank", path=path, row=row)
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
    with opened(path, limit=MAX_DOCUMENT_BYTES) as file:
        data = file.read()
    if not data.strip():
        raise BadInput("the file is empty", path=path)
    return _json(data, path, None)


def utf8_text(path: Path, *, below: Path | None = None, limit: int = MAX_TEXT_FILE_BYTES) -> str:
    """Return the text of a file of at most ``limit`` bytes; raises BadInput if it is not UTF-8."""
    with opened(path, below=below, limit=limit) as file:
        return _decoded(file.read(), path, None)


def sha256_of(path: Path, *, below: Path | None = None) -> str:
    """Return the SHA-256 of a file; of a folder, the SHA-256 over its files' names and sums."""
    if path.is_dir():
        parts = [
            f"{file.relative_to(path).as_posix()} {sha256_of(file, below=path)}\n"
            for file in files_under(path)
        ]
        return hashlib.sha256("".join(parts).encode()).hexdigest()
    digest = hashlib.sha256()
    with opened(path, below=below, unpack=False) as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def files_under(folder: Path) -> list[Path]:
    """Return the files below a folder in a fixed order, caches left out.

    Raises BadInput for anything that is neither a regular file nor a folder: passed over, its rows
    would be missing without a word.
    """
    found = []
    folders = [folder]
    while folders:
        for entry in _entries(folders.pop()):
            mode = entry.stat(follow_symlinks=False).st_mode
            path = Path(entry.path)
            if stat.S_ISREG(mode):
                found.append(path)
            elif not stat.S_ISDIR(mode):
                raise BadInput(_unfit(mode), path=path)
            elif entry.name != "__pycache__":
                folders.append(path)
    return sorted(found)


@contextmanager
def opened(
    path: Path, *, below: Path | None = None, unpack: bool = True, limit: int = MAX_FILE_BYTES
) -> Iterator[IO[bytes]]:
    """Open a regular file of at most ``limit`` bytes, unpacked when it is a gzip stream.

    With ``below``, no symbolic link is followed between that folder and the file; without
    ``unpack`` the file can be searched. Raises BadInput for anything else, and for what goes wrong
    while the file is read.
    """
    try:
        with _regular(path, below) as raw:
            size = os.fstat(raw.fileno()).st_size
            if size > limit:
                reason = f"has {size:,} bytes: at most {limit:,} are read of a file of this kind"
                raise BadInput(reason, path=path)
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            if not unpack:
                yield raw
            elif packed:
                bound = min(limit, max(UNPACKED_FREELY_BYTES, UNPACKED_RATIO * size))
                with gzip.open(raw, "rb") as unpacked:
                    yield io.BufferedReader(_Bounded(unpacked, bound, path), 1 << 20)
            else:
                yield io.BufferedReader(_Bounded(raw, limit, path), 1 << 20)
    except FileNotFoundError as error:
        raise BadInput("no such file", path=path) from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise BadInput(f"the gzip stream is cut short or damaged ({error})", path=path) from error
    except OSError as error:
        raise BadInput(f"cannot be read ({error.strerror or error})", path=path) from error


def kind_of(value: object) -> str:
    """Name a JSON value's kind in words."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "a truth value"}
    return "null" if value is None else names.get(type(value), "a number")


def _lines(path: Path, below: Path | None) -> Iterator[tuple[int, bytes]]:
    with opened(path, below=below) as file:
        row = 0
        while line := file.readline(MAX_LINE_BYTES + 1):
            row += 1
            if len(line) > MAX_LINE_BYTES:
                raise BadInput(
                    f"the line is longer than {MAX_LINE_BYTES:,} bytes", path=path, row=row
                )
            yield row, line


class _Bounded(io.RawIOBase):
    """A file that is refused once more bytes came out of it than its size promised."""

    def __init__(self, file: IO[bytes] | gzip.GzipFile, limit: int, path: Path):
        self._file = file
        self._left = self._limit = limit
        self._path = path

    def readable(self) -> bool:
        """Say that it can be read: io asks."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; return how many bytes came."""
        count: int = self._file.readinto(buffer)  # type: ignore[union-attr]
        self._left -= count
        if self._left < 0:
            raise BadInput(f"unpacks to more than {self._limit:,} bytes", path=self._path)
        return count


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError as error:
        raise BadInput(f"cannot be read ({error.strerror or error})", path=folder) from error


def _regular(path: Path, below: Path | None) -> IO[bytes]:
    """Open a regular file; its kind is looked at before, for opening a device may do something."""
    _check_kind(path.lstat() if below else path.stat(), path)
    # without O_NONBLOCK a pipe that has just taken the file's place would block
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
    file = os.fdopen(_beneath(path, below, flags) if below else os.open(path, flags), "rb")
    try:
        _check_kind(os.fstat(file.fileno()), path)
    except BadInput:
        file.close()
        raise
    return file


def _beneath(path: Path, folder: Path, flags: int) -> int:
    """Open a file below a folder one name at a time; a symbolic link on the way is an OSError."""
    *folders, name = path.relative_to(folder).parts
    on_the_way = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    here = os.open(folder, on_the_way)
    try:
        for part in folders:
            inner = os.open(part, on_the_way | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            here = inner
        return os.open(name, flags | os.O_NOFOLLOW, dir_fd=here)
    finally:
        os.close(here)


def _check_kind(found: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise BadInput(_unfit(found.st_mode), path=path)


def _unfit(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "is a folder, not a file"
    if stat.S_ISLNK(mode):
        return (
            "is a symbolic link, and no link is followed below a folder: put the file itself there"
        )
    return f"is {kind(mode)}: only regular files are read"


def _json(data: bytes, path: Path, row: int | None) -> Any:
    text = _decoded(data, path, row)
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        where = f"column {error.colno}" if row else f"line {error.lineno}, column {error.colno}"
        raise BadInput(f"not JSON: {error.msg} at {where}", path=path, row=row) from error
    except RecursionError as error:
        raise BadInput("not JSON we can hold: nested too deeply", path=path, row=row) from error
    except ValueError as error:
        raise BadInput(f"not JSON we can hold: {error}", path=path, row=row) from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; Python would take the last of two values, and lose the first."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise ValueError(f"an object has the key {twice!r} twice")
    return found


def _decoded(data: bytes, path: Path, row: int | None) -> str:
    try:
        return data.decode("utf-8-sig" if row in (None, 1) else "utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"not UTF-8 at byte {error.start}", path=path, row=row) from error
