"""Options that several commands share."""

import json
from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


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
