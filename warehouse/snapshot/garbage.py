"""What of the home may go: old snapshots, downloads, caches, what dead processes left.

Never rows, exports or refused shards, never the newest published snapshot, and never what a process
has open.
"""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from warehouse import settings
from warehouse.errors import AssayError, BadInput, Locked
from warehouse.places import n_bytes, open_below
from warehouse.snapshot import snapshots
from warehouse.snapshot.folders import abandoned, remove, snapshot_folders
from warehouse.snapshot.project_caches import are_projects_used, project_caches
from warehouse.store.connection import reading


@dataclass(frozen=True)
class Garbage:
    """One thing that may go, or what keeps it."""

    kind: str
    path: str
    n_bytes: int
    why: str
    in_use: bool = False


def find_garbage(*, keep: int = settings.KEPT_SNAPSHOTS) -> list[Garbage]:
    """Return what may go beside the ``keep`` newest snapshots; what is in use says so."""
    if keep < 1:
        raise BadInput(f"keep = {keep}: at least the newest snapshot is kept")
    found = list(_found(keep))
    used = open_below(Path(one.path) for one in found)
    if _is_built_now():
        used.add(_dbt())
    if are_projects_used():
        used |= {Path(one.path) for one in found if one.kind in ("project", "packages")}
    return [replace(one, in_use=Path(one.path) in used) for one in found]


def remove_garbage(found: list[Garbage]) -> list[Garbage]:
    """Remove what is not in use; return what went."""
    gone = []
    for one in found:
        path = Path(one.path)
        if one.in_use or path == _current():
            continue
        if path.is_dir() and not path.is_symlink():
            if one.kind in ("snapshot", "unfinished"):
                remove(path)
            else:
                shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
        gone.append(one)
    return gone


def _found(keep: int) -> Iterator[Garbage]:
    root = settings.snapshot_dir()
    for folder in snapshot_folders(root)[keep:]:
        yield _garbage("snapshot", folder, f"older than the newest {keep}")
    for path in abandoned(root):
        yield _garbage("unfinished", path, "a publish that was cut off")
    downloads = settings.cache_dir() / "datasets"
    for path in sorted(downloads.glob("*")):
        yield _garbage("download", path, "downloaded again when it is needed")
    engine = settings.cache_dir() / "sql_engine"
    if engine.exists():
        yield _garbage("download", engine, "fetched again by `assay site --sql`")
    with suppress(AssayError):  # who cannot read the rows lists no more
        for kind, path, why in project_caches():
            yield _garbage(kind, path, why)
    if _dbt().exists():
        yield _garbage("cache", _dbt(), "dbt's own files, made again when it is needed")


def _garbage(kind: str, path: Path, why: str) -> Garbage:
    return Garbage(kind, str(path), n_bytes(path), why)


def _dbt() -> Path:
    return settings.cache_dir() / "dbt"


def _current() -> Path:
    return (settings.snapshot_dir() / snapshots.CURRENT).resolve()


def _is_built_now() -> bool:
    """Return whether a process writes to the warehouse: it may be dbt's."""
    try:
        with reading(wait_s=0):
            return False
    except Locked:
        return True
    except AssayError:
        return False  # there is none
