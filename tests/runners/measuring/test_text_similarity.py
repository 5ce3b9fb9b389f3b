"""BLEU and chrF on the paper's own examples and by hand; what holds for every measure."""

import random
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from models.words import TEXT_MEASURES
from runners.measuring.similarity import MEASURES
from runners.measuring.similarity.codebleu import codebleu_v1
from runners.measuring.similarity.texts import bleu_intl_v1, chrf_v1
from tests.data import ROOT
from tests.support.oracles.similarity.texts import chrf

TEXTS = st.text(max_size=40) | st.text("ab (:)'\"\\#\n\t\x00=+.é\u200b\U0001f600", max_size=80)
WORDS = st.lists(st.sampled_from(["a", "bb", "if", "né", "x1"]), min_size=1, max_size=12)

FLAGS = "Is `strings.Fields(ctx.Config.Build.Flags)` better?"
LENGTH = "I think `Length` is more legible here as `Size` might infer actual size in bytes"
PUBLISHED = {
    FLAGS: {
        "Please switch to strings.Fields() and keep the code consistent with above.": 15.917,
        "Please use correct strings.Fields call.": 7.171,
        "This should use a Go-style append of `strings.Fields(ctx.Config.Build.Flags)` to cmd.": (
            50.868
        ),
    },
    LENGTH: {
        "please use the length ( Length() ) method instead of the size() method.": 2.416,
        'In this case, "Size" is not a good thing to read. "Length" is better.': 2.390,
        "Please use Length() instead of Size() as this code will work more correctly across "
        "different go versions.": 2.443,
    },
}


def bleu(candidate: str, reference: str) -> float:
    value = bleu_intl_v1(candidate, reference)["bleu"]
    assert value is not None
    return value


@pytest.mark.parametrize(
    ("reference", "candidate", "printed"),
    [(ref, text, printed) for ref, texts in PUBLISHED.items() for text, printed in texts.items()],
)
def test_bleu_is_the_papers(reference: str, candidate: str, printed: float) -> None:
    """Allamanis et al. 2024 (arXiv 2402.08699), appendix, in percent to three decimals."""
    assert round(100 * bleu(candidate, reference), 3) == printed


@pytest.mark.parametrize(("reference", "printed"), [(FLAGS, 24.652), (LENGTH, 2.416)])
def test_the_mean_bleu_of_an_example_is_the_papers(reference: str, printed: float) -> None:
    values = [bleu(candidate, reference) for candidate in PUBLISHED[reference]]
    assert round(100 * sum(values) / 3, 3) == printed


@pytest.mark.parametrize(
    ("candidate", "reference", "expected"),
    [
        ("a b c d", "a b c e", (3 / 4 * 2 / 3 * 1 / 2 * 1 / 2) ** 0.25),  # no 4-gram: half a match
        ("a b", "a b c", 0.6065306597126334),  # exp(1 - 3/2), two orders only
        ("a b c", "a b", (2 / 3 * 1 / 2 * 1 / 2) ** (1 / 3)),
        ("A", "a", 0.0),
        ("f(x)", "f ( x )", 1.0),  # the tokenizer splits punctuation
        ("1.5", "1 . 5", 0.0),  # but not inside a number
    ],
)
def test_bleu_by_hand(candidate: str, reference: str, expected: float) -> None:
    assert bleu(candidate, reference) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("candidate", "reference", "expected"),
    [
        ("ab", "abc", 7 / 11),  # P = 1, R = (2/3 + 1/2) / 2
        ("abc", "ab", 7 / 8),
        ("abcd", "bcda", 13 / 24),  # (1 + 2/3 + 1/2 + 0) / 4
        ("a b", "ab", 1.0),
        ("A", "a", 0.0),
        ("é😀", "é", 5 / 6),  # P = 1/2, R = 1, one order
    ],
)
def test_chrf_by_hand(candidate: str, reference: str, expected: float) -> None:
    assert chrf_v1(candidate, reference) == {"chrf": pytest.approx(expected)}
    assert float(chrf(candidate, reference)) == pytest.approx(expected)


@given(st.text("ab \né", max_size=12), st.text("ab \né", max_size=12).filter(str.strip))
def test_chrf_is_the_oracles(candidate: str, reference: str) -> None:
    assert chrf_v1(candidate, reference) == {
        "chrf": pytest.approx(float(chrf(candidate, reference)))
    }


@pytest.mark.parametrize("measure", MEASURES)
@given(candidate=TEXTS, reference=TEXTS)
@example(candidate="\ud800", reference="\ud800 = 1")
@example(candidate="\x1c", reference="x")
def test_any_text_has_fractions(measure: str, candidate: str, reference: str) -> None:
    found = MEASURES.load(measure)(candidate, reference)
    assert tuple(found) == TEXT_MEASURES[measure]
    assert all(value is None or 0 <= value <= 1 for value in found.values())
    undefined = {name for name, value in found.items() if value is None}
    if reference.strip():
        assert undefined <= {"dataflow_match"}
    else:
        assert undefined == set(found)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("blank", ["", " \t\n", "\u2003"])
def test_an_empty_candidate_has_nothing_and_an_empty_reference_is_undefined(
    measure: str, blank: str
) -> None:
    compare = MEASURES.load(measure)
    assert set(compare(blank, "x = y").values()) == {0.0}
    assert set(compare("x = y", blank).values()) == {None}
    assert set(compare(blank, blank).values()) == {None}


@pytest.mark.parametrize("measure", ["bleu_intl_v1", "chrf_v1"])
@given(text=TEXTS.filter(str.strip))
def test_a_text_is_like_itself(measure: str, text: str) -> None:
    (value,) = MEASURES.load(measure)(text, text).values()
    assert value == pytest.approx(1)


@pytest.mark.parametrize("measure", MEASURES)
@given(words=WORDS, seed=st.integers(0, 99))
def test_order_alone_is_measured_the_same_from_both_sides(
    measure: str, words: list[str], seed: int
) -> None:
    """With equal lengths, precision is recall; trees have another number of parts."""
    shuffled = random.Random(seed).sample(words, len(words))
    one, other = " ".join(words), " ".join(shuffled)
    compare = MEASURES.load(measure)
    here, there = compare(one, other), compare(other, one)
    for name in set(here) - {"syntax_match", "dataflow_match"}:
        assert here[name] == pytest.approx(there[name])


def test_length_decides_which_side_matters() -> None:
    assert bleu("a b c", "a b") != bleu("a b", "a b c")
    assert codebleu_v1("a b c", "a b") != codebleu_v1("a b", "a b c")


def test_the_libraries_load_with_the_first_text() -> None:
    code = (
        "import sys\n"
        "from runners.measuring.similarity import MEASURES\n"
        "found = [MEASURES.load(name) for name in MEASURES]\n"
        "print({'sacrebleu', 'tree_sitter', 'tree_sitter_python'} & set(sys.modules))\n"
        "[measure('a', 'a') for measure in found]\n"
        "print(len({'sacrebleu', 'tree_sitter'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:2] == ["set()", "2"]
