"""What tests cover: planted lines, and the lines that Python shows a tracer."""

import pytest
from hypothesis import given, settings

from ingest.projects.executed import covered_regions, executables
from ingest.projects.functions import LineRange
from ingest.projects.region_samples import draws
from ingest.projects.regions import RULES, RegionSpan, candidates
from tests.ingest.projects.blocks import FILES
from tests.ingest.projects.statements import BRANCHES, EVERY_KIND, Log, seen_by_python

SOURCE = b"""\
def f(x):
    '''doc'''
    global g
    a: int
    if x:
        g = [
            1,
            x,
        ]
    else:
        g = 2
    return g


def h():
    pass
"""


@pytest.mark.parametrize(
    ("first", "last", "covered", "expected"),
    [
        (12, 12, {12}, True),
        (12, 12, {11, 13}, False),
        (6, 9, {8}, True),
        (6, 9, {5, 10}, False),
        (5, 11, {5, 6, 11}, True),
        (5, 11, {5, 6}, False),
        (5, 11, {6, 11}, False),
        (5, 12, {5, 9, 11, 12}, True),
        (2, 12, {5, 9, 11, 12}, True),
        (3, 4, {3, 4}, False),
        (16, 16, {16}, True),
    ],
)
def test_each_statement_has_a_line_that_was_seen(first, last, covered, expected):
    assert executables(SOURCE).all_covered(LineRange(first, last), covered) == expected


def test_what_python_executes_counts_as_executed():
    code = executables(EVERY_KIND.encode())
    whole = LineRange(2, len(EVERY_KIND.split("\n")))
    seen = seen_by_python(EVERY_KIND, 3, Log())
    inside = [each for each in code.statements if each.first > 1]
    assert len(inside) == 70
    assert [each for each in inside if not code.all_covered(each, seen)] == []
    assert code.all_covered(whole, seen)
    for each in inside:
        without = seen - set(range(each.first, each.last + 1))
        assert not code.all_covered(whole, without)


def test_what_python_does_not_reach_is_not_covered():
    seen = seen_by_python(BRANCHES, 0, Log())
    code = executables(BRANCHES.encode())
    missed = [each.first for each in code.statements if not code.all_covered(each, seen)]
    assert missed == [1, 3, 7, 10, 11, 13, 16, 21]


NESTED = b"""\
def around(x):
    "doc"
    def inside():
        return "a value of an inner function" + str(x)
    return inside, "a value of an outer function"


def other():
    return "a value that no test has ever seen"
"""


@pytest.mark.parametrize(
    ("covered", "paper", "released"),
    [
        (set(), [], []),
        ({4}, [4], [4, 5]),
        ({5}, [5], [4, 5]),
        ({2}, [], [4, 5]),
        ({1}, [], []),
        ({1, 4, 5, 8, 9}, [4, 5, 9], [4, 5, 9]),
    ],
)
def test_the_released_code_asks_for_one_line_of_a_function(covered, paper, released):
    files = {"a.py": NESTED, "b.py": NESTED}
    for rules, expected in ((RULES["v1"], paper), (RULES["v1_code"], released)):
        accepted = covered_regions(files, {"a.py": covered}, rules)
        regions = [RegionSpan(0, 0, line, line) for line in (4, 5, 9)]
        assert [each.start_line for each in regions if accepted("a.py", each)] == expected
        assert not any(accepted("b.py", each) for each in regions)
    accepted = covered_regions(files, {"a.py": covered}, RULES["v1"])
    drawn = draws(files, RULES["v1"], 0, accepted)
    assert sorted(each.region.start_line for each in drawn) == paper


@settings(max_examples=50)
@given(FILES)
def test_lines_that_are_all_covered_cover_every_region_with_code(source):
    rules = RULES["v2"]
    lines = set(range(1, source.count(b"\n") + 2))
    every = covered_regions({"a.py": source}, {"a.py": lines}, rules)
    none = covered_regions({"a.py": source}, {}, rules)
    code = executables(source)
    for each in candidates(source, rules):
        within = range(each.start_line, each.end_line + 1)
        wanted = [one for one in code.statements if one.first in within]
        assert every("a.py", each) == bool(wanted)
        assert not none("a.py", each)
        for one in wanted:
            assert not code.all_covered(each.lines, lines - set(range(one.first, one.last + 1)))
