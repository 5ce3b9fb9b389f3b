"""Put a candidate's function into the place of the live one.

Only the code object of the function changes, so every name and wrapper that holds the function sees
the new one. That is the same as importing the changed file where nothing read the old code before.
The function must not have run at import or while tests were collected. Its free variables, kind and
docstring must be those of the original. ``NoSwap`` says that it is not so.
"""

import ast
import gc
import sys
import threading
from collections.abc import Mapping, Sequence
from types import CodeType, FrameType, FunctionType
from typing import Any

Key = tuple[str, str, int]  # file, qualified name, first line
OF_THE_FUTURE = 0x1FF0000  # the flags of ``from __future__`` in a code object


class NoSwap(Exception):
    """The function cannot be exchanged: the file is to be imported as a whole."""


class Functions:
    """The live functions below a folder by their place; made before anything of it is imported."""

    def __init__(self, folder: str):
        self._folder = folder
        self._called: set[Key] = set()
        self._live: dict[Key, list[FunctionType]] = {}
        self._traced = True

    def watch_calls(self) -> None:
        """Note from now on which functions of the folder are called."""
        threading.settrace(self._trace)
        sys.settrace(self._trace)

    def find_all(self) -> None:
        """Stop watching, and find every function that lives."""
        self._traced = sys.gettrace() == self._trace  # else another tool took the place
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
        for each in gc.get_objects():
            if type(each) is FunctionType:
                code = each.__code__
                if code.co_filename.startswith(self._folder):
                    self._live.setdefault(_key(code), []).append(each)

    def exchange(self, path: str, function: Mapping[str, Any], lines: Sequence[str]) -> None:
        """Compile the lines as the function that begins at its line, and put the code into it.

        Raises NoSwap where that is not the same as an import; no test has run then.
        """
        first, classes = function["first"], function["classes"]
        key = (path, ".".join([*classes, function["name"]]), first)
        live = self._live.get(key, [])
        if not self._traced or not live or key in self._called:
            raise NoSwap
        old = live[0].__code__
        new = _compiled(path, function, lines, old.co_flags & OF_THE_FUTURE)
        fits = _shape(new) == _shape(old) and _key(new) == key
        if not fits or any(each.__code__ != old for each in live):
            raise NoSwap
        for each in live:
            each.__code__ = new

    def _trace(self, frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if code.co_filename.startswith(self._folder):
            self._called.add(_key(code))


def _key(code: CodeType) -> Key:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _shape(code: CodeType) -> tuple[object, ...]:
    """Return what wrappers and callers can have read of a function before it is called."""
    n_given = code.co_argcount + code.co_kwonlyargcount
    n_given += bool(code.co_flags & 4) + bool(code.co_flags & 8)
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)
    return (counts, code.co_varnames[:n_given], code.co_freevars, code.co_flags & ~0x10)


def _compiled(path: str, function: Mapping[str, Any], lines: Sequence[str], flags: int) -> CodeType:
    """Compile the lines inside empty classes of the right names, at the right line."""
    classes = function["classes"]
    around = [f"{' ' * depth}class {name}:" for depth, name in enumerate(classes)]
    if not around and lines[0][:1] in (" ", "\t"):
        around = ["if 1:"]
    before = [""] * (function["first"] - 1 - len(around))
    text = "\n".join([*before, *around, *lines, ""])
    try:
        tree = compile(text, path, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        block = tree.body
        for _ in around:
            (block,) = (each.body for each in block)
        (node,) = block
        if type(node).__name__ != function["kind"] or node.name != function["name"]:
            raise NoSwap
        if (ast.get_docstring(node, clean=False) is not None) != function["documented"]:
            raise NoSwap
        found: Any = compile(tree, path, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NoSwap from None  # an import says what is wrong
    for name in (*classes, function["name"]):
        named = [each for each in found.co_consts if getattr(each, "co_name", None) == name]
        if len(named) != 1:
            raise NoSwap
        found = named[0]
    code: CodeType = found
    return code
