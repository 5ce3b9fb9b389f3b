"""Database values as text and as JSON."""

import csv
import json
import math
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import IO, Any


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


FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_cell(value: Any, *, raw: bool = False) -> Any:
    """Return a value for a cell of a CSV file; NULL is empty.

    Unless ``raw``, a text that a spreadsheet would run as a formula gets an apostrophe before it.
    Control characters except tabs and line feeds are escaped. Numbers stay as they are.
    """
    if value is None:
        return ""
    value = plain(value)
    if raw or not isinstance(value, str):
        return value
    value = "".join(
        c.encode("unicode_escape").decode("ascii") if _is_control(c) else c for c in value
    )
    return f"'{value}" if value.startswith(FORMULA_STARTS) else value


class CsvLines:
    """A file for csv.writer, whose lines it ends with a line feed.

    The writer quotes a carriage return in a cell only where one ends its lines, and a bare one
    would cut the row in two.
    """

    def __init__(self, file: IO[str]):
        self._file = file
        self.writer = csv.writer(self, lineterminator="\r\n")

    def write(self, line: str) -> None:
        """Write one row."""
        self._file.write(line.removesuffix("\r\n") + "\n")


def _is_control(character: str) -> bool:
    return character not in "\n\t" and (character < " " or "\x7f" <= character <= "\x9f")


def printable(text: str) -> str:
    """Return the text with control characters escaped: data must not drive the terminal."""
    return "".join(
        c if c == "\n" or c.isprintable() else c.encode("unicode_escape").decode("ascii")
        for c in text
    )
