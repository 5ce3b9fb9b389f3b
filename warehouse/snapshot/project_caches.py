"""What of the caches of real projects may go: what is fetched or unpacked again when it is needed.

For a project named by a path, what it was kept as is all there is. It stays while the warehouse has
a release of it. So do the locks of environments, which are small: without them another environment
would be resolved.
"""

from collections.abc import Iterator
from pathlib import Path

from warehouse import settings
from warehouse.facts.projects import stored_checksums
from warehouse.store.connection import reading
from warehouse.store.locks import is_held

LOCKS = ("projects", "execute")
SHA256_DIGITS = 64


def project_caches() -> Iterator[tuple[str, Path, str]]:
    """Yield what may go: its kind, where it is, and why. Raises AssayError like ``reading``."""
    cache = settings.cache_dir()
    projects = cache / "projects"
    fetched = sorted(path for path in projects.glob("*-*") if path.is_file())
    kept = sorted((projects / "kept").glob("*-*"))
    archived = {path.name[:SHA256_DIGITS] for path in (*fetched, *kept)}
    for path in fetched:
        yield "project", path, "fetched again when it is needed"
    for path in sorted((projects / "unpacked").glob("*")):
        if path.name.startswith("."):
            yield "project", path, "unpacking that was cut off"
        elif path.name in archived:
            yield "project", path, "unpacked again when it is needed"
    if kept:
        stored = _stored()
        for path in kept:
            if path.name.startswith("."):
                yield "project", path, "keeping that was cut off"
            elif path.name[:SHA256_DIGITS] not in stored:
                yield "project", path, "the warehouse has no project of it"
    for path in sorted((cache / "environments").glob("*")):
        if path.name.startswith("."):
            yield "packages", path, "fetching that was cut off"
        elif len(path.name) == SHA256_DIGITS:
            yield "packages", path, "fetched again when they are needed"


def are_projects_used() -> bool:
    """Return whether a process brings in projects or runs programs of them."""
    return any(is_held(name) for name in LOCKS)


def _stored() -> set[str]:
    if not settings.warehouse_path().exists():
        return set()
    with reading() as con:
        return set(stored_checksums(con))
