"""Objects that test and candidate both hold, kept alike on the two sides of one conversation.

What only one message holds is copied and forgotten. What the sender keeps as well gets a number:
the judge's are even, the child's odd. Each message then carries its value, where numbers are in the
place of such objects. Behind it are three lists: objects that are new, the contents of those that
are new or changed, and numbers that are over. A number is over when the sender no longer holds its
object. So aliases stay aliases, a change made on one side is there on the other, and a loop of
calls leaves nothing behind. What has not changed is found by comparing the identity of an object's
items with those it had when both sides last agreed. So a message costs little for each object that
it leaves alone.

Iterators stay where they were made, and the other side asks for their items. So does what is not
plain, of which the judge knows no more than that it is the same again.
"""

import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import partial
from operator import is_
from types import GeneratorType
from typing import Any

from models.plain import codec, sets

LEAVES = frozenset({*codec.FLAT, bytes, complex, range, Decimal, Fraction})
_ONE_FORM = frozenset({int, str, bytes, bool, type(None)})  # equal ones are written alike
_DICTS = (dict, Counter, OrderedDict, defaultdict)
_MUTABLE = frozenset({list, set, bytearray, deque, *_DICTS})
_FIXED = frozenset({tuple, frozenset})
_NAMES: dict[str, type] = {kind.__name__: kind for kind in _MUTABLE}
_HELD = 3  # references to an item that a list, a local variable and a call's argument make
_SIZES: dict[int, int] = {}  # of tables of sets, so that equal ones are the same object
MAX_OBJECTS = 100_000  # that both sides hold at one time
NAN = '{"f":"nan"}'  # in a text: which one it is may matter
SEPARATOR = "\t"  # none is in a text of models.plain.codec

Remote = Callable[[int, str], Any]
Truth = Callable[[int], bool]
# The contents of an object when both sides last agreed, None where their identity tells nothing.
# And their text, empty where it was never written here.
_Known = tuple[Any, str]


def lone(items: Any) -> bool:
    """Whether a list or tuple that nobody else sees holds the only reference to what changes.

    Nothing in it can then be distinguished from a copy.
    """
    stack = list(items)
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind in LEAVES:
            continue
        if kind in _FIXED:
            if sys.getrefcount(item) > _HELD and not _is_fixed(item):
                return False
        elif kind not in _MUTABLE or sys.getrefcount(item) > _HELD:
            return False
        if not LEAVES.issuperset(map(type, item)):
            stack.extend(item)
        if kind in _DICTS and not LEAVES.issuperset(map(type, item.values())):
            stack.extend(item.values())
    return True


def _is_fixed(item: "tuple[Any, ...] | frozenset[Any]") -> bool:
    kinds = set(map(type, item))
    return kinds <= LEAVES or (
        kinds <= LEAVES | _FIXED and all(_is_fixed(part) for part in item if type(part) in _FIXED)
    )


class Table:
    """One side's numbered objects.

    ``remote`` makes what stands for an iterator of the other side. What is not plain stays with
    the child, and is an opaque for the judge, whose ``truth`` asks the child whether it is true.
    ``longest`` bounds the characters of a message.
    """

    def __init__(
        self, remote: Remote, *, judges: bool, longest: int = sys.maxsize, truth: Truth = bool
    ):
        self.remote = remote
        self.truth = truth
        self.longest = longest
        self.judges = judges
        self.objects: dict[int, Any] = {}
        self.numbers: dict[int, int] = {}  # by id
        self.known: dict[int, _Known | None] = {}  # of what can change; None for what is new
        self.unread: list[int] = []  # whose contents the message being written has yet to compare
        self.pending: dict[int, BaseException] = {}  # of iterators, for the next who asks
        self.kept: set[int] = set()  # the other side decides when these are over
        self.next = 0 if judges else 1
        self.new: list[list[Any]] = []  # what the other side does not know yet
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
        """Return the message, having noted what the other side then knows.

        Raises TypeError for what cannot be sent and OverflowError for what is too long, and leaves
        the table as it was.
        """
        first, n_new = self.next, len(self.new)
        self.bare = bare
        try:
            text = codec.encode(value, self.opaque, True, self._number)
            contents, known = self._contents()
            new = codec.encode(self.new)
            if len(text) + len(new) + sum(map(len, contents)) > self.longest:
                raise OverflowError(f"the answer is larger than {self.longest} bytes")
        except BaseException:
            for number in range(first, self.next, 2):
                self._forget(number)
            del self.new[n_new:]
            raise
        self.known.update(known)
        del known  # it holds what may be over
        if box is not None:
            del value  # what nobody holds now is over
            box.clear()
        over = self._over()
        if not (self.new or contents or over):
            return text
        self.new = []
        return SEPARATOR.join((text, new, f"[{','.join(contents)}]", codec.encode(over)))

    def value_of(self, message: str) -> Any:
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
                content = _content(self.objects[number])
                if self._shows_by_identity(content):
                    self.known[number] = (content, "")
                else:
                    self.known[number] = (None, self._text(content))
            for number in codec.decode(rest[2]):
                self._forget(number)
        except (TypeError, KeyError, AttributeError, IndexError, OverflowError) as error:
            raise ValueError(f"malformed message: {error}") from None
        return value

    def _number(self, value: Any, kind: type) -> int | None:
        number = self.numbers.get(id(value))
        if number is not None or kind in _FIXED or id(value) in self.bare:
            return number
        if kind in LEAVES and kind is not float:  # only a nan comes here
            return None
        changes = _mutable_base(kind)
        shell = _shell(value, changes or kind, not self.judges)
        if shell is None:
            return None
        if len(self.objects) >= MAX_OBJECTS:
            raise TypeError(f"more than {MAX_OBJECTS} objects that both sides hold")
        number = self.next
        self.next += 2
        self.objects[number] = value
        self.numbers[id(value)] = number
        self.new.append([number, *shell])
        if changes is not None:
            self.known[number] = None
            self.unread.append(number)
        elif kind is not float and not self.judges:
            self.kept.add(number)
        self.lent = self.lent or (self.judges and changes is None and kind is not float)
        return number

    def _contents(self) -> tuple[list[str], dict[int, _Known]]:
        """The contents that are new to the other side, and what it will know of them."""
        found = []
        fresh: dict[int, _Known] = {}
        self.unread = [*self.known]
        for number in self.unread:  # which grows by what is found in the contents of another
            known = self.known[number]
            held = self.objects[number]
            if known is not None and _is_same(held, known[0]):
                continue
            content = _content(held)
            text = self._text(content)
            if known is None or text != known[1]:
                found.append(f"[{number},{text}]")
            fresh[number] = (content if self._shows_by_identity(content) else None, text)
        return found, fresh

    def _text(self, content: Any) -> str:
        self.bare = (id(content),)
        return codec.encode(content, self.opaque, True, self._number)

    def _shows_by_identity(self, content: Any) -> bool:
        """Whether any change of these contents shows by the identity of their items.

        It does unless an item is sent as a copy and can change, such as a view of a dictionary.
        """
        if type(content) is bytes or LEAVES.issuperset(map(type, content)):
            return True
        return all(
            type(item) in LEAVES
            or id(item) in self.numbers
            or (type(item) in _FIXED and self._shows_by_identity(item))
            for item in content
        )

    def _over(self) -> list[int]:
        """Forget the objects that only this table holds, and return their numbers."""
        over: list[int] = []
        kept = self.kept
        waiting = [  # one reference more is the loop's
            number
            for number, held in self.objects.items()
            if sys.getrefcount(held) <= _HELD + 1 and number not in kept
        ]
        waiting.reverse()
        while waiting:
            number = waiting.pop()
            held = self.objects.get(number)
            if held is not None and sys.getrefcount(held) <= _HELD:
                over.append(number)
                known = self.known.get(number)
                waiting.extend(self._numbers_in(known[0] if known else ()))
                del known
                self._forget(number)
        return over

    def _numbers_in(self, content: Any) -> Iterator[int]:
        """Objects that may be over when what holds them is."""
        if type(content) in (list, tuple, frozenset):
            for item in content:
                number = self.numbers.get(id(item))
                if number is None:
                    yield from self._numbers_in(item)
                elif number not in self.kept:
                    yield number

    def _forget(self, number: int) -> None:
        del self.numbers[id(self.objects.pop(number))]
        self.known.pop(number, None)
        self.kept.discard(number)
        self.pending.pop(number, None)

    def _make(self, number: Any, kind: Any, extra: Any) -> None:
        """Make an empty object of a kind, or the stand-in of one that stays with the child."""
        if type(number) is not int or number % 2 != self.judges or number in self.objects:
            raise ValueError("not a number for a new object")
        if len(self.objects) >= MAX_OBJECTS:
            raise codec.TooLarge(f"more than {MAX_OBJECTS} objects that both sides hold")
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
            made = codec.Opaque(str(extra[0])[:100])
            if extra[1] is True:
                made.ask = partial(self.truth, number)
        elif kind == "sub":
            made = codec.own_scalar(extra)
        else:
            made = self.remote(number, str(kind))
        self.objects[number] = made
        self.numbers[id(made)] = number
        if kind in _NAMES:
            self.known[number] = None


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
    if stays and (own := codec.described_scalar(value, kind)) is not None:
        return ["sub", own]
    if kind is codec.Opaque or codec.is_plain(value):
        return None
    if kind is GeneratorType:
        return ["generator", None]
    if hasattr(kind, "__next__") and hasattr(kind, "__iter__"):
        return ["iterator", None]
    if not stays:
        return None
    asks = hasattr(kind, "__bool__") or hasattr(kind, "__len__")
    return ["opaque", [kind.__name__, asks]]


def _mutable_base(kind: type) -> type | None:
    """The builtin container as which an object of this class is shared, if it is one.

    A class of the test or the program that derives from one crosses as its base and is filled in
    place. So it stays of its class where it was made.
    """
    if kind in _MUTABLE:
        return kind
    if kind in LEAVES or kind in _FIXED:
        return None
    for base in kind.__mro__:
        if base in _MUTABLE:
            return base if kind.__eq__ is base.__eq__ else None
    return None


def _content(value: Any) -> Any:
    if isinstance(value, dict):
        base: Any = OrderedDict if isinstance(value, OrderedDict) else dict
        return [item for pair in base.items(value) for item in pair]
    if isinstance(value, set):
        size = sets.table_size(value)
        return [_SIZES.setdefault(size, size), *set.__iter__(value)]
    if isinstance(value, bytearray):
        return bytes(value)
    return [*(deque if isinstance(value, deque) else list).__iter__(value)]


def _is_same(held: Any, known: Any) -> bool:
    """Whether an object holds the very items it held; for bytes, the same ones."""
    kind = type(held)
    content = held if kind is list else _content(held)
    if type(content) is bytes or known is None:
        return bool(content == known)
    return len(content) == len(known) and all(map(is_, content, known))


def _refill(target: Any, content: Any) -> None:
    """Give an object its contents."""
    kind: Any = _mutable_base(type(target))  # its own methods: a class may have others
    if kind is bytearray:
        kind.__setitem__(target, slice(None), content if type(content) is bytes else None)
        return
    if type(content) is not list:
        raise ValueError("not the contents of a container")
    if kind is list:
        kind.__setitem__(target, slice(None), content)
    elif kind is deque and len(target) == len(content):
        for place, item in enumerate(content):  # an iterator over it stays valid
            kind.__setitem__(target, place, item)
    elif kind is deque:
        kind.clear(target)
        kind.extend(target, content)
    elif kind is set:
        size, *items = content
        codec.check_table(items)
        sets.refill(target, items, size if type(size) is int else 0)
    elif kind in _DICTS:
        keys = content[::2]
        codec.check_table(keys)
        if not _same_keys([*kind.__iter__(target)], keys):  # else an iterator stays where it is
            kind.clear(target)
        for key, item in zip(keys, content[1::2], strict=True):
            kind.__setitem__(target, key, item)
    else:
        raise ValueError("not an object with contents")


def _same_keys(held: list[Any], sent: list[Any]) -> bool:
    """Whether a mapping has these very keys in this order already; 0.0 and -0.0 are equal only."""
    return len(held) == len(sent) and all(
        type(a) is type(b) and a == b and (type(a) in _ONE_FORM or repr(a) == repr(b))
        for a, b in zip(held, sent, strict=True)
    )
