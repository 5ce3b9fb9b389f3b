"""The structural fingerprint, by the mutations: what keeps structure, and what does not."""

import random
import re

import pytest

from ingest.mutations.base import Changes, Mutation
from runners.measuring.pairs.base import NoFeature
from runners.measuring.pairs.structure import MAX_CHARACTERS, fingerprint
from tests.data import ROOT
from tests.support.mutations import ALL, applied, sites

KEEP = frozenset({"independent_swap", "names_random", "names_shuffle", "docstring_removal"})
CHANGE = frozenset({"operand_swap", "if_else_flip", "for_while", "dead_code"})
STARTERS = sorted((ROOT / "ingest" / "datasets" / "starter_problems").glob("*.py"))
EXAMPLES = [
    (mutation, example)
    for mutation in ALL
    for example in mutation.examples
    if isinstance(example, Changes)
]


@pytest.mark.parametrize(
    ("mutation", "example"),
    [(mutation, example) for mutation, example in EXAMPLES if mutation.name in KEEP],
    ids=lambda value: getattr(value, "name", ""),
)
def test_names_and_free_order_do_not_count(mutation: Mutation, example: Changes) -> None:
    assert fingerprint(example.before) == fingerprint(example.after)


@pytest.mark.parametrize(
    ("mutation", "example"),
    [(mutation, example) for mutation, example in EXAMPLES if mutation.name in CHANGE],
    ids=lambda value: getattr(value, "name", ""),
)
def test_another_structure_has_another_fingerprint(mutation: Mutation, example: Changes) -> None:
    assert fingerprint(example.before) != fingerprint(example.after)


@pytest.mark.long
@pytest.mark.parametrize("path", STARTERS, ids=lambda path: path.stem)
def test_mutants_of_the_starter_problems(path) -> None:
    source = path.read_text(encoding="utf-8")
    entry_point = re.findall(r"^def (\w+)", source, re.MULTILINE)[-1]
    original = fingerprint(source)
    assert isinstance(original, str)
    for mutation in ALL:
        if mutation.name in KEEP:
            for site in sites(mutation, source, entry_point):
                mutant = applied(mutation, source, site, seed=1).source
                assert fingerprint(mutant) == original, (mutation.name, mutant)


def test_literals_do_not_count_and_builtins_do() -> None:
    code = "def f(xs):\n    return sorted(xs)[0] + 1\n"
    assert fingerprint(code) == fingerprint(code.replace("0", "7").replace("1", "22"))
    assert fingerprint(code) != fingerprint(code.replace("sorted", "list"))
    assert fingerprint(code) != fingerprint(code.replace("+ 1", "+ True"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(s):\n    return s[1:]\n", "def f(s):\n    return s[:1]\n"),
        ("def f(s):\n    return s[::-1]\n", "def f(s):\n    return s[:-1]\n"),
        ("def f(m):\n    return zip(*m)\n", "def f(m):\n    return zip(m)\n"),
        ("def f(*a):\n    return a\n", "def f(a):\n    return a\n"),
        ("def f(*a):\n    return a\n", "def f(**a):\n    return a\n"),
        ("def f(a, /):\n    return a\n", "def f(a):\n    return a\n"),
        ("async def f(a):\n    return a\n", "def f(a):\n    return a\n"),
        ("def f(a):\n    return f'{a!r}'\n", "def f(a):\n    return f'{a}'\n"),
        ("from math import sin\nx = sin(1)\n", "from math import cos\nx = cos(1)\n"),
        ("import math\nx = math.gcd\n", "import cmath\nx = cmath.gcd\n"),
        ("from .a import b\nx = b\n", "from ..a import b\nx = b\n"),
        ("a = 1\n" * 60 + "b = a\n", "b = a\n" + "a = 1\n" * 60),
    ],
)
def test_small_differences_count(one: str, other: str) -> None:
    assert fingerprint(one) != fingerprint(other)


def test_a_long_block_is_read_in_one_pass_of_its_statements() -> None:
    lines = MAX_CHARACTERS // 4 - 10
    assert fingerprint("a=1\n" * lines) == fingerprint("b=2\n" * lines)


def test_which_variable_is_meant_counts() -> None:
    code = "def f(a, b):\n    c = a + 1\n    d = b + 1\n    return c - d\n"
    swapped = code.replace("c - d", "d - c")
    assert fingerprint(code) != fingerprint(swapped)
    renamed = code.replace("a", "q").replace("c", "z")
    assert fingerprint(code) == fingerprint(renamed)


def test_dependent_statements_keep_their_order() -> None:
    code = "def f(a):\n    a.append(1)\n    b = len(a)\n    return b\n"
    other = "def f(a):\n    b = len(a)\n    a.append(1)\n    return b\n"
    assert fingerprint(code) != fingerprint(other)


def test_what_has_no_structure_has_a_reason() -> None:
    deep = "x = " + "(" * 3_000 + "1" + ")" * 3_000
    wrong = {
        "x = (": "no_parse",
        "": "empty_code",
        "'''only a text'''\n": "empty_code",
        "x = 1\n" * MAX_CHARACTERS: "too_large",
        deep: "no_parse",  # Python's own parser refuses it as a SyntaxError
        "x = \0": "no_parse",
    }
    for source, reason in wrong.items():
        assert fingerprint(source) == NoFeature(reason)


def test_long_chains_do_not_end_the_process() -> None:
    rng = random.Random(0)
    chain = "x = " + " + ".join(str(rng.randint(0, 9)) for _ in range(900))
    found = fingerprint(chain)
    assert isinstance(found, str) or found == NoFeature("too_large")
