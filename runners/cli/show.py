"""Results on the terminal: as a table, as JSON, as CSV."""

import csv
import json
import math
import sys
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from warehouse.query import Result

NUMERIC = ("INT", "DOUBLE", "FLOAT", "DECIMAL", "REAL")


def print_table(result: Result) -> None:
    """Print rows as a table as wide as the terminal."""
    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column, kind in zip(result.columns, result.types, strict=True):
        table.add_column(
            Text(printable(column)),
            justify="right" if is_numeric(kind) else "left",
            overflow="fold",
        )
    for row in result.rows:
        table.add_row(*(cell(value) for value in row))
    console.print(table)
    n = len(result.rows)
    count = f"{n:,} row{'s' if n != 1 else ''}"
    if result.truncated:
        count = f"the first {count}; --max-rows 0 shows all"
    console.print(Text(count, style="dim"))


def print_json(result: Result) -> None:
    """Print a list of one object per row."""
    click.echo(to_json([dict(zip(result.columns, row, strict=True)) for row in result.rows]))


def print_csv(result: Result) -> None:
    """Print a header line and one line per row; NULL is empty."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(result.columns)
    for row in result.rows:
        writer.writerow("" if value is None else plain(value) for value in row)


def to_json(value: Any) -> str:
    """Return JSON; what JSON has no word for becomes text (dates, NaN) or a number (decimals)."""
    return json.dumps(jsonable(value), indent=2, ensure_ascii=False, allow_nan=False)


def jsonable(value: Any) -> Any:
    """Return a value that JSON can hold."""
    if isinstance(value, Mapping):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [jsonable(item) for item in value]
    return plain(value)


def plain(value: Any) -> Any:
    """Return dates in ISO form, bytes in hexadecimal, nested values as JSON, others as they are."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float | Decimal):
        return value
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray):
        return value.hex()
    if isinstance(value, Mapping | Sequence):
        return json.dumps(jsonable(value), ensure_ascii=False)
    return str(value)


def cell(value: Any) -> Text:
    """Return one cell of a table: NULL dimmed, floats short, control characters made visible."""
    if value is None:
        return Text("NULL", style="dim")
    if isinstance(value, float):
        return Text(f"{value:.6g}")
    return Text(printable(str(plain(value))))


def printable(text: str) -> str:
    """Return the text with control characters escaped: data must not drive the terminal."""
    return "".join(
        c if c == "\n" or c.isprintable() else c.encode("unicode_escape").decode("ascii")
        for c in text
    )


def is_numeric(kind: str) -> bool:
    """Return whether a DuckDB type is a number, to be aligned at the right."""
    return (
        "[" not in kind
        and "(" not in kind.replace("DECIMAL(", "")
        and any(word in kind for word in NUMERIC)
    )
