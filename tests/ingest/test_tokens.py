"""Tokens placed in the text they spell."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.fields import Fields
from ingest.tokens import from_top_columns, kept_tokens, log_probability, top_columns
from models.words import SENTINEL_LOGPROB
from warehouse.errors import BadInput

HERE = Fields({}, "made.jsonl", 4)


def test_only_tokens_with_a_character_inside_are_kept():
    tokens = ["  re", "turn 1", "\n#", " x", ""]
    assert kept_tokens(tokens, "  return 1\n# x", 0, 10) == [True, True, False, False, False]


def test_a_token_astride_the_end_is_kept():
    assert kept_tokens(["ab", "cd"], "abcd", 0, 3) == [True, True]
    assert kept_tokens(["ab", "cd"], "abcd", 2, 4) == [False, True]


def test_what_follows_the_text_is_not_kept():
    assert kept_tokens(["ab", "\nclass", "<|end|>"], "ab", 0, 2) == [True, False, False]


def test_a_stop_string_cut_out_of_a_token():
    assert kept_tokens(["ab", "c\ndef"], "abc", 0, 3) == [True, True]


def test_halves_of_a_character_are_placed_with_it():
    assert kept_tokens(["a", "�", "�", "b"], "aéb", 0, 3) == [True, True, True, True]
    assert kept_tokens(["a", "�", "�", "b"], "aéb", 0, 1) == [True, False, False, False]


def test_a_special_token_that_the_text_leaves_out_is_not_kept():
    tokens = ["a", "<|fim_middle|>", "b", "<s>", "c", "</s>"]
    assert kept_tokens(tokens, "ab<s>c", 0, 6) == [True, False, True, True, True, False]
    assert kept_tokens(["a", "", "<pad>", "b", "c"], "a�bc", 0, 4) == [
        *(True, False, False, True, True),
    ]
    with pytest.raises(ValueError, match="'<a b>'"):
        kept_tokens(["a", "<a b>", "b"], "ab", 0, 2)


def test_a_token_may_hold_a_character_that_cannot_be_read():
    tokens = ["a", "", "�bcdefghijkl", "mn", "o"]
    assert kept_tokens(tokens, "a�bcdefghijklmno", 0, 16) == [True, False, True, True, True]


@pytest.mark.parametrize("tokens", [["abc", "x"], ["ab"], []])
def test_tokens_that_spell_another_text_are_refused(tokens):
    with pytest.raises(ValueError, match="token"):
        kept_tokens(tokens, "abcd", 0, 4)


@given(st.lists(st.text(max_size=4), max_size=20), st.data())
def test_kept_tokens_agree_with_a_count_of_characters(tokens, data):
    tokens = [token for token in tokens if "�" not in token and "bytes:" not in token]
    text = "".join(tokens)
    end = data.draw(st.integers(0, len(text)))
    expected, place = [], 0
    for token in tokens:
        expected.append(any(n < end for n in range(place, place + len(token))))
        place += len(token)
    assert kept_tokens(tokens, text, 0, end) == expected


ALTERNATIVES = st.lists(
    st.none() | st.lists(st.tuples(st.text(max_size=3), st.floats(-99, 0)), max_size=3), max_size=4
)


@given(st.none() | ALTERNATIVES)
def test_alternatives_come_back_from_their_columns(alternatives):
    tokens, logprobs = top_columns(alternatives)
    lengths = [
        column and [place and len(place) for place in column] for column in (tokens, logprobs)
    ]
    assert lengths[0] == lengths[1]
    assert from_top_columns(tokens, logprobs) == alternatives


@pytest.mark.parametrize(
    ("given", "stored"),
    [(-1.5, -1.5), (0, 0.0), (1e-4, 0.0), (5e-5, 0.0), (-math.inf, SENTINEL_LOGPROB)],
)
def test_log_probabilities_up_to_rounding(given, stored):
    assert log_probability(HERE, given, "logprobs[0]") == stored


@pytest.mark.parametrize("bad", [1.1e-4, math.nan, math.inf, "-1", None, True])
def test_bad_log_probabilities_are_refused(bad):
    with pytest.raises(BadInput, match=r"made\.jsonl:4: .*logprobs\[0\]"):
        log_probability(HERE, bad, "logprobs[0]")
