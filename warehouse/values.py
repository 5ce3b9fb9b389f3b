"""Database values as text and as JSON."""

import json
import math
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any


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


def printable(text: str) -> str:
    """Return the text with control characters escaped: data must not drive the terminal."""
    return "".join(
        c if c == "\n" or c.isprintable() else c.encode("unicode_escape").decode("ascii")
        for c in text
    )
