"""Results on the terminal: as a table, as JSON, as CSV."""

import csv
import sys
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from warehouse.display import is_numeric
from warehouse.query import Result
from warehouse.values import plain, printable, to_json


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


def cell(value: Any) -> Text:
    """Return one cell of a table: NULL dimmed, floats short, control characters made visible."""
    if value is None:
        return Text("NULL", style="dim")
    if isinstance(value, float):
        return Text(f"{value:.6g}")
    return Text(printable(str(plain(value))))
