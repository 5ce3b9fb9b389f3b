"""Samples in three styles, drawn with known chances, and what Sim@K then is under each measure.

A program adds, subtracts or says ``and`` twelve times, and ends with a number. The operator is its
style, and the number says whether it is right. Style and verdict are drawn independently for each
sample. So Sim@K has the expected value of the similarity of two programs that are drawn
independently: a sum over the six kinds of programs.
"""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import sqrt
from typing import Any

import numpy as np

from runners.measuring.pairs import PAIR_MEASURES
from runners.measuring.pairs.base import Material
from tests.support.oracles.similarity.scores import tfidf_cosine
from tests.support.worlds.world import World

N_PROBLEMS, N_SAMPLES = 64, 10
OPERATORS = ("+", "-", "and")
N_OPERATORS = 12
SHARES = (0.5, 0.3, 0.2)
"""The chance of each style."""
PASS_RATE = 0.6
CPU_S = (0.1, 0.2, 0.4)
FAILING = ({0, 1}, {1, 2}, {3})
"""What right and wrong programs of each style do, on four tests."""
N_TESTS = 4
N_TOKENS = N_NODES = 32
"""Of a program: def f ( x ) : return x, then an operator and an operand twelve times. As a tree:
module, function, name, parameters, x, block, return, operators and operands."""


@dataclass(frozen=True)
class StyleKind:
    """A style, and whether the program is right."""

    style: int
    is_right: bool

    @property
    def chance(self) -> float:
        """How probable a sample of this kind is."""
        return SHARES[self.style] * (PASS_RATE if self.is_right else 1 - PASS_RATE)

    def source(self, problem: int) -> str:
        """Return the program."""
        operator = f" {OPERATORS[self.style]} "
        number = 100 + problem if self.is_right else 500 + problem
        return f"def f(x):\n    return {operator.join(['x'] * N_OPERATORS)}{operator}{number}\n"


KINDS = tuple(StyleKind(style, is_right) for style in range(3) for is_right in (True, False))
REFERENCES = [StyleKind(0, True).source(problem) for problem in range(N_PROBLEMS)]
Score = Callable[[StyleKind, StyleKind], float | Fraction]


def overlap(one: StyleKind, other: StyleKind) -> Fraction:
    """Return the share of common tokens: operators and the number may differ."""
    n_other = N_OPERATORS * (one.style != other.style) + (one.is_right != other.is_right)
    return Fraction(N_TOKENS - n_other, N_TOKENS)


def scc_clone(one: StyleKind, other: StyleKind) -> float:
    """Return 1 where both programs have the word or none has: 12 of 29 tokens are too many."""
    words = {kind.style for kind in (one, other) if OPERATORS[kind.style].isalpha()}
    return float(not words or one.style == other.style)


def tree_edit(one: StyleKind, other: StyleKind) -> Fraction:
    """Return the similarity of trees: every operator has to be renamed, and numbers are alike."""
    n_edits = N_OPERATORS * (one.style != other.style)
    return Fraction(2 * N_NODES - n_edits, 2 * N_NODES + n_edits)


def structure(one: StyleKind, other: StyleKind) -> Fraction:
    """Return 1 for one style: numbers do not count."""
    return Fraction(one.style == other.style)


def tfidf(one: StyleKind, other: StyleKind) -> float:
    """Return the cosine, by the formula; of the numbers only those of references are known."""
    if one == other:
        return 1.0
    return tfidf_cosine(one.source(0), other.source(0), REFERENCES)


def judged_often(one: StyleKind, other: StyleKind) -> Fraction:
    """Return the expected median of three votes, each a level up with the chance of its rest."""
    aim = 1 + 4 * overlap(one, other)
    rest = aim % 1
    return (aim - rest + 3 * rest**2 - 2 * rest**3 - 1) / 4


def rated(one: StyleKind, other: StyleKind) -> Fraction:
    """Return the mean of two people: one looks at the style alone, the other at the number too."""
    levels = (5 if one.style == other.style else 2, 5 if one == other else 3)
    return Fraction(sum(levels) - 2, 8)


def embedding(vectors: dict[str, list[float]], least: float = 0.0) -> Score:
    """Return the cosine of the mean vectors of words that an encoder knows, not below a bound."""

    def score(one: StyleKind, other: StyleKind) -> float:
        sums = [
            [
                first + second + N_OPERATORS * third
                for first, second, third in zip(
                    vectors["def"], vectors["return"], vectors[OPERATORS[kind.style]], strict=True
                )
            ]
            for kind in (one, other)
        ]
        dot = sum(x * y for x, y in zip(*sums, strict=True))
        lengths = sqrt(sum(x * x for x in sums[0]) * sum(y * y for y in sums[1]))
        return max(least, float(dot / lengths))

    return score


def measured(measure: str) -> Score:
    """Return what a registered measure, fitted on nothing, says of two programs."""
    scorer = next(PAIR_MEASURES.load(measure).scorers(Material()))

    def score(one: StyleKind, other: StyleKind) -> float:
        features = scorer.features([one.source(0), other.source(0)])
        return float(scorer.compare(features, np.array([0]), np.array([1]))[0])

    return score


def behaviour(one: StyleKind, other: StyleKind) -> float:
    """Return the ratio of CPU times, the share of common failing tests, or 0."""
    if one.is_right != other.is_right:
        return 0.0
    if one.is_right:
        times = sorted([CPU_S[one.style], CPU_S[other.style]])
        return times[0] / times[1]
    failing = FAILING[one.style], FAILING[other.style]
    return len(failing[0] & failing[1]) / len(failing[0] | failing[1])


def expected(score: Score, kinds: Iterable[StyleKind] = KINDS) -> float:
    """Return the expected similarity of two independent programs of some kinds."""
    among = list(kinds)
    total = sum(kind.chance for kind in among)
    return sum(
        one.chance * other.chance * float(score(one, other)) for one in among for other in among
    ) / (total * total)


def expected_dpass(csim: float) -> float:
    """Return the mean of the problems' c/n (1 - CSim), where one right sample counts fully."""
    one_right = N_SAMPLES * PASS_RATE * (1 - PASS_RATE) ** (N_SAMPLES - 1)
    alone = one_right / N_SAMPLES
    return (PASS_RATE - alone) * (1 - csim) + alone


def styled_world(seed: int, shares: tuple[float, ...] = SHARES) -> World:
    """Draw the samples; ``shares`` other than those that are expected make a wrong world."""
    rng = random.Random(seed)
    world = World()
    world.run("r0", 0, "ingest")
    world.run("x0", 1)
    lm, setting = world.lm("stylist"), world.setting("s1")
    for number, problem in enumerate(world.release("toy1", "toy", N_PROBLEMS, "r0")):
        admission = world.admission(problem, "calibrated", "split", "r0")
        world.canary("x0", problem)
        for index in range(N_SAMPLES):
            kind = StyleKind(rng.choices(range(3), shares)[0], rng.random() < PASS_RATE)
            candidate = f"c.{problem}.{kind.style}.{kind.is_right}"
            program = world.program(candidate, problem, admission)
            generation = world.generation(lm, setting, problem, index)
            world.evaluation(generation, problem, candidate, program, "x0")
            _judged(world, program, kind)
            _written(world, candidate, kind.source(number))
        _rated(world, problem)
    for number, row in enumerate(world.raw["problem"]):
        row |= {"prompt": "", "reference": REFERENCES[number], "suffix": ""}
    return world


def _rated(world: World, problem: str) -> None:
    """Let two people rate every two programs of a problem that there are."""
    people = world.scorer("human_v1", "people")
    names = {f"c.{problem}.{kind.style}.{kind.is_right}": kind for kind in KINDS}
    there = [name for name in names if ("candidate", name) in world.seen]
    for x, y in combinations_with_replacement(there, 2):
        one, other = names[x], names[y]
        style, number = 5 if one.style == other.style else 2, 5 if one == other else 3
        world.rated(people, problem, x, y, 0, style, rater="ada")
        world.rated(people, problem, y, x, 0, number, rater="ben")


def _written(world: World, candidate: str, source: str) -> None:
    row: dict[str, Any] = next(
        row for row in world.raw["candidate"] if row["candidate_id"] == candidate
    )
    row |= {"source": source, "n_characters": len(source)}


def _judged(world: World, program: str, kind: StyleKind) -> None:
    n_passed = N_TESTS if kind.is_right else N_TESTS - len(FAILING[kind.style])
    verdict = "passed" if kind.is_right else "failed"
    world.outcome(
        program, 1, verdict, "x0", n_tests=N_TESTS, n_passed=n_passed, cpu_s=CPU_S[kind.style]
    )
    for index in range(N_TESTS):
        fails = not kind.is_right and index in FAILING[kind.style]
        world.test_outcome(program, 1, index, "failed" if fails else "passed")
