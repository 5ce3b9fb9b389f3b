"""The lines of an entry point: which count, how many are kept, where a statement is whole."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ingest.parsing import top_function

NEWLINE = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class NoCut:
    """Why an entry point cannot be cut."""

    code: str
    why: str


@dataclass(frozen=True)
class Shape:
    """The lines of an entry point, numbered from 1 in the whole text.

    ``counted`` are its lines without those of the docstring. ``kept_line`` is the last one before
    the cut at three quarters (CACP section 4.2 as read in version 1). ``whole_line`` (version 2) is
    that one or the nearest above it after which every statement and header is finished.
    """

    counted: tuple[int, ...]
    kept_line: int
    whole_line: int | None


def shape_of(source: str, tree: ast.Module, entry_point: str | None) -> Shape | NoCut:
    """Return the lines of the last top-level function of that name, or of the whole program."""
    lines = split_lines(source)
    node = tree if entry_point is None else top_function(tree, entry_point)
    if node is None:
        return NoCut("no_entry_point", f"no top-level function {entry_point!r}")
    if not node.body:
        return NoCut("too_short", "no statement")
    first, last = _extent(node, len(lines))
    hidden = _docstring_lines(node)
    counted = tuple(line for line in range(first, last + 1) if line not in hidden)
    head = 0
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        header = _header_end(lines, node.lineno, node.body[0].lineno)
        head = sum(line <= header for line in counted)
    fewest, most = head + 1, len(counted) - 1
    if fewest > most:
        return NoCut("too_short", f"{len(counted)} lines cannot be cut after a line of the body")
    n_kept = min(max(3 * len(counted) // 4, fewest), most)
    split = set(_unfinished(lines, node.body))
    whole = (line for line in reversed(counted[:n_kept]) if line not in split)
    whole_line = next(whole, None)
    if whole_line is not None and whole_line < counted[fewest - 1]:
        whole_line = None
    return Shape(counted, counted[n_kept - 1], whole_line)


def line_starts(source: str) -> list[int]:
    """Return where each line starts; a line ends as Python's do."""
    starts = [0, *(match.end() for match in NEWLINE.finditer(source))]
    return starts[:-1] if len(starts) > 1 and starts[-1] == len(source) else starts


def split_lines(source: str) -> list[str]:
    """Return the lines of a text without their ends."""
    lines = NEWLINE.split(source)
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def end_of_line(source: str, line: int) -> int:
    """Return where the text after a line starts."""
    starts = line_starts(source)
    return starts[line] if line < len(starts) else len(source)


def _extent(
    node: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef, n_lines: int
) -> tuple[int, int]:
    if isinstance(node, ast.Module):
        return 1, n_lines
    return node.lineno, node.end_lineno or node.lineno


def _docstring_lines(node: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef) -> range:
    """Return the lines that hold only the docstring."""
    text = node.body[0]
    is_docstring = (
        isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    )
    if not is_docstring:
        return range(0)
    first, end = text.lineno, text.end_lineno or text.lineno
    if not isinstance(node, ast.Module) and first == node.lineno:
        first += 1
    if len(node.body) > 1 and node.body[1].lineno == end:
        end -= 1
    return range(first, end + 1)


def _header_end(lines: list[str], start: int, body: int) -> int:
    """Return the line that ends a header which starts on one line and whose body on another."""
    line = body - 1
    while line > start and _is_idle(lines[line - 1]):
        line -= 1
    return max(line, start)


def _is_idle(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _unfinished(lines: list[str], body: list[ast.stmt]) -> Iterator[int]:
    """Yield the lines after which a statement, or the header of one, is not at its end."""
    for node in body:
        inner = list(_blocks(node))
        if isinstance(node, ast.Match):
            yield from range(node.lineno, node.subject.end_lineno or node.lineno)
        if not inner:
            yield from range(node.lineno, node.end_lineno or node.lineno)
        for start, block in inner:
            yield from range(start, _header_end(lines, start, _start(block[0])))
            yield from _unfinished(lines, block)


def _start(node: ast.stmt) -> int:
    """Return the line a statement starts on, its decorators with it."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return node.lineno


def _blocks(node: ast.stmt) -> Iterator[tuple[int, list[ast.stmt]]]:
    """Yield the blocks of a statement, each with the line its header starts on.

    Of ``else`` and ``finally`` Python says no line: theirs is the one before the block.
    """
    for name, value in ast.iter_fields(node):
        if name == "body":
            yield _start(node), value
        elif name in ("orelse", "finalbody") and value:
            yield max(_start(value[0]) - 1, 1), value
        elif name == "handlers":
            yield from ((handler.lineno, handler.body) for handler in value)
        elif name == "cases":
            yield from ((case.pattern.lineno, case.body) for case in value)
