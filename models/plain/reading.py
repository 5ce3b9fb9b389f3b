"""From a text to the plain value it describes, however hostile its writer."""

import collections
import datetime
import json
import math
import sys
from collections.abc import Callable, Collection
from decimal import Decimal
from fractions import Fraction
from typing import Any

from models.plain import sets
from models.plain.classes import named_tuple, own_scalar
from models.plain.values import (
    FACTORIES,
    FLAT,
    MAX_CLASHES,
    MAX_DECIMAL,
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_ELEMENTS,
    MAX_PART_DIGITS,
    TYPE_BY_NAME,
    Opaque,
    TooLarge,
    exactly,
)

_FEW = 64  # keys that may clash as they like
_LONGEST_NUMBER = 640  # digits in a row outside a tag; honest ones have 19


def decode(text: str) -> Any:
    """Build the value of a text made by ``encode``; raises ValueError for any other text.

    Whoever wrote the text, time and memory are bounded: TooLarge is raised beyond MAX_ELEMENTS,
    MAX_DIGITS and their like.
    """
    try:
        value, end = _scan(text, 0) if len(text) <= _LONGEST_NUMBER else _scan_long(text)
    except StopIteration:
        raise ValueError("not a value") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except (TypeError, KeyError, IndexError, ArithmeticError, AttributeError) as error:
        raise ValueError(f"malformed value: {error}") from None
    if end != len(text):
        raise ValueError("more than one value")
    if text.count("[") + text.count("{") > MAX_DEPTH and not _is_shallow(value, _shared):
        raise ValueError("nested too deeply")
    return value


def decode_shared(text: str, objects: dict[int, Any]) -> Any:
    """Build the value of a text in which numbers stand for some of these objects."""
    global _shared
    _shared = objects
    try:
        return decode(text)
    finally:
        _shared = {}


_shared: dict[int, Any] = {}  # what numbers in the text being read stand for


def _scan_long(text: str) -> tuple[Any, int]:
    """Scan a text that is long enough to hold too much."""
    global _clashes
    if len(text) > MAX_ELEMENTS and text.count(",") > MAX_ELEMENTS:
        raise TooLarge(f"more than {MAX_ELEMENTS} elements")
    _clashes = 0
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(_LONGEST_NUMBER)
    try:
        return _scan(text, 0)  # type: ignore[no-any-return]
    finally:
        sys.set_int_max_str_digits(limit)


_clashes = 0  # in the tables of the text being read


def check_table(keys: Collection[Any]) -> None:
    """Raise TooLarge where a set or dict of these keys would take long for their equal hashes."""
    global _clashes
    if len(keys) > _FEW and len(set(map(hash, keys))) < len(keys):
        tally = collections.Counter(map(hash, keys))
        _clashes += sum(n * (n - 1) // 2 for n in tally.values())
        if _clashes > MAX_CLASHES:
            raise TooLarge("too many keys of one hash")


def _unpack(tagged: dict[str, Any]) -> Any:
    if len(tagged) != 1:
        raise ValueError("a tagged value has exactly one key")
    ((tag, content),) = tagged.items()
    build = _BUILDERS.get(tag)
    if build is None:
        raise ValueError(f"unknown tag {tag[:20]!r}")
    return build(content)


def _list(content: Any) -> list[Any]:
    return exactly(list, content)  # type: ignore[no-any-return]


def _mapping(content: Any) -> dict[Any, Any]:
    items = _list(content)
    if len(items) % 2:
        raise ValueError("a mapping needs a value for each key")
    if len(items) > 2 * _FEW:
        check_table(items[::2])
    return dict(zip(items[::2], items[1::2], strict=True))


def _float(content: Any) -> float:
    if content == "math.nan":
        return math.nan
    if content not in ("nan", "inf", "-inf"):
        raise ValueError("not a special float")
    return float(content)


def _keys(content: Any) -> list[Any]:
    check_table(_list(content))
    return content  # type: ignore[no-any-return]


def _in_order(content: Any, build: Callable[[list[Any], int], Any]) -> Any:
    size, *items = _list(content)
    return build(_keys(items), exactly(int, size))


def _big(content: Any) -> int:
    if len(exactly(str, content)) > MAX_DIGITS:
        raise TooLarge(f"an integer of more than {MAX_DIGITS} digits")
    return int(content, 16)


def _decimal(content: Any) -> Decimal:
    number = Decimal(exactly(str, content))
    exponent = number.adjusted() if number.is_finite() else 0
    if len(content) > MAX_DECIMAL or abs(exponent) > MAX_DECIMAL:
        raise TooLarge(f"a decimal of more than {MAX_DECIMAL} digits")
    return number


def _fraction(content: Any) -> Fraction:
    numerator, denominator = _integers(content)
    if max(numerator.bit_length(), denominator.bit_length()) > 4 * MAX_PART_DIGITS:
        raise TooLarge(f"a fraction of more than {MAX_PART_DIGITS} digits")
    return Fraction(numerator, denominator)


def _integers(content: Any) -> list[int]:
    for item in _list(content):
        exactly(int, item)
    return content  # type: ignore[no-any-return]


def _parts(content: Any) -> Any:
    return _integers(content)


def _tally(content: Any) -> "collections.Counter[Any]":
    tally: collections.Counter[Any] = collections.Counter()
    dict.update(tally, _mapping(content))
    return tally


def _bounded(content: Any) -> "collections.deque[Any]":
    maxlen, *items = _list(content)
    return collections.deque(items, None if maxlen is None else exactly(int, maxlen))


_BUILDERS: dict[str, Callable[[Any], Any]] = {
    "t": lambda content: tuple(_list(content)),
    "d": _mapping,
    "i": _big,
    "f": _float,
    "s": lambda content: "".join(map(chr, _integers(content))),
    "set": lambda content: set(_keys(content)),
    "frozenset": lambda content: frozenset(_keys(content)),
    "S": lambda content: _in_order(content, sets.rebuilt),
    "F": lambda content: _in_order(content, sets.rebuilt_frozen),
    "#": lambda content: _shared[exactly(int, content)],
    "bytes": lambda content: bytes.fromhex(exactly(str, content)),
    "bytearray": lambda content: bytearray.fromhex(exactly(str, content)),
    "complex": lambda content: complex(*(exactly(float, part) for part in _list(content))),
    "decimal": _decimal,
    "fraction": _fraction,
    "range": lambda content: range(*_integers(content)),
    "keys": lambda content: dict.fromkeys(_keys(content)).keys(),
    "items": lambda content: _mapping(content).items(),
    "values": lambda content: dict(enumerate(_list(content))).values(),
    "iter": lambda content: iter(_list(content)),
    "ellipsis": lambda _content: Ellipsis,
    "notimplemented": lambda _content: NotImplemented,
    "slice": lambda content: slice(*_list(content)),
    "type": lambda content: TYPE_BY_NAME[exactly(str, content)],
    "counter": _tally,
    "odict": lambda content: collections.OrderedDict(_mapping(content)),
    "ddict": lambda content: collections.defaultdict(FACTORIES[content[0]], _mapping(content[1:])),
    "named": lambda content: named_tuple(_list(content)),
    "sub": lambda content: own_scalar([*content[0], *content[1:]]),
    "deque": _bounded,
    "date": lambda content: datetime.date(*_integers(content)),
    "datetime": lambda content: datetime.datetime(*_parts(content)),
    "time": lambda content: datetime.time(*_parts(content)),
    "timedelta": lambda content: datetime.timedelta(*_integers(content)),
    "?": lambda content: Opaque(exactly(str, _list(content)[0])[:100], exactly(bool, content[1])),
}


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is written as a tagged value")


# The scanner and the encoder below json's own classes, without the work those do per call.
_scan = json.JSONDecoder(object_hook=_unpack, parse_constant=_no_constant).scan_once  # type: ignore[attr-defined]


def _is_shallow(value: Any, objects: dict[int, Any]) -> bool:
    """Whether containers nest at most MAX_DEPTH deep: what follows may recurse over them.

    It looks at what the text itself holds, and not into the objects that numbers stand for.
    """
    known = set(map(id, objects.values()))
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [item for item in level if id(item) not in known]
        deeper: list[Any] = []
        for item in level:
            if type(item) in (list, tuple, set, frozenset) or isinstance(item, collections.deque):
                deeper.extend(part for part in item if type(part) not in FLAT)
            elif isinstance(item, dict):
                deeper.extend(part for part in item.values() if type(part) not in FLAT)
                deeper.extend(part for part in item if type(part) not in FLAT)
        if not deeper:
            return True
        level = deeper
    return False
