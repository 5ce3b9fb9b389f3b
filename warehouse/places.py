"""The size of a file or folder on disk, and whether a process has it open."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

UNITS = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


def n_bytes(path: Path) -> int:
    """Return the bytes of a file, or of all files below a folder; 0 where there is neither."""
    if path.is_file() and not path.is_symlink():
        return path.stat().st_size
    total = 0
    for folder, _, names in os.walk(path):
        for name in names:
            with suppress(FileNotFoundError):  # others work here too
                total += (Path(folder) / name).lstat().st_size
    return total


def size(value: int) -> str:
    """Return a number of bytes for people."""
    for unit, word in UNITS:
        if value >= unit:
            return f"{value / unit:.1f} {word}"
    return f"{value} bytes"


def open_below(folders: Iterable[Path]) -> set[Path]:
    """Return those folders below which some process that we may look at has a file open."""
    wanted = {os.fspath(folder.resolve()): folder for folder in folders}
    found = set()
    for descriptors in Path("/proc").glob("[0-9]*/fd"):
        with suppress(OSError):
            for entry in os.scandir(descriptors):
                with suppress(OSError):
                    target = os.fspath(Path(entry.path).readlink())
                    found |= {
                        folder
                        for name, folder in wanted.items()
                        if target == name or target.startswith(name + os.sep)
                    }
    return found
