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


def bounded(allowed: parameters.Range) -> click.IntRange | Number:
    """Return the type of an option that takes numbers of a range."""
    if allowed.whole:
        return click.IntRange(allowed.low, allowed.high)  # type: ignore[arg-type]
    return Number(allowed.low, allowed.high, min_open=allowed.low_open)


PATH = Place(path_type=Path)
COUNT = bounded(parameters.COUNT)
SAMPLES = bounded(parameters.SAMPLES)
SEED = bounded(parameters.SEED)
WORKERS = bounded(parameters.WORKERS)
MEMORY_MB = bounded(parameters.MEMORY_MB)
CPU_SECONDS = bounded(parameters.CPU_SECONDS)
TEMPERATURE = bounded(parameters.TEMPERATURE)
TOP_P = bounded(parameters.TOP_P)


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
