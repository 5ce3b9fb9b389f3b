"""Options that several commands share."""

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
        help="Show a progress bar; on a terminal only.",
    )(function)
