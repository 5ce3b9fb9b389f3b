"""A nightly configuration, checked whole before anything runs.

Every setting is a parameter of the function that its section stands for, and where the command of
that name has an option, what the option allows is what the file may say. All that is wrong is told
at once, each with its line.
"""

import inspect
import os
import re
import tomllib
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from ingest.datasets import DATASETS
from ingest.files import utf8_text
from warehouse.errors import AssayError, BadInput, known_names

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
DATASET_KEYS = {"dataset", "rescore"}
READ_PATHS = {"path", "prompts", "checkouts"}
WORDS = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    Path: "a path",
    "list": "a list such as ['a', 'b']",
    "table": "a table",
}


@dataclass(frozen=True)
class Planned:
    """One step of a night: its name for people, and what is to be called with what."""

    name: str
    function: Callable[..., Any]
    arguments: dict[str, Any]


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
            problems.add(f"no section [{name}]{_there_is(name, STEPS)}", name)
    steps = []
    for name, place in STEPS.items():
        entries = table.get(name, [] if name in OPTIONAL else {})
        for number, entry in enumerate(entries if isinstance(entries, list) else [entries]):
            if not isinstance(entry, Mapping):
                problems.add(f"[{name}] must be a table, not {_shown(entry)}", name, number)
                continue
            section = _Section(name, number, _load(place), problems, files)
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
        parameters = inspect.signature(self.function).parameters
        kinds = typing.get_type_hints(self.function)
        options = _options(self.name)
        arguments: dict[str, Any] = {}
        for key, given in entry.items():
            if key not in parameters or key in NOT_SETTINGS:
                known = sorted(set(parameters) - NOT_SETTINGS)
                self._add(key, f"there is no such setting{_there_is(key, known)}")
                continue
            value = self._expanded(key, given)
            if isinstance(value, str) and Path in _allowed(kinds[key]):
                folder = self.problems.path.parent if self.problems.path else Path()
                value = folder / value  # an absolute path stays as it is
            arguments[key] = value
            if reason := _misfit(value, kinds[key]) or self._refused(key, value, options):
                self._add(key, reason)
        required = {
            key for key, known in parameters.items() if known.default is inspect.Parameter.empty
        }
        for key in sorted(required - entry.keys()):
            self._add("", f"{key} is missing")
        if self.name == "export" and ("view" in entry) == ("sql" in entry):
            self._add("", "name either a view or a query (sql)")
        if "backend" in arguments and "lm" in arguments:
            self._check_backend(arguments)
        return arguments

    def _refused(self, key: str, value: Any, options: Mapping[str, click.Parameter]) -> str:
        """Return what is wrong with a value of the right type, or nothing."""
        if isinstance(value, Path):
            unknown = "${" in str(value)  # a variable that is not set: said already
            missing = self.files and key in READ_PATHS and not unknown and not value.exists()
            return f"{value}: no such file or folder" if missing else ""
        if key in DATASET_KEYS and value not in DATASETS:
            return f"there is no dataset {value!r}{_there_is(value, DATASETS)}"
        if (self.name, key) == ("export", "view"):
            return _unknown_view(value)
        if (self.name, key) == ("build", "select"):
            from warehouse.views.build import unknown_selection

            return unknown_selection(value) or ""
        if (self.name, key) == ("generate", "prompt"):
            from runners.tasks.templates import ORIGINAL, names, no_such_template

            return "" if value in (ORIGINAL, *names()) else no_such_template(value)
        option = options.get(key)
        if option is None or isinstance(value, bool | Mapping):
            return ""
        context = click.Context(click.Command(self.name))
        for each in value if isinstance(value, list) else [value]:
            if isinstance(option.type, click.Choice):
                choices = [str(choice) for choice in option.type.choices]
                if str(each) not in choices:
                    return f"there is no {each!r}{_there_is(str(each), choices)}"
                continue
            try:
                option.type.convert(str(each), option, context)
            except click.UsageError as error:
                return error.message.rstrip(".")
        return ""

    def _check_backend(self, arguments: Mapping[str, Any]) -> None:
        from ingest.imports.importer import check_name
        from runners.drawing.backends import BACKENDS
        from runners.drawing.backends.base import make_backend

        options = arguments.get("options", {})
        if arguments["backend"] not in BACKENDS or not isinstance(options, Mapping):
            return  # said already
        try:
            check_name(str(arguments["lm"]))
            make_backend(arguments["backend"], str(arguments["lm"]), options)
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


def _load(place: str) -> Callable[..., Any]:
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


def _options(section: str) -> dict[str, click.Parameter]:
    """Return the options of the command that does what a section says, by the function's words."""
    from runners.cli.main import COMMANDS

    command: click.Command = import_module(f"runners.cli.commands.{COMMANDS[section][0]}").command
    options = {parameter.name or "": parameter for parameter in command.params}
    renamed = {"names": "name", "templates": "template"}
    return {renamed.get(name, name): option for name, option in options.items()}


def _misfit(value: Any, kind: Any) -> str:
    """Return what is wrong with the type of a value, or nothing."""
    allowed = _allowed(kind)
    if isinstance(value, bool):
        fits = bool in allowed
    elif isinstance(value, list):
        fits = "list" in allowed and all(not _misfit(each, _element(kind)) for each in value)
    elif isinstance(value, Mapping):
        fits = "table" in allowed
    elif isinstance(value, int):
        fits = int in allowed or float in allowed
    else:
        fits = type(value) in allowed or isinstance(value, Path)
    if fits:
        return ""
    wanted = " or ".join(word for known, word in WORDS.items() if known in allowed)
    return f"must be {wanted}, not {_shown(value)}"


def _allowed(kind: Any) -> set[Any]:
    """Return the types that an annotation allows, lists and tables by name."""
    if isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union:
        return set().union(*(_allowed(each) for each in typing.get_args(kind)))
    origin = typing.get_origin(kind)
    if origin is not None:
        return {"table"} if issubclass(origin, Mapping) else {"list"}
    return {kind}


def _element(kind: Any) -> Any:
    """Return the type of what a list of this annotation holds."""
    for each in (kind, *typing.get_args(kind)):
        origin = typing.get_origin(each)
        if isinstance(origin, type) and issubclass(origin, Sequence):
            return typing.get_args(each)[0]
    return str


def _unknown_view(name: str) -> str:
    from warehouse.views.describe import view_names

    known = view_names()
    return "" if name in known else f"there is no view {name!r}{_there_is(name, known)}"


def _there_is(name: str, known: typing.Iterable[str]) -> str:
    return known_names(str(name), known)


def _shown(value: Any) -> str:
    if isinstance(value, Path):
        return f"the text {str(value)!r}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"the list {value!r}"
    if isinstance(value, Mapping):
        return "a table"
    return f"the text {value!r}" if isinstance(value, str) else str(value)


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
