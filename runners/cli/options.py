"""Options that several commands share."""

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from warehouse import parameters

F = TypeVar("F", bound=Callable[..., Any])
Spec = TypeVar("Spec")


class Number(click.FloatRange):
    """A number within bounds: nan, which compares with nothing, is outside of all of them."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number", param, ctx)
        return number


class Place(click.Path):
    """A path; the empty text, which would stand for the current folder, is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path."""
        if value == "":
            self.fail("the empty text names no file or folder", param, ctx)
        return super().convert(value, param, ctx)


def names(text: str) -> tuple[str, ...]:
    """Return the names that a text holds with commas between them, each of them once."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",")))


def bounded(allowed: parameters.Range) -> click.IntRange | Number:
    """Return the type of an option that takes numbers of a range."""
    if allowed.whole:
        return click.IntRange(allowed.low, allowed.high)  # type: ignore[arg-type]
    return Number(allowed.low, allowed.high, min_open=allowed.low_open)


PATH = Place(path_type=Path)
NAMES: dict[str, Any] = {"type": names, "metavar": "A,B,..."}
COUNT = bounded(parameters.COUNT)
SEED = bounded(parameters.SEED)
WORKERS = bounded(parameters.WORKERS)
MEMORY_MB = bounded(parameters.MEMORY_MB)
TEMPERATURE = bounded(parameters.TEMPERATURE)
TOP_P = bounded(parameters.TOP_P)


def option(spec: type[parameters.Spec], *flags: str, **more: Any) -> Callable[[F], F]:
    """Add an option for a field of a spec, with the field's type, range, choices and default.

    The names of a choice with a noun are too many for the help: the spec checks them. What is said
    in ``more`` goes before what the field says.
    """
    long = [flag for flag in flags if not flag.startswith("-") or flag.startswith("--")][-1]
    name = long.split("/")[0].lstrip("-").replace("-", "_")
    field = parameters.parameters_of(spec)[name]
    known: dict[str, Any] = {"type": PATH} if field.takes(Path) else {}
    for rule in field.rules:
        if isinstance(rule, parameters.Range):
            known["type"] = bounded(rule)
        elif isinstance(rule, parameters.Choice) and not rule.noun:
            known["type"] = click.Choice(list(rule.listed))
    if field.takes(bool):
        known |= {"default": field.default} if "/" in long else {"is_flag": True}
    elif field.required:
        known["required"] = True
    elif field.takes("list"):
        known["multiple"] = "type" not in more
    elif field.default not in (None, ""):
        known |= {"default": field.default, "show_default": True}
    return click.option(*flags, **known | more)


def given(spec: Callable[..., Spec], options: Mapping[str, Any]) -> Spec:
    """Return the spec of a command line; what it leaves out has the spec's default."""
    return spec(**{name: value for name, value in options.items() if value not in (None, ())})


def as_json(function: F) -> F:
    """Add ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for scripts.")(
        function
    )


def from_warehouse(function: F) -> F:
    """Add ``--warehouse``."""
    return click.option(
        "--warehouse",
        is_flag=True,
        help="Read the warehouse itself instead of the published snapshot.",
    )(function)


def served(function: F) -> F:
    """Add ``--serve`` and ``--port``; the command gets ``is_served`` and ``port``."""
    port = click.option(
        "--port",
        type=click.IntRange(0, 65535),
        default=8000,
        show_default=True,
        help="Port of --serve; 0 takes any that is free.",
    )
    serve = click.option(
        "--serve", "is_served", is_flag=True, help="Serve the folder on this machine."
    )
    return serve(port(function))


def no_progress(function: F) -> F:
    """Add ``--no-progress``; the command gets ``progress``."""
    return click.option(
        "--progress/--no-progress",
        default=True,
        help="Show a progress bar; where there is no terminal, a line every 30 seconds.",
    )(function)


def backend_options(function: F) -> F:
    """Add ``-o NAME=VALUE``; the command gets ``options``."""
    return click.option(
        "-o",
        "--option",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_named_values,
        help="An option of the backend, its value as JSON; may be repeated.",
    )(function)


def _named_values(
    ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"{value!r} is not NAME=VALUE", ctx=ctx, param=parameter)
        try:
            options[name] = json.loads(text)
        except ValueError:
            options[name] = text  # not JSON: a plain text
    return options
