"""Candidate regions and their weights: goldens, libCST and brute force as oracles, cut and back."""

import ast
import dataclasses
import shlex
import string
import textwrap
import tokenize
from collections import Counter
from pathlib import Path

import libcst as cst
import pytest
from hypothesis import given, settings
from libcst.metadata import MetadataWrapper, PositionProvider

from ingest.projects.regions import (
    RULES,
    RegionSpan,
    candidates,
    region_rules,
    weights,
)
from tests.ingest.projects.blocks import FILES
from tests.support.regions import probabilities, split
from warehouse.errors import BadInput

V1, CODE, V2 = RULES["v1"], RULES["v1_code"], RULES["v2"]
SMALL = dataclasses.replace(V1, least=1, most=90)
ALONE = dataclasses.replace(SMALL, runs=False)
SINGLE = dataclasses.replace(V1, runs=False)


def spans(source, rules):
    text = source.decode()
    return [text[each.start : each.end] for each in candidates(source, rules)]


GOLDEN = b"""\
def f():
    first_name_is_long = other_name_is(12, 345)
    if condition_of_thirty_letters:
        value = compute(argument, 123456)
"""


def test_the_weights_of_a_statement_and_a_nested_one():
    found = candidates(GOLDEN, SINGLE)
    assert [each.start_line for each in found] == [2, 3, 4]
    sizes = [sum(not letter.isspace() for letter in span) for span in spans(GOLDEN, SINGLE)]
    assert sizes == [40, 60, 30]
    weighed = weights(GOLDEN, found)
    assert weighed == [40, 45, 15]
    assert probabilities(weighed, 1) == pytest.approx([0.400, 0.450, 0.150], abs=1e-12)
    expected = [0.407818, 0.472506, 0.119676]
    assert probabilities(weighed, 0.8) == pytest.approx(expected, abs=5e-7)


WHOLE = b"""\
def one(a):
    return a + 1

def two(a, b):
    c = a * b
    if c:
        return one(c)
    return 0

def three():
    return one( two(2, 3) )
"""


def test_weights_add_up_to_the_characters_that_are_covered():
    """The released unit test finds 118 for its file of three functions, with each node eligible.

    This file is our own, its 89 characters are counted below. Whole functions are no candidates of
    ours, so they are added by hand.
    """
    text = WHOLE.decode()
    top = [
        RegionSpan(0, 29, 1, 2),
        RegionSpan(30, 104, 4, 8),
        RegionSpan(105, len(text) - 1, 10, 11),
    ]
    assert [text[each.start : each.end].count("def ") for each in top] == [1, 1, 1]
    inside = candidates(WHOLE, dataclasses.replace(V1, least=1))
    assert len(inside) == 1 + (4 + 3) + 1
    assert sum(weights(WHOLE, top + inside)) == pytest.approx(89)
    assert len("".join(text.split())) == 89
    bodies = ["return a + 1", "c = a * b if c: return one(c) return 0", "return one( two(2, 3) )"]
    n_covered = sum(len("".join(body.split())) for body in bodies)
    assert sum(weights(WHOLE, inside)) == pytest.approx(n_covered)


SHAPES = {
    "outside": ("x = 1\nclass A:\n    y = 2\n    def f(self):\n        z = 3\n", ["z = 3"]),
    "docstring": ("def f():\n    'a'\n    b'b'\n    f'c'\n    x\n", ["x"]),
    "alone in a class": ("def f():\n    class A:\n        'doc'\n        x = 1\n", ["x = 1"]),
    "runs": ("def f():\n    a\n    b\n    c\n", ["a", "a|b", "a|b|c", "b", "b|c", "c"]),
    "definitions": (
        "def f():\n    a\n    def g():\n        b\n    c\n    class C: pass\n    d\n",
        ["a", "b", "c", "d"],
    ),
    "comments": ("def f():\n    a  # 1\n    # 2\n    b  # 3\n    # 4\n", ["a", "a # 1|# 2|b", "b"]),
    "semicolons": ("def f():\n    a; b\n    c;\n    d\n", ["a; b", "a; b|c;|d", "c;|d", "d"]),
    "one line": ("def f(): a\ndef g():\n    if x: b\n    else: c\n", ["if x: b|else: c"]),
    "elif": (
        "def f():\n    if a:\n        b\n    elif c:\n        d\n    else:\n        e\n",
        ["if a:|b|elif c:|d|else:|e", "b", "d", "e"],
    ),
    "else if": (
        "def f():\n    if a: b\n    else:\n        if c: d\n",
        ["if a: b|else:|if c: d", "if c: d"],
    ),
    "try": (
        "def f():\n    try:\n        a\n    except E:\n        b\n    else:\n        c\n"
        "    finally:\n        d\n",
        ["try:|a|except E:|b|else:|c|finally:|d", "a", "b", "c", "d"],
    ),
    "loops": (
        "async def f():\n    async for x in y:\n        a\n    else:\n        b\n"
        "    while c:\n        d\n",
        [
            "async for x in y:|a|else:|b",
            "async for x in y:|a|else:|b|while c:|d",
            *("a", "b", "while c:|d", "d"),
        ],
    ),
    "match": (
        "def f():\n    match x:\n        case 1:\n            a\n        case _: b\n",
        ["match x:|case 1:|a|case _: b", "a"],
    ),
    "brackets": ("def f():\n    (\n    a)\n    b = (c)\n", ["(|a)", "(|a)|b = (c)", "b = (c)"]),
    "backslashes": (
        "def f():\n    if x: \\\n        a\n    b = \\\n        1\n    # \\\n    c\n    d \\\n\n",
        [
            *("if x: \\|a", "if x: \\|a|b = \\|1", "if x: \\|a|b = \\|1|# \\|c"),
            *("b = \\|1", "b = \\|1|# \\|c", "c"),
        ],
    ),
    "strings": ("def f():\n    s = '''\n# a\n'''\n    't' + u\n", None),
    "methods": ("class A:\n    def f(self):\n        a\n    def g(self): b\n", ["a"]),
}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", SHAPES)
def test_what_is_a_candidate(name, end):
    source, expected = SHAPES[name]
    if expected is None:
        expected = ["s = '''|# a|'''", "s = '''|# a|'''|'t' + u", "'t' + u"]
    found = spans(source.replace("\n", end).encode(), SMALL)
    shown = ["|".join(" ".join(line.split()) for line in each.splitlines()) for each in found]
    assert shown == expected


@pytest.mark.parametrize(
    ("rules", "least", "most"),
    [("v1", 32, 384), ("v2", 32, 384), ("v1_code", 65, 512)],
)
def test_the_limits_of_length(rules, least, most):
    def n_found(size):
        return len(candidates(f"def f():\n    x = {'1' * (size - 4)}\n".encode(), RULES[rules]))

    sizes = (least - 1, least, most, most + 1)
    assert [n_found(size) for size in sizes] == [0, 1, 1, 0]


def test_the_released_code_counts_bytes_and_takes_no_runs():
    source = f"def f():\n    é = '{'é' * 40}'\n    y = '{'y' * 70}'\n".encode()
    assert [each.start_line for each in candidates(source, CODE)] == [2, 3]
    assert [each.n_characters for each in candidates(source, CODE)] == [46, 76]
    found = [(each.start_line, each.end_line) for each in candidates(source, V1)]
    assert found == [(2, 2), (2, 3), (3, 3)]
    assert candidates(source, V2) == candidates(source, V1)


def test_places_are_of_the_decoded_text():
    source = "# coding: cp1252\r\ndef f():\r\n    é = 'é'  # é\r\n".encode("cp1252")
    assert candidates(source, ALONE) == [RegionSpan(32, 39, 3, 3)]
    assert candidates(b"\xef\xbb\xbfdef f():\n    x\n", ALONE) == [RegionSpan(13, 14, 2, 2)]
    assert candidates(b"", ALONE) == []
    assert weights(source, []) == []
    assert weights(source, candidates(source, ALONE)) == [5]


def test_what_cannot_be_read_is_refused():
    with pytest.raises(BadInput, match=r"^a/b.py:2: no Python: "):
        candidates(b"def f():\nx", V1, "a/b.py")
    with pytest.raises(BadInput, match=r"^no rules for regions 'v1_cod': did you mean v1_code\?$"):
        region_rules("v1_cod")
    assert region_rules("v2") is V2


def is_statement(node):
    string = cst.SimpleString | cst.ConcatenatedString | cst.FormattedString
    lone = isinstance(node, cst.Expr) and isinstance(node.value, string)
    return not lone and not isinstance(node, cst.FunctionDef | cst.ClassDef)


def by_libcst(source, rules):
    """Find the candidates with libCST: its nodes, its places, and the lines as text."""
    wrapper = MetadataWrapper(cst.parse_module(source))
    places = wrapper.resolve(PositionProvider)
    lines = source.decode().split("\n")
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line) + 1)
    found = set()

    def add(first, last):
        begin, end = places[first].start, places[last].end
        start = offsets[begin.line - 1] + begin.column
        stop = offsets[end.line - 1] + end.column
        before = lines[begin.line - 1][: begin.column]
        after = lines[end.line - 1][end.column :].strip()
        if not before.strip() and (not after or after[0] == "#"):
            found.add(RegionSpan(start, stop, begin.line, end.line))

    def search(node, inside):
        inside = inside or isinstance(node, cst.FunctionDef)
        if inside and isinstance(node, cst.IndentedBlock):
            siblings = []
            for each in node.body:
                siblings += each.body if isinstance(each, cst.SimpleStatementLine) else [each]
            for first in range(len(siblings)):
                for last in range(first, len(siblings) if rules.runs else first + 1):
                    if not is_statement(siblings[last]):
                        break
                    add(siblings[first], siblings[last])
        for child in node.children:
            search(child, inside)

    search(wrapper.module, False)
    return sorted(each for each in found if rules.least <= each.end - each.start <= rules.most)


@pytest.mark.parametrize("module", [dataclasses, shlex, string, textwrap, tokenize])
def test_candidates_are_those_that_libcst_finds(module):
    source = Path(module.__file__).read_bytes()
    for rules in (V1, SINGLE):
        found = candidates(source, rules)
        assert found == by_libcst(source, rules)
        assert len(found) > 5


def shares(source, regions):
    """Share out each character by itself."""
    text = source.decode()
    inside = [set(range(each.start, each.end)) for each in regions]
    n_around = Counter(place for each in inside for place in each)
    return [sum(1 / n_around[n] for n in each if not text[n].isspace()) for each in inside]


@settings(max_examples=100)
@given(FILES)
def test_a_region_that_is_cut_and_put_back_gives_the_same_file(source):
    text = source.decode()
    regions = candidates(source, SMALL)
    assert regions == sorted(set(regions))
    assert weights(source, regions) == pytest.approx(shares(source, regions))
    for each in regions:
        before, cut, after = split(source, each.lines)
        assert before + cut + after == source
        lines = cut.decode()
        span = text[each.start : each.end]
        assert span == span.strip()
        assert SMALL.least <= each.n_characters <= SMALL.most
        head, _, tail = lines.partition(span)
        assert head.strip() == ""
        assert tail.strip() == "" or tail.strip().startswith("#")
        ast.parse(before + head.encode() + b"pass\n" + after)


@settings(max_examples=50)
@given(FILES)
def test_single_statements_are_those_of_the_runs(source):
    assert set(candidates(source, ALONE)) <= set(candidates(source, SMALL))
    assert candidates(source, V1) == candidates(source, V2)
