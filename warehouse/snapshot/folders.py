"""The folders of snapshots: made beside the current one, sealed, swapped in, and removed."""

import errno
import filecmp
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from warehouse.checksums import file_sha256
from warehouse.errors import BadInput
from warehouse.kinds import unfit_folder
from warehouse.snapshot import snapshots

NO_LINKS = {errno.EPERM, errno.EXDEV, errno.EMLINK, errno.EOPNOTSUPP, errno.ENOSYS}
"""Errors of file systems that cannot, or may not, make a hard link."""


@contextmanager
def workplace(root: Path) -> Iterator[Path]:
    """Make a folder to work in; whatever is left in it at the end is removed."""
    if reason := unfit_folder(root):
        raise BadInput(f"{reason}: move it away, the snapshots go there", path=root)
    root.mkdir(parents=True, exist_ok=True)
    for leftover in abandoned(root):
        remove(leftover)
    work = root / f".making-{os.getpid()}-{secrets.token_hex(4)}"
    work.mkdir()
    try:
        yield work
    finally:
        if work.exists():
            remove(work)


def share(work: Path, earlier: Path) -> int:
    """Replace files by hard links to the same files of an earlier snapshot; return their bytes.

    Both names then stand for one file on disk, which stays until the last snapshot that has it is
    removed. Where the file system has no hard links, each snapshot keeps its own copy.
    """
    shared = 0
    for path in sorted(path for path in work.rglob("*") if path.is_file()):
        known = earlier / path.relative_to(work)
        is_file = known.is_file() and not known.is_symlink()
        if is_file and filecmp.cmp(path, known, shallow=False):
            link = path.with_name(f".{path.name}")
            try:
                link.hardlink_to(known)
            except OSError as error:
                if error.errno not in NO_LINKS:
                    raise
                return shared
            link.replace(path)
            shared += path.stat().st_size
    return shared


def seal(work: Path, manifest: dict[str, Any]) -> None:
    """Write the manifest, force everything to disk and take away the right to write."""
    files = sorted(path for path in work.rglob("*") if path.is_file())
    manifest["files"] = {
        str(path.relative_to(work)): {"bytes": path.stat().st_size, "sha256": file_sha256(path)}
        for path in files
    }
    path = work / snapshots.MANIFEST
    path.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    for entry in [*files, path]:
        entry.chmod(0o444)
        _sync(entry)
    for folder in [*(entry for entry in work.rglob("*") if entry.is_dir()), work]:
        _sync(folder)
        if folder != work:  # a folder that cannot be written cannot be renamed by its owner
            folder.chmod(0o555)


def point_to(folder: Path) -> None:
    """Swap the link in one step: a reader finds the old snapshot or the new one."""
    folder.chmod(0o555)
    link = folder.parent / f".current-{os.getpid()}-{secrets.token_hex(4)}"
    link.symlink_to(folder.name)
    link.replace(folder.parent / snapshots.CURRENT)
    _sync(folder.parent)


def snapshot_folders(root: Path) -> list[Path]:
    """Return the folders of all snapshots: the current one, then the others, newest first."""
    current = (root / snapshots.CURRENT).resolve()
    found = [path for path in root.glob("[0-9]*T*Z-*") if path.is_dir()]
    found.sort(key=_made, reverse=True)
    return sorted(found, key=lambda path: path.resolve() != current)


def abandoned(root: Path) -> list[Path]:
    """Return the folders in which processes that are gone were making a snapshot."""
    making = sorted(root.glob(".making-*"))
    return [folder for folder in making if not _alive(int(folder.name.split("-")[1]))]


def _made(folder: Path) -> tuple[str, int]:
    """Return when a snapshot was made: the second in its name, and within it by the clock."""
    return folder.name.partition("-")[0], folder.stat().st_mtime_ns


def remove_old(root: Path, keep: int) -> list[str]:
    """Remove all but the newest ``keep`` snapshots; the current one always stays."""
    old = snapshot_folders(root)[keep:]
    for folder in old:
        remove(folder)
    return [folder.name for folder in old]


def remove(folder: Path) -> None:
    """Remove a snapshot, which nobody may write to."""
    folder.chmod(0o755)
    for entry in folder.rglob("*"):
        if entry.is_dir():
            entry.chmod(0o755)
    shutil.rmtree(folder)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
