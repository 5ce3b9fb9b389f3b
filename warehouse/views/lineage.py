"""What each view reads, down to the raw tables: the templates are rendered, and what they ask for
is noted.

dbt's own list needs a parse of the whole project, which takes seconds and a writable folder. Here
every macro becomes a function and every model a template, and ``ref`` and ``source`` note their
names. Assumed: no model asks the database while it is parsed, and no name depends on the target. A
test compares the outcome with dbt's list for every view.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, TemplateError

from warehouse.errors import AssayError
from warehouse.views.project import project_dir, shown_place
from warehouse.views.rules import describe_rules

MACRO = re.compile(r"{%-?\s*macro\s+(\w+).*?{%-?\s*endmacro\s*-?%}", re.DOTALL)


@dataclass(frozen=True)
class LineageStep:
    """A view, the place of its SQL in the project, and what it reads."""

    name: str
    file: str
    reads: tuple[str, ...]


class Returned(Exception):
    """What a macro returns: dbt's ``return`` ends a macro with a value that is no text."""

    def __init__(self, value: Any):
        super().__init__()
        self.value = value


def lineage(view: str) -> list[LineageStep]:
    """Return the view and all views that it reads, each before those that it reads.

    Raw tables and rules of the schema ``facts`` are read, and are no step.
    """
    depths: dict[str, int] = {}
    _deepen(view, 0, depths)
    steps = [_step(name) for name in depths if name in sql_files()]
    return sorted(steps, key=lambda step: (depths[step.name], step.name))


def sources_of(steps: Iterable[LineageStep]) -> list[str]:
    """Return the raw tables, rules and seeds at the end of a lineage."""
    known = sql_files()
    return sorted({name for step in steps for name in step.reads if name not in known})


@cache
def reads_of_all() -> dict[str, tuple[str, ...]]:
    """Return what each view and each rule of ``facts`` reads."""
    views = {name: _step(name).reads for name in sql_files()}
    return views | {rule.name: rule.reads for rule in describe_rules()}


@cache
def readers_of_all() -> dict[str, tuple[str, ...]]:
    """Return the views and rules that read each view, rule, raw table and seed."""
    readers: dict[str, list[str]] = {}
    for name, reads in sorted(reads_of_all().items()):
        for read in reads:
            readers.setdefault(read, []).append(name)
    return {name: tuple(found) for name, found in readers.items()}


@cache
def sql_files() -> dict[str, Path]:
    """Return the SQL file of every view by its versioned name."""
    return {path.stem: path for path in sorted((project_dir() / "models").rglob("*.sql"))}


def _deepen(name: str, depth: int, depths: dict[str, int]) -> None:
    """Note how far below the first view each view lies: the longest way counts."""
    if depths.get(name, -1) >= depth:
        return
    depths[name] = depth
    if name in sql_files():
        for read in _step(name).reads:
            _deepen(read, depth + 1, depths)


@cache
def _step(name: str) -> LineageStep:
    path = sql_files()[name]
    reads = sorted(set(_rendered(path)))
    return LineageStep(name, shown_place(path), tuple(reads))


def _rendered(path: Path) -> list[str]:
    """Render one model and return the names that it asks for."""
    environment, asked = _environment()
    asked.clear()
    try:
        environment.from_string(path.read_text(encoding="utf-8")).render()
    except TemplateError as error:
        raise AssayError(
            f"{shown_place(path)}: cannot be read as a template of dbt: {error}"
        ) from error
    return list(asked)


@cache
def _environment() -> tuple[Environment, list[str]]:
    """Return what renders the models, and the list in which it notes the names."""
    import yaml  # type: ignore[import-untyped]

    asked: list[str] = []

    def ref(name: str, v: int | None = None) -> str:
        number = v or _newest().get(name)
        asked.append(f"{name}_v{number}" if number else name)
        return asked[-1]

    def source(schema: str, name: str) -> str:
        asked.append(f"{schema}.{name}")
        return asked[-1]

    environment = Environment(extensions=["jinja2.ext.do"])
    project = project_dir()
    settings = yaml.safe_load((project / "dbt_project.yml").read_text(encoding="utf-8"))
    environment.globals |= {
        "var": lambda name: settings["vars"][name],
        "config": lambda **_: "",
        "return": _return,
        "ref": ref,
        "source": source,
    }
    for file in sorted((project / "macros").rglob("*.sql")):
        for macro in MACRO.finditer(file.read_text(encoding="utf-8")):
            environment.globals[macro[1]] = _function(environment, macro[0], macro[1])
    return environment, asked


def _function(environment: Environment, text: str, name: str) -> Callable[..., Any]:
    """Return a macro as a function; it finds the others among the globals, as in dbt.

    Its module is made with the first call, when all macros are there.
    """
    compiled = environment.from_string(text)

    def called(*given: Any, **named: Any) -> Any:
        try:
            return getattr(compiled.module, name)(*given, **named)
        except Returned as returned:
            return returned.value

    return called


def _return(value: Any) -> None:
    raise Returned(value)


@cache
def _newest() -> dict[str, int]:
    """Return the newest version of each versioned view; marts alone have versions."""
    newest: dict[str, int] = {}
    for name, path in sql_files().items():
        found = re.fullmatch(r"(.+)_v(\d+)", name)
        if found and "marts" in path.parts:
            newest[found[1]] = max(newest.get(found[1], 0), int(found[2]))
    return newest
