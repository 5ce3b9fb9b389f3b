"""Plain values as JSON text, and back: the only form in which an answer leaves the sandbox.

Numbers, strings and lists are plain JSON. Everything else is an object with one key, a tag that
names the type, so a decoder can build exact builtins and nothing else. Standard library only:
the sandbox loads this file alone, without the rest of the package.
"""

import collections
import datetime
import json
import math
import sys
from collections.abc import Callable, Collection, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

MAX_DEPTH = 200  # nested containers; more is refused on both sides
MAX_ITEMS = 100_000  # items taken from an iterator before it is refused
MAX_ELEMENTS = 10_000_000  # commas of a text
MAX_DIGITS = 1 << 20  # hexadecimal ones of an integer
MAX_PART_DIGITS = 1 << 16  # of either part of a fraction, whose greatest common divisor is sought
MAX_DECIMAL = 100_000  # digits of a decimal, and its exponent either way
MAX_CLASHES = 1_000_000  # pairs of keys with one hash, in all tables of a text

_FEW = 64  # keys that may clash as they like
_LONGEST_NUMBER = 640  # digits in a row outside a tag; honest ones have 19
_SMALL = 1 << 62  # integers below this stay decimal digits, the others travel as hexadecimal
_TYPES = (
    *(bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset),
    *(range, object, type, type(None)),
)
_TYPE_BY_NAME = {kind.__name__: kind for kind in _TYPES}
_ITERATORS: tuple[type, ...] = (
    *(map, filter, zip, enumerate, reversed, type(_ for _ in ()), type(iter([])), type(iter(()))),
    *(type(iter("")), type(iter("é")), type(iter(set())), type(iter({})), type(iter(range(0)))),
    *(type(reversed([])), type(iter({}.values())), type(iter({}.items()))),
)
_BASES = (int, float, str, bytes, list, tuple, dict, set, frozenset)

_quoted = json.encoder.encode_basestring_ascii


class TooLarge(Exception):
    """The text may be well formed, but building its value could take very long."""


class Opaque:
    """A value that could not be sent: equal to nothing, as true or false as its original."""

    def __init__(self, type_name: str, truth: bool = True):
        self.type_name = type_name
        self.truth = truth

    def __eq__(self, other: object) -> bool:
        return False

    def __ne__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return id(self)

    def __bool__(self) -> bool:
        return self.truth

    def __repr__(self) -> str:
        return f"<opaque {self.type_name}>"


def opaque(value: Any) -> Opaque:
    """Return what stands for a value that is not plain."""
    try:
        truth = bool(value)
    except Exception:
        truth = True
    return Opaque(type(value).__name__, truth)


def encode(value: Any, opaque: Callable[[Any], Opaque] | None = None) -> str:
    """Return the text of a plain value, the same text for equal values of one type.

    ``opaque`` turns a part that is not plain into an Opaque; without it such a part raises
    TypeError. Nesting beyond MAX_DEPTH raises TypeError too.
    """
    kind = type(value)
    if kind is bool:
        return "true" if value else "false"
    if (kind is int and -_SMALL < value < _SMALL) or (kind is float and math.isfinite(value)):
        return repr(value)
    if kind is str and value.isascii():
        return _quoted(value)
    return _dumps(_pack(value, opaque, MAX_DEPTH))


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
    if text.count("[") + text.count("{") > MAX_DEPTH and not _is_shallow(value):
        raise ValueError("nested too deeply")
    return value


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


def _pack(value: Any, opaque: Callable[[Any], Opaque] | None, depth: int) -> Any:
    kind = type(value)
    if kind is str:
        if value.isascii():
            return value
        return value if _is_unicode(value) else {"s": [ord(letter) for letter in value]}
    if value is None or kind is bool:
        return value
    if kind is int:
        return value if -_SMALL < value < _SMALL else {"i": hex(value)}
    if kind is float:
        return value if math.isfinite(value) else {"f": repr(value)}
    if depth == 0:
        raise TypeError(f"nested more than {MAX_DEPTH} deep")
    if kind is list:
        return [_pack(item, opaque, depth - 1) for item in value]
    if kind is tuple:
        return {"t": [_pack(item, opaque, depth - 1) for item in value]}
    pack = _PACKERS.get(kind)
    if pack is not None:
        tag, content = pack(value)
        if content is None:
            return {tag: None}
        if tag in _SORTED:
            return {tag: sorted([_pack(item, opaque, depth - 1) for item in content], key=_dumps)}
        return {tag: _pack(content, opaque, depth - 1)}
    if kind is Opaque:
        return {"?": [value.type_name, value.truth]}
    if kind is type and _TYPE_BY_NAME.get(value.__name__) is value:
        return {"type": value.__name__}
    if kind in _ITERATORS:
        return {"iter": [_pack(item, opaque, depth - 1) for item in _taken(value)]}
    base = _plain_base(kind)
    if base is not None:
        return _pack(base(value), opaque, depth - 1)
    if opaque is None:
        raise TypeError(f"not a plain value: {kind.__name__}")
    return _pack(opaque(value), None, depth)


def _plain_base(kind: type) -> Callable[[Any], Any] | None:
    """The builtin a subclass (a named tuple, an IntEnum) still compares as, if it does."""
    for base in _BASES:
        if issubclass(kind, base) and kind.__eq__ is base.__eq__:
            if base is int:
                return int.__int__
            if base is float:
                return float.__float__
            if base is str:
                return lambda value: str.join("", str.__iter__(value))
            if base is dict:
                return lambda value: dict(dict.items(value))
            sequence: Any = base
            return lambda value: sequence(sequence.__iter__(value))
    return None


def _taken(iterator: Iterator[Any]) -> Iterator[Any]:
    for taken, item in enumerate(iterator):
        if taken >= MAX_ITEMS:
            raise TypeError(f"an iterator of more than {MAX_ITEMS} items")
        yield item


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _pairs(value: Any) -> list[Any]:
    return [item for pair in value.items() for item in pair]


def _moment(value: Any) -> list[Any] | None:
    if value.tzinfo is not None:
        raise TypeError("not a plain value: a moment with a time zone")
    names = ("year", "month", "day", "hour", "minute", "second", "microsecond")
    return [getattr(value, name) for name in names if hasattr(value, name)]


_SORTED = {"set", "frozenset"}
_PACKERS: dict[type, Callable[[Any], tuple[str, Any]]] = {
    dict: lambda value: ("d", _pairs(value)),
    set: lambda value: ("set", list(value)),
    frozenset: lambda value: ("frozenset", list(value)),
    bytes: lambda value: ("bytes", value.hex()),
    bytearray: lambda value: ("bytearray", value.hex()),
    complex: lambda value: ("complex", [value.real, value.imag]),
    Decimal: lambda value: ("decimal", str(value)),
    Fraction: lambda value: ("fraction", [value.numerator, value.denominator]),
    range: lambda value: ("range", [value.start, value.stop, value.step]),
    type({}.keys()): lambda value: ("keys", list(value)),
    type({}.items()): lambda value: ("items", [item for pair in value for item in pair]),
    type({}.values()): lambda value: ("values", list(value)),
    type(Ellipsis): lambda _value: ("ellipsis", None),
    collections.Counter: lambda value: ("counter", _pairs(value)),
    collections.OrderedDict: lambda value: ("odict", _pairs(value)),
    collections.defaultdict: lambda value: ("ddict", _pairs(value)),
    collections.deque: lambda value: ("deque", [value.maxlen, *value]),
    datetime.date: lambda value: ("date", [value.year, value.month, value.day]),
    datetime.datetime: lambda value: ("datetime", _moment(value)),
    datetime.time: lambda value: ("time", _moment(value)),
    datetime.timedelta: lambda value: (
        "timedelta",
        [value.days, value.seconds, value.microseconds],
    ),
}


def _unpack(tagged: dict[str, Any]) -> Any:
    if len(tagged) != 1:
        raise ValueError("a tagged value has exactly one key")
    ((tag, content),) = tagged.items()
    build = _BUILDERS.get(tag)
    if build is None:
        raise ValueError(f"unknown tag {tag[:20]!r}")
    return build(content)


def _exactly(kind: type, content: Any) -> Any:
    if type(content) is not kind:
        raise ValueError(f"expected {kind.__name__}, found {type(content).__name__}")
    return content


def _list(content: Any) -> list[Any]:
    return _exactly(list, content)  # type: ignore[no-any-return]


def _mapping(content: Any) -> dict[Any, Any]:
    items = _list(content)
    if len(items) % 2:
        raise ValueError("a mapping needs a value for each key")
    if len(items) > 2 * _FEW:
        check_table(items[::2])
    return dict(zip(items[::2], items[1::2], strict=True))


def _float(content: Any) -> float:
    if content not in ("nan", "inf", "-inf"):
        raise ValueError("not a special float")
    return float(content)


def _keys(content: Any) -> list[Any]:
    check_table(_list(content))
    return content  # type: ignore[no-any-return]


def _big(content: Any) -> int:
    if len(_exactly(str, content)) > MAX_DIGITS:
        raise TooLarge(f"an integer of more than {MAX_DIGITS} digits")
    return int(content, 16)


def _decimal(content: Any) -> Decimal:
    number = Decimal(_exactly(str, content))
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
        _exactly(int, item)
    return content  # type: ignore[no-any-return]


def _parts(content: Any) -> Any:
    return _integers(content)


def _tally(content: Any) -> "collections.Counter[Any]":
    tally: collections.Counter[Any] = collections.Counter()
    dict.update(tally, _mapping(content))
    return tally


def _bounded(content: Any) -> "collections.deque[Any]":
    maxlen, *items = _list(content)
    return collections.deque(items, None if maxlen is None else _exactly(int, maxlen))


_BUILDERS: dict[str, Callable[[Any], Any]] = {
    "t": lambda content: tuple(_list(content)),
    "d": _mapping,
    "i": _big,
    "f": _float,
    "s": lambda content: "".join(map(chr, _integers(content))),
    "set": lambda content: set(_keys(content)),
    "frozenset": lambda content: frozenset(_keys(content)),
    "bytes": lambda content: bytes.fromhex(_exactly(str, content)),
    "bytearray": lambda content: bytearray.fromhex(_exactly(str, content)),
    "complex": lambda content: complex(*(_exactly(float, part) for part in _list(content))),
    "decimal": _decimal,
    "fraction": _fraction,
    "range": lambda content: range(*_integers(content)),
    "keys": lambda content: dict.fromkeys(_keys(content)).keys(),
    "items": lambda content: _mapping(content).items(),
    "values": lambda content: dict(enumerate(_list(content))).values(),
    "iter": lambda content: iter(_list(content)),
    "ellipsis": lambda _content: Ellipsis,
    "type": lambda content: _TYPE_BY_NAME[_exactly(str, content)],
    "counter": _tally,
    "odict": lambda content: collections.OrderedDict(_mapping(content)),
    "ddict": lambda content: collections.defaultdict(None, _mapping(content)),
    "deque": _bounded,
    "date": lambda content: datetime.date(*_integers(content)),
    "datetime": lambda content: datetime.datetime(*_parts(content)),
    "time": lambda content: datetime.time(*_parts(content)),
    "timedelta": lambda content: datetime.timedelta(*_integers(content)),
    "?": lambda content: Opaque(_exactly(str, _list(content)[0])[:100], _exactly(bool, content[1])),
}


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is written as a tagged value")


# The scanner and the encoder below json's own classes, without the work those do per call.
_scan = json.JSONDecoder(object_hook=_unpack, parse_constant=_no_constant).scan_once  # type: ignore[attr-defined]


def _refuse(value: Any) -> Any:
    raise TypeError(f"not a plain value: {type(value).__name__}")


_chunks = json.encoder.c_make_encoder(  # type: ignore[attr-defined]
    None, _refuse, _quoted, None, ":", ",", False, False, False
)


def _dumps(value: Any) -> str:
    return "".join(_chunks(value, 0))


def _is_shallow(value: Any) -> bool:
    """Whether containers nest at most MAX_DEPTH deep: what follows may recurse over them."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        deeper: list[Any] = []
        for item in level:
            if type(item) in (list, tuple, set, frozenset) or isinstance(item, collections.deque):
                deeper.extend(part for part in item if type(part) not in _FLAT)
            elif isinstance(item, dict):
                deeper.extend(part for part in item.values() if type(part) not in _FLAT)
                deeper.extend(part for part in item if type(part) not in _FLAT)
        if not deeper:
            return True
        level = deeper
    return False


_FLAT = (int, str, float, bool, type(None))
