"""Marks in code: they mark what Python runs, and change nothing else that a program sees."""

import os
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.projects.lines import ranges_of_text, text_of_lines
from runners.projects.coverage import lines_of
from runners.projects.inside.probes import LineProbes, Marks
from tests.ingest.projects.statements import BRANCHES, EVERY_KIND, Log, seen_by_python

LIBRARY = Path(os.__file__).parent


def marked(source: str) -> tuple[LineProbes, dict[str, Any]]:
    """Run a module with marks; return them, and what the module defines."""
    probes = LineProbes("/project", ["a.py"])
    names: dict[str, Any] = {"__name__": "a"}
    exec(probes.compiled(source.encode(), "/project/a.py", "a.py"), names)
    return probes, names


def ran(probes: LineProbes, source: str) -> list[int]:
    """Return the executable lines that ran since this was last asked."""
    ranges = [each for _, text in probes.taken() for each in ranges_of_text(text)]
    return sorted(lines_of(source.encode()).ran(ranges))


@pytest.mark.parametrize(
    ("source", "x", "tried"),  # a case that is tried and does not match is not marked
    [(EVERY_KIND, 3, set()), (BRANCHES, 0, {15}), (BRANCHES.replace("while", "if"), 1, set())],
)
def test_marks_are_what_a_tracer_sees(source: str, x: int, tried: set[int]) -> None:
    seen = seen_by_python(source, x, Log())
    probes, names = marked(source)
    assert ran(probes, source) == [1]
    names["every"](x, Log())
    expected = set()
    for first, last in lines_of(source.encode()).spans.items():
        lines = set(range(first, last + 1))
        expected |= lines if lines & seen else set()
    assert set(ran(probes, source)) == expected - tried
    assert ran(probes, source) == []


ODD = '''\
"""The documentation."""
from __future__ import annotations
from __future__ import division
import enum
import sys
table = {
    "one": lambda x: (
        x + 1
    ),
    "two": lambda: 2,
}
class Names(dict):
    def __missing__(self, name):
        raise AssertionError(name)
class Meta(type):
    @classmethod
    def __prepare__(cls, name, bases):
        return Names(int=int, __name__="a")
class Strange(metaclass=Meta):
    """A class."""
    one = int()
class Colour(enum.Enum):
    RED = 1
    BLUE = 2
def generator():
    """A generator."""
    yield 1
    yield 2
def caught(value):
    try:
        return 1 / value
    except (
        ZeroDivisionError
    ):
        return None
    except TypeError:
        return "type"
def untraced():
    sys.settrace(None)
    return 1; return 2
'''


def test_odd_code_runs_as_before_and_is_marked() -> None:
    probes, names = marked(ODD)
    at_import = ran(probes, ODD)
    assert (names["__doc__"], names["Strange"].__doc__) == ("The documentation.", "A class.")
    assert list(names["Colour"].__members__) == ["RED", "BLUE"]
    assert at_import == [*range(2, 14), *range(15, 20), *range(21, 26), 29, 38]
    first = names["generator"]()
    assert (next(first), ran(probes, ODD)) == (1, [27])
    assert (next(first), ran(probes, ODD)) == (2, [28])
    assert (names["table"]["one"](1), ran(probes, ODD)) == (2, [8])
    assert (names["table"]["two"](), ran(probes, ODD)) == (2, [10])
    assert (names["caught"](0), ran(probes, ODD)) == (None, [31, 32, 33, 35])
    assert (names["caught"]("a"), ran(probes, ODD)) == ("type", [31, 32, 33, 36, 37])
    assert (names["untraced"](), ran(probes, ODD)) == (1, [39, 40])


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from codes(each)


FACTS = ("name", "varnames", "freevars", "cellvars", "flags", "firstlineno", "argcount", "filename")


@pytest.mark.parametrize(
    "name",
    ["argparse", "ast", "dataclasses", "enum", "json/decoder", "asyncio/tasks", "typing"],
)
def test_marked_code_of_the_library_is_otherwise_alike(name: str) -> None:
    source = (LIBRARY / f"{name}.py").read_bytes()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = LineProbes("", []).compiled(source, "/a.py", "a.py")
    plain = compile(source, "/a.py", "exec", dont_inherit=True)
    pairs = list(zip(codes(found), codes(plain), strict=True))
    for one, other in pairs:
        assert hash(one) != 0
        for fact in FACTS:
            assert getattr(one, f"co_{fact}") == getattr(other, f"co_{fact}"), (other, fact)
        doc = other.co_consts[0] if other.co_consts else None
        if isinstance(doc, str):
            assert one.co_consts[0] == doc
        assert {*other.co_names} | {"__setitem__"} >= {*one.co_names} >= {*other.co_names}
    n_marked = sum(any(type(each) is Marks for each in one.co_consts) for one, _ in pairs)
    assert n_marked > len(pairs) / 2


def test_what_cannot_be_marked_is_refused() -> None:
    for wrong in (b"def f(:\n", b"\xff = 1\n", b"\0"):
        with pytest.raises((SyntaxError, ValueError)):
            LineProbes("", []).compiled(wrong, "/a.py", "a.py")


LINES = st.sets(st.integers(1, 300))


@given(LINES)
def test_lines_as_text_and_back(lines: set[int]) -> None:
    text = text_of_lines(lines)
    ranges = ranges_of_text(text)
    assert [line for first, last in ranges for line in range(first, last + 1)] == sorted(lines)
    assert len(ranges) == sum(line + 1 not in lines for line in lines)


@pytest.mark.parametrize(
    "text", ["0", "2-1", "3,2", "1,", "1 2", "1--2", "-1", "a", "1-2-3", "1,1-"]
)
def test_other_text_is_no_list_of_lines(text: str) -> None:
    with pytest.raises(ValueError, match="lines"):
        ranges_of_text(text)
