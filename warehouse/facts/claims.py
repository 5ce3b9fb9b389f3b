"""Results that others claim, as they are stored."""

from dataclasses import dataclass
from typing import Any

import duckdb

from warehouse.facts.query import rows_of


@dataclass(frozen=True)
class Contradiction:
    """A claim that is known with another result; ``n`` is its place among the new ones."""

    n: int
    place: str
    name: str


def first_contradiction(con: duckdb.DuckDBPyConnection, incoming: Any) -> Contradiction | None:
    """Return the first claim of an Arrow table, with its number ``n``, that contradicts a row."""
    con.register("incoming", incoming)
    found = rows_of(con, "claims/contradictions", Contradiction)
    return found[0] if found else None
