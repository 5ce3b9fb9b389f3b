"""The mutations beyond the paper: where each applies, and where both programs are cut."""

import pytest

from ingest.mutations.base import Decline, Site
from ingest.mutations.source.cut import Cut, cut_at_statement
from ingest.mutations.source.lines import NoCut
from tests.support.mutations import applied, named, parsed, sites

PADDING = "    pass\n" * 12
"""Lines that keep what is before them in sight."""


def found(name: str, source: str) -> list[Site | Decline]:
    return named(name).sites(parsed(source))


def only(name: str, source: str) -> str:
    """Apply a mutation at its one site."""
    (site,) = sites(named(name), source)
    return applied(named(name), source, site).source


LOOPS = [
    ("for i in range(n):\n        xs.append(i)", "i = 0\n    while i < n:"),
    ("for i in range(len(xs)):\n        xs.append(i)", "i = 0\n    wqnhi = len(xs)\n"),
    ("for i in range(len(xs)):\n        g(i)", "wqnhi = len(xs)\n    while i < wqnhi:"),
    ("for i in range(len(xs)):\n        ys[i] = 1", "wqnhi = len(xs)\n"),
    ("for i in range(len(xs)):\n        n = xs[i]", "while i < len(xs):"),
    ("zs = []\n    for i in range(len(xs)):\n        zs.append(xs[i])", "while i < len(xs):"),
    ("zs = [xs]\n    for i in range(len(xs)):\n        zs[0].append(1)", "wqnhi = len(xs)"),
    ("for xs in ys:\n        for i in range(len(xs)):\n            xs.pop()", "wqnhi = len(xs)"),
    ("for i in range(n):\n        n -= 1", "wqnhi = n\n"),
    ("for i in range(max(n, 1)):\n        n", "wqnhi = max(n, 1)\n"),
    ("for i in range(0, n or 1):\n        n", "wqnhi = n or 1\n"),
    ("for i in (range(2 * (n + 1))):\n        n", "while i < 2 * (n + 1):"),
    (
        "for i in range(n, 0, - 3):\n        n",
        "i = n\n    while i > 0:\n        n\n        i -= 3\n",
    ),
    ("for i in range(n):\n        for j in n:\n            continue", "while i < n:"),
    ("for i in range(n):\n        yield i", "while i < n:"),
    ("vs = ws = []\n    for i in range(len(vs)):\n        ws.append(i)", "wqnhi = len(vs)"),
]


@pytest.mark.parametrize(("body", "expected"), LOOPS)
def test_how_a_loop_counts_by_hand(body, expected):
    source = f"def f(n, xs, ys):\n    {body}\n{PADDING}"
    assert expected in only("for_while", source)


NO_LOOPS = [
    ("for i in range(*xs):\n        n", "arguments"),
    ("for i in range(0, n, 0):\n        n", "step"),
    ("for i in range(n):\n        n\n    ys = [i for _ in xs]", "used_after"),
    ("while n:\n        ys = i\n        for i in range(n):\n            n", "used_after"),
    ("for i in range(n):\n        n\n    del i", "used_after"),
    ("for i in range(n):\n        ys = (i for _ in xs)", "captured"),
    ("global i\n    for i in range(n):\n        n", "captured"),
    ("class C:\n        for i in range(n):\n            n", "captured"),
    ("for i in range(n):\n        [(i := 2) for _ in xs]", "assigned"),
    ("for i in range(n):\n        for i in xs:\n            n", "assigned"),
    ("for i in range(n):\n        try:\n            continue\n        finally:\n            n",
     "continue"),
    ("for i in range(n):\n        for j in xs:\n            n\n        else:\n            continue",
     "continue"),
    ("for i in range(n,\n            9):\n        n\n    return locals()", "dynamic"),
    ("for i in range(\n            n +\n            9):\n        n", "many_lines"),
    ("for i in range(n := 3):\n        n", "effect"),
    ("for ﬁ in range(fi, n):\n        n", "own_bound"),
    ("for i in range(n > 1, 3):\n        n", "truth"),
    ("for i in range(len(xs) / 2):\n        n", "not_whole"),
    ("for i in range(-(n + 0.5), 3):\n        n", "not_whole"),
    ("for i in range(n if xs else True, 3):\n        n", "truth"),
    ("for i in range(n and bool(xs), 3):\n        n", "truth"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "code"), NO_LOOPS)
def test_which_loops_stay(body, code):
    (refused,) = found("for_while", f"def f(n, xs, ys):\n    {body}\n{PADDING}")
    assert isinstance(refused, Decline)
    assert refused.code == code


COMPARISONS = [
    ("a < b", "b > a"),
    ("a>=(b)", "(b)<=a"),
    ("len(a) == len(b)", "len(b) == len(a)"),
    ("a[0] != b[1]", "b[1] != a[0]"),
    ("not a <= 3", "not 3 >= a"),
    ("a.pop() == 1", "1 == a.pop()"),
    ("a.pop() == True", "True == a.pop()"),
    ("a.pop() == b", None),
    ("a.pop() == c", None),
    ("g(a) == 1", None),
    ("a < b < 3", None),
    ("a in b", None),
    ("f'{a == b}'", None),
    ("f'{a == b=}'", None),
    ("a == (yield)", None),
    ("not(a)==b", None),
    ("1if a==b else 2", "1if b==a else 2"),
    ("1if(a)==b else 2", None),
]


@pytest.mark.parametrize(("expression", "expected"), COMPARISONS)
def test_which_comparisons_turn_round(expression, expected):
    source = f"def f(a, b):\n    x = {expression}\n{PADDING}"
    if expected is None:
        assert not sites(named("operand_swap"), source)
    else:
        assert f"x = {expected}\n" in only("operand_swap", source)


CALLS = [
    ("g(1)", "g(p=1)"),
    ("g(1, 2)", "g(p=1, q=2)"),
    ("g(1, q=2)", "g(p=1, q=2)"),
    ("g( (k for k in a), q = 2 )", "g( p=(k for k in a), q = 2 )"),
    ("[g(k) for k in a]", "[g(p=k) for k in a]"),
    ("g(p=1)", None),
    ("g(1, p=2)", None),
    ("g(1, 2, 3)", None),
    ("g(k := 1)", None),
    ("g(1, **a)", None),
    ("f'{g(1)=}'", None),
    ("h(1)", None),
    ("C.g(1)", None),
]


@pytest.mark.parametrize(("expression", "expected"), CALLS)
def test_which_calls_name_their_parameters(expression, expected):
    head = "def g(p, q=0):\n    return p\ndef h(__p):\n    return 1\n"
    source = f"{head}class C:\n    def g(p):\n        return p\ndef f(a):\n    x = {expression}\n"
    if expected is None:
        assert not sites(named("keyword_arguments"), source + PADDING)
    else:
        assert f"x = {expected}\n" in only("keyword_arguments", source + PADDING)


MEANT = [
    "x = len(a)\ndef len(p):\n    return p\n",
    "def g(p):\n    return p\nclass C:\n    x = g(1)\n    def g(q):\n        return q\n",
]


@pytest.mark.parametrize("source", MEANT)
def test_calls_that_may_mean_another_function_stay(source):
    program = parsed(source + "pass\n" * 9, None)
    (refused,) = named("keyword_arguments").sites(program)
    assert isinstance(refused, Decline)
    assert refused.code == "rebound"


@pytest.mark.parametrize(
    "line",
    ["h = globals", "g.__code__ = f.__code__", "exec('g = 1')", "import sys; sys.modules"],
)
def test_functions_that_may_be_replaced_as_data_are_called_as_before(line):
    source = f"def g(p):\n    return p\ndef f(a):\n    x = g(a)\n{PADDING}{line}\n"
    (refused,) = found("keyword_arguments", source)
    assert isinstance(refused, Decline)
    assert refused.code == "dynamic"


def test_private_names_of_classes_call_another_function():
    head = "def __g(p):\n    return p\ndef _C__g(q):\n    return q\n"
    source = f"{head}def f(a):\n    class C:\n        x = __g(a)\n{PADDING}"
    assert "x = __g(q=a)\n" in only("keyword_arguments", source)


def test_dead_code_leaves_what_must_come_first():
    source = '"""Text."""\nfrom __future__ import annotations\nx = 1\nprint(x)\n'
    program = parsed(source, None)
    (site,) = named("dead_code").sites(program)
    assert isinstance(site, Site)
    assert site.line == 3


def test_programs_of_different_length_are_cut_at_the_same_statement():
    original = "def f(a):\n    b = 1\n    c = 2\n    d = 3\n    return a\n"  # 3 of 5 lines are kept
    longer = original.replace("    b = 1\n", "    if a:\n        a\n    b = 1\n")
    added = [(10, 10 + 20, "")]
    assert cut_at_statement(original, longer, added, "f", 2) == Cut(original[:30], longer[:50])
    at_the_cut = original.replace("    d = 3\n", "    e\n    d = 3\n")
    assert cut_at_statement(original, at_the_cut, [(30, 36, "")], "f", 2) == Cut(
        original[:30], at_the_cut[:36]
    )
    after = original.replace("    return a\n", "    e\n    return a\n")
    refused = cut_at_statement(original, after, [(40, 46, "")], "f", 2)
    assert isinstance(refused, NoCut)
    assert refused.code == "same_prompt"
    within = original.replace("c = 2\n    d = 3", "c")
    refused = cut_at_statement(original, within, [(24, 25, "c = 2\n    d = 3")], "f", 2)
    assert isinstance(refused, NoCut)
    assert refused.code == "inside_change"
    split = "def f(a):\n    return (a,\n            1)\n"
    refused = cut_at_statement(split, split, [], "f", 2)
    assert isinstance(refused, NoCut)
    assert refused.code == "no_boundary"


def test_a_loop_that_counts_is_cut_with_its_counting():
    source = (
        "def f(n):\n    k = 0\n    for i in range(n):\n        k += i\n    return k\n    pass\n"
    )
    mutation = named("for_while")
    (site,) = sites(mutation, source)
    result = applied(mutation, source, site)
    cut = mutation.cut(source, site, result, "f", 2)
    assert isinstance(cut, Cut)
    assert cut.original.endswith("        k += i\n")
    assert cut.mutated.endswith("        k += i\n        i += 1\n")
