"""Run a query of ``sql/`` and return its rows as one dataclass."""

from dataclasses import fields
from functools import cache
from importlib import resources
from typing import Any, TypeVar

import duckdb

FOLDER = resources.files("warehouse") / "facts" / "sql"

Kind = TypeVar("Kind")


@cache
def text_of(name: str) -> str:
    """Return the SQL of a query, such as ``problems/newest``."""
    return FOLDER.joinpath(f"{name}.sql").read_text(encoding="utf-8")


def run(
    con: duckdb.DuckDBPyConnection, name: str, parameters: dict[str, Any]
) -> duckdb.DuckDBPyConnection:
    """Run a query and return its cursor."""
    return con.execute(text_of(name), parameters)


def table_of(con: duckdb.DuckDBPyConnection, name: str, **parameters: Any) -> Any:
    """Return the rows of a query as a pyarrow table."""
    return con.sql(text_of(name), params=parameters).to_arrow_table()


def rows_of(
    con: duckdb.DuckDBPyConnection, name: str, kind: type[Kind], **parameters: Any
) -> list[Kind]:
    """Return each row as a ``kind``, whose fields are the columns in the same order."""
    cursor = run(con, name, parameters)
    columns = tuple(column[0] for column in cursor.description or ())
    wanted = tuple(field.name for field in fields(kind))  # type: ignore[arg-type]
    if columns != wanted:
        raise TypeError(f"{name}.sql returns {columns}, {kind.__name__} holds {wanted}")
    return [kind(*row) for row in cursor.fetchall()]


def column_of(con: duckdb.DuckDBPyConnection, name: str, **parameters: Any) -> list[Any]:
    """Return the only column of a query."""
    return [value for (value,) in run(con, name, parameters).fetchall()]


def mapping_of(con: duckdb.DuckDBPyConnection, name: str, **parameters: Any) -> dict[Any, Any]:
    """Return a query of two columns as a mapping from the first to the second."""
    return dict(run(con, name, parameters).fetchall())
