"""Put a candidate's function into the place of the live one.

Only the code object of the function changes, so every name and wrapper that holds the function sees
the new one. That is the same as importing the changed file where nothing read the old code before.
The function must not have run at import or while tests were collected. Its free variables, kind and
docstring must be those of the original. So must the code around it, because a candidate may add
statements behind the function. ``NoSwap`` says that it is not so.
"""

import gc
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import CodeType, FrameType, FunctionType
from typing import Any

Key = tuple[str, str, int]  # file, qualified name, first line
Around = list[tuple[object, ...]]  # code of the file and of classes that hold a function
OF_THE_FUTURE = 0x1FF0000  # the flags of ``from __future__`` in a code object


class NoSwap(Exception):
    """The function cannot be exchanged: the file is to be imported as a whole."""


class Functions:
    """The live functions below a folder by their place; made before anything of it is imported."""

    def __init__(self, folder: str):
        self._folder = folder
        self._called: set[Key] = set()
        self._live: dict[Key, list[FunctionType]] = {}
        self._original: dict[Key, tuple[list[FunctionType], CodeType, Around]] = {}
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

    def find(self, path: str, function: Mapping[str, Any]) -> None:
        """Compile the function of the original once, for what is around it."""
        key = _place(path, function)
        live = self._live.get(key, [])
        if key in self._original or not self._traced or not live or key in self._called:
            return
        old = live[0].__code__
        with suppress(OSError, ValueError, NoSwap):
            with open(path, encoding="utf-8", newline="") as file:  # noqa: PTH123
                lines = file.read().split("\n")[function["first"] - 1 : function["last"]]
            _, around = _compiled(path, function, lines, old.co_flags & OF_THE_FUTURE)
            if all(each.__code__ == old for each in live):
                self._original[key] = live, old, around

    def exchange(self, path: str, function: Mapping[str, Any], lines: Sequence[str]) -> None:
        """Compile the lines as the function that begins at its line, and put the code into it.

        Raises NoSwap where that is not the same as an import; no test has run then.
        """
        key = _place(path, function)
        if key not in self._original:
            raise NoSwap
        live, old, original_around = self._original[key]
        new, around = _compiled(path, function, lines, old.co_flags & OF_THE_FUTURE)
        if around != original_around or _shape(new) != _shape(old) or _key(new) != key:
            raise NoSwap
        for each in live:
            each.__code__ = new

    def _trace(self, frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if code.co_filename.startswith(self._folder):
            self._called.add(_key(code))


def _place(path: str, function: Mapping[str, Any]) -> Key:
    return path, ".".join([*function["classes"], function["name"]]), function["first"]


def _key(code: CodeType) -> Key:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _shape(code: CodeType) -> tuple[object, ...]:
    """Return what wrappers and callers can have read of a function before it is called."""
    n_given = code.co_argcount + code.co_kwonlyargcount
    n_given += bool(code.co_flags & 4) + bool(code.co_flags & 8)
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)
    documented = type(code.co_consts[0]) is str  # None where there is no docstring
    flags = code.co_flags & ~0x10
    return (counts, code.co_varnames[:n_given], code.co_freevars, flags, documented)


def _compiled(
    path: str, function: Mapping[str, Any], lines: Sequence[str], flags: int
) -> tuple[CodeType, Around]:
    """Compile the lines inside empty classes of the right names, at the right line.

    Returns the function's code, and what is around it: the same for another body alone.
    """
    classes = function["classes"]
    before = [f"{' ' * depth}class {name}:" for depth, name in enumerate(classes)]
    if not before and lines[0][:1] in (" ", "\t"):
        before = ["if _:"]  # unknown, so that no branch of it is left out
    text = "\n".join([*before, *lines, ""])
    try:
        found = compile(text, path, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NoSwap from None  # an import says what is wrong
    around: Around = []
    for name in (*classes, function["name"]):
        named = [each for each in found.co_consts if getattr(each, "co_name", None) == name]
        if len(named) != 1:
            raise NoSwap
        others = [(type(each), each) for each in found.co_consts if each is not named[0]]
        around.append((found.co_code, found.co_names, others))
        (found,) = named
    return _moved(found, function["first"] - 1 - len(before)), around


def _moved(code: CodeType, n: int) -> CodeType:
    """Return code that begins so many lines later; lines inside count from its first."""
    inner = [_moved(each, n) if type(each) is CodeType else each for each in code.co_consts]
    return code.replace(co_firstlineno=code.co_firstlineno + n, co_consts=tuple(inner))
