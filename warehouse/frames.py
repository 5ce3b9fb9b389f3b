"""Rows as Arrow tables, in the exact column types of their table."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
from sqlalchemy import ARRAY, BigInteger, Boolean, DateTime, Double, Float, Integer, String
from sqlalchemy.types import TypeDecorator, TypeEngine

from models.base import Row

Frames = dict[type[Row], pa.Table]


def frames_of(rows: Iterable[Row]) -> Frames:
    """Group rows by table and return one Arrow table for each, keeping their order."""
    groups: dict[type[Row], list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[type(row)].append(values_of(row))
    return frames_of_values(groups)


def frames_of_values(groups: Mapping[type[Row], Sequence[Mapping[str, Any]]]) -> Frames:
    """Return one Arrow table for each table's rows, given as column name to value."""
    return {table: _frame(table, group) for table, group in groups.items()}


def values_of(row: Row) -> dict[str, Any]:
    """Return a row's values by column."""
    return {name: value for name, value in vars(row).items() if not name.startswith("_")}


def schema_of(table: type[Row]) -> pa.Schema:
    """Return the Arrow schema of a raw table."""
    columns = table.__table__.columns  # type: ignore[attr-defined]
    return pa.schema([pa.field(c.name, _arrow(c.type), nullable=c.nullable) for c in columns])


def key_of(table: type[Row]) -> list[str]:
    """Return the names of the primary key's columns."""
    return [column.name for column in table.__table__.primary_key]  # type: ignore[attr-defined]


def name_of(table: type[Row]) -> str:
    """Return the table's name in schema raw."""
    return str(table.__table__.name)  # type: ignore[attr-defined]


def _frame(table: type[Row], rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    schema = schema_of(table)
    columns = []
    for field in schema:
        values = [row[field.name] for row in rows]
        # from_pandas=False keeps NaN apart from NULL: the gate refuses it, never hides it
        columns.append(pa.array(values, type=field.type, from_pandas=False))
    # nullability is the gate's business: it names the offending rows
    loose = pa.schema([field.with_nullable(True) for field in schema])
    return pa.Table.from_arrays(columns, schema=loose)


def _arrow(kind: TypeEngine[object]) -> pa.DataType:
    if isinstance(kind, TypeDecorator):
        kind = kind.impl_instance
    if isinstance(kind, ARRAY):
        listed = _arrow(kind.item_type)
        for _ in range(kind.dimensions or 1):
            listed = pa.list_(listed)
        return listed
    if isinstance(kind, DateTime):
        return pa.timestamp("us", tz="UTC")
    for ours, theirs in (
        (Boolean, pa.bool_()),
        (BigInteger, pa.int64()),
        (Integer, pa.int32()),
        (Double, pa.float64()),
        (Float, pa.float64()),
        (String, pa.string()),
    ):
        if isinstance(kind, ours):
            return theirs
    raise TypeError(f"no Arrow type for {kind!r}")
