"""Columns of the raw tables, read from ``models``."""

import inspect
from dataclasses import dataclass

from models.base import Row
from models.tables import TABLES
from warehouse.frames import key_of, name_of


@dataclass(frozen=True)
class RawColumn:
    """One column of a raw table."""

    name: str
    type: str
    nullable: bool
    is_key: bool
    description: str


@dataclass(frozen=True)
class RawTable:
    """One raw table; the description opens with its grain."""

    name: str
    description: str
    columns: list[RawColumn]


def describe_tables() -> list[RawTable]:
    """Return every raw table with its columns, in the order of ``models.tables.TABLES``."""
    return [_table(table) for table in TABLES]


def _table(table: type[Row]) -> RawTable:
    import duckdb_sqlalchemy

    dialect = duckdb_sqlalchemy.Dialect()
    keys = key_of(table)
    columns = [
        RawColumn(
            name=column.name,
            type=column.type.compile(dialect=dialect),
            nullable=bool(column.nullable),
            is_key=column.name in keys,
            description=table.model_fields[column.name].description or "",
        )
        for column in table.__table__.columns  # type: ignore[attr-defined]
    ]
    return RawTable(name_of(table), inspect.getdoc(table) or "", columns)
