"""Plug-ins: parts of other packages, and of a project folder, under the names they are listed by.

A package names its parts as entry points of the groups below; a project folder names them in
tables of ``assay.toml``, in the home. Nothing of a plug-in is imported until it is asked for.
"""

import os
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from warehouse import settings
from warehouse.errors import BadInput, known_names

PREFIX = "assay."
GROUPS = {
    f"{PREFIX}{word}": word
    for word in ("datasets", "imports", "claims", "backends", "mutations", "tasks", "similarities")
}
"""Groups of entry points, and what ``assay.toml`` calls them in its table ``plugins``."""

FOLDER = "plugins"
"""Where the modules of a project folder's plug-ins are."""


@dataclass(frozen=True)
class Plugin:
    """A part that is not Assay's: its group and name, where to import it, and who brought it."""

    group: str
    name: str
    path: str
    origin: str

    def __str__(self) -> str:
        return f"the plug-in {self.name!r} ({self.path}, of {self.origin})"


class BadPlugin(BadInput):
    """A plug-in that cannot be used, and why."""


def plugins_of(group: str) -> Iterator[Plugin]:
    """Yield the plug-ins of a group: those of the project folder first, then those of packages.

    Raises BadInput for an ``assay.toml`` that does not fit.
    """
    file = settings.named_home() / settings.PROJECT_FILE
    for name, path in _of_project(file).get(GROUPS[group], {}).items():
        yield Plugin(group, name, path, str(file))
    from importlib.metadata import entry_points  # 20 ms, and not every command asks

    for point in entry_points(group=group):
        package = f"{point.dist.name} {point.dist.version}" if point.dist else "a package"
        yield Plugin(group, point.name, point.value, package)


@cache
def _of_project(file: Path) -> dict[str, dict[str, str]]:
    """Return the tables of plug-ins of a project folder, and let its modules be imported."""
    if not file.is_file():
        return {}
    try:
        read = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"no TOML that can be read: {error}", path=file) from error
    for key in read:
        if key != "plugins":
            raise BadInput(f"there is no key {key!r}{known_names(key, ['plugins'])}", path=file)
    tables = read.get("plugins", {})
    if not isinstance(tables, dict):
        raise BadInput("plugins: a table for each kind is needed", path=file)
    for word, table in tables.items():
        where = f"plugins.{word}"
        if word not in GROUPS.values():
            raise BadInput(
                f"there is no kind {where!r}{known_names(word, GROUPS.values())}", path=file
            )
        fits = isinstance(table, dict) and all(
            isinstance(path, str) and all(path.partition(":")) for path in table.values()
        )
        if not fits:
            raise BadInput(f'{where}: write each as name = "module:attribute"', path=file)
    folder = os.fspath(file.with_name(FOLDER))
    if folder not in sys.path:
        sys.path.append(folder)
    return tables
