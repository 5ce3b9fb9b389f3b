"""Which functions give their whole body, where the hole begins, and what is seen before it."""

from ingest.projects.hidden.bodies import HiddenBody, hidden_bodies

SOURCE = '''"""Shapes."""

from __future__ import annotations

import os, sys
from math import (
    pi,
    tau,
)
X = 1


def area(r):
    """Return the area."""

    # of a circle
    square = r * r
    return pi * square


@cache
def bare(x):
    return x


def one_line(x): "doc"; return x


class Shape(  # of the plane
    Base,
):
    # below the colon

    def name(self):
        """Return the name."""
        def inner():
            """Return."""
            return 1
        return inner()

    class Side:
        @property
        @cached(1)
        def length(self):
            """Return the length."""
            return 2

    @overload
    def twice(self):
        """Return."""
        return 1

    def twice(self):
        """Return."""
        return 2


if X:
    def choosing():
        """Return."""
        return 3


def empty():
    """Return nothing."""
'''
IMPORTS = (
    "from __future__ import annotations\nimport os, sys\nfrom math import (\n    pi,\n    tau,\n)\n"
)


def found(covered: set[int] | None = None) -> dict[str, HiddenBody]:
    every = set(range(1, SOURCE.count("\n") + 1))
    holes = hidden_bodies("a.py", SOURCE.encode(), every if covered is None else covered)
    return {each.function.qualname: each for each in holes}


def code_of(hidden: HiddenBody) -> str:
    return "".join(SOURCE.splitlines(keepends=True)[hidden.lines.first - 1 : hidden.lines.last])


def test_functions_and_methods_with_a_docstring_of_one_name_qualify() -> None:
    assert list(found()) == ["area", "Shape.name", "Shape.Side.length"]


def test_the_hole_is_all_behind_the_docstring() -> None:
    assert code_of(found()["area"]) == (
        "    # of a circle\n    square = r * r\n    return pi * square\n"
    )
    assert code_of(found()["Shape.name"]).count("\n") == 4


def test_imports_classes_and_the_function_are_seen() -> None:
    assert found()["area"].shown == (f'{IMPORTS}\n\ndef area(r):\n    """Return the area."""\n\n')
    assert found()["Shape.Side.length"].shown == (
        f"{IMPORTS}\n\nclass Shape(  # of the plane\n    Base,\n):\n    class Side:\n"
        "        @property\n        @cached(1)\n        def length(self):\n"
        '            """Return the length."""\n'
    )


def test_tests_must_execute_all_of_the_body() -> None:
    area = found()["area"].function
    assert area.body is not None
    assert list(found({area.body.first, area.body.last})) == ["area"]
    assert list(found({area.body.last})) == []
