"""The functions of a file whose whole body can be asked for, and the code that leads up to it.

Rules ``v1``, our own: a function or method qualifies when it has a docstring, and the lines of its
body hold nothing else. Its name must be defined once in the file, and tests must execute all of its
body. It lies at the top of the file, or in classes there. A function inside another function is a
part of that function's body. The hole is all that follows the docstring, comments included,
starting with the first line that has text.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from ingest.parsing import FunctionNode
from ingest.projects.executed import executables
from ingest.projects.functions import FunctionParts, LineRange, functions_in, parsed_source

BODY_RULES = "v1"


@dataclass(frozen=True)
class HiddenBody:
    """A function whose body is to be written.

    ``lines`` are those of the hole. ``shown`` holds the imports of the file and the headers of the
    classes around the function. It also holds the function from its first decorator up to the hole.
    """

    function: FunctionParts
    lines: LineRange
    shown: str


def hidden_bodies(path: str, source: bytes, covered: Set[int]) -> list[HiddenBody]:
    """Return the functions of a file that qualify, in the order of lines.

    ``covered`` has the lines that passing tests execute, from 1. Raises BadInput for a file that is
    no Python.
    """
    tree, lines = parsed_source(path, source)
    code = executables(source, path)
    functions = functions_in(path, source)
    names = Counter(each.qualname for each in functions)
    classes = dict(_at_the_top(tree.body, ()))
    found = []
    for function in functions:
        body = body_lines(function, lines)
        around = classes.get(function.signature.first)
        if body is None or around is None or function.docstring is None:
            continue
        if names[function.qualname] == 1 and code.all_covered(body, covered):
            shown = _shown(tree, lines, function, around, body.first)
            found.append(HiddenBody(function, body, shown))
    return found


def body_lines(function: FunctionParts, lines: Sequence[str]) -> LineRange | None:
    """Return the lines of a body with the comments before it; None where other code shares them."""
    if function.body is None or not function.body_apart:
        return None
    first = (function.docstring or function.signature).last + 1
    while not lines[first - 1].strip():
        first += 1
    return LineRange(first, function.body.last)


def _at_the_top(
    body: Sequence[ast.stmt], classes: tuple[ast.ClassDef, ...]
) -> Iterator[tuple[int, tuple[ast.ClassDef, ...]]]:
    """Yield the line of each ``def`` that is in nothing but classes, and these classes."""
    for node in body:
        if isinstance(node, FunctionNode):
            yield node.lineno, classes
        elif isinstance(node, ast.ClassDef):
            yield from _at_the_top(node.body, (*classes, node))


def _shown(
    tree: ast.Module,
    lines: Sequence[str],
    function: FunctionParts,
    classes: Sequence[ast.ClassDef],
    hole: int,
) -> str:
    """Return imports, headers of classes, and the function up to the first line of the hole."""
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    numbers = {n for node in imports for n in range(node.lineno, (node.end_lineno or 0) + 1)}
    parts = [lines[n - 1] for n in sorted(numbers)]
    parts += ["\n", "\n"] if parts else []
    for each in classes:
        parts += _header(each, lines)
    return "".join([*parts, *lines[function.lines.first - 1 : hole - 1]])


def _header(of: ast.ClassDef, lines: Sequence[str]) -> list[str]:
    """Return the lines of a class before its first statement, without comments below its colon."""
    first = of.body[0]
    decorators = getattr(first, "decorator_list", [])
    end = min([first.lineno, *(each.lineno for each in decorators)]) - 1
    found = list(lines[of.lineno - 1 : end])
    while not found[-1].strip() or found[-1].lstrip().startswith("#"):
        found.pop()
    return found
