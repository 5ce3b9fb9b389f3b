"""A function is exchanged where that is the same as an import of the changed file."""

import inspect
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from types import CodeType

import pytest

from ingest.projects.functions import functions_in
from runners.projects.changes import Original
from runners.projects.inside.swap import Functions, NoSwap

SOURCE = '''
import os

if os.sep:
    def guarded(x, y=os.sep):
        z = [x for _ in y]
        return z


class Outer:
    class Inner:
        def method(self):
            """Its text."""
            return self.__class__.__name__


async def later(x):
    return await x


def held(x):
    return [x]


def waits(x):
    yield x


def told(x):
    """Its text.""" \\

    return {x}


HELD = held.__code__
WAITS = waits(1)


class Behind:
    def method(self, x):
        return [y for y in x]


def last(x):
    return x
'''

# old text, new text: exchanged
EXCHANGED = {
    "value": ("return z\n", "return z, len(z)\n"),
    "more_lines": ("z = [x for _ in y]", "z = []\n\n        for _ in y:\n            z += [x]"),
    "lambda": ("return z\n", "return (lambda: z)()\n"),
    "method": ("return self.__class__", "if self:\n                return self.__class__"),
    "await": ("return await x", "return [await x]"),
    "at_the_end": ("    return x\n", "    return -x\n"),
}
# old text, new text: to be imported
IMPORTED = {
    "statement_behind": ("    return await x\n", "    return [await x]\n\n\nlast = 5\n"),
    "empty_else_behind": ("return z\n", "return z\nelse:\n    pass\n"),
    "warning": ("return z\n", "return z is 0 or z\n"),
    "longer_docstring": ('text.""" \\\n\n', 'text.""" \\\n    "more"\n'),
    "code_that_is_held": ("return [x]\n", "return [x, x]\n"),
    "generator_that_waits": ("    yield x\n", "    yield -x\n"),
    "else_behind": ("return z\n", "return z\nelse:\n    os = 5\n"),
    "elif_behind": ("return z\n", "return z\nelif os:\n    os = 5\n"),
    "in_the_class": ("__class__.__name__\n", "__class__\n\n        x = 5\n"),
    "in_the_outer_class": ("__class__.__name__\n", "__class__\n\n    x = 5\n"),
    "second_function": ("    return await x\n", "    return [await x]\ndef f(): pass\n"),
    "same_name_twice": ("return z\n", "return z\n    def guarded(): pass\n"),
    "syntax": ("return z\n", "return z z\n"),
    "docstring": ("    return await x", "    'It.'\n    return await x"),
    "generator": ("return z\n", "yield z\n"),
    "free_variable": ("return self.__class__", "return super().__class__"),
}


@pytest.fixture
def functions(tmp_path: Path) -> Iterator[tuple[Functions, str]]:
    found = Functions(f"{tmp_path}/")
    path = tmp_path / "code.py"
    path.write_text(SOURCE, encoding="utf-8")
    names: dict[str, object] = {}
    exec(compile(SOURCE, path, "exec", dont_inherit=True), names)
    found.watch_calls()
    found.find_all()
    yield found, str(path)
    assert names


def exchanged(functions: Functions, path: str, old: str, new: str) -> tuple[CodeType, CodeType]:
    """Return a function's code after an exchange, and what an import of the file gives it."""
    assert SOURCE.count(old) == 1
    source = SOURCE.replace(old, new)
    change = Original(SOURCE).change(source)
    assert change.function is not None
    function = asdict(change.function)
    functions.find(path, function)
    functions.exchange(path, function, change.text)
    key = (path, ".".join([*function["classes"], function["name"]]), function["first"])
    left = [compile(source, path, "exec", dont_inherit=True)]
    while left:
        code = left.pop()
        if (path, code.co_qualname, code.co_firstlineno) == key:
            return functions._live[key][0].__code__, code
        left += [each for each in code.co_consts if isinstance(each, CodeType)]
    raise AssertionError(key)


@pytest.mark.parametrize("name", EXCHANGED)
def test_code_and_lines_are_those_of_an_import(name: str, functions: tuple[Functions, str]) -> None:
    found, imported = exchanged(*functions, *EXCHANGED[name])
    assert found == imported
    assert list(found.co_positions()) == list(imported.co_positions())


@pytest.mark.parametrize("name", IMPORTED)
def test_what_is_more_than_a_body_is_imported(name: str, functions: tuple[Functions, str]) -> None:
    with pytest.raises(NoSwap):
        exchanged(*functions, *IMPORTED[name])


def test_what_is_not_known_is_imported(functions: tuple[Functions, str]) -> None:
    found, path = functions
    function = {"name": "nobody", "classes": (), "first": 5, "last": 6}
    found.find(path, function)
    with pytest.raises(NoSwap):
        found.exchange(path, function, ["def nobody(): pass"])


def test_what_is_behind_moves_with_more_lines(functions: tuple[Functions, str]) -> None:
    old, new = EXCHANGED["more_lines"]
    exchanged(*functions, old, new)
    source = SOURCE.replace(old, new)
    found = functions[0]._live.items()
    live = {name: each[0].__code__.co_firstlineno for (_, name, _), each in found}
    assert live == {
        each.qualname: each.lines.first for each in functions_in("code.py", source.encode())
    }
    if sys.version_info >= (3, 13):
        line = source.splitlines().index("class Behind:") + 1
        assert [each.__firstlineno__ for each in functions[0]._classes][-1] == line


def test_a_file_whose_text_was_read_is_imported(tmp_path: Path) -> None:
    path = tmp_path / "code.py"
    path.write_text(SOURCE, encoding="utf-8")
    found = Functions(f"{tmp_path}/")
    names: dict[str, object] = {}
    exec(compile(SOURCE, path, "exec", dont_inherit=True), names)
    found.watch_calls()
    inspect.getsource(names["last"])  # type: ignore[arg-type]
    found.find_all()
    with pytest.raises(NoSwap):
        exchanged(found, str(path), *EXCHANGED["value"])


def test_a_file_that_a_link_imports_too_is_imported(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "alias.py").symlink_to("code.py")
    found = Functions(f"{tmp_path}/")
    names: list[dict[str, object]] = [{}, {}]
    for name, held in zip(("code.py", "alias.py"), names, strict=True):
        exec(compile(SOURCE, tmp_path / name, "exec", dont_inherit=True), held)
    found.watch_calls()
    found.find_all()
    with pytest.raises(NoSwap):
        exchanged(found, str(tmp_path / "code.py"), *EXCHANGED["value"])
