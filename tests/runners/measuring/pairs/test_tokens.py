"""Token measures on published examples and on texts that are not Python; pairs against a loop."""

import time
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners.measuring.pairs import TOKENIZERS
from runners.measuring.pairs.tokenizers import python_tokens, scc_tokens
from tests.support.sql import rows
from tests.support.steps import similarity_pairs
from tests.support.worlds.world import World

A = "def add(a, b):\n    total = a + b\n    return total\n"
B = A.replace("+", "-")
C = "def add(x, y):\n    total = x + y\n    return total\n"
D = "def add(a, b):\n    return a + b\n"


def shared(x: str, y: str) -> int:
    return (Counter(scc_tokens(x)) & Counter(scc_tokens(y))).total()


def test_scc_published_example() -> None:
    assert (len(scc_tokens(A)), len(scc_tokens(D))) == (9, 7)
    assert shared(A, B) == 9  # operators are separators, so opposite programs are clones
    assert shared(A, C) == 5
    assert shared(A, D) == 7


def test_scc_drops_comments_and_block_strings() -> None:
    assert scc_tokens('x = 1  # one\n\n"""two\nthree"""\ny') == ["x", "1", "y"]
    assert scc_tokens("'''four'''") == ["four"]  # only double quotes make a block comment


@pytest.mark.parametrize(
    ("source", "tokens"),
    [
        ("x=a+b", ["x", "=", "a", "+", "b"]),
        ("x //= 2**3", ["x", "//=", "2", "**", "3"]),
        ("def f():\n    '''doc\n    # no'''\n    'a#b'", ["def", "f", "(", ")", ":"]),
        ('"""doc"""\nx: "T" = 1.5e-3j', ["x", ":", '"T"', "=", "1.5e-3j"]),
        ("f(\n  'kept',\n)\n", ["f", "(", "'kept'", ",", ")"]),
        ('rb"\\"x" + F"{y!r}"', ['rb"\\"x"', "+", 'F"{y!r}"']),
        ("'a' 'b'\nx", ["x"]),
        ("'a'.join(b)", ["'a'", ".", "join", "(", "b", ")"]),
        ("x = 1; 'alone'; y", ["x", "=", "1", ";", ";", "y"]),
        ("naïve = 0x_fF", ["naïve", "=", "0x_fF"]),
        ("a = 'never closed\nb", ["a", "=", "'never closed", "b"]),
        ("return (\n", ["return", "("]),
        ("", []),
    ],
)
def test_python_tokens(source: str, tokens: list[str]) -> None:
    assert python_tokens(source) == tokens


@given(st.text(alphabet=st.sampled_from("ab1 \n\t#'\"\\()[]:;=+.\x00é\u2028"), max_size=60))
def test_any_text_has_tokens(source: str) -> None:
    for tokenise in map(TOKENIZERS.load, TOKENIZERS):
        assert all(token and not token.isspace() for token in tokenise(source))


def test_a_hostile_text_takes_linear_time() -> None:
    began = time.monotonic()
    for text in (
        "'" * 200_001,
        '"""' + "\\" * 200_000,
        "1_" * 100_000,
        "(" * 200_000,
        "'\\" * 99_999,
    ):
        for tokenise in map(TOKENIZERS.load, TOKENIZERS):
            tokenise(text)
    assert time.monotonic() - began < 10


def test_pairs_are_counted_once_and_match_a_loop(home: Path) -> None:
    world = World()
    world.run("r0", 0)
    problems = world.release("toy", "toy", 2, "r0")
    lm, setting = world.lm("lm"), world.setting("s1")
    sources = [A, B, C, D, "", "'''only a docstring'''\n"]
    given_to = {problems[0]: [A, B, C, D, A], problems[1]: ["", A, sources[5]]}
    for problem, codes in given_to.items():
        admission = world.admission(problem, "calibrated", "split", "r0")
        for index, code in enumerate(codes):
            name = f"c{sources.index(code)}"
            generation = world.generation(lm, setting, problem, index)
            program = world.program(name, problem, admission)
            world.evaluation(generation, problem, name, program, "r0")
    for row in world.raw["candidate"]:
        row["source"] = sources[int(row["candidate_id"][1:])]
    world.write(home / "warehouse.duckdb")

    report = similarity_pairs(pair_measures=[])
    expected = {}
    for codes in given_to.values():
        for x, y in combinations(codes, 2):
            first, second = sorted((f"c{sources.index(x)}", f"c{sources.index(y)}"))
            for measure in TOKENIZERS:
                tokenise = TOKENIZERS.load(measure)
                bags = [Counter(tokenise(sources[int(name[1:])])) for name in (first, second)]
                counts = ((bags[0] & bags[1]).total(), bags[0].total(), bags[1].total())
                expected[measure, first, second] = counts
    found = rows(
        "select measure, candidate_a, candidate_b, n_shared, n_tokens_a, n_tokens_b "
        "from facts.pair_counted"
    )
    assert {row[:3]: row[3:] for row in found} == expected
    assert len(found) == len(expected)
    assert report.pairs == {"scc_v1": len(found) // 2, "tokens_v2": len(found) // 2}
    assert similarity_pairs(pair_measures=[]).pairs == {}


def test_only_the_first_samples_are_paired_when_there_are_too_many(home: Path) -> None:
    world = World()
    world.run("r0", 0)
    problem = world.release("toy", "toy", 1, "r0")[0]
    lm, setting = world.lm("lm"), world.setting("s1")
    admission = world.admission(problem, "calibrated", "split", "r0")
    for index in range(6):
        generation = world.generation(lm, setting, problem, index)
        program = world.program(f"c{index}", problem, admission)
        world.evaluation(generation, problem, f"c{index}", program, "r0")
    world.write(home / "warehouse.duckdb")
    assert similarity_pairs(max_samples=3, measures=["scc_v1"], pair_measures=[]).pairs == {
        "scc_v1": 3
    }
    assert similarity_pairs(max_samples=4, measures=["scc_v1"], pair_measures=[]).pairs == {
        "scc_v1": 3
    }
