"""Walking a libCST tree: the parts of a node that can hold names."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cache, cached_property
from typing import TypeVar, overload

import libcst as cst

One = TypeVar("One", bound=cst.CSTNode)
Other = TypeVar("Other", bound=cst.CSTNode)

LAYOUT = (
    "whitespace",
    "leading",
    "lines",
    "trailing",
    "header",
    "footer",
    "indent",
    "lpar",
    "rpar",
    "lbrace",
    "rbrace",
    "lbracket",
    "rbracket",
    "comma",
    "colon",
    "first_colon",
    "second_colon",
    "semicolon",
    "equal",
    "asynchronous",
    "operator",
    "posonly_ind",
)


@cache
def _is_node(kind: type) -> bool:
    """Say whether a class is one of nodes; ``isinstance`` of an abstract class is slower."""
    return issubclass(kind, cst.CSTNode)


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Return the parts of a node in the order of its fields, without operators and layout."""
    found = []
    for name in _fields(type(node)):
        value = getattr(node, name)
        kind = value.__class__
        if kind is list or kind is tuple:
            found += [part for part in value if _is_node(part.__class__)]
        elif _is_node(kind):
            found.append(value)
    return found


def named_children(node: cst.CSTNode) -> Iterator[tuple[str, cst.CSTNode]]:
    """Yield the same parts, each with its field and, of a list, its place: ``args 0``."""
    for name in _fields(type(node)):
        value = getattr(node, name)
        kind = value.__class__
        if _is_node(kind):
            yield name, value
        elif kind is list or kind is tuple:
            parts = enumerate(value)
            yield from ((f"{name} {n}", part) for n, part in parts if _is_node(part.__class__))


def inside(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield a node and everything below it, parents first."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack += reversed(children(top))


class Nodes:
    """A node and everything below it, parents first."""

    def __init__(self, root: cst.CSTNode) -> None:
        self.all = tuple(inside(root))

    @overload
    def of(self, kind: type[One], /) -> Sequence[One]: ...
    @overload
    def of(self, kind: type[One], other: type[Other], /) -> Sequence[One | Other]: ...
    @overload
    def of(self, *kinds: type[cst.CSTNode]) -> Sequence[cst.CSTNode]: ...
    def of(self, *kinds: type[cst.CSTNode]) -> Sequence[cst.CSTNode]:
        """Return the nodes of some classes, not of classes below them, in the same order.

        ``isinstance`` of libCST's abstract classes is slow: this asks each node for its class once.
        """
        places = sorted(place for kind in kinds for place in self._places.get(kind, ()))
        return [self.all[place] for place in places]

    @cached_property
    def _places(self) -> dict[type, list[int]]:
        places: dict[type, list[int]] = {}
        for place, node in enumerate(self.all):
            places.setdefault(node.__class__, []).append(place)
        return places


def root_of(node: cst.CSTNode) -> cst.CSTNode:
    """Return the part of an expression before its first dot."""
    while isinstance(node, cst.Attribute):
        node = node.value
    return node


def bare_string(statement: cst.CSTNode) -> cst.SimpleString | cst.ConcatenatedString | None:
    """Return the string, of characters or bytes, that alone is a line's first statement.

    First in a body, one of characters is the docstring.
    """
    if not isinstance(statement, cst.SimpleStatementLine):
        return None
    first = statement.body[0]
    if isinstance(first, cst.Expr) and isinstance(
        first.value, cst.SimpleString | cst.ConcatenatedString
    ):
        return first.value
    return None


@cache
def _fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    names = (field.name for field in fields(kind))
    return tuple(name for name in names if not name.startswith(LAYOUT))
