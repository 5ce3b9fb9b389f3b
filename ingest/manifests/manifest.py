"""What a ``dataset.toml`` says of a dataset: its files, its terms, and how a row is a problem."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingest.files import utf8_text
from ingest.manifests.requirements import REQUIREMENT, no_package
from warehouse.errors import BadInput, known_names
from warehouse.parameters import CPU_SECONDS, MEMORY_MB

FILE_NAME = "dataset.toml"
UNSTATED = "not stated"
MAX_MANIFEST_BYTES = 1_000_000

KEYS = {
    "name": str,
    "version": str,
    "license": str,
    "source": str,
    "requirements": dict,
    "limits": dict,
    "problem": dict,
    "ignore": list,
    "files": list,
}
LIMITS = {"cpu_s": (int, float), "test_cpu_s": (int, float), "memory_mb": int}
RANGES = {"cpu_s": CPU_SECONDS, "test_cpu_s": CPU_SECONDS, "memory_mb": MEMORY_MB}
FILE_KEYS = {"name": str, "url": str, "sha256": str, "tags": list, "problem": dict, "ignore": list}


@dataclass(frozen=True)
class RowFile:
    """A file of rows: its name below the manifest, and what differs for its problems.

    ``url`` and ``sha256`` say where it can be downloaded.
    """

    name: str
    url: str | None = None
    sha256: str | None = None
    tags: tuple[str, ...] = ()
    problem: Mapping[str, Any] = field(default_factory=dict)
    ignore: tuple[str, ...] = ()


@dataclass(frozen=True)
class Manifest:
    """A dataset as its ``dataset.toml`` describes it; each part has a default.

    ``problem`` has templates of the columns of a row: see ``ingest/manifests/columns.py``.
    """

    name: str | None = None
    version: str | None = None
    license: str = UNSTATED
    source: str | None = None
    requirements: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)
    problem: Mapping[str, Any] = field(default_factory=dict)
    ignore: tuple[str, ...] = ()
    files: tuple[RowFile, ...] = ()


def read_manifest(path: Path, *, below: Path | None = None) -> Manifest:
    """Return what a manifest says; raises BadInput for what it may not say, with its line."""
    text = utf8_text(path, below=below, limit=MAX_MANIFEST_BYTES)
    try:
        given = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise BadInput(f"not TOML: {error}", path=path) from error
    place = _Place(path, text)
    place.check(given, KEYS)
    place.check(given.get("limits", {}), LIMITS)
    for name, value in given.get("limits", {}).items():
        if fault := RANGES[name](value):
            raise place.bad(f"{name}: {fault}", name)
    for module, package in given.get("requirements", {}).items():
        if not isinstance(package, str) or not REQUIREMENT.fullmatch(package):
            raise place.bad(no_package(module, str(package)), module)
    texts = {
        name: given[name] for name in ("name", "version", "license", "source") if name in given
    }
    for name, value in texts.items():
        if not value.strip() or not value.isprintable():
            raise place.bad(f"{name} must be a text on one line, all of it printable", name)
    return Manifest(
        **texts,
        requirements=given.get("requirements", {}),
        limits=given.get("limits", {}),
        problem=given.get("problem", {}),
        ignore=place.texts(given.get("ignore", []), "ignore"),
        files=tuple(place.files(given.get("files", []))),
    )


class _Place:
    """A manifest's text, to say on which line something is wrong."""

    def __init__(self, path: Path, text: str):
        self.path = path
        self.lines = text.splitlines()

    def bad(self, reason: str, key: str) -> BadInput:
        begins = re.compile(rf"\s*\[*\"?{re.escape(key)}\b")
        found = (n for n, line in enumerate(self.lines, 1) if begins.match(line))
        return BadInput(reason, path=self.path, row=next(found, None))

    def check(self, table: Mapping[str, Any], known: Mapping[str, Any]) -> None:
        """Raise BadInput for a key that is not known, and for a value of another kind."""
        for key, value in table.items():
            if key not in known:
                raise self.bad(f"unknown key {key!r}{known_names(key, known)}", key)
            if not isinstance(value, known[key]) or isinstance(value, bool):
                kinds = known[key] if isinstance(known[key], tuple) else (known[key],)
                words = {str: "a text", dict: "a table", list: "a list", int: "a whole number"}
                wanted = words.get(kinds[0], "a number") if len(kinds) == 1 else "a number"
                raise self.bad(f"{key} must be {wanted}", key)

    def texts(self, values: list[Any], key: str) -> tuple[str, ...]:
        if any(not isinstance(value, str) for value in values):
            raise self.bad(f"{key} must be a list of texts", key)
        return tuple(values)

    def files(self, entries: list[Any]) -> Iterator[RowFile]:
        for entry in entries:
            if isinstance(entry, str):
                entry = {"name": entry}
            if not isinstance(entry, dict) or "name" not in entry:
                raise self.bad("each of files must be a name, or a table with a name", "files")
            self.check(entry, FILE_KEYS)
            name = entry["name"]
            if Path(name).is_absolute() or ".." in Path(name).parts or not name:
                raise self.bad(f"the file {name!r} does not lie below the manifest", "name")
            lists = {key: self.texts(entry.get(key, []), key) for key in ("tags", "ignore")}
            yield RowFile(**{**entry, **lists})
