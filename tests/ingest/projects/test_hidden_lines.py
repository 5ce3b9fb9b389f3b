"""Hidden lines: planted functions, each kind of line, equal chances, counts over real source."""

import ast
import heapq
import tarfile
import textwrap
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from scipy.stats import chisquare

from ingest.datasets.starter import FOLDER
from ingest.projects.functions import LineRange
from ingest.projects.hidden.lines import hidden_lines, text_before
from tests.ingest.projects.blocks import FILES
from tests.support.regions import split
from warehouse.errors import BadInput

SOURCE = b'''\
import os


@decorated
def grown(
    path, by=1
):
    """Return more.

    Than before.
    """
    # A comment is no statement.
    size = 0  # so far

    # none yet
    try:
        size = read(
            path
        )
    except OSError: size = 1; by = 2
    if size:
        "a string"; by += 1
    elif by: pass
    text = \'\'\'
        text = 1
    \'\'\'
    @local
    def inner(): return "try:"
    for each in text: print(each)
    if each: print("entry:")
    else: by = 3
    size += by; return [
        size]
    del by;
    return size # done
'''
LINES = SOURCE.decode().split("\n")
BODY = LineRange(13, 35)


def drawn(rules, n, source=SOURCE):
    """Return the hidden line for each of ``n`` names of projects."""
    return [
        hidden
        for number in range(n)
        for hidden in hidden_lines(f"project {number}", "a/b.py", source, rules)
    ]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [("v1", sorted({*range(13, 36)} - {14, 15, 16, 28, 30})), ("v2", [13, 29, 35])],
)
def test_each_line_that_can_be_hidden_is_as_likely_as_any_other(rules, expected):
    found = drawn(rules, 800)
    assert len(found) == 800
    counts = Counter(each.line for each in found)
    assert sorted(counts) == expected
    assert chisquare([counts[line] for line in expected]).pvalue > 0.01


def test_what_is_kept_of_a_hidden_line():
    found = {each.line: each for each in drawn("v2", 60)}
    assert found[13].reference == "size = 0  # so far"
    assert found[13].indent == "    "
    assert {each.function.qualname for each in found.values()} == {"grown"}
    assert {each.n_draws for each in found.values()} == {1}
    found = {each.line: each for each in drawn("v1", 400)}
    assert (found[25].indent, found[25].reference) == (" " * 8, "text = 1")


def test_a_refused_line_is_drawn_again():
    found = drawn("v1", 1_000)
    counts = Counter(each.n_draws for each in found)
    refused = 5 / len(BODY)
    expected = [(1 - refused) * refused**n for n in range(3)]
    expected.append(1 - sum(expected))
    seen = [counts[1], counts[2], counts[3]]
    seen.append(len(found) - sum(seen))
    assert chisquare(seen, [len(found) * each for each in expected]).pvalue > 0.01


def function_of(*body, doc="'''doc'''"):
    return ("def f():\n" + textwrap.indent("\n".join((doc, *body)), "    ") + "\n").encode()


@pytest.mark.parametrize(
    ("source", "v1", "v2"),
    [
        (function_of("a", "b", "c", "d"), 1, 1),
        (function_of("a", "b", "c"), 0, 0),
        (function_of("a", "", "", "d"), 1, 1),
        (function_of("a", "b", "c", "d", doc="b'no docstring'"), 0, 0),
        (function_of("a", "b", "c", "d", doc="# no docstring"), 0, 0),
        (function_of("b", "c", "d", "e", doc="'''doc'''; a"), 0, 0),
        (function_of("x = [", "1,", "2,", "]"), 1, 0),
        (b"def f():\n    '''doc'''\n", 0, 0),
        (b"x = 1\n", 0, 0),
        (b"class A:\n    'doc'\n    a\n    b\n    c\n    d\n", 0, 0),
    ],
)
def test_which_functions_qualify(source, v1, v2):
    assert len(hidden_lines("p", "a.py", source, "v1")) == v1
    assert len(hidden_lines("p", "a.py", source, "v2")) == v2


def test_a_function_without_a_line_that_can_be_hidden_is_given_up():
    tries = ["try: a", "except E: x = 'try:'", "# try", "", "else: x = 'try:'"]
    assert hidden_lines("p", "a.py", function_of(*tries), "v1") == []
    rare = function_of(*["try: a", "except E: x = 'try:'"] * 40, "last")
    found = drawn("v1", 200, rare)
    assert {each.reference for each in found} == {"last"}
    assert 110 < len(found) < 180  # 200 * (1 - (80 / 81) ** 101) is 143
    assert min(each.n_draws for each in found) >= 1
    assert 80 < max(each.n_draws for each in found) <= 101


def test_a_hidden_line_is_the_same_on_every_version_of_python():
    assert [(each.line, each.n_draws) for each in drawn("v1", 4)] == [
        *((23, 1), (25, 2), (21, 2), (31, 1)),
    ]
    assert [each.line for each in drawn("v2", 6)] == [29, 35, 35, 29, 29, 13]


def test_the_line_depends_on_project_path_and_name():
    source = b"\n".join(
        function_of(*[f"line_{n}" for n in range(40)]).replace(b"f()", name + b"()")
        for name in (b"one", b"two")
    )
    first = hidden_lines("p", "a.py", source)
    assert [each.function.qualname for each in first] == ["one", "two"]
    assert first == hidden_lines("p", "a.py", source)
    others = [hidden_lines("q", "a.py", source), hidden_lines("p", "b.py", source)]
    places = {tuple(each.reference for each in found) for found in (first, *others)}
    assert len(places) == 3
    assert first[0].reference != first[1].reference
    moved = hidden_lines("p", "a.py", b"import os\n\n" + source)
    assert [each.reference for each in moved] == [each.reference for each in first]


@pytest.mark.parametrize(
    ("covered", "n"),
    [(None, 1), (set(range(1, 60)), 1), (set(range(1, 60)) - {34}, 0), (set(), 0)],
)
def test_tests_execute_all_of_the_body(covered, n):
    assert len(hidden_lines("p", "a.py", SOURCE, "v1", covered)) == n


def test_what_is_seen_before_a_hidden_line():
    hidden = next(each for each in drawn("v2", 60) if each.line == 29)
    assert text_before(SOURCE, hidden) == "\n".join(LINES[4:28]) + "\n"
    without = text_before(SOURCE, hidden, docstring=False)
    assert without == "\n".join(LINES[4:7] + LINES[11:28]) + "\n"
    crlf = SOURCE.replace(b"\n", b"\r\n")
    hidden = next(each for each in drawn("v2", 60, crlf) if each.line == 13)
    assert hidden.reference == "size = 0  # so far"
    assert text_before(crlf, hidden, docstring=False).split("\r\n")[3:] == [LINES[11], ""]


def test_what_cannot_be_done_is_refused():
    with pytest.raises(BadInput, match=r"^no rules for lines 'v3'; available: v1, v2$"):
        hidden_lines("p", "a.py", SOURCE, "v3")
    with pytest.raises(BadInput, match=r"^a.py:1: no Python: "):
        hidden_lines("p", "a.py", b"def f(:")


def long_functions(source):
    """Name the functions with a docstring and then more than three lines."""
    return sorted(
        (node.lineno, node.name)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and ast.get_docstring(node) is not None
        and len(node.body) > 1
        and node.end_lineno - node.body[1].lineno >= 3
    )


def test_each_problem_of_the_starter_set_has_a_line():
    n_lines = Counter()
    for file in sorted(FOLDER.glob("*.py")):
        source = file.read_bytes()
        for rules in ("v1", "v2"):
            found = hidden_lines("starter", file.name, source, rules)
            names = [(each.function.signature.first, each.function.qualname) for each in found]
            assert names == long_functions(source)
            n_lines[rules] += len(found)
    assert n_lines == {"v1": 48, "v2": 48}


@pytest.mark.parametrize("module", [heapq, tarfile, textwrap])
def test_the_standard_library_has_a_line_for_each_long_function(module):
    source = Path(module.__file__).read_bytes()
    found = {rules: hidden_lines("python", "a.py", source, rules) for rules in ("v1", "v2")}
    functions = [each.function for each in found["v1"]]
    names = [(each.signature.first, each.qualname.rpartition(".")[2]) for each in functions]
    assert names == long_functions(source)
    assert len(names) > 5
    assert {each.function for each in found["v2"]} <= set(functions)
    lines = source.decode().split("\n")
    for each in found["v2"]:
        assert lines[each.line - 1].strip() == each.reference
        ast.parse("async def f():\n while 1:\n  " + each.reference)


@settings(max_examples=100)
@given(FILES)
def test_a_hidden_line_can_be_cut_and_put_back(source):
    v1, v2 = (hidden_lines("p", "a.py", source, rules) for rules in ("v1", "v2"))
    assert {each.function for each in v2} <= {each.function for each in v1}
    for hidden in v1 + v2:
        body = hidden.function.body
        assert body.first <= hidden.line <= body.last
        before, line, after = split(source, LineRange(hidden.line, hidden.line))
        text = line.decode().rstrip("\r\n")
        assert text.rstrip() == hidden.indent + hidden.reference
        assert hidden.reference == hidden.reference.strip() != ""
        assert not hidden.reference.startswith("#")
        assert before.decode().endswith(text_before(source, hidden))
        if hidden in v2:
            ast.parse(
                before + hidden.indent.encode() + b"pass" + line[len(line.rstrip()) :] + after
            )
            ast.parse(hidden.reference.replace("return", "x = "))
        else:
            assert "try:" not in hidden.reference
