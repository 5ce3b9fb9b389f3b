"""Syntax trees of Python, and the share of subtrees that two have in common.

tree-sitter reads any text; where it is not Python, parts of the tree are errors. Nothing here
recurses, so that deep nesting is no error either.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, TreeCursor

LAYOUT = frozenset({"comment", "line_continuation"})
STRINGS = frozenset({"string", "concatenated_string"})

Shape = tuple[str, tuple[tuple[str | None, int], ...]]


@dataclass(slots=True)
class SyntaxNode:
    """A node: its kind, its role in its parent, its bytes in the source, and its children.

    ``shown`` is False of punctuation and keywords, whose kind is their text.
    """

    kind: str
    role: str | None
    shown: bool
    start: int
    end: int
    children: list["SyntaxNode"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SyntaxTree:
    """The tree of a text, and the text in UTF-8."""

    root: SyntaxNode
    source: bytes


def parse_python(source: str) -> SyntaxTree:
    """Return the module's tree without comments and without strings that are whole statements."""
    encoded = source.encode("utf-8", "replace")
    nodes: list[SyntaxNode] = []
    path: list[SyntaxNode] = []
    for depth, found, role in _visits(_parser().parse(encoded).walk()):
        if found.type in LAYOUT:
            continue
        kind = f"MISSING {found.type}" if found.is_missing else found.type
        shown = found.is_named or found.is_missing
        node = SyntaxNode(kind, role, shown, found.start_byte, found.end_byte)
        nodes.append(node)
        del path[depth:]
        if path:
            path[-1].children.append(node)
        path.append(node)
    for node in nodes:
        node.children = [
            child
            for child in node.children
            if not _is_bare_string(child.kind, (part.kind for part in child.children))
        ]
    return SyntaxTree(nodes[0], encoded)


def without_comments(source: str) -> str:
    """Return the text without comments and without strings that are whole statements."""
    encoded = source.encode("utf-8", "replace")
    kept, begin = [], 0
    for _, found, _ in _visits(_parser().parse(encoded).walk()):
        is_bare = _is_bare_string(found.type, (child.type for child in found.children))
        if (found.type == "comment" or is_bare) and found.start_byte >= begin:
            kept.append(encoded[begin : found.start_byte])
            begin = found.end_byte
    return b"".join([*kept, encoded[begin:]]).decode()


def syntax_match(candidate: SyntaxTree, reference: SyntaxTree) -> float:
    """Return the share of the reference's subtrees that the candidate has (Ren et al. 2020, 3.2).

    A subtree is a node with children, or the module. Two are equal if their kinds and roles are:
    names, numbers, operators and the text of strings do not count.
    """
    shapes: dict[Shape, int] = {}  # a shape holds the numbers of its parts, so it is not deep
    wanted = _subtrees(reference.root, shapes)
    found = set(_subtrees(candidate.root, shapes))
    return sum(subtree in found for subtree in wanted) / len(wanted)


def _subtrees(root: SyntaxNode, shapes: dict[Shape, int]) -> list[int]:
    """Return the number of each subtree's shape; ``shapes`` grows by those that are new."""
    order = [root]
    for node in order:
        order.extend(child for child in node.children if child.shown)
    number_of: dict[int, int] = {}
    for node in reversed(order):  # children before their parents
        parts = tuple((part.role, number_of[id(part)]) for part in node.children if part.shown)
        number_of[id(node)] = shapes.setdefault((node.kind, parts), len(shapes))
    return [number_of[id(node)] for node in order if node.children or node is root]


def _is_bare_string(kind: str, kinds_below: Iterable[str]) -> bool:
    return kind == "expression_statement" and STRINGS.issuperset(kinds_below)


def _visits(cursor: "TreeCursor") -> Iterator[tuple[int, "Node", str | None]]:
    """Yield every node with its depth and its role, parents before children, in text order."""
    depth = 0
    while cursor.node is not None:
        yield depth, cursor.node, cursor.field_name
        if cursor.goto_first_child():
            depth += 1
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            depth -= 1


@cache
def _parser() -> "Parser":
    import tree_sitter_python
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_python.language()))
