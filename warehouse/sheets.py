"""What a table of a paper is made of, whatever the paper."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from warehouse.export import Layout
from warehouse.names import literal
from warehouse.query import Reader


@dataclass(frozen=True)
class Sheet:
    """One table: the query of its rows as stored, and how they are laid out for eyes.

    ``laid_out`` asks the reader what there is, and returns the query of the rows as printed and
    how its columns look.
    """

    number: int
    name: str
    title: str
    view: str
    rows: str
    laid_out: Callable[[Reader], tuple[str, Layout]]


def place(column: str, order: Iterable[str]) -> str:
    """Return SQL for the place of a value in a list; what is not in it comes last."""
    names = ", ".join(literal(name) for name in order)
    return f"coalesce(list_position([{names}], {column}), 1000)"


def labels(column: str, named: dict[str, str]) -> str:
    """Return SQL for a value's label; what has none is its own."""
    cases = " ".join(f"when {literal(k)} then {literal(v)}" for k, v in named.items())
    return f"case {column} {cases} else {column} end"
