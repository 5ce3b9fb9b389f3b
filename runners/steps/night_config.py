"""A nightly configuration, checked whole before anything runs.

Each section names a step; its settings are fields of that step's spec and must fit their types and
rules. All faults are reported at once, each with its line.
"""

import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from ingest.files import utf8_text
from warehouse.errors import AssayError, BadInput, known_names
from warehouse.parameters import parameters_of, shown, spec_of

MAX_CONFIG_BYTES = 1_000_000
"""Largest configuration that is read."""

STEPS: dict[str, str] = {
    "ingest": "ingest.loader:ingest_dataset",
    "mutate": "runners.steps.mutate:mutate",
    "import": "ingest.imports.importer:import_generations",
    "generate": "runners.steps.generate:generate",
    "reflect": "runners.steps.reflect:reflect",
    "execute": "runners.steps.execute:execute",
    "similarity": "runners.steps.similarity:similarity_pairs",
    "calibrate": "runners.steps.calibrate:calibrate",
    "build": "warehouse.views.build:build",
    "publish": "warehouse.snapshot.publish:publish",
    "export": "warehouse.reports.export:export",
}
"""Sections in the order in which they are done, and the function of each."""

OPTIONAL = {"ingest", "mutate", "import", "generate", "reflect", "export"}
"""Sections without which a night does not do such a step; the others it always does."""

NOT_SETTINGS = {"progress"}
READ_PATHS = {"path", "prompts", "checkouts"}


@dataclass(frozen=True)
class Planned:
    """One step of a night: its name for people, and what is to be called with what."""

    name: str
    function: Callable[..., Any]
    arguments: dict[str, Any]

    def run(self, **extra: Any) -> Any:
        """Do the step; ``extra`` is what no configuration says."""
        spec = spec_of(self.function)
        if spec is self.function:
            return self.function(**self.arguments, **extra)
        return self.function(spec(**self.arguments), **extra)


class BadConfig(BadInput):
    """A configuration that does not fit, with all that is wrong in it."""

    def __init__(self, problems: Sequence[BadInput]):
        super().__init__("; ".join(map(str, problems)))
        self.problems = list(problems)

    @property
    def lines(self) -> list[str]:
        """One line for each problem."""
        return [str(problem) for problem in self.problems]


def read_config(config: Path, *, files: bool = True) -> list[Planned]:
    """Return the steps of a configuration file; raises BadConfig with all that is wrong.

    Without ``files`` it is not checked whether the files it names are there.
    """
    try:
        text = utf8_text(config, limit=MAX_CONFIG_BYTES)
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", str(error), re.DOTALL)
        if not found:
            raise BadInput(f"not TOML: {error}", path=config) from error
        reason = f"not TOML: {found[1]} at column {found[3]}"
        raise BadInput(reason, path=config, row=found[2]) from error
    except RecursionError as error:
        raise BadInput("not TOML that can be read: nested too deeply", path=config) from error
    except ValueError as error:  # Python reads no number of more than 4,300 digits
        reason = "not TOML that can be read: a number has too many digits"
        raise BadInput(reason, path=config) from error
    return planned(table, _Problems(config, text.splitlines()), files=files)


def planned(
    table: Mapping[str, Any], problems: "_Problems | None" = None, *, files: bool = True
) -> list[Planned]:
    """Return the steps of a configuration given as a table; raises BadConfig."""
    problems = problems or _Problems(None, [])
    if not table:
        problems.add("nothing is configured: sections are " + ", ".join(STEPS))
    for name in table:
        if name not in STEPS:
            problems.add(f"no section [{name}]{known_names(name, STEPS)}", name)
    steps = []
    for name, place in STEPS.items():
        entries = table.get(name, [] if name in OPTIONAL else {})
        for number, entry in enumerate(entries if isinstance(entries, list) else [entries]):
            if not isinstance(entry, Mapping):
                problems.add(f"[{name}] must be a table, not {shown(entry)}", name, number)
                continue
            section = _Section(name, number, resolve_name(place), problems, files)
            arguments = section.checked(entry)
            steps.append(Planned(_label(name, arguments), section.function, arguments))
    problems.refuse()
    return steps


@dataclass
class _Problems:
    """What is wrong, by line of the file, if there is one."""

    path: Path | None
    text: Sequence[str]
    found: list[tuple[int, BadInput]] = field(default_factory=list)

    def add(self, reason: str, section: str = "", number: int = 0, key: str = "") -> None:
        line = _line_of(self.text, section, number, key) if section else 1
        row = line if self.path else None
        self.found.append((line, BadInput(reason, path=self.path, row=row)))

    def refuse(self) -> None:
        """Raise BadConfig if anything is wrong, in the order of the file."""
        if self.found:
            by_line = sorted(self.found, key=lambda problem: problem[0])
            raise BadConfig([problem for _, problem in by_line])


@dataclass
class _Section:
    """One section of the file, held against its function and its command."""

    name: str
    number: int
    function: Callable[..., Any]
    problems: _Problems
    files: bool

    def checked(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Return the function's arguments; what is wrong with them is noted."""
        parameters = parameters_of(spec_of(self.function))
        arguments: dict[str, Any] = {}
        for key, given in entry.items():
            if key not in parameters or key in NOT_SETTINGS:
                known = sorted(set(parameters) - NOT_SETTINGS)
                self._add(key, f"there is no such setting{known_names(key, known)}")
                continue
            value = self._expanded(key, given)
            if isinstance(value, str) and parameters[key].takes(Path):
                folder = self.problems.path.parent if self.problems.path else Path()
                value = folder / value  # an absolute path stays as it is
            arguments[key] = value
            if reason := parameters[key].refusal(value) or self._missing(key, value):
                self._add(key, reason)
        required = {key for key, known in parameters.items() if known.required}
        for key in sorted(required - entry.keys()):
            self._add("", f"{key} is missing")
        if self.name == "export" and ("view" in entry) == ("sql" in entry):
            self._add("", "name either a view or a query (sql)")
        if "backend" in arguments and "lm" in arguments:
            self._check_backend(arguments)
        return arguments

    def _missing(self, key: str, value: Any) -> str:
        """Return that a file to be read is not there, or nothing."""
        if not (self.files and key in READ_PATHS) or "${" in str(value):
            return ""  # of a variable that is not set, that was said already
        return "" if value.exists() else f"{value}: no such file or folder"

    def _check_backend(self, arguments: Mapping[str, Any]) -> None:
        from ingest.imports.importer import check_name
        from runners.drawing.backends import BACKENDS
        from runners.drawing.backends.base import make_backend

        options = arguments.get("options", {})
        backend = str(arguments["backend"])  # of another type, it is in no list
        if backend not in BACKENDS or not isinstance(options, Mapping):
            return  # said already
        try:
            check_name(str(arguments["lm"]))
            make_backend(backend, str(arguments["lm"]), options)
        except AssayError as error:
            self._add("options" if "options" in arguments else "backend", str(error))

    def _expanded(self, key: str, value: Any) -> Any:
        """Return a text with ${NAME} taken from the environment."""
        if not isinstance(value, str):
            return value

        def expand(found: re.Match[str]) -> str:
            if found[1] not in os.environ:
                self._add(key, f"the environment variable {found[1]} is not set")
            return os.environ.get(found[1], found[0])

        return re.sub(r"\$\{(\w+)\}", expand, value)

    def _add(self, key: str, reason: str) -> None:
        where = f"[{self.name}] {key}: " if key else f"[{self.name}] "
        self.problems.add(where + reason, self.name, self.number, key)


def _line_of(text: Sequence[str], section: str, number: int, key: str) -> int:
    """Return the line of a key in the n-th section of a name, or that of the section."""
    header = re.compile(rf"\s*\[+\s*\"?{re.escape(section)}\"?\s*(\.\s*(?P<sub>\w+)\s*)?\]+")
    begins = re.compile(rf"\s*\"?{re.escape(key)}\"?\s*[=.]")
    at = 0
    seen = -1
    for line, words in enumerate(text, 1):
        if found := header.match(words):
            if found["sub"] is None:
                seen += 1
            elif seen == number and found["sub"] == key:
                return line
            if seen == number and not at:
                at = line
        elif re.match(r"\s*\[+\s*[\w\"]", words) and "=" not in words.partition("#")[0]:
            if at:
                break
        elif at and seen == number and key and begins.match(words):
            return line
        elif not at and re.match(rf"\s*\"?{re.escape(section)}\"?\s*[=.]", words):
            at = line
            seen = number
    return at or 1


def _label(name: str, arguments: Mapping[str, Any]) -> str:
    shown = [
        str(arguments[key])
        for key in ("lm", "name", "dataset", "rescore", "view")
        if key in arguments
    ]
    return " ".join([name, *shown])
