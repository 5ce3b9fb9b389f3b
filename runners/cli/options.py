"""Options that several commands share."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


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


PATH = Place(path_type=Path)
COUNT = click.IntRange(1, 1_000_000_000)
SAMPLES = click.IntRange(1, 100_000)
SEED = click.IntRange(-(2**31), 2**31 - 1)  # what its column holds
WORKERS = click.IntRange(1, 1024)
MEMORY_MB = click.IntRange(64, 1024**2)
CPU_SECONDS = Number(min=0, min_open=True, max=36_000)
TEMPERATURE = Number(0, 100)
TOP_P = Number(0, 1, min_open=True)


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
