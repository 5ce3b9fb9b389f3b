"""Worlds of language models that share problems: random ones, and pairs of a known kind."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement

from tests.support.worlds.world import World

N_TOY, N_OTHER, N_WIDE = 26, 4, 130


class ComparedWorld(World):
    """A world whose samples are right or wrong, as a list per problem says."""

    def __init__(self) -> None:
        super().__init__()
        self.run("r0", 0, "ingest")
        self.run("r1", 1, "ingest")
        self.run("x0", 2)
        self.admitted: dict[str, str] = {}

    def problems(self, release: str, dataset: str, n: int, run: str = "r0") -> list[str]:
        """Add a release whose references pass."""
        names = self.release(release, dataset, n, run)
        for name in names:
            self.admitted[name] = self.admission(name, "calibrated", "split", "r0")
            self.canary("x0", name)
        return names

    def answers(self, lm: str, setting: str, right: Mapping[str, Sequence[bool]]) -> None:
        """Add samples of problems and their verdicts."""
        for problem, samples in right.items():
            for index, passed in enumerate(samples):
                candidate = f"c.{problem}.{'right' if passed else 'wrong'}.{index % 3}"
                program = self.program(candidate, problem, self.admitted[problem])
                generation = self.generation(
                    lm, setting, problem, index,
                    n_completion_tokens=None if lm == "lm1" and index else 7 + len(lm) + index,
                    n_prompt_tokens=None if lm == "lm2" else 11,
                    cost_usd=1e-6 * (1 + index),
                )  # fmt: skip
                self.evaluation(generation, problem, candidate, program, "x0")
                self.outcome(program, 1, "passed" if passed else "failed", "x0")

    def compare_programs(self, rng: random.Random) -> None:
        """Count the tokens that programs of a problem share."""
        by_problem = defaultdict(set)
        for row in self.raw["program"]:
            by_problem[row["problem_id"]].add(row["candidate_id"])
        for candidates in by_problem.values():
            for x, y in combinations_with_replacement(sorted(candidates), 2):
                self.pair("tokens_v2", x, y, 10 if x == y else rng.randint(4, 10), 10, 10)

    def settings(self) -> list[str]:
        """Add four settings: two temperatures, another prompt, resampled."""
        names = [self.setting("s1"), self.setting("s2", temperature=0.2)]
        names += [self.setting("s3", temperature=0.4), self.setting("s4", resampled=True)]
        next(s for s in self.raw["setting"] if s["setting_id"] == "s3")["prompt_kind"] = "of_ldb"
        return names


def random_compared_world(seed: int) -> ComparedWorld:
    """Draw language models with common difficulties, gaps, few and many samples."""
    rng = random.Random(seed)
    world = ComparedWorld()
    settings = world.settings()
    toy = world.problems("toy1", "toy", N_TOY)
    newer = world.problems("toy2", "toy", N_TOY, "r1")
    other = world.problems("other1", "other", N_OTHER)
    world.raw["admission"][rng.randrange(N_TOY)]["mode"] = "rejected"
    ease = {problem: rng.betavariate(0.8, 0.8) for problem in (*toy, *newer, *other)}
    for number in range(9):
        lm = world.lm(f"lm{number}", simulated=number % 3 == 0)
        for setting in rng.sample(settings, rng.choice([1, 1, 2, 3])):
            n = rng.choice([1, 1, 2, 10])
            gaps = rng.choice([0, 0, 0.1, 0.6])
            asked = (newer if rng.random() < 0.15 else toy) + (other if rng.random() < 0.7 else [])
            right = {
                problem: [
                    rng.random() < ease[problem]
                    for _ in range(rng.choice([n, n, n, 11]) if n > 2 else n)
                ]
                for problem in asked
                if rng.random() >= gaps
            }
            world.answers(lm, setting, right)
    _with_known_kinds(world, toy)
    wide = world.problems("wide1", "wide", N_WIDE)[::5]
    for lm, share in (("lm1", 0.8), ("lm2", 0.4), ("lm4", 0.3)):
        right = {problem: [rng.random() < share for _ in range(3)] for problem in wide}
        world.answers(lm, "s1", right)
    world.compare_programs(rng)
    return world


def _with_known_kinds(world: ComparedWorld, toy: list[str]) -> None:
    """Add twins, opposites, two that share one problem and two that share none."""
    halves = {problem: [at % 2 == 0] for at, problem in enumerate(toy)}
    kinds: dict[str, Mapping[str, Sequence[bool]]] = {
        "m_twin_a": halves,
        "m_twin_b": halves,
        "n_none": {problem: [False] for problem in toy},
        "n_all": {problem: [True] for problem in toy},
        "o_first": {toy[1]: [True]},
        "o_first_too": {toy[1]: [False]},
        "p_last": {toy[-1]: [True]},
        "q_tenths": {problem: [n < 7 for n in range(10)] for problem in toy},
        "q_tenths_less": {problem: [n < 4 for n in range(10)] for problem in toy},
    }
    for lm, right in kinds.items():
        world.lm(lm, simulated=False)
        world.answers(lm, "s1", right)
