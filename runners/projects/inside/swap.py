"""Put a candidate's function into the place of the live one.

Only the code object of the function changes, so every name and wrapper that holds the function sees
the new one. That equals an import of the changed file if nothing read the old code before. The
function must not have run at import or while tests were collected, nor may a generator of it wait.
Only function objects may hold its code. Nothing may have read the text of its file, or imported the
file through a link. Its free variables, kind and docstring must be those of the original. So must
the code around it, because a candidate may add statements after the function. Compiling must give
no warning, because an import could turn that into an error. ``NoSwap`` is raised where one of these
does not hold. Where the candidate has more or fewer lines, the functions and classes after it are
moved.
"""

import gc
import inspect
import os.path
import sys
import threading
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import (
    AsyncGeneratorType,
    CodeType,
    CoroutineType,
    FrameType,
    FunctionType,
    GeneratorType,
)
from typing import Any

Key = tuple[str, str, int]  # file, qualified name, first line
Around = list[tuple[object, ...]]  # code of the file and of classes that hold a function
OF_THE_FUTURE = 0x1FF0000  # the flags of ``from __future__`` in a code object
FIRST_LINE = "__firstlineno__"  # of a class, where Python notes it: 3.13 and later
WAITING = {GeneratorType: "gi_code", CoroutineType: "cr_code", AsyncGeneratorType: "ag_code"}


class NoSwap(Exception):
    """The function cannot be exchanged; the file has to be imported as a whole."""


class Functions:
    """The live functions of files below a folder, by place; made before any file is imported."""

    def __init__(self, folder: str):
        self._folder = folder
        self._called: set[Key] = set()
        self._live: dict[Key, list[FunctionType]] = {}
        self._original: dict[Key, tuple[list[FunctionType], CodeType, Around]] = {}
        self._classes: list[type] = []
        self._files: set[str] = set()
        self._texts_read: set[str] = set()
        self._traced = True

    def watch_calls(self) -> None:
        """Note from now on which functions of the folder are called."""
        threading.settrace(self._trace)
        sys.settrace(self._trace)

    def find_all(self) -> None:
        """Stop watching, and find every function that lives."""
        self._traced = sys.gettrace() == self._trace  # else another tool took it over
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
        for each in gc.get_objects():
            if type(each) is FunctionType:
                code = each.__code__
                if code.co_filename.startswith(self._folder):
                    self._live.setdefault(_key(code), []).append(each)
                    self._files.add(code.co_filename)
            elif type(each) in WAITING:
                self._called.add(_key(getattr(each, WAITING[type(each)])))
            elif issubclass(type(each), type) and FIRST_LINE in type.__getattribute__(
                each, "__dict__"
            ):
                self._classes.append(each)

        real = {each: os.path.realpath(each) for each in self._files}
        self._texts_read.update(path for each, path in real.items() if path != each)

    def find(self, path: str, function: Mapping[str, Any]) -> None:
        """Compile the function of the original once, for what is around it."""
        key = _place(path, function)
        live = self._live.get(key, [])
        if key in self._original or not self._traced or not live or key in self._called:
            return
        if path in self._texts_read or _is_held(live):
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

        Raises NoSwap where that would differ from an import, before any test runs.
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
        if n := len(lines) - (function["last"] - function["first"] + 1):
            functions, classes = self._behind_line(path, function["last"])
            for each in functions:
                each.__code__ = _moved(each.__code__, n)
            for named in classes:
                type.__setattr__(named, FIRST_LINE, named.__dict__[FIRST_LINE] + n)

    def _behind_line(self, path: str, last: int) -> tuple[list[FunctionType], list[type]]:
        """Return the functions and classes of a file that begin after a line."""
        functions = [
            each
            for (place, _, first), found in self._live.items()
            for each in found
            if place == path and first > last
        ]
        names = {name for name, module in list(sys.modules.items()) if _file(module) == path}
        classes = [
            each
            for each in self._classes
            if each.__dict__.get("__module__") in names and each.__dict__[FIRST_LINE] > last
        ]
        return functions, classes

    def _trace(self, frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if code.co_filename.startswith(self._folder):
            self._called.add(_key(code))
        elif code is inspect.findsource.__code__:
            with suppress(Exception):  # an object without a file
                self._texts_read.add(inspect.getfile(frame.f_locals["object"]))


def _is_held(live: Sequence[FunctionType]) -> bool:
    """Say whether anything but these functions holds their code."""
    holders = Counter(id(each.__code__) for each in live)
    return any(sys.getrefcount(each.__code__) > holders[id(each.__code__)] + 1 for each in live)


def _file(module: object) -> object:
    return getattr(module, "__file__", None)


def _place(path: str, function: Mapping[str, Any]) -> Key:
    return path, ".".join([*function["classes"], function["name"]]), function["first"]


def _key(code: CodeType) -> Key:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _shape(code: CodeType) -> tuple[object, ...]:
    """Return the parts of a function that wrappers and callers can read before it is called."""
    n_given = code.co_argcount + code.co_kwonlyargcount
    n_given += bool(code.co_flags & 4) + bool(code.co_flags & 8)
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)
    text = code.co_consts[0]  # None where there is no docstring
    flags = code.co_flags & ~0x10
    return (counts, code.co_varnames[:n_given], code.co_freevars, flags, type(text) is str and text)


def _compiled(
    path: str, function: Mapping[str, Any], lines: Sequence[str], flags: int
) -> tuple[CodeType, Around]:
    """Compile the lines inside empty classes of the right names, at the right line.

    Returns the function's code, and what is around it: the same for another body alone.
    """
    classes = function["classes"]
    before = [f"{' ' * depth}class {name}:" for depth, name in enumerate(classes)]
    if not before and lines[0][:1] in (" ", "\t"):
        before = ["with _:"]  # a block to which no later line, such as an else, can belong
    text = "\n".join([*before, *lines, ""])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = compile(text, path, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, Warning):
        raise NoSwap from None  # the import reports what is wrong
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
