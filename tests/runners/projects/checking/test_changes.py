"""Which function holds a change: planted edits, and a parse of both texts as the oracle."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners.projects.changes import Original

SOURCE = '''import os


@staticmethod
def first(
    a,
    b=(1,
       2),
):
    """Say."""
    c = a

    return c


class A:
    x = 1

    class B:
        if os:
            async def second(self): return 1

            def third(self):
                def inner():
                    return 2
                return inner


def last(): \\
    return 3
'''
PIECES = [
    "    d = 1",
    "return 0",
    "    def g(): pass",
    "",
    "  x",
    "#",
    "    return (",
    "):",
    "\r",
    "@x",
]


@pytest.mark.parametrize(
    ("old", "new", "name", "lines"),
    [
        ("    c = a", "    c = b", "first", (11, 12)),
        ("    return c", "    return c\n    # more", "first", (13, 15)),
        ('"""Say."""', '"""Tell."""', None, (10, 11)),
        ("    b=(1,", "    b=(7,", None, (7, 8)),
        ("@staticmethod", "@classmethod", None, (4, 5)),
        ("return 2", "return 5", "third", (25, 26)),
        ("self): return 1", "self): return 2", None, (21, 22)),
        ("    x = 1", "    x = 2", None, (17, 18)),
    ],
)
def test_the_function_that_holds_a_change(
    old: str, new: str, name: str | None, lines: tuple[int, int]
) -> None:
    assert SOURCE.count(old) == 1
    found = Original(SOURCE).change(SOURCE.replace(old, new))
    assert (found.function.name if found.function else None) == name
    assert (found.lines.start, found.lines.stop) == lines


@pytest.mark.parametrize("cookie", ["latin-1", "ascii", "nowhere"])
def test_a_file_that_declares_another_encoding_has_no_function(cookie: str) -> None:
    change = Original(f"# coding: {cookie}\ndef f():\n    return 1\n").change(
        f"# coding: {cookie}\ndef f():\n    return len('é')\n"
    )
    assert (change.function, [*change.lines]) == (None, [3])


def test_nothing_differs() -> None:
    found = Original(SOURCE).change(SOURCE)
    assert (found.function, len(found.lines)) == (None, 0)


@given(st.integers(0, 31), st.integers(0, 3), st.lists(st.sampled_from(PIECES), max_size=3))
def test_outside_the_function_both_texts_mean_the_same(at: int, n: int, new: list[str]) -> None:
    lines = SOURCE.split("\n")
    text = "\n".join([*lines[:at], *new, *lines[at + n :]])
    found = Original(SOURCE).change(text)
    if found.function is None:
        return
    alone = "\n".join(found.text)
    try:
        (node,) = ast.parse("if 1:\n" * (alone[:1] == " ") + alone).body
    except (SyntaxError, ValueError):
        return  # cannot be exchanged
    node = node.body[0] if isinstance(node, ast.If) else node
    if getattr(node, "name", None) != found.function.name:
        return
    name = found.function.name
    assert without_body(text, name) == without_body(SOURCE, name)


def without_body(source: str, name: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            node.body = [ast.Pass()]
    return ast.dump(tree)
