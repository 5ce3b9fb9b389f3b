"""Warehouses of nights: the same language models asked again, with and without a change."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from tests.support.worlds.world import World

N_TOY, N_OTHER, N_FEW = 26, 12, 6
N_NIGHTS = 22
N_EXECUTIONS = 20


@dataclass(frozen=True)
class AskedNightly:
    """How a language model is asked in a night: samples per problem, and what becomes of one."""

    lm: str
    problems: list[str]
    n: Callable[[int, int], int]
    rate: Callable[[int], float]
    stated: bool = False
    moves: bool = False


class NightWorld(World):
    """A world of runs, each a night; samples share programs by what becomes of them."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.rng = random.Random(seed)
        self.run("r0", 0, "ingest")
        self.setting("s1")
        for number in range(N_EXECUTIONS):
            self.run(f"x{number:02}", 100 + number)
        for night in range(1, N_NIGHTS + 1):
            self.run(f"n{night:02}", 10 + night, "generate")
        self.admitted: dict[tuple[str, str], str] = {}
        self.ease: dict[str, float] = {}
        self.index: dict[tuple[str, str], int] = {}

    def problems(self, release: str, dataset: str, n: int) -> list[str]:
        """Add a release with admissions by two versions of the judge."""
        names = self.release(release, dataset, n, "r0")
        for at, name in enumerate(names):
            mode = "rejected" if release == "toy1" and at == 3 else "split"
            for version, run in (("1", "r0"), ("2", "n08")):
                key = self.admission(name, "calibrated", mode, run)
                next(a for a in self.raw["admission"] if a["admission_id"] == key)[
                    "judge_version"
                ] = version
                self.admitted[name, version] = key
            self.ease[name] = self.rng.betavariate(0.7, 0.7)
        return names

    def night(self, asked: AskedNightly, night: int) -> None:
        """Add the samples of one night."""
        if asked.moves and night == 12:
            return
        for at, problem in enumerate(asked.problems):
            if asked.moves and night in (9, 10) and at % 4 == 0:
                continue
            for _ in range(asked.n(night, at)):
                self._sample(asked, night, problem)

    def _sample(self, asked: AskedNightly, night: int, problem: str) -> None:
        rng = self.rng
        index = self.index[asked.lm, problem] = self.index.get((asked.lm, problem), -1) + 1
        right = rng.random() < min(1.0, self.ease[problem] * asked.rate(night))
        kind = "right" if right else rng.choice(["wrong"] * 12 + ["unread"] * 4 + ["unlucky"])
        late = "2" if asked.moves and night >= 8 else "1"
        generation = self.generation(
            asked.lm, "s1", problem, index, run_id=f"n{night:02}",
            finish_reason=rng.choice(["stop", "stop", "length", None]),
            n_completion_tokens=rng.randint(5, 60) if rng.random() < 0.9 else None,
        )  # fmt: skip
        if asked.stated:
            self.add(
                "token_logprob", generation, generation_id=generation, tokens=["t"],
                logprobs=[math.log(rng.choice([0.2, 0.5, 0.9]))], kept=[True],
            )  # fmt: skip
        if rng.random() < 0.03:
            return  # never judged
        moved = f".{late}.{night >= 15}" if asked.moves else ""
        candidate = f"c.{problem}.{kind}{moved}"
        program = self.program(candidate, problem, self.admitted[problem, late], kind != "unread")
        self.evaluation(generation, problem, candidate, program, "x00")
        verdict = {"right": "passed", "unlucky": "harness_fault"}.get(kind, "failed")
        level = "ns+seccomp" if right else "none"
        apart = {"isolation": level} if asked.moves and night >= 15 else {}
        self.outcome(program, 1, verdict, "x00", **apart)

    def references(self, problems: list[str]) -> None:
        """Let references run beside programs: slower from the eleventh run on, one failing."""
        for number in range(N_EXECUTIONS):
            for at, problem in enumerate(problems):
                if number and self.rng.random() < 0.1:
                    continue
                fails = (number, at) in {(5, 0), (6, 0), (9, 1)}
                self.canary(f"x{number:02}", problem, "timeout" if fails else "passed")
                slow = 1.5 if number >= 11 else 1.0
                cpu_s = 0.01 * (1 + at) * self.rng.uniform(0.9, 1.1) * slow
                self.raw["canary"][-1]["cpu_s"] = None if at == 7 else cpu_s


def halves(night: int, at: int) -> int:
    """Return the samples of one cut off in its fifth night, which the next run finishes."""
    return 0 if (night == 5 and at >= 13) or (night == 6 and at < 13) else 3


def night_world(seed: int) -> NightWorld:
    """Draw what stays, falls, rises, has few problems, moves, and is asked unevenly."""
    world = NightWorld(seed)
    toy = world.problems("toy1", "toy", N_TOY)
    other = world.problems("other1", "other", N_OTHER)
    few = world.problems("few1", "few", N_FEW)
    world.references(toy)
    world.references(other)
    always: Callable[[int], float] = lambda night: 0.8  # noqa: E731
    plan = [
        AskedNightly("steady", toy, lambda night, at: 4, always, stated=True),
        AskedNightly("falls", toy, lambda night, at: 4, lambda night: 1.2 if night < 6 else 0.2),
        AskedNightly("rises", other, lambda night, at: 5, lambda night: 0.1 if night < 9 else 1.6),
        AskedNightly("dips", toy, lambda night, at: 6, lambda night: 0.1 if night == 10 else 1.3),
        AskedNightly("broken", toy, halves, always),
        AskedNightly("small", few, lambda night, at: 3, always),
        AskedNightly("moves", toy, lambda night, at: 2, always, moves=True),
        AskedNightly("uneven", toy, lambda night, at: (night + at) % 3, always),
        AskedNightly("once", toy, lambda night, at: 2 if night == 4 else 0, always),
    ]
    for asked in plan:
        world.lm(asked.lm, simulated=asked.lm != "steady")
        for night in range(1, N_NIGHTS + 1):
            world.night(asked, night)
    for rows in world.raw.values():
        world.rng.shuffle(rows)
    return world
