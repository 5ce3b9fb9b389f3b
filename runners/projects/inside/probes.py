"""Which lines of a project's sources run, by marks in their code.

Idea: before each statement of a source file one store into an array of bytes is compiled in, the
array itself as a constant. A mark costs some ten nanoseconds in any thread, generator or callback,
and uses no tracer that a test could replace. It leaves names, lines, sources and documentation as
they are. Lambdas and the types of ``except`` are marked as expressions. After each test the marked
lines are read and the arrays are cleared (SlipCover, Altmayer Pizzorno and Berger, ISSTA 2023,
marks bytecode alike).

Assumed: modules come through Python's own loader of source files. Not seen are code that a test
compiles itself, other processes, and files to which marks cannot be added. A statement is marked
when it begins, a ``case`` when it matches, an ``except`` when its type is compared, a lambda when
it is called. What a marked line means for the lines beside it is decided outside, by
``runners.projects.coverage``.
"""

import ast
import os
import types
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import SourceFileLoader
from typing import Any

from models.projects.lines import text_of_lines

HERE = "\0marked lines"
"""Takes the place of the array until the code is compiled; no source holds it by chance."""
CHUNK = 200


class Marks(bytearray):
    """One byte per line of a file. Hashable, because constants of code must be."""

    __hash__ = object.__hash__  # type: ignore[assignment]


class LineProbes:
    """The marks of each source file; ``places`` are below ``folder``, as they are reported."""

    def __init__(self, folder: str, places: Sequence[str]):
        self._places = {f"{folder}/{place}": place for place in places}
        self._marks: dict[str, Marks] = {}
        self._normal = os.path.normpath

    def install(self) -> None:
        """Mark every source file that is imported from now on."""
        plain: Callable[..., Any] = SourceFileLoader.source_to_code

        def source_to_code(loader: Any, data: Any, path: Any, *rest: Any, **options: Any) -> Any:
            place = self._places.get(self._normal(path)) if isinstance(path, str) else None
            if place is not None and isinstance(data, bytes):
                try:
                    return self.compiled(data, path, place, options.get("_optimize", -1))
                except Exception:  # the plain way says what is wrong with it
                    pass
            return plain(loader, data, path, *rest, **options)

        SourceFileLoader.source_to_code = source_to_code  # type: ignore[method-assign, assignment]

    def taken(self) -> Iterator[tuple[str, str]]:
        """Yield place and lines as text of what was marked since the last call, and clear it.

        A long list comes in parts, each below the limit of a line of the report.
        """
        for place, marks in list(self._marks.items()):
            seen = bytes(marks)
            marks[:] = bytes(len(marks))
            lines, line = [], seen.find(1)
            while line >= 0:
                lines.append(line)
                line = seen.find(1, line + 1)
            for start in range(0, len(lines), CHUNK):
                yield place, text_of_lines(lines[start : start + CHUNK])

    def compiled(self, data: bytes, path: str, place: str, optimize: int = -1) -> types.CodeType:
        """Return a source with marks; raises what ``compile`` raises."""
        tree = ast.parse(data, path)
        n_lines = add_marks(tree)
        code = compile(tree, path, "exec", dont_inherit=True, optimize=optimize)
        marks = self._marks.setdefault(place, Marks())
        marks.extend(bytes(max(0, n_lines + 1 - len(marks))))
        return _holding(code, marks)


def add_marks(tree: ast.Module) -> int:
    """Add a mark before each statement of a tree, in place; return the last line of a mark."""
    last = 0
    for node in ast.walk(tree):  # it has taken a node's children before it yields the node
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                last = max([last, *map(_first_line, block)])
                setattr(node, name, _with_marks(block))
        if isinstance(node, ast.Lambda):
            last = max(last, node.body.lineno)
            node.body = _marking(node.body)
        elif isinstance(node, ast.ExceptHandler):
            last = max(last, node.lineno)
            if node.type is None:
                node.body.insert(0, _mark(node.lineno))
            else:
                node.type = _marking(node.type, node.lineno)
        elif isinstance(node, ast.match_case):
            last = max(last, node.pattern.lineno)
            node.body.insert(0, _mark(node.pattern.lineno))
    return last


def _with_marks(block: list[Any]) -> list[Any]:
    """Return statements, each behind its mark; docstring and ``__future__`` stay the first."""
    found: list[Any] = []
    later: list[Any] = []
    for statement in block:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            found.append(statement)
            later.append(_mark(statement.lineno))
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            found.append(statement)
        else:
            found += [*later, _mark(_first_line(statement)), statement]
            later = []
    return found + later


def _first_line(statement: Any) -> int:
    decorators = [each.lineno for each in getattr(statement, "decorator_list", ())]
    return int(min([statement.lineno, *decorators]))


def _mark(line: int) -> ast.stmt:
    """Return the statement that marks a line."""
    target = ast.Subscript(ast.Constant(HERE), ast.Constant(line), ast.Store())
    one = ast.Constant(1)
    mark = ast.Assign([target], one, lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)
    return ast.fix_missing_locations(mark)


def _marking(value: ast.expr, line: int | None = None) -> ast.expr:
    """Return an expression that marks a line, then has the value: None is before its ``or``."""
    array = ast.Constant(HERE)
    call = ast.Call(
        ast.Attribute(array, "__setitem__", ast.Load()),
        [ast.Constant(line or value.lineno), ast.Constant(1)],
        [],
    )
    marking = ast.copy_location(ast.BoolOp(ast.Or(), [call, value]), value)
    return ast.fix_missing_locations(marking)


def _holding(code: types.CodeType, marks: Marks) -> types.CodeType:
    """Return code, and the code in it, with the array in place of HERE."""
    consts: list[Any] = []
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            consts.append(_holding(each, marks))
        else:
            consts.append(marks if type(each) is str and each == HERE else each)
    return code.replace(co_consts=tuple(consts))
