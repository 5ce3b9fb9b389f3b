"""Fields of a JSON object, taken strictly: wrong kinds, NUL bytes and huge texts are refused.

The text of a sample is the exception: ``unkept_reason`` says what keeps it out of a row.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.files import json_lines, kind_of
from warehouse.errors import BadInput

MAX_TEXT_BYTES = 1_000_000
"""Longest text kept in one row, in UTF-8 bytes."""

MAX_INTEGER = 2**31 - 1
"""Largest whole number a column holds."""


@dataclass(frozen=True)
class UnkeptReason:
    """Why no row can hold a text: a code of ``UNKEPT_ISSUES``, and what the text has."""

    code: str
    has: str


class Fields:
    """One object of a file, with the place to name when something is wrong with it."""

    __slots__ = ("path", "row", "values")

    def __init__(self, values: dict[str, Any], path: Path, row: int | str):
        self.values = values
        self.path = path
        self.row = row

    def bad(self, reason: str) -> BadInput:
        """Return the error to raise for this object."""
        return BadInput(reason, path=self.path, row=self.row)

    def required(self, name: str) -> Any:
        """Return a field that must be there."""
        if name not in self.values:
            raise self.bad(f"the field {name!r} is missing")
        return self.values[name]

    def text(self, name: str, *, limit: int = MAX_TEXT_BYTES) -> str:
        """Return a text that must be there."""
        return self.check_text(self.required(name), name, limit=limit)

    def optional_text(self, name: str) -> str | None:
        """Return a text, or None where it is absent or null."""
        value = self.values.get(name)
        return None if value is None else self.check_text(value, name)

    def check_text(self, value: Any, name: str, *, limit: int = MAX_TEXT_BYTES) -> str:
        """Return a value that must be a text that a row can hold."""
        text = self.check_sample_text(value, name)
        reason = unkept_reason(text, limit=limit)
        if reason is not None:
            raise self.bad(f"the field {name!r} has {reason.has}")
        return text

    def sample_text(self, name: str) -> str:
        """Return the text of a sample that must be there; a row may be unable to hold it."""
        return self.check_sample_text(self.required(name), name)

    def check_sample_text(self, value: Any, name: str) -> str:
        """Return a value that must be a text; a row may be unable to hold it."""
        if not isinstance(value, str):
            raise self.bad(f"the field {name!r} is {kind_of(value)}, expected a string")
        return value

    def texts(self, name: str) -> list[str]:
        """Return a list of texts that must be there."""
        return [
            self.check_text(value, f"{name}[{n}]") for n, value in enumerate(self.entries(name))
        ]

    def sample_texts(self, name: str) -> list[str]:
        """Return the texts of samples in a list that must be there, storable or not."""
        values = enumerate(self.entries(name))
        return [self.check_sample_text(value, f"{name}[{n}]") for n, value in values]

    def optional_flag(self, name: str) -> bool | None:
        """Return a truth value, or None where it is absent or null."""
        value = self.values.get(name)
        if value is not None and not isinstance(value, bool):
            raise self.bad(f"the field {name!r} is {kind_of(value)}, expected true or false")
        return value

    def optional_count(self, name: str) -> int | None:
        """Return a whole number from 0, or None where it is absent or null."""
        value = self.values.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_INTEGER:
            raise self.bad(f"the field {name!r} must be a whole number from 0 to {MAX_INTEGER}")
        return int(value)

    def optional_amount(self, name: str) -> float | None:
        """Return a finite number from 0, or None where it is absent or null."""
        value = self.optional_number(name)
        if value is not None and value < 0:
            raise self.bad(f"the field {name!r} is below 0")
        return value

    def optional_number(self, name: str) -> float | None:
        """Return a finite number, or None where it is absent or null."""
        value = self.values.get(name)
        return None if value is None else self.check_number(value, name)

    def optional_share(self, name: str) -> float | None:
        """Return a number from 0 to 1, or None where it is absent or null."""
        value = self.optional_number(name)
        if value is not None and not 0 <= value <= 1:
            raise self.bad(f"the field {name!r} is {value}, not from 0 to 1")
        return value

    def inner(self, name: str) -> "Fields":
        """Return an object that must be there."""
        value = self.required(name)
        if not isinstance(value, dict):
            raise self.bad(f"the field {name!r} is {kind_of(value)}, expected an object")
        return Fields(value, self.path, self.row)

    def check_number(self, value: Any, name: str) -> float:
        """Return a value that must be a finite number."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.bad(f"the field {name!r} is {kind_of(value)}, expected a number")
        try:
            number = float(value)
        except OverflowError:  # a whole number of hundreds of digits
            number = math.inf
        if not math.isfinite(number):
            raise self.bad(f"the field {name!r} is {number}, not a finite number")
        return number

    def entries(self, name: str) -> list[Any]:
        """Return a list that must be there."""
        values = self.required(name)
        if not isinstance(values, list):
            raise self.bad(f"the field {name!r} is {kind_of(values)}, expected a list")
        return values


def object_at(value: Any, path: Path, row: int | str) -> Fields:
    """Return a value that must be an object, and its place."""
    if not isinstance(value, dict):
        raise BadInput(f"expected a JSON object, found {kind_of(value)}", path=path, row=row)
    return Fields(value, path, row)


def unkept_reason(text: str, *, limit: int = MAX_TEXT_BYTES) -> UnkeptReason | None:
    """Return why no row can hold a text; None for a text that one can hold."""
    if len(text) > limit or (len(text) * 4 > limit and n_bytes(text) > limit):
        return UnkeptReason("text_too_long", f"more than {limit:,} bytes, the limit for a text")
    if "\0" in text:
        return UnkeptReason("text_has_nul", f"a NUL byte at character {text.index(chr(0))}")
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            has = f"half a surrogate pair at character {error.start}"
            return UnkeptReason("text_not_unicode", has)
    return None


def json_objects(path: Path) -> Iterator[Fields]:
    """Yield the object of each line of a JSON Lines file; see ``ingest.files.json_lines``."""
    for row, values in json_lines(path):
        yield Fields(values, path, row)


def n_bytes(text: str) -> int:
    """Return the length of a text in UTF-8, half surrogate pairs included."""
    return len(text.encode("utf-8", "surrogatepass"))
