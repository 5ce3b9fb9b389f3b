"""Plain values as JSON text, and back: the only form in which an answer leaves the sandbox.

Numbers, strings and lists are plain JSON. Everything else is an object with one key, a tag that
names the type, so a decoder can build exact builtins and nothing else. Standard library only: the
sandbox loads this file and models.sets alone, without the rest of the package.
"""

import builtins
import collections
import datetime
import json
import math
import sys
from collections.abc import Callable, Collection, Iterator
from decimal import Decimal
from fractions import Fraction
from keyword import iskeyword
from typing import Any

from models import sets

MAX_DEPTH = 200  # nested containers; more is refused on both sides
MAX_ITEMS = 100_000  # items taken from an iterator before it is refused
MAX_ELEMENTS = 10_000_000  # commas of a text
MAX_DIGITS = 1 << 20  # hexadecimal ones of an integer
MAX_PART_DIGITS = 1 << 16  # of either part of a fraction, whose greatest common divisor is sought
MAX_DECIMAL = 100_000  # digits of a decimal, and its exponent either way
MAX_CLASSES = 500  # of the other side's that are remembered
MAX_SAID = 1000  # characters that a scalar of a class of the other side's says of itself
MAX_CLASHES = 1_000_000  # pairs of keys with one hash, in all tables of a text

_FEW = 64  # keys that may clash as they like
_LONGEST_NUMBER = 640  # digits in a row outside a tag; honest ones have 19
_SMALL = 1 << 62  # integers below this stay decimal digits, the others travel as hexadecimal
_TYPES = (
    *(bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset),
    *(range, object, type, type(None)),
)
_ERRORS = (kind for kind in vars(builtins).values() if isinstance(kind, type))
_TYPE_BY_NAME = {
    kind.__name__: kind
    for kind in (*_TYPES, *(kind for kind in _ERRORS if issubclass(kind, BaseException)))
}
FACTORIES: dict[str | None, Callable[[], Any] | None] = {
    None: None,
    **{kind.__name__: kind for kind in (int, float, str, bool, list, dict, set, tuple)},
}
_ITERATORS: tuple[type, ...] = (
    *(map, filter, zip, enumerate, reversed, type(_ for _ in ()), type(iter([])), type(iter(()))),
    *(type(iter("")), type(iter("é")), type(iter(set())), type(iter({})), type(iter(range(0)))),
    *(type(reversed([])), type(iter({}.values())), type(iter({}.items()))),
)
_BASES = (int, float, str, bytes, list, tuple, dict, set, frozenset)

Share = Callable[[Any, type], int | None]
_How = tuple[Callable[[Any], "Opaque"] | None, bool, Share | None]

_quoted = json.encoder.encode_basestring_ascii


class TooLarge(Exception):
    """The text may be well formed, but building its value could take very long."""


class Opaque:
    """A value that could not be sent: equal to nothing, as true or false as its original."""

    def __init__(self, type_name: str, truth: bool = True):
        self.type_name = type_name
        self.truth = truth
        self.ask: Callable[[], bool] | None = None  # where its original can be asked

    def __eq__(self, other: object) -> bool:
        return False

    def __ne__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return id(self)

    def __bool__(self) -> bool:
        return self.truth if self.ask is None else self.ask()

    def __repr__(self) -> str:
        return f"<opaque {self.type_name}>"


def opaque(value: Any) -> Opaque:
    """Return what stands for a value that is not plain."""
    try:
        truth = bool(value)
    except Exception:
        truth = True
    return Opaque(type(value).__name__, truth)


def encode(
    value: Any,
    opaque: Callable[[Any], Opaque] | None = None,
    in_order: bool = False,
    share: Share | None = None,
) -> str:
    """Return the text of a plain value, the same text for equal values of one type.

    ``opaque`` turns a part that is not plain into an Opaque; without it such a part raises
    TypeError. Nesting beyond MAX_DEPTH raises TypeError too. ``in_order`` keeps the order in which
    sets iterate, so that equal ones may differ. ``share`` gives parts a number to stand for them.
    """
    kind = type(value)
    if kind is bool:
        return "true" if value else "false"
    if (kind is int and -_SMALL < value < _SMALL) or (kind is float and math.isfinite(value)):
        return repr(value)
    if kind is str and value.isascii():
        return _quoted(value)
    return _dumps(_pack(value, (opaque, in_order, share), MAX_DEPTH))


def decode_shared(text: str, objects: dict[int, Any]) -> Any:
    """The same for a text in which numbers stand for some of these objects."""
    global _shared
    _shared = objects
    try:
        return decode(text)
    finally:
        _shared = {}


_shared: dict[int, Any] = {}  # what numbers in the text being read stand for


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


def _pack(value: Any, how: _How, depth: int) -> Any:
    kind = type(value)
    if kind is str:
        if value.isascii():
            return value
        return value if _is_unicode(value) else {"s": [ord(letter) for letter in value]}
    if value is None or kind is bool:
        return value
    if kind is int:
        return value if -_SMALL < value < _SMALL else {"i": hex(value)}
    opaque, in_order, share = how
    if kind is float:
        if math.isfinite(value):
            return value
        if value is math.nan and in_order:
            return {"f": "math.nan"}
        number = share(value, kind) if share is not None and value != value else None
        return {"f": repr(value)} if number is None else {"#": number}
    if depth == 0:
        raise TypeError(f"nested more than {MAX_DEPTH} deep")
    if share is not None:
        number = share(value, kind)
        if number is not None:
            return {"#": number}
    if kind is list:
        return [_pack(item, how, depth - 1) for item in value]
    if kind is tuple:
        return {"t": [_pack(item, how, depth - 1) for item in value]}
    pack = _PACKERS.get(kind)
    if pack is not None:
        tag, content = pack(value)
        if content is None:
            return {tag: None}
        if tag not in _SORTED:
            items = (
                [_pack(item, how, depth - 1) for item in content]
                if type(content) is list
                else content
            )
            return {tag: items}
        items = [_pack(item, how, depth - 1) for item in content]
        if in_order:
            return {_IN_ORDER[tag]: [sets.table_size(value), *items]}
        return {tag: sorted(items, key=_dumps)}
    if kind is Opaque:
        return {"?": [value.type_name, value.truth]}
    if kind is type and _TYPE_BY_NAME.get(value.__name__) is value:
        return {"type": value.__name__}
    if kind in _ITERATORS:
        return {"iter": [_pack(item, how, depth - 1) for item in _taken(value)]}
    base = _plain_base(kind)
    if base is not None and share is not None and (said := _named(value, kind)) is not None:
        tag, told, content = said
        return {tag: [told, *(_pack(item, how, depth - 1) for item in content)]}
    if base is not None:
        made = base(value)  # a number would stand for what is made here
        return _pack(made, how if type(made) is tuple else (opaque, in_order, None), depth - 1)
    if opaque is None:
        raise TypeError(f"not a plain value: {kind.__name__}")
    return _pack(opaque(value), _CANONICAL, depth)


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


def factory_name(value: "collections.defaultdict[Any, Any]") -> str | None:
    """The name of what a defaultdict makes of a missing key; None for what does not cross."""
    name = getattr(value.default_factory, "__name__", None)
    return name if FACTORIES.get(name) is value.default_factory else None


def _named(value: Any, kind: type) -> tuple[str, list[Any], list[Any]] | None:
    """Return the tag, the description and the contents of a named tuple, number or text.

    Return None where its class has no name or field that can be written.
    """
    fields = getattr(kind, "_fields", None)
    if issubclass(kind, tuple) and type(fields) is tuple:
        names = [kind.__name__, *fields]
        if not all(type(n) is str and n.isidentifier() and not iskeyword(n) for n in names):
            return None
        if any(name.startswith("_") for name in fields):
            return None
        return "named", [kind.__name__, list(fields)], list(tuple.__iter__(value))
    said = described_scalar(value, kind)
    return None if said is None else ("sub", said[:-1], said[-1:])


def described_scalar(value: Any, kind: type) -> list[Any] | None:
    """Describe a number or text whose class is not a builtin; its plain value comes last.

    Return None for a builtin class, for one that compares in its own way, and where the
    description is longer than MAX_SAID.
    """
    for base in (int, float, str):
        if kind is not base and issubclass(kind, base):
            made = _plain_base(kind)
            if made is None or kind is bool:
                return None
            if isinstance(value, _Told):
                return [kind.__name__, *value._said, value._member, made(value)]
            member = [getattr(value, "_name_", None)] if hasattr(kind, "__members__") else None
            try:
                said = [str(kind.__name__), str(repr(value)), str(str(value))]
            except Exception:
                return None
            if max(map(len, said)) > MAX_SAID or (
                member and type(member[0]) not in (str, type(None))
            ):
                return None
            return [*said, member, made(value)]
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
_IN_ORDER = {"set": "S", "frozenset": "F"}
_CANONICAL: _How = (None, False, None)
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
    type(NotImplemented): lambda _value: ("notimplemented", None),
    slice: lambda value: ("slice", [value.start, value.stop, value.step]),
    collections.Counter: lambda value: ("counter", _pairs(value)),
    collections.OrderedDict: lambda value: ("odict", _pairs(value)),
    collections.defaultdict: lambda value: ("ddict", [factory_name(value), *_pairs(value)]),
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
    return build(_keys(items), _exactly(int, size))


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
    "S": lambda content: _in_order(content, sets.rebuilt),
    "F": lambda content: _in_order(content, sets.rebuilt_frozen),
    "#": lambda content: _shared[_exactly(int, content)],
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
    "notimplemented": lambda _content: NotImplemented,
    "slice": lambda content: slice(*_list(content)),
    "type": lambda content: _TYPE_BY_NAME[_exactly(str, content)],
    "counter": _tally,
    "odict": lambda content: collections.OrderedDict(_mapping(content)),
    "ddict": lambda content: collections.defaultdict(FACTORIES[content[0]], _mapping(content[1:])),
    "named": lambda content: _named_tuple(_list(content)),
    "sub": lambda content: own_scalar([*content[0], *content[1:]]),
    "deque": _bounded,
    "date": lambda content: datetime.date(*_integers(content)),
    "datetime": lambda content: datetime.datetime(*_parts(content)),
    "time": lambda content: datetime.time(*_parts(content)),
    "timedelta": lambda content: datetime.timedelta(*_integers(content)),
    "?": lambda content: Opaque(_exactly(str, _list(content)[0])[:100], _exactly(bool, content[1])),
}


class _Told:
    """What a scalar says of itself that is of a class we do not have."""

    _said: tuple[str, str]
    _member: list[str | None] | None

    def __repr__(self) -> str:
        return self._said[0]

    def __str__(self) -> str:
        return self._said[1]


def _named_tuple(content: list[Any]) -> Any:
    (name, fields), *items = content
    if len(fields) != len(items):
        raise ValueError("a named tuple has a value for each field")
    return _class("named", _exactly(str, name), tuple(fields))._make(items)


def own_scalar(content: list[Any]) -> Any:
    """Make the stand-in for a number or text from its description."""
    name, shown, text, member, value = content
    if type(value) not in (int, float, str) or max(len(shown), len(text)) > MAX_SAID:
        raise ValueError("not a scalar")
    made = _class(type(value).__name__, _exactly(str, name), ())(value)
    made._said = (_exactly(str, shown), _exactly(str, text))
    made._member = member
    if member is not None:  # of an enumeration; one of no name has None
        made.name, made.value = _exactly(list, member)[0], value
    return made


def forget_classes() -> None:
    """Delete the stand-ins for classes of the last program."""
    _classes.clear()


_classes: dict[tuple[str, str, tuple[str, ...]], Any] = {}


def _class(kind: str, name: str, fields: tuple[str, ...]) -> Any:
    """The class that stands for one of the other side's: one for each name."""
    key = (kind, name[:100], fields)
    if key not in _classes:
        if len(_classes) >= MAX_CLASSES or len(fields) > MAX_CLASSES:
            _classes.clear()
        if kind == "named":
            _classes[key] = collections.namedtuple(name[:100], fields)
        else:
            _classes[key] = type(name[:100], (_Told, _TYPE_BY_NAME[kind]), {})
    return _classes[key]


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


def is_plain(value: Any) -> bool:
    """Whether a value of this type is written as such: not as an opaque, and not item by item."""
    kind = type(value)
    if kind in _ITERATORS:
        return False
    if kind is type:
        return _TYPE_BY_NAME.get(value.__name__) is value
    return (
        kind in FLAT
        or kind in (list, tuple, Opaque)
        or kind in _PACKERS
        or (_plain_base(kind) is not None)
    )


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


FLAT = (int, str, float, bool, type(None))
