"""Classes that stand for those of the other side: of named tuples, numbers and texts."""

import collections
from typing import Any

from models.plain.values import MAX_CLASSES, MAX_SAID, TYPE_BY_NAME, exactly


class UnknownScalar:
    """A number or text of an unknown class, with its ``repr`` and ``str`` from the other side."""

    _said: tuple[str, str]
    _member: list[str | None] | None

    def __repr__(self) -> str:
        return self._said[0]

    def __str__(self) -> str:
        return self._said[1]


def named_tuple(content: list[Any]) -> Any:
    """Make a named tuple of its name, its fields and its items."""
    (name, fields), *items = content
    if len(fields) != len(items):
        raise ValueError("a named tuple has a value for each field")
    return _class("named", exactly(str, name), tuple(fields))._make(items)


def own_scalar(content: list[Any]) -> Any:
    """Make the stand-in for a number or text from its description."""
    name, shown, text, member, value = content
    if type(value) not in (int, float, str) or max(len(shown), len(text)) > MAX_SAID:
        raise ValueError("not a scalar")
    made = _class(type(value).__name__, exactly(str, name), ())(value)
    made._said = (exactly(str, shown), exactly(str, text))
    made._member = member
    if member is not None:  # of an enumeration; one of no name has None
        made.name, made.value = exactly(list, member)[0], value
    return made


def forget_classes() -> None:
    """Delete the stand-ins for classes of the last program."""
    _classes.clear()


_classes: dict[tuple[str, str, tuple[str, ...]], Any] = {}


def _class(kind: str, name: str, fields: tuple[str, ...]) -> Any:
    """Return the stand-in class for a class of the other side: one for each name."""
    key = (kind, name[:100], fields)
    if key not in _classes:
        if len(_classes) >= MAX_CLASSES or len(fields) > MAX_CLASSES:
            _classes.clear()
        if kind == "named":
            _classes[key] = collections.namedtuple(name[:100], fields)
        else:
            _classes[key] = type(name[:100], (UnknownScalar, TYPE_BY_NAME[kind]), {})
    return _classes[key]
