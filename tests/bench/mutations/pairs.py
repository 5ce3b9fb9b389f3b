"""Pairs of programs from the references, and what both programs of a pair do on the same inputs."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ingest.datasets import humaneval, humaneval_plus, mbpp, mbpp_plus
from ingest.mutations import mutants
from ingest.mutations.base import Decline, Mutated, seed_of
from ingest.mutations.source.cut import Cut
from ingest.mutations.source.program import ParsedProgram, parse_program
from ingest.problems.drafts import ProblemDraft
from models.words import ERROR, PASSED, SAME_INTERPRETER, SPLIT
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import OUTPUTS, Job, Limits, Result, Suite
from tests.data import FILES, shared

LIMITS = Limits(cpu_s=5.0, wall_s=60.0)
ONE_SECOND = Limits(cpu_s=1.0, wall_s=60.0)
N_INPUTS = 50
PROBE = "assay_probe"
BOTH = f"""
def {PROBE}(*arguments):
    result = {{entry_point}}(*arguments)
    return [result, arguments]
"""
"""What is compared of a call: its result, and what became of its arguments."""


@dataclass(frozen=True)
class JudgedPair:
    """A reference and its mutant at one site; ``draft`` is their problem."""

    draft: ProblemDraft
    mutation: str
    version: int
    original: str
    mutant: str


Effects = list[str | None]
"""For each input the encoded result, or the error; None where the program did not get so far."""

Asked = tuple[tuple[str, str], Sequence[int]]
"""A program by problem and text, and the places of the inputs it is run on."""


@dataclass
class Soundness:
    """What the comparison of pairs found; a mismatch names pair and input."""

    pairs: Counter[str] = field(default_factory=Counter)
    n_inputs: int = 0
    n_undecided: int = 0
    mismatches: list[str] = field(default_factory=list)

    def add(self, other: "Soundness") -> None:
        """Add what was found of other pairs."""
        self.pairs += other.pairs
        self.n_inputs += other.n_inputs
        self.n_undecided += other.n_undecided
        self.mismatches += other.mismatches


def references() -> list[ProblemDraft]:
    """Return HumanEval and MBPP, 1,138 problems."""
    return [
        *humaneval.read(shared(FILES["humaneval"])),
        *mbpp.read(shared(FILES["mbpp"])),
    ]


def unseen_inputs(drafts: Iterable[ProblemDraft]) -> dict[str, tuple[str, ...]]:
    """Return at most 50 encoded argument lists per problem, evenly taken from the plus inputs."""
    plus = {
        draft.task_id.replace("Mbpp/", "MBPP/"): draft
        for draft in (
            *humaneval_plus.read(shared(FILES["humaneval_plus"])),
            *mbpp_plus.read(shared(FILES["mbpp_plus"])),
        )
    }
    found: dict[str, tuple[str, ...]] = {}
    for draft in drafts:
        other = plus.get(draft.task_id)
        if other is not None and other.entry_point == draft.entry_point:
            texts = [test.body for test in other.tests if test.suite == "plus"]
            if texts:
                found[draft.task_id] = tuple(spread(texts, N_INPUTS))
    return found


def kept_pairs(drafts: Iterable[ProblemDraft]) -> list[JudgedPair]:
    """Return the pairs of every mutation and version that some edition can cut."""
    found = []
    for draft in drafts:
        source = source_of(draft)
        program = parse_program(source, draft.entry_point)
        assert isinstance(program, ParsedProgram), (draft.task_id, program)
        for scan in mutants.scans():
            mutation = scan.mutation
            seed = seed_of(draft.task_id, mutation.name, mutation.version)
            for site in mutation.sites(program):
                if isinstance(site, Decline):
                    continue
                result = mutation.apply(source, site, seed)
                assert isinstance(result, Mutated), (draft.task_id, result)
                cuts = [
                    mutation.cut(source, site, result, draft.entry_point, edition)
                    for edition in scan.editions
                ]
                if any(isinstance(cut, Cut) for cut in cuts):
                    found.append(
                        JudgedPair(
                            *(draft, mutation.name, mutation.version),
                            *(source, result.source),
                        )
                    )
    return found


def source_of(draft: ProblemDraft) -> str:
    """Return a problem's reference as a whole program."""
    return draft.prompt + draft.reference + draft.suffix


def spread(items: Sequence[Any], most: int) -> list[Any]:
    """Return at most so many of the items, evenly taken."""
    n = min(most, len(items))
    return [items[place * len(items) // n] for place in range(n)]


def passing(pool: Pool, pairs: Sequence[JudgedPair]) -> list[JudgedPair]:
    """Return the pairs of which both programs pass the problem's own tests."""
    programs = {
        (pair.draft.task_id, source): pair.draft
        for pair in pairs
        for source in (pair.original, pair.mutant)
    }
    good: set[tuple[str, str]] = set()
    for mode in (SPLIT, SAME_INTERPRETER):
        left = [key for key in programs if key not in good]
        jobs = (
            Job(str(number), key[1], own_tests(programs[key]), LIMITS, mode)
            for number, key in enumerate(left)
        )
        good |= {left[int(each.key)] for each in pool.run(jobs) if each.verdict == PASSED}
    return [
        pair
        for pair in pairs
        if {(pair.draft.task_id, pair.original), (pair.draft.task_id, pair.mutant)} <= good
    ]


def own_tests(draft: ProblemDraft) -> Suite:
    """Return the asserts of a problem."""
    return Suite(
        *(draft.task_id, draft.entry_point, draft.setup_code, draft.test_code),
        *((), None, "exact", 0.0),
    )


def compare(
    pool: Pool, pairs: Sequence[JudgedPair], inputs: dict[str, tuple[str, ...]]
) -> Soundness:  # fmt: skip
    """Run both programs of each pair on the inputs of its problem and compare input by input.

    An input that the original does not reach within a second decides nothing.
    """
    found = Soundness()
    originals = {(pair.draft.task_id, pair.original): pair.draft for pair in pairs}
    expected = {
        task: effects
        for (task, _), effects in effects_of(pool, originals, inputs, ONE_SECOND).items()
    }
    decided = {
        task: tuple(text for text, effect in zip(inputs[task], effects, strict=True) if effect)
        for task, effects in expected.items()
    }
    mutants = {(pair.draft.task_id, pair.mutant): pair.draft for pair in pairs}
    effects = effects_of(pool, mutants, decided, LIMITS)
    for pair in pairs:
        task = pair.draft.task_id
        found.pairs[f"{pair.mutation} {pair.version}"] += 1
        before = [effect for effect in expected[task] if effect]
        found.n_inputs += len(before)
        found.n_undecided += len(expected[task]) - len(before)
        after = effects[task, pair.mutant]
        for text, one, other in zip(decided[task], before, after, strict=True):
            if one != other:
                where = f"{task} {pair.mutation} {pair.version} on {text[:200]}"
                found.mismatches.append(f"{where}: {one[:80]} and {(other or '?')[:80]}")
    return found


def effects_of(
    pool: Pool,
    programs: dict[tuple[str, str], ProblemDraft],
    inputs: dict[str, tuple[str, ...]],
    limits: Limits,
) -> dict[tuple[str, str], Effects]:
    """Return what each program does on the inputs of its problem, run in one process.

    No output is handed over where one input raises: the others are then run again.
    """

    def run(asked: list[Asked]) -> Iterator[tuple[Asked, Result]]:
        jobs = (
            _job(str(number), programs[key], key[1], [inputs[key[0]][at] for at in places], limits)
            for number, (key, places) in enumerate(asked)
        )
        for result in pool.run(jobs):
            (key, places) = asked[int(result.key)]
            _fill(found[key], places, result)
            yield (key, places), result

    found: dict[tuple[str, str], Effects] = {
        key: [None] * len(inputs[key[0]]) for key in programs
    }  # fmt: skip
    calm = [
        (key, [at for at, test in zip(places, result.tests, strict=False) if test.status == PASSED])
        for (key, places), result in run(
            [(key, range(len(effects))) for key, effects in found.items()]
        )
        if result.outputs is None
    ]
    deque(run([(key, places) for key, places in calm if places]), maxlen=0)
    return found


def _job(name: str, draft: ProblemDraft, source: str, inputs: Sequence[str], limits: Limits) -> Job:
    texts = tuple(inputs)
    suite = Suite(
        *(f"{draft.task_id} {texts}", PROBE, draft.setup_code, None, texts, None, "exact", 0.0)
    )
    probe = BOTH.format(entry_point=draft.entry_point)
    return Job(name, f"{source}\n{probe}", suite, limits, OUTPUTS)


def _fill(effects: Effects, places: Sequence[int], result: Result) -> None:
    if result.outputs is not None:
        for place, output in zip(places, result.outputs, strict=True):
            effects[place] = output
    else:
        for place, test in zip(places, result.tests, strict=False):
            if test.status == ERROR:
                effects[place] = f"error {test.message}"
