"""Holes in programs: what is taken out, what is shown around it, and how an answer fits."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.problems.holes import (
    TOKEN,
    Hole,
    body_hole,
    context,
    token_context,
    without_docstrings,
)
from tests.support.problems import real_drafts

PROGRAM = '''"""A module."""
import math


def helper(x):
    """Help."""


class Box:
    """Holds."""
    size = 1


async def other(): "one line"


def area(r):
    """Return the area."""

    # the formula
    if r < 0:
        raise ValueError(r)
    return math.pi * r * r


LAST = area(1)
"""A text at the end."""
'''
TEXTS = ("A module", "Help", "Holds", "one line", "Return the area", "at the end")


def test_the_hole_is_the_body_and_no_docstring_is_left() -> None:
    hole = body_hole(PROGRAM, "area")
    assert hole is not None
    assert hole.code.splitlines()[0] == "    # the formula"
    assert hole.code.splitlines()[-1] == "    return math.pi * r * r"
    assert hole.before.endswith("def area(r):\n\n")
    assert hole.after == "\n\nLAST = area(1)\n"
    whole = hole.before + hole.code + hole.after
    assert [text for text in TEXTS if text in whole] == []
    found: dict[str, float] = {}
    exec(whole, found)
    assert found["LAST"] == pytest.approx(3.14159, abs=1e-4)


def test_a_description_below_an_import_goes_too() -> None:
    hole = body_hole('def f(x):\n    import math\n    """What f does."""\n    return x\n', "f")
    assert hole is not None
    assert hole.code == "    import math\n    return x\n"


@pytest.mark.parametrize(
    ("program", "name"),
    [("def f(): return 1\n", "f"), ("x = 1\n", "f"), ("class f:\n    x = 1\n", "f")],
)
def test_no_hole_where_no_body_stands_on_lines_of_its_own(program: str, name: str) -> None:
    assert body_hole(program, name) is None


def test_a_decorator_of_the_first_statement_goes_with_it() -> None:
    program = "def f(x):\n    @staticmethod\n    def g(y):\n        return y\n    return g(x)\n"
    hole = body_hole(program, "f")
    assert hole is not None
    assert hole.before == "def f(x):\n"


def test_the_indentation_is_that_of_the_first_statement() -> None:
    hole = body_hole("def f(x):\n# twice\n    return x + x\n", "f")
    assert hole is not None
    assert hole.indent == "    "


def test_the_last_definition_counts() -> None:
    hole = body_hole("def f():\n    return 1\n\ndef f():\n    return 2\n", "f")
    assert hole is not None
    assert hole.code == "    return 2\n"


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        ("return x", "    return x\n"),
        ("    return x", "    return x\n"),
        ("\n\n  if x:\n      y()\n  return x\n\n", "    if x:\n        y()\n    return x\n"),
        ("    s = '''\n  a\n'''\n", "    s = '''\n  a\n'''\n"),
        ("s = '\u2028'\nreturn s", "    s = '\u2028'\n    return s\n"),
        ("", ""),
        (" \n\t\n", ""),
    ],
)
def test_an_answer_moves_to_the_indentation_of_the_hole(answer: str, lines: str) -> None:
    assert Hole("def f(x):\n", "    pass\n", "").fitted(answer) == lines


def test_what_is_shown_is_cut_to_whole_lines_nearest_to_the_hole() -> None:
    before = "".join(f"a{n:03d}\n" for n in range(400))
    after = "".join(f"b{n:03d}\n" for n in range(400))
    left, right = context(before, after)
    assert left == "...\n" + before[-510:]
    assert right == after[:510] + "...\n"
    left, right = context(before, "short\n")
    assert right == "short\n"
    assert left == "...\n" + before[-1015:]
    assert context("one\n", "two\n") == ("one\n", "two\n")


def test_a_budget_in_tokens_counts_words_numbers_and_signs_of_whole_lines() -> None:
    assert TOKEN.findall("    é = box.size_of(12)  # ok") == [
        *("é", "=", "box", ".", "size_of", "(", "12", ")", "#", "ok")
    ]
    before = "".join(f"a = {n}\n" for n in range(9))
    after = "".join(f"b({n})\n" for n in range(9))
    left, right = token_context(before, after, 20)
    assert left == "...\na = 6\na = 7\na = 8\n", "three lines of three tokens in ten"
    assert right == "b(0)\nb(1)\n...\n", "two lines of four tokens in ten"
    left, right = token_context(before, "short\n", 20)
    assert (left.count("a"), right) == (6, "short\n"), "19 tokens are left"
    assert token_context("one\n", "two\n", 2) == ("one\n", "two\n")
    assert token_context("one\n", "two\n", 1) == ("...\n", "...\n"), "half a token each"
    assert token_context("", "", 1) == ("", "")


LINES = st.lists(st.sampled_from(["", "a", "a b", "f(x, y)", "é"]).map("{}\n".format)).map("".join)


@given(LINES, LINES, st.integers(1, 20))
def test_no_more_tokens_are_shown_than_asked_for(before: str, after: str, most: int) -> None:
    left, right = token_context(before, after, most)
    left, right = left.removeprefix("...\n"), right.removesuffix("...\n")
    assert before.endswith(left)
    assert after.startswith(right)
    assert len(TOKEN.findall(left + right)) <= most
    if len(TOKEN.findall(before + after)) <= most:
        assert (left, right) == (before, after)


def indented(head: str, parts: list[str]) -> str:
    return head + "\n" + "\n".join(f"    {line}" for part in parts for line in part.split("\n"))


SIMPLE = ["x = 1", "'''text\n more'''", "'t'", "# note\ny = 'é'; 'z'", "'é'; z = 2", "'a'; 'b'"]
STATEMENTS = st.recursive(
    st.sampled_from(SIMPLE),
    lambda inner: st.builds(
        indented,
        st.sampled_from(["def f():", "class C:", "if x:"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


@given(st.lists(STATEMENTS, min_size=1, max_size=4).map("\n".join))
def test_only_texts_go_from_any_program(program: str) -> None:
    after = ast.parse(without_docstrings(program))
    assert not [node for body in _bodies(after) for node in body if _is_text(node)]
    assert _without_texts(after) == _without_texts(ast.parse(program))


def _bodies(tree: ast.Module) -> list[list[ast.stmt]]:
    owners = ast.Module | ast.FunctionDef | ast.ClassDef
    return [node.body for node in ast.walk(tree) if isinstance(node, owners)]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _without_texts(tree: ast.Module) -> str:
    for body in _bodies(tree):
        body[:] = [each for each in body if not (_is_text(each) or isinstance(each, ast.Pass))]
    return ast.dump(tree)


@pytest.mark.parametrize(
    ("name", "n"), [("starter", 48), ("humaneval", 164), ("mbpp", 974), ("mbpp_plus", 378)]
)
def test_each_function_of_a_real_dataset_leaves_a_hole(name: str, n: int) -> None:
    """Each is a source of round trips: docs/round_trips.md has the counts."""
    programs = [
        (draft.prompt + draft.reference + draft.suffix, draft.entry_point)
        for draft in real_drafts(name)
    ]
    holes = [body_hole(*program) for program in programs]
    assert len([hole for hole in holes if hole and hole.code.strip()]) == len(programs) == n
