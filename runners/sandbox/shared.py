"""Objects that test and candidate both hold, kept alike on the two sides of one conversation.

What only one message holds is copied and forgotten. What the sender keeps as well gets a number:
the judge's are even, the child's odd. Each message then carries its value, where numbers stand for
such objects, and behind it three lists: objects that are new, the contents of those that are new or
changed, and numbers that are over because the sender no longer holds what they stand for. So
aliases stay aliases, a change made on one side is there on the other, and a loop of calls leaves
nothing behind.

Iterators stay where they were made, and the other side asks for their items. So does what is not
plain, of which the judge knows no more than that it is the same again.
"""

import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from types import GeneratorType
from typing import Any

from models import codec, sets

LEAVES = frozenset({*codec.FLAT, bytes, complex, range, Decimal, Fraction, frozenset})
_DICTS = (dict, Counter, OrderedDict, defaultdict)
_MUTABLE = frozenset({list, set, bytearray, deque, *_DICTS})
_NAMES: dict[str, type] = {kind.__name__: kind for kind in _MUTABLE}
_HELD = 3  # references to an item that a list, a local variable and a call's argument make
NAN = '{"f":"nan"}'  # in a text: which one it is may matter
SEPARATOR = "\t"  # none is in a text of models.codec

Remote = Callable[[int, str], Any]


def lone(items: Any) -> bool:
    """Whether a list or tuple that nobody else sees holds the only reference to what changes.

    Nothing in it can then be told from a copy.
    """
    stack = list(items)
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind in LEAVES:
            continue
        if kind is tuple:
            if sys.getrefcount(item) > _HELD and not _is_fixed(item):
                return False
        elif kind not in _MUTABLE or sys.getrefcount(item) > _HELD:
            return False
        if kind is not set:
            parts = item.values() if kind in _DICTS else item
            if not LEAVES.issuperset(map(type, parts)):
                stack.extend(parts)
    return True


def _is_fixed(item: "tuple[Any, ...]") -> bool:
    kinds = set(map(type, item))
    if kinds <= LEAVES:
        return True
    return kinds <= LEAVES | {tuple} and all(
        _is_fixed(part) for part in item if type(part) is tuple
    )


class Table:
    """One side's numbered objects.

    ``remote`` makes what stands for an iterator of the other side. What is not plain stays with
    the child, and is an opaque for the judge.
    """

    def __init__(self, remote: Remote, *, judges: bool):
        self.remote = remote
        self.judges = judges
        self.objects: dict[int, Any] = {}
        self.numbers: dict[int, int] = {}  # by id
        self.texts: dict[int, str] = {}  # the contents that both sides know
        self.pending: dict[int, BaseException] = {}  # of iterators, for the next who asks
        self.kept: set[int] = set()  # the other side decides when these are over
        self.next = 0 if judges else 1
        self.new: list[list[Any]] = []  # what the other side has not been told of
        self.lent = False  # whether an iterator of the test was given away
        self.bare: tuple[int, ...] = ()  # by id: lists of the message itself
        self.opaque = None if judges else codec.opaque

    def ask(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> str:
        """Return the message for a call of the judge."""
        given = list(args)
        if keywords:
            return self._message((given, keywords), (id(given), id(keywords)))
        return self._message(given, (id(given),))

    def answer(self, box: list[Any]) -> str:
        """Return the message for the one value in ``box``, which it empties."""
        return self._message(box[0], (), box)

    def _message(self, value: Any, bare: tuple[int, ...], box: list[Any] | None = None) -> str:
        """Raises TypeError, and leaves the table as it was, where something cannot be sent."""
        before = set(self.objects)
        new, texts = list(self.new), dict(self.texts)
        self.bare = bare
        try:
            text = codec.encode(value, self.opaque, True, self._number)
            contents = self._contents()
        except BaseException:
            for number in self.objects.keys() - before:
                self._forget(number)
            self.new, self.texts = new, texts
            raise
        if box is not None:
            del value  # what nobody holds now is over
            box.clear()
        over = self._over()
        if not (self.new or contents or over):
            return text
        parts = (text, codec.encode(self.new), f"[{','.join(contents)}]", codec.encode(over))
        self.new = []
        return SEPARATOR.join(parts)

    def read(self, message: str) -> Any:
        """Return the value of a message, having made both sides alike.

        Raises ValueError for what the other side never writes, and codec.TooLarge.
        """
        text, *rest = message.split(SEPARATOR)
        if not rest:
            return codec.decode_shared(text, self.objects)
        if len(rest) != 3:
            raise ValueError("a message has four parts")
        try:
            for number, kind, extra in codec.decode(rest[0]):
                self._make(number, kind, extra)
            changed = []
            for number, content in codec.decode_shared(rest[1], self.objects):
                _refill(self.objects[number], content)
                changed.append(number)
            value = codec.decode_shared(text, self.objects)
            for number in changed:
                self.texts[number] = self._content_text(number)
            for number in codec.decode(rest[2]):
                self._forget(number)
        except (TypeError, KeyError, AttributeError, IndexError, OverflowError) as error:
            raise ValueError(f"malformed message: {error}") from None
        return value

    def _content_text(self, number: int) -> str:
        content = _content(self.objects[number])
        self.bare = (id(content),)
        return codec.encode(content, self.opaque, True, self._number)

    def _number(self, value: Any, kind: type) -> int | None:
        number = self.numbers.get(id(value))
        if number is not None or kind is tuple or id(value) in self.bare:
            return number
        if kind in LEAVES and kind is not float:  # only a nan comes here
            return None
        shell = _shell(value, kind, not self.judges)
        if shell is None:
            return None
        number = self.next
        self.next += 2
        self.objects[number] = value
        self.numbers[id(value)] = number
        self.new.append([number, *shell])
        if kind in _MUTABLE:
            self.texts[number] = ""
        elif kind is not float and not self.judges:
            self.kept.add(number)
        self.lent = self.lent or (self.judges and kind not in _MUTABLE and kind is not float)
        return number

    def _contents(self) -> list[str]:
        """The contents that are new to the other side; those may hold objects that are new."""
        found = []
        seen: set[int] = set()
        while waiting := [number for number in self.texts if number not in seen]:
            for number in waiting:
                seen.add(number)
                text = self._content_text(number)
                if text != self.texts[number]:
                    self.texts[number] = text
                    found.append(f"[{number},{text}]")
        return found

    def _over(self) -> list[int]:
        """Forget the objects that only this table holds, and return their numbers."""
        over: list[int] = []
        n_known = -1
        while n_known != len(over):  # one that is over may be what held another
            n_known = len(over)
            for number in [number for number in self.objects if number not in self.kept]:
                held = self.objects[number]
                if sys.getrefcount(held) <= _HELD:
                    over.append(number)
                    self._forget(number)
            held = None
        return over

    def _forget(self, number: int) -> None:
        del self.numbers[id(self.objects.pop(number))]
        self.texts.pop(number, None)
        self.kept.discard(number)
        self.pending.pop(number, None)

    def _make(self, number: Any, kind: Any, extra: Any) -> None:
        """Make an empty object of a kind, or what stands for one that stays with the child."""
        theirs = 1 if self.judges else 0
        if type(number) is not int or number % 2 != theirs or number in self.objects:
            raise ValueError("not a number for a new object")
        made: Any
        if kind == "deque":
            made = deque(maxlen=extra)
        elif kind == "defaultdict":
            made = defaultdict(codec.FACTORIES[extra])
        elif kind in _NAMES:
            made = _NAMES[kind]()
        elif kind == "nan":
            made = float("nan")
        elif kind == "opaque":
            made = codec.Opaque(str(extra[0])[:100], extra[1] is True)
        else:
            made = self.remote(number, str(kind))
        self.objects[number] = made
        self.numbers[id(made)] = number
        if kind in _NAMES:
            self.texts[number] = ""


def _shell(value: Any, kind: type, stays: bool) -> list[Any] | None:
    """What the other side must know to make an empty object; None where a copy serves."""
    if kind in _MUTABLE:
        extra = None
        if kind is deque:
            extra = value.maxlen
        elif kind is defaultdict:
            extra = codec.factory_name(value)
        return [kind.__name__, extra]
    if kind is float:
        return ["nan", None]
    if kind is codec.Opaque or codec.is_plain(value):
        return None
    if kind is GeneratorType:
        return ["generator", None]
    if hasattr(kind, "__next__") and hasattr(kind, "__iter__"):
        return ["iterator", None]
    if not stays:
        return None
    seen = codec.opaque(value)
    return ["opaque", [seen.type_name, seen.truth]]


def _content(value: Any) -> Any:
    if isinstance(value, dict):
        return [item for pair in value.items() for item in pair]
    if type(value) is set:
        return [sets.table_size(value), *value]
    if type(value) is bytearray:
        return bytes(value)
    return [*value]


def _refill(target: Any, content: Any) -> None:
    """Give an object its contents."""
    kind = type(target)
    if kind is bytearray:
        target[:] = content if type(content) is bytes else None
        return
    if type(content) is not list:
        raise ValueError("not the contents of a container")
    if kind is list:
        target[:] = content
    elif kind is deque and len(target) == len(content):
        for place, item in enumerate(content):  # an iterator over it stays valid
            target[place] = item
    elif kind is deque:
        target.clear()
        target.extend(content)
    elif kind is set:
        size, *items = content
        codec.check_table(items)
        sets.refill(target, items, size if type(size) is int else 0)
    elif kind in _DICTS:
        keys = content[::2]
        codec.check_table(keys)
        if not _same_keys(list(target), keys):  # else an iterator over it stays where it is
            target.clear()
        for key, item in zip(keys, content[1::2], strict=True):
            target[key] = item
    else:
        raise ValueError("not an object with contents")


def _same_keys(held: list[Any], sent: list[Any]) -> bool:
    """Whether a mapping has these very keys in this order already."""
    return len(held) == len(sent) and all(
        type(a) is type(b) and a == b for a, b in zip(held, sent, strict=True)
    )
