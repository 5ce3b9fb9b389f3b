"""A function is exchanged where that is the same as an import of the changed file."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from types import CodeType

import pytest

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
