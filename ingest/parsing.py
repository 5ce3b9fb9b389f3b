"""Parsing other people's code without their warnings."""

import ast
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
UNPARSABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What Python raises for a text that is no program, or one that is too deep for it."""


@contextmanager
def quietly() -> Iterator[None]:
    """Say nothing of odd escapes while code is read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def parse(code: str) -> ast.Module:
    """Return the syntax tree; raises what UNPARSABLE names."""
    with quietly():
        return ast.parse(code)


def compiles(tree: ast.Module) -> bool:
    """Say whether a program that parses also compiles: a ``return`` outside a function does not."""
    try:
        with quietly():
            compile(tree, "<program>", "exec", dont_inherit=True)
    except UNPARSABLE:
        return False
    return True


def unix_lines(text: str) -> str:
    """Return a text whose lines end in a newline alone."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def top_function(tree: ast.Module, name: str) -> FunctionNode | None:
    """Return the last top-level function of a name, the one that a caller gets."""
    found = [node for node in tree.body if isinstance(node, FunctionNode) and node.name == name]
    return found[-1] if found else None
