"""What an answer defines beside its function, as code that may precede the function's body.

A name of the answer's module becomes a name of the body. Where the answer declares it ``global``,
that would be another variable, and Python refuses the declaration. Such a statement is put into a
function that declares its names too, and runs once: a name that the file has keeps its value.
"""

import ast
import re
from collections.abc import Sequence, Set
from itertools import chain

from ingest.answers.truncate import reindented
from ingest.parsing import FunctionNode

ONCE = "_defined_once"
LINE_END = re.compile(r"\r\n|\r|\n")
"""What Python counts as the end of a line."""


def code_before(code: str, beside: Sequence[ast.stmt], function: ast.stmt) -> list[str]:
    """Return the code of statements beside a function, each ready to precede its body.

    ``function`` is the statement that holds the function.
    """
    shared = {
        name
        for node in chain.from_iterable(map(ast.walk, (*beside, function)))
        if isinstance(node, ast.Global)
        for name in node.names
    }
    found = []
    for node in beside:
        names = _bound(node)
        found.append(
            _once(code, node, names, names & shared) if names & shared else segment_of(code, node)
        )
    return found


def segment_of(code: str, node: ast.stmt) -> str:
    """Return the code of a statement at the margin, its decorators too."""
    decorators = getattr(node, "decorator_list", [])
    if not decorators:
        return ast.get_source_segment(code, node) or ""
    lines = LINE_END.split(code)
    first = decorators[0].lineno
    while first > 1 and not lines[first - 1].lstrip("\f").startswith("@"):
        first -= 1
    return "\n".join(lines[first - 1 : node.end_lineno]).lstrip("\f")


def _once(code: str, node: ast.stmt, names: Set[str], shared: Set[str]) -> str:
    """Return code that binds names of the file, unless the file has those that are shared."""
    if isinstance(node, ast.AnnAssign):  # an annotated name cannot be global
        if node.value is None:
            return ""
        name, value = (ast.get_source_segment(code, each) for each in (node.target, node.value))
        segment = f"{name} = ({value})"
    else:
        segment = segment_of(code, node)
    known = ", ".join(f'"{name}"' for name in sorted(shared))
    lines = [
        f"def {ONCE}():",
        f"    global {', '.join(sorted(names))}",
        reindented(segment, "    "),
        f"if not {{{known}}} <= globals().keys():",
        f"    {ONCE}()",
    ]
    return "\n".join(lines)


def _bound(node: ast.stmt) -> set[str]:
    """Return the names that a statement at the top level binds."""
    if isinstance(node, FunctionNode | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {each.asname or each.name.partition(".")[0] for each in node.names}
    stored = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    return {each.id for each in stored if isinstance(each.ctx, ast.Store)}
