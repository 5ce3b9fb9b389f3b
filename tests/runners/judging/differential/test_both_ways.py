"""Split from its tests or in one interpreter with them, a program gets the same verdict.

Every disagreement is in ``explained`` with its reason; there is none besides, and each one that
is listed is found.
"""

from collections.abc import Iterator

import pytest

from runners.judging.sandbox.pool import Pool
from tests.runners.judging.differential import explained, programs
from tests.runners.judging.differential.planted import cases
from tests.runners.judging.differential.ways import (
    Disagreement,
    TriedProgram,
    WayVerdict,
    disagreements,
    split,
    together,
)

N_REFERENCES, N_INPUTS, N_MUTANTS, N_SAMPLES = 150, 10, 100, 150  # of the quick part


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(workers=2) as pool:
        yield pool


CASES = cases()
PLANTED = [programs.planted(case.name, case.program, case.tests) for case in CASES]
Both = tuple[dict[str, WayVerdict], dict[str, WayVerdict]]


@pytest.fixture(scope="module")
def planted(pool: Pool) -> Both:
    return split(pool, PLANTED), together(pool, PLANTED)


def test_cpython_says_of_each_planted_case_what_the_case_says(planted: Both) -> None:
    _, one = planted
    assert len(one) == len(CASES)
    wrong = [
        f"{case.name}: {one[case.name]}" for case in CASES if one[case.name].verdict != case.verdict
    ]
    assert wrong == []


def test_planted_cases_agree_but_for_those_explained(planted: Both) -> None:
    apart, one = planted
    listed = {name for names in explained.PLANTED.values() for name in names}
    assert explained.PLANTED.keys() <= explained.REASONS.keys()
    differing = {name for name in one if apart[name].verdict != one[name].verdict}
    new = [
        f"{name}: split {apart[name]}, one interpreter {one[name]}" for name in differing - listed
    ]
    assert new == []
    assert sorted(listed - differing) == []  # take these off the list


def test_no_explanation_lets_a_wrong_program_pass(planted: Both) -> None:
    """Where the two ways differ on purpose, split is the stricter one; lent modules excepted."""
    apart, _ = planted
    strict = {
        name
        for reason, names in explained.PLANTED.items()
        for name in names
        if reason != "lent modules"
    }
    assert [name for name in strict if apart[name].verdict == "passed"] == []


def test_random_walks_over_shared_objects_agree(pool: Pool) -> None:
    chosen = [*programs.walks(0, 20, 1), *programs.walks(100, 20, 10)]
    assert {each.verdict for each in together(pool, chosen).values()} == {"passed"}
    wrong = [key for key, found in split(pool, chosen).items() if found.verdict != "passed"]
    assert wrong == []


@pytest.mark.slow
def test_300_long_walks_agree(pool: Pool) -> None:
    chosen = programs.walks(1000, 300, 15)
    check(disagreements(pool, chosen), chosen)


@pytest.mark.long
def test_a_share_of_the_real_programs_agrees(pool: Pool) -> None:
    tests = {name: programs.tests_of(name) for name in programs.ASSERTS}
    few = dict(list(programs.tests_of("humaneval_plus").items())[:N_INPUTS])
    chosen = [
        *programs.references(programs.with_outputs(pool, few)),
        *programs.spread(
            [each for one in tests.values() for each in programs.references(one)], N_REFERENCES
        ),
        *programs.spread(programs.mutants(tests["humaneval"]), N_MUTANTS),
        *programs.spread(programs.codegen(tests["humaneval"]), N_SAMPLES),
        *programs.spread(programs.seeds("mbpp", tests["mbpp"]), N_SAMPLES),
    ]
    check(disagreements(pool, chosen), chosen)


@pytest.mark.slow
def test_every_reference_every_mutant_and_2000_samples_agree(pool: Pool) -> None:
    tests = {name: programs.tests_of(name) for name in programs.ASSERTS}
    plus = {name: programs.with_outputs(pool, programs.tests_of(name)) for name in programs.INPUTS}
    references = [each for one in (tests | plus).values() for each in programs.references(one)]
    assert len(references) == 164 + 974 + 427 + 48 + 164 + 378
    samples = [
        *programs.spread(programs.codegen(tests["humaneval"]), 800),
        *programs.spread(programs.seeds("humaneval", tests["humaneval"]), 400),
        *programs.spread(programs.seeds("mbpp", tests["mbpp"]), 600),
        *programs.spread(programs.profiled(plus["humaneval_plus"]), 100),
        *programs.spread(programs.profiled(plus["mbpp_plus"]), 100),
    ]
    assert len(samples) == 2000
    chosen = [*references, *programs.mutants(tests["humaneval"]), *samples]
    check(disagreements(pool, chosen), chosen)


def check(found: list[Disagreement], chosen: list[TriedProgram]) -> None:
    """Compare with the programs that are explained; those not chosen have no say."""
    keys = {each.key for each in chosen}
    listed = keys & explained.REAL.keys()
    assert set(explained.REAL.values()) <= explained.REASONS.keys()
    assert [str(each) for each in found if each.program.key not in listed] == []
    assert sorted(listed - {each.program.key for each in found}) == []  # take these off the list
