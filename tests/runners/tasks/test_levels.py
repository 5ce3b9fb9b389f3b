"""What a reply of a judge says, by both readers, and what each template shows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.words import JUDGE_MEASURES, RATING_NULL_REASONS
from runners.tasks.judges import JUDGES
from runners.tasks.judges.forms import shown
from runners.tasks.judges.levels import ReadLevel, last_line, only_number
from runners.tasks.templates import load

NONE = ReadLevel(None, "no_level")
OUTSIDE = ReadLevel(None, "out_of_range")
EMPTY = ReadLevel(None, "empty_reply")
SEVERAL = ReadLevel(None, "unreadable")


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        (" 4", ReadLevel(4)),
        ("Level: 2\nBecause of the loop.", ReadLevel(2)),
        ("**4.**", ReadLevel(4)),
        ("05", ReadLevel(5)),
        ("4.0", ReadLevel(4)),
        ("4. Level 4: near copies.", ReadLevel(4)),
        ("5/5", ReadLevel(5)),
        ("4/5", SEVERAL),
        ("3-4", SEVERAL),
        ("On a scale of 1 to 5 I say 4.", SEVERAL),
        ("Code 1 and code 2 are unlike.", SEVERAL),
        ("10 lines are alike: 4", SEVERAL),
        ("3.9", OUTSIDE),
        ("-4", OUTSIDE),
        ("I would say 7.", OUTSIDE),
        ("0", OUTSIDE),
        ("9" * 5000, OUTSIDE),
        ("٤", NONE),
        ("They look alike.", NONE),
        (" \n\t", EMPTY),
        ("", EMPTY),
    ],
)
def test_version_1_reads_the_only_number(reply: str, found: ReadLevel) -> None:
    assert only_number(reply) == found


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ("Both sort.\nSimilarity: 4", ReadLevel(4)),
        ("1 of 5 lines differs.\n\n**Similarity: 3**\n\n", ReadLevel(3)),
        ("similarity : 1.", ReadLevel(1)),
        ("Similarity: 5\nSimilarity: 2", ReadLevel(2)),
        ("Similarity: 6", OUTSIDE),
        ("Similarity: 0", OUTSIDE),
        ("4", NONE),
        ("Similarity: 4/5", NONE),
        ("Similarity: 4.5", NONE),
        ("Similarity: -4", NONE),
        ("Similarity: 4\nThat is my answer.", NONE),
        ("Similarity: high", NONE),
        ("The similarity: 4", NONE),
        ("", EMPTY),
    ],
)
def test_version_2_reads_the_last_line_in_its_form_alone(reply: str, found: ReadLevel) -> None:
    assert last_line(reply) == found


def test_a_long_last_line_is_read_at_once() -> None:
    """Its marks are read once: marks tried at each place would take hours here."""
    assert last_line("Similarity: 4" + "*" * 1_000_000 + "x") == NONE


@given(st.text())
def test_no_text_is_an_error(reply: str) -> None:
    for read in (only_number, last_line):
        found = read(reply)
        assert (found.level is None) == (found.null_reason in RATING_NULL_REASONS)


def test_templates_show_both_programs_and_the_form_that_is_read() -> None:
    forms = {name: JUDGES.load(name) for name in JUDGES}
    assert {form.measure for form in forms.values()} == set(JUDGE_MEASURES)
    for name, form in forms.items():
        template = load(name)
        assert template.places == {"first", "second"}
        said = template.render(first="a = {{second}}", second="b")
        assert "a = {{second}}" in said, "what is filled in is not read again"
        example = said.splitlines()[-1].replace("N", "3")
        assert form.read(example + (" 3" if example.endswith(":") else "")).level == 3


def test_comments_and_docstrings_are_not_shown() -> None:
    source = '"""What it is."""\n\ndef f(x):\n    \'\'\'Doc.\'\'\'\n    return "a#b"  # why\n'
    assert shown(source).split() == ["def", "f(x):", "return", '"a#b"']
    assert shown("# nothing but this\n") == ""
