"""Which lines of a file a candidate changes, and the one function that holds them all.

The candidate's text is never parsed here: only its lines are compared. The function is found in
the original, and inside the walls the candidate's lines of it are parsed and compiled alone. Lines
before and after the function are those of the original, so they mean what they meant.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ingest.parsing import UNPARSABLE

LONE_RETURN = re.compile("\r(?!\n)")  # Python ends a line here, ``split`` does not


@dataclass(frozen=True)
class Function:
    """A function of the original that is in no other function; its lines count from 1.

    ``first`` is the line of its first decorator, ``last`` its last line. ``body`` is the first line
    of the body that may differ: after a docstring, if there is one.
    """

    name: str
    kind: str
    classes: tuple[str, ...]
    first: int
    body: int
    last: int
    documented: bool


@dataclass(frozen=True)
class Change:
    """The lines of the original that differ, and the candidate's lines of the one function.

    ``lines`` are those that are replaced, or the two around an insertion; empty where nothing
    differs. ``function`` is None where the change is not inside one function's body.
    """

    lines: range
    function: Function | None = None
    text: tuple[str, ...] = ()


class Original:
    """A file of a project as it is."""

    def __init__(self, source: str):
        self.source = source
        self.lines = source.split("\n")
        whole = LONE_RETURN.search(source) or not _is_utf8(source)
        self.functions = [] if whole else list(_functions(source))

    def change(self, candidate: str) -> Change:
        """Return what a candidate for the whole file changes."""
        if candidate == self.source:
            return Change(range(0))
        lines = candidate.split("\n")
        shorter = min(len(lines), len(self.lines))
        same = _n_same(lines, self.lines, shorter)
        after = _n_same(lines[::-1], self.lines[::-1], shorter - same)
        first, last = same + 1, len(self.lines) - after  # of what is replaced
        changed = range(first, last + 1) if last >= first else range(max(last, 1), first + 1)
        added = len(lines) - len(self.lines)
        for function in self.functions:
            if function.body <= first and last <= function.last and first <= function.last + 1:
                text = lines[function.first - 1 : function.last + added]
                if "\r" in candidate and LONE_RETURN.search(candidate):
                    break
                return Change(changed, function, tuple(text))
        return Change(changed)


def _is_utf8(source: str) -> bool:
    """Say whether Python decodes the file as UTF-8: it may declare another encoding."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source.encode()).readline)
    except SyntaxError:
        return False
    return encoding == "utf-8"


def _n_same(lines: Sequence[str], others: Sequence[str], most: int) -> int:
    """Return how many first lines are equal. It halves the range, for lists compare fast."""
    same = 0
    while most > same:
        half = (same + most + 1) // 2
        if lines[same:half] == others[same:half]:
            same = half
        else:
            most = half - 1
    return same


def _functions(source: str) -> Iterator[Function]:
    try:
        tree = ast.parse(source)
    except UNPARSABLE:
        return
    lines = source.split("\n")
    left: list[tuple[ast.AST, tuple[str, ...]]] = [(tree, ())]
    while left:
        node, classes = left.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                if found := _function(child, classes, lines):
                    yield found
            elif isinstance(child, ast.ClassDef):
                left.append((child, (*classes, child.name)))
            elif isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
                left.append((child, classes))


def _function(
    node: ast.FunctionDef | ast.AsyncFunctionDef, classes: tuple[str, ...], lines: Sequence[str]
) -> Function | None:
    """Return the function of a node, or None where its body begins on the line of its header."""
    documented = ast.get_docstring(node, clean=False) is not None
    begin = node.body[0]
    body = _begin(begin)
    if body == begin.lineno and lines[body - 1][: begin.col_offset].strip():
        return None
    return Function(
        name=node.name,
        kind=type(node).__name__,
        classes=classes,
        first=_begin(node),
        body=(begin.end_lineno or body) + 1 if documented else body,
        last=node.end_lineno or body,
        documented=documented,
    )


def _begin(node: ast.stmt) -> int:
    decorators: Sequence[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])
