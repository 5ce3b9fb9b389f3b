"""Both programs of a pair do the same on inputs that no test has; ReCode's mutants beside ours."""

import pytest

from runners.judging.sandbox.pool import Pool
from tests.bench.mutations import recode
from tests.bench.mutations.pairs import (
    JudgedPair,
    compare,
    kept_pairs,
    passing,
    references,
    source_of,
    spread,
    unseen_inputs,
)


@pytest.mark.long
def test_forty_pairs_do_the_same_on_fifty_inputs_each(pool: Pool) -> None:
    """All 2,708 pairs take many minutes: ``python -m tests.bench.mutations --sound``."""
    drafts = references()
    inputs = unseen_inputs(drafts)
    some = spread([draft for draft in drafts if draft.task_id in inputs], 12)
    pairs = spread(kept_pairs(some), 40)
    assert passing(pool, pairs) == pairs
    found = compare(pool, pairs, inputs)
    assert found.pairs.total() == 40
    assert found.n_inputs + found.n_undecided == sum(
        len(inputs[pair.draft.task_id]) for pair in pairs
    )
    assert found.n_inputs >= 1800
    assert found.mismatches == []


def planted(task_id: str, old: str, new: str) -> JudgedPair:
    """A pair whose mutant is a rewriting of our own."""
    (draft,) = [each for each in recode.humaneval_problems() if each.task_id == task_id]
    mutant = source_of(draft).replace(old, new)
    assert mutant != source_of(draft)
    return JudgedPair(draft, "planted", 1, source_of(draft), mutant)


def test_a_pair_that_differs_on_one_input_is_found(pool: Pool) -> None:
    inputs = {"HumanEval/60": ("[1]", "[7]", "[9]")}  # the sum of the numbers up to n
    late = planted("HumanEval/60", "return sum", "return 0 if n == 7 else sum")
    loud = planted("HumanEval/60", "return sum", "1 // (n - 7)\n    return sum")
    same = planted("HumanEval/60", "return sum", "return 0 + sum")
    found = compare(pool, [late, same, loud], inputs)
    assert (found.n_inputs, found.n_undecided) == (9, 0)
    assert [each.split(" on ")[1][:3] for each in found.mismatches] == ["[7]", "[7]"]


def test_inputs_that_raise_or_never_end_are_told_apart(pool: Pool) -> None:
    inputs = {"HumanEval/60": ("[1]", '["a"]', "[1000000000000]", "[2]")}
    other = planted("HumanEval/60", "return sum", "n - 0\n    return sum")
    same = planted("HumanEval/60", "return sum", "return 0 + sum")
    found = compare(pool, [same, other], inputs)
    # what is behind the input that never ends is not reached either
    assert (found.n_inputs, found.n_undecided) == (4, 4)
    assert len(found.mismatches) == 1  # another TypeError


def test_what_becomes_of_the_arguments_counts(pool: Pool) -> None:
    pair = planted("HumanEval/35", "    return m\n", "    l.append(0)\n    return m\n")
    found = compare(pool, [pair], {"HumanEval/35": ("[[1, 2]]",)})
    assert len(found.mismatches) == 1


@pytest.mark.parametrize("name", recode.MUTATIONS)
def test_recode_changes_what_it_did_when_it_was_measured(name: str) -> None:
    problems = recode.humaneval_problems()
    pairs = recode.their_pairs(problems, name)
    assert len(pairs) == recode.CHANGED[name]
    assert all(recode.MARKER in pair.mutant for pair in pairs)
    assert not any(recode.MARKER in pair.original for pair in pairs)


@pytest.mark.long
def test_six_of_recodes_while_loops_are_other_programs_and_none_of_ours(pool: Pool) -> None:
    """19 and 105 do not compile and 91 lost a backslash; the others changed with the loop.

    In 75 continue passes by the counting, 95 indexes a dict's keys, 150 lost the loop's else.
    """
    problems = recode.humaneval_problems()
    theirs = recode.their_pairs(problems, "ForWhileTransformer")
    good = {pair.draft.task_id for pair in passing(pool, theirs)}
    failing = {pair.draft.task_id for pair in theirs} - good
    assert failing == {f"HumanEval/{number}" for number in (19, 75, 91, 95, 105, 150)}
    ours = [pair for pair in kept_pairs(problems) if pair.mutation == "for_while"]
    assert len(ours) == 41
    assert passing(pool, ours) == ours
