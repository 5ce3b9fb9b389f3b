"""The dbt project: where it is, where dbt keeps what it has parsed, and what state it is in."""

import hashlib
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path

from warehouse import settings
from warehouse.errors import AssayError

LIBRARIES = ("duckdb", "dbt-core", "dbt-duckdb")


def project_dir() -> Path:
    """Return the dbt project: beside this package in a checkout, inside it when installed."""
    here = Path(__file__).resolve().parents[1]
    for candidate in (here / "_dbt_project", here.parent / "dbt"):
        if (candidate / "dbt_project.yml").exists():
            return candidate
    raise AssayError(f"the dbt project is missing: looked beside and inside {here}")


def dbt_dir() -> Path:
    """Return the folder of what dbt has parsed of this project, its log, and what it sent.

    Both name files by their place, so that another checkout of the project has its own.
    """
    place = hashlib.sha256(str(project_dir()).encode()).hexdigest()[:8]
    return settings.cache_dir() / "dbt" / place


def project_files(
    project: Path, rooms: Sequence[str] = ("models", "macros", "seeds", "tests")
) -> Iterator[Path]:
    """Yield the files of the dbt project on which the views depend, but its settings."""
    for room in rooms:
        yield from (file for file in (project / room).rglob("*") if file.is_file())


def project_state() -> str:
    """Hash the project's files and settings, and the versions of what reads them."""
    project = project_dir()
    digest = hashlib.sha256()
    for file in sorted([*project.glob("*.yml"), *project_files(project)]):
        digest.update(str(file.relative_to(project)).encode() + b"\0" + file.read_bytes())
    for library in LIBRARIES:
        digest.update(f"{library}={metadata.version(library)};".encode())
    return digest.hexdigest()
