"""The SQL that creates the raw tables as ``models`` describes them."""

from collections.abc import Iterable

import duckdb_sqlalchemy
from sqlalchemy.schema import CreateTable

from models.base import Row
from models.tables import TABLES


def create_statements(tables: Iterable[type[Row]] = TABLES) -> str:
    """Return one ``create table`` per raw table, as a new migration would hold them.

    Migrations are frozen files; a test compares what they build with this.
    """
    dialect = duckdb_sqlalchemy.Dialect()
    statements = []
    for table in tables:
        sql = str(CreateTable(table.__table__).compile(dialect=dialect))  # type: ignore[attr-defined]
        lines = [line.rstrip().replace("\t", "    ") for line in sql.strip().splitlines()]
        statements.append("\n".join(lines) + ";")
    return "\n\n".join(statements) + "\n"
