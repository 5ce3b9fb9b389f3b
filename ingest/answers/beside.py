"""What an answer defines beside its function, as code that may precede the function's body.

A name of the answer's module becomes a name of the body. Where the answer declares it ``global``,
that would be another variable, and Python refuses the declaration. Statements that hold such names
are put into a function that declares them too. It runs once, at the first call, and names that the
file has keep their values. Names of a module whose names are all imported become names of the file.
"""

import ast
import symtable
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from ingest.answers.truncate import reindented
from ingest.parsing import quietly

ONCE = "_defined_once"
STAR = "*"
AT_ONCE = {"listcomp", "setcomp", "dictcomp", "genexpr"}
"""What Python's symbol tables call comprehensions, whose names are looked up at once."""


@dataclass(frozen=True)
class StatementBeside:
    """A statement beside the function: its code alone, and in a function with ``global`` names.

    ``bound`` and ``held`` are the names of the module that it binds, and all that it holds. Those
    inside a function that it defines are not among them: they are looked up at a call.
    """

    code: str
    code_once: str
    bound: frozenset[str]
    held: frozenset[str]


def code_before(code: str, beside: Sequence[ast.stmt], function: ast.stmt) -> list[str]:
    """Return the code of statements beside a function, each ready to precede its body.

    ``code`` has lines that end in a newline alone, and ``function`` is the statement that holds the
    function. Raises SyntaxError, ValueError or RecursionError for code that Python refuses.
    """
    known = {
        name
        for node in chain.from_iterable(map(ast.walk, (*beside, function)))
        if isinstance(node, ast.Global)
        for name in node.names
    } | {STAR}
    statements = [_statement(code, node) for node in beside]
    once: set[int] = set()
    while more := {n for n, each in enumerate(statements) if each.held & known} - once:
        once |= more
        known.update(*(statements[n].bound for n in more))
    found = []
    for n, each in enumerate(statements):
        if n not in once:
            found.append(each.code)
        elif n == max(once):
            found.append(_run_once([statements[k] for k in sorted(once)]))
    return found


def segment_of(code: str, node: ast.stmt) -> str:
    """Return the code of a statement at the margin, its decorators too."""
    decorators = getattr(node, "decorator_list", [])
    if not decorators:
        return ast.get_source_segment(code, node) or ""
    lines = code.split("\n")
    first = decorators[0].lineno
    while first > 1 and not lines[first - 1].lstrip("\f").startswith("@"):
        first -= 1
    return "\n".join(lines[first - 1 : node.end_lineno]).lstrip("\f")


def is_future(node: ast.stmt) -> bool:
    """Say whether a statement imports from ``__future__``, which Python takes at the top alone."""
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _statement(code: str, node: ast.stmt) -> StatementBeside:
    segment = segment_of(code, node)
    if isinstance(node, ast.ImportFrom) and node.names[0].name == STAR:
        names = frozenset({STAR})
        return StatementBeside(segment, f"exec({segment!r}, globals())", names, names)
    with quietly():
        table = symtable.symtable(segment, ONCE, "exec")
    bound = {each.get_name() for each in table.get_symbols() if _is_bound(each)}
    once = segment
    if isinstance(node, ast.AnnAssign):  # an annotated name cannot be global
        target = ast.get_source_segment(code, node.target)
        value = node.value and ast.get_source_segment(code, node.value)
        once = f"{target} = ({value})" if value else "pass"
    return StatementBeside(segment, once, frozenset(bound), frozenset(_held(table)))


def _is_bound(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_imported()


def _held(table: symtable.SymbolTable) -> Iterator[str]:
    """Yield the names that code binds or reads when it runs, and not at a later call."""
    yield from table.get_identifiers()
    for inner in table.get_children():
        if inner.get_type() == "class" or inner.get_name() in AT_ONCE:
            yield from _held(inner)


def _run_once(statements: Sequence[StatementBeside]) -> str:
    """Return code that runs statements once, with their names as names of the file."""
    names = sorted(set().union(*(each.bound for each in statements)) - {STAR})
    lines = [
        f"def {ONCE}():",
        *([f"    global {', '.join(names)}"] if names else []),
        "    _had = {**globals()}",
        *(reindented(each.code_once, "    ") for each in statements),
        f"    globals().update(_had, {ONCE}=True)",
        f'if "{ONCE}" not in globals():',
        f"    {ONCE}()",
    ]
    return "\n".join(lines)
