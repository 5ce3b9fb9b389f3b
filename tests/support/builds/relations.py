"""What is in a built warehouse: every relation that a build made."""

from pathlib import Path
from typing import Any

import duckdb

from tests.support.sql import rows_of
from tests.support.steps import build
from warehouse.store.connection import reading

RELATIONS = """
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema not in ('raw', 'meta', 'facts') order by 1
"""
ALL = "select * from {} order by all"


def relations(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each relation that a build made, sorted."""
    with reading(path) as con:
        return relations_in(con)


def relations_in(con: duckdb.DuckDBPyConnection) -> dict[str, list[dict[str, Any]]]:
    names = [row["name"] for row in rows_of(con, RELATIONS)]
    return {name: [rounded(row) for row in rows_of(con, ALL.format(name))] for name in names}


def same_as_all(path: Path) -> None:
    """Check that a build of all makes the relations that are there."""
    found = relations(path)
    build(path, force=True)
    everything = relations(path)
    assert found.keys() == everything.keys()
    for relation in found:
        assert found[relation] == everything[relation], relation


def rounded(row: dict[str, Any]) -> dict[str, Any]:
    """Sums of floats may differ in their last digits, whoever builds."""
    return {
        name: round(value, 9) if isinstance(value, float) else value for name, value in row.items()
    }
