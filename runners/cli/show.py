"""Results on the terminal: as a table, as JSON, as CSV."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from warehouse.errors import BadInput
from warehouse.reports.display import is_numeric
from warehouse.snapshot.query import QueryResult, Row
from warehouse.values import CsvLines, csv_cell, plain, printable, to_json

LEGIBLE = 10  # characters below which a column of text is not worth having


def print_table(result: QueryResult) -> None:
    """Print rows as a table, or one below the other when there are too many columns for that."""
    console = Console(highlight=False)
    if _narrowest(result) > console.width:
        print_records(result)
        return
    console.print(_table(result))
    _print_count(console, result)


def _print_count(console: Console, result: QueryResult) -> None:
    n = len(result.rows)
    count = f"{n:,} row{'s' if n != 1 else ''}"
    if result.truncated:
        count = f"the first {count}; --max-rows 0 shows all"
    console.print(Text(count, style="dim"))


def _narrowest(result: QueryResult) -> int:
    """Return the width below which a table of these rows cannot be read."""
    total = 0
    for position, (column, kind) in enumerate(zip(result.columns, result.types, strict=True)):
        longest = max([len(column), *(len(cell(row[position])) for row in result.rows)])
        total += 2 + (longest if is_numeric(kind) else min(longest, LEGIBLE))
    return total


def _table(result: QueryResult) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column, kind in zip(result.columns, result.types, strict=True):
        number = is_numeric(kind)
        table.add_column(
            Text(printable(column)),
            justify="right" if number else "left",
            overflow="fold",
            no_wrap=number,
        )
    for row in result.rows:
        table.add_row(*(cell(value) for value in row))
    return table


def print_records(result: QueryResult) -> None:
    """Print rows one below the other, a line per column."""
    console = Console(highlight=False)
    for number, row in enumerate(result.rows, start=1):
        console.print(Text(f"row {number}", style="bold"))
        table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 2))
        table.add_column(no_wrap=True, style="dim")
        table.add_column(overflow="fold")
        for column, value in zip(result.columns, row, strict=True):
            table.add_row(Text(printable(column)), cell(value))
        console.print(table)
    _print_count(console, result)


def print_json(result: QueryResult) -> None:
    """Print a list of one object per row; raises BadInput where two columns share a name."""
    for number, name in enumerate(result.columns):
        if name in result.columns[:number]:
            raise BadInput(
                f"two columns are named {name!r}, and a JSON object holds one of a name: "
                "rename one with `as`"
            )
    click.echo(to_json([dict(zip(result.columns, row, strict=True)) for row in result.rows]))


class CsvPrinter:
    """Prints a header line and one line per row; NULL is empty."""

    def __init__(self, columns: Sequence[str], *, raw: bool):
        self._raw = raw
        self._writer = CsvLines(sys.stdout).writer
        self.rows([tuple(columns)])

    def rows(self, rows: Iterable[Row]) -> None:
        """Print some rows; what a spreadsheet would run is guarded, unless raw."""
        self._writer.writerows([csv_cell(value, raw=self._raw) for value in row] for row in rows)


def cell(value: Any) -> Text:
    """Return one cell of a table: NULL dimmed, floats short, control characters made visible."""
    if value is None:
        return Text("NULL", style="dim")
    if isinstance(value, float):
        return Text(f"{value:.6g}")
    return Text(printable(str(plain(value))))
