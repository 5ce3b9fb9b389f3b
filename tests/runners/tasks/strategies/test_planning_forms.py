"""The forms of a plan's replies: what is read, what is refused, and why."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners.tasks.strategies.plan_forms import (
    MOST_SOLUTIONS,
    BadForm,
    ListedSolution,
    chosen_solution,
    fault_of_choice,
    fault_of_solutions,
    listed_solutions,
)

WORDS = ("sort", "two loops", "a set", "dynamic programming", "binary search", "3-way merge")
HEADS = ("{n}. {name}: how", "{n}) {name}", "**{n}. {name}**", "### {n}. {name} - how")
WORDED = ("Solution {n}: {name}", "**Solution {n}: {name}**", "## Solution {n}: {name}")
LISTED = [ListedSolution(1, "sort"), ListedSolution(2, "sort twice"), ListedSolution(3, "a set")]
names = st.lists(st.sampled_from(WORDS), min_size=1, max_size=MOST_SOLUTIONS, unique=True)


@given(names=names, head=st.sampled_from(HEADS + WORDED), intro=st.booleans())
def test_every_list_in_form_is_read(names: list[str], head: str, intro: bool) -> None:
    lines = ["Here are the solutions:"] if intro else []
    for n, name in enumerate(names, 1):
        lines += [head.format(n=n, name=name.title()), "   1. a step", "   - O(n)", ""]
    expected = [ListedSolution(n, name) for n, name in enumerate(names, 1)]
    assert listed_solutions("\n".join(lines)) == expected


@given(names=names, head=st.sampled_from(WORDED))
def test_steps_may_be_numbered_below_headings_with_the_word(names: list[str], head: str) -> None:
    parts = [head.format(n=n, name=name) + "\n1. x\n2. y" for n, name in enumerate(names, 1)]
    assert [each.name for each in listed_solutions("\n".join(parts))] == names


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("", "no line begins"),
        ("I would sort.", "no line begins"),
        ("- sort\n- a set", "no line begins"),
        ("1.5 times faster", "no line begins"),
        ("1. sort\n3. a set", "numbered 1, 3"),
        ("2. sort", "numbered 2"),
        ("0. sort\n1. a set", "numbered 0, 1"),
        ("1. sort\n1. x\n2. a set", "numbered 1, 1, 2"),
        ("1. a\n2. b\n3. c\n4. d", "4 solutions, at most 3"),
        ("1. a\n2.\n", "solution 2 has no name"),
        ("1. Sort: fast\n2. **sort**", "the same name"),
    ],
)
def test_a_list_of_another_form_is_refused_with_what_is_wrong(reply: str, fault: str) -> None:
    assert fault in (fault_of_solutions(reply, {}) or "")


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        ("2", 2),
        ("**2.**", 2),
        ("2. Sort twice", 2),
        ("Solution 3", 3),
        ("\n## Chosen: solution 1\nSolution 2 is slower.", 1),
        ("I choose a set.", 3),
        ("Sort twice: it is right", 2),
        ("Sort", 1),
    ],
)
def test_a_choice_is_read_in_its_first_line(reply: str, number: int) -> None:
    assert chosen_solution(reply, LISTED).number == number


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("", "names no solution"),
        ("The best one:\nSolution 1", "names no solution"),
        ("resort", "names no solution"),
        ("Solution 4", "names solution 4 of 3"),
        ("0", "names solution 0 of 3"),
        ("Solution 1 or solution 2", "names several"),
        ("1. A set", "names several"),
        ("sort a set", "names several"),
    ],
)
def test_a_choice_that_names_not_one_solution_is_refused(reply: str, fault: str) -> None:
    listed = "1. Sort\n2. Sort twice\n3. A set"
    assert listed_solutions(listed) == LISTED
    assert fault in (fault_of_choice(reply, {"plan_solutions_v1": listed}) or "")


@given(reply=st.text(alphabet="123. )*#:\nSolution asetrt", max_size=60), cut=st.integers(0, 60))
def test_any_text_is_read_or_refused_and_never_read_as_more(reply: str, cut: int) -> None:
    try:
        found = listed_solutions(reply)
    except BadForm:
        return
    assert [each.number for each in found] == [*range(1, len(found) + 1)]
    assert 1 <= len(found) <= MOST_SOLUTIONS
    assert len({each.name for each in found}) == len(found)
    try:
        assert chosen_solution(reply[cut:], found) in found
    except BadForm:
        return
