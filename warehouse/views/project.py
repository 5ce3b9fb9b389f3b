"""The dbt project: where it is, where dbt keeps what it has parsed, and what state it is in.

Where the home is a project that has views, dbt reads a copy of both together, in the cache.
"""

import filecmp
import hashlib
import shutil
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path

from warehouse import settings
from warehouse.errors import AssayError

LIBRARIES = ("duckdb", "dbt-core", "dbt-duckdb")

OWN_ROOM = "own"
"""The folder of ``models`` that holds the views of the user."""

OWN_SUFFIXES = (".sql", ".yml", ".md")
SUFFIXES = (*OWN_SUFFIXES, ".csv")
"""Of all files that dbt reads; others, such as those of editors, change nothing."""


def project_dir() -> Path:
    """Return the dbt project, with the views of the user where there are any."""
    own = _own_views()
    return _joined(_shipped(), settings.own_views_dir(), own) if own else _shipped()


def _shipped() -> Path:
    """Return Assay's own: beside this package in a checkout, inside it when installed."""
    here = Path(__file__).resolve().parents[1]
    for candidate in (here / "_dbt_project", here.parent / "dbt"):
        if (candidate / "dbt_project.yml").exists():
            return candidate
    raise AssayError(f"the dbt project is missing: looked beside and inside {here}")


def shown_place(path: Path) -> str:
    """Return where a reader finds a model: below the repository, or below the project folder."""
    place = path.relative_to(project_dir())
    own = Path("models", OWN_ROOM)
    return str("views" / place.relative_to(own) if place.is_relative_to(own) else "dbt" / place)


def _own_views() -> tuple[tuple[str, int, int], ...]:
    """Return path, size and time of change of each file of the user's views."""
    folder = settings.own_views_dir()
    if folder is None or not folder.is_dir():
        return ()
    files = [file for file in sorted(folder.rglob("*")) if file.suffix in OWN_SUFFIXES]
    found = [(str(file.relative_to(folder)), file.stat()) for file in files if file.is_file()]
    return tuple((name, stat.st_size, stat.st_mtime_ns) for name, stat in found)


@cache
def _joined(shipped: Path, folder: Path, own: tuple[tuple[str, int, int], ...]) -> Path:
    """Bring the copy of both up to date, and return it: files that are the same stay."""
    copy = settings.cache_dir() / "dbt" / "project"
    wanted = {file.relative_to(shipped): file for file in _files_of(shipped)}
    wanted |= {Path("models", OWN_ROOM, name): folder / name for name, _, _ in own}
    for place, file in wanted.items():
        target = copy / place
        if target.is_file() and filecmp.cmp(file, target, shallow=False):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f"{target.name}.partial")
        shutil.copyfile(file, partial)
        partial.replace(target)
    for file in [*_files_of(copy)]:
        if file.relative_to(copy) not in wanted:
            file.unlink()
    return copy


def _files_of(project: Path) -> Iterator[Path]:
    yield from project.glob("*.yml")
    yield from project_files(project)


def dbt_dir() -> Path:
    """Return the folder of what dbt has parsed of this project, and of what it sent.

    What it has parsed names files by their place, so that another checkout has its own.
    """
    place = hashlib.sha256(str(project_dir()).encode()).hexdigest()[:8]
    return settings.cache_dir() / "dbt" / place


def project_files(
    project: Path, rooms: Sequence[str] = ("models", "macros", "seeds", "tests")
) -> Iterator[Path]:
    """Yield the files of the dbt project on which the views depend, but its settings."""
    for room in rooms:
        found = (project / room).rglob("*")
        yield from (file for file in found if file.suffix in SUFFIXES and file.is_file())


def project_state() -> str:
    """Hash the project's files and settings, and the versions of what reads them."""
    project = project_dir()
    digest = hashlib.sha256()
    for file in sorted(_files_of(project)):
        digest.update(str(file.relative_to(project)).encode() + b"\0" + file.read_bytes())
    for library in LIBRARIES:
        digest.update(f"{library}={metadata.version(library)};".encode())
    return digest.hexdigest()
