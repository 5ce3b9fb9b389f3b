"""The projects whose archives were read and whose tests were run by hand: ``curated.toml``.

Most archives name nowhere what their tests need, so each project names it here.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from ingest.files import utf8_text
from ingest.projects.index import NAME, SHA256, VERSION
from warehouse.errors import BadInput, known_names
from warehouse.parameters import BadValue, Spec, parameters_of, shown

CURATED = Path(__file__).with_name("curated.toml")
MAX_BYTES = 1_000_000


@dataclass(frozen=True)
class Matches:
    """Checks that a text matches a pattern as a whole; messages call such a text ``noun``."""

    pattern: re.Pattern[str]
    noun: str

    def __call__(self, value: str) -> str:
        """Return what is wrong with a text."""
        return "" if self.pattern.fullmatch(value) else f"{value!r} is no {self.noun}"


def inside(value: Sequence[str]) -> str:
    """Return what is wrong with a list of places in the archive."""
    for each in value:
        path = PurePosixPath(each)
        if not path.parts or path.is_absolute() or ".." in path.parts:
            return f"{each!r} is no place inside the archive"
    return "" if value else "names no place"


def reasons(value: Mapping[str, Any]) -> str:
    """Return what is wrong with a table of tests that are not run, each with the reason."""
    for test, reason in value.items():
        if not isinstance(reason, str) or not reason.strip():
            return f"{test!r} has no reason: it must be a text, not {shown(reason)}"
    return ""


@dataclass(frozen=True)
class CuratedProject(Spec):
    """One project: its archive, where its source and tests lie, and how the tests are run.

    ``requires`` are what the tests need beside the project and pytest, and ``pytest`` are options.
    ``quarantine`` has the ids of tests that fail for a reason outside the project: one without its
    parameters is for all of them.
    """

    name: Annotated[str, Matches(NAME, "name of a project")]
    version: Annotated[str, Matches(VERSION, "version")]
    sha256: Annotated[str, Matches(SHA256, "SHA-256 of 64 hex digits")]
    license: Annotated[str, Matches(re.compile(r"\S.*"), "licence")]
    sources: Annotated[Sequence[str], inside]
    tests: Annotated[Sequence[str], inside]
    requires: Sequence[str] = ()
    pytest: Sequence[str] = ()
    quarantine: Annotated[Mapping[str, str], reasons] = field(default_factory=dict)


def curated_projects(path: Path = CURATED) -> dict[str, CuratedProject]:
    """Return the projects of a file by name; raises BadInput at the first fault, with its line."""
    return dict(_projects(utf8_text(path, limit=MAX_BYTES), path))


@cache
def _projects(text: str, path: Path) -> dict[str, CuratedProject]:
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"not TOML that can be read: {error}", path=path) from error
    return {name: _project(name, entry, text, path) for name, entry in table.items()}


def _project(name: str, entry: Any, text: str, path: Path) -> CuratedProject:
    def bad(key: str, reason: str) -> BadInput:
        where = f"[{name}] {key}: " if key else f"[{name}] "
        return BadInput(where + reason, path=path, row=_line_of(text, name, key))

    if not isinstance(entry, Mapping):
        raise bad("", f"must be a table, not {shown(entry)}")
    known = {key: each for key, each in parameters_of(CuratedProject).items() if key != "name"}
    for key in entry:
        if key not in known:
            raise bad(key, f"there is no such setting{known_names(key, sorted(known))}")
    missing = [key for key, each in known.items() if each.required and key not in entry]
    if missing:
        raise bad("", f"{missing[0]} is missing")
    try:
        return CuratedProject(name=name, **entry)
    except BadValue as error:
        raise bad("" if error.name == "name" else error.name, error.fault) from error


def _line_of(text: str, name: str, key: str) -> int:
    """Return the line of a key of a table, or that of the table."""
    quoted = rf"[\"']?{re.escape(name)}[\"']?"
    header = re.compile(rf"\s*\[\s*{quoted}\s*(?:\.\s*(?P<sub>\w+)\s*)?\]")
    begins = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=")
    at, within = 1, False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("["):
            found = header.match(line)
            within = found is not None
            if found and (at == 1 or found["sub"] in (None, key)):
                at = number
        elif within and key and begins.match(line):
            return number
        elif re.match(rf"\s*{quoted}\s*=", line) and not within:
            at = number
    return at
