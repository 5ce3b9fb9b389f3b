"""Claims with confidences, about samples of which some have token probabilities here."""

import math
import random

from tests.support.claims.world import claim, claim_source
from tests.support.worlds.calibration.subjects import CalibrationWorld

N_TASKS = 30
N_FLIPS = 6
BOTH = ("harness", "lab")
SOURCES = {
    # language model, dataset, samples of a task
    "harness": ("sure", "toy", 2),
    "lab": ("sure", "toy", 2),
    "modest": ("modest", "toy", 2),
    "stranger": ("nobody", "toy", 1),
    "absent": ("nobody", "elsewhere", 1),
    "absent_too": ("somebody", "elsewhere", 1),
    "alone": ("sure", "few", 1),
}


def world_of_measures(seed: int) -> CalibrationWorld:
    """Draw claims of seven sources: over-confident, calibrated, without samples, without a pair.

    Two claim a second metric, which nothing passes. ``absent_too`` claims what ``absent`` does, but
    for six tasks that it fails. All that ``alone`` claims passes.
    """
    rng = random.Random(seed)
    world = CalibrationWorld()
    problems = world.problems("toy1", "toy", N_TASKS, [20, 80, 35])
    for lm in ("sure", "modest"):
        world.lm(lm, simulated=False)
        for number, problem in enumerate(problems):
            for index in range(2):
                given = None if number % 7 == 3 else [math.log(rng.uniform(0.2, 1)), -0.1]
                verdict = rng.choice(["passed", "failed", None])
                world.answer(lm, problem, index, verdict, logprobs=given)
    for name, (lm, dataset, n_samples) in SOURCES.items():
        claim_source(world, name, lm, dataset)
        for number in range(3 if dataset == "few" else N_TASKS):
            for index in range(n_samples if number % 5 else 1):
                passed, confidence = _claimed(rng, name, number)
                said = {"passed": passed, "confidence": confidence}
                claim(world, name, f"{dataset}/{number}", index, "base", **said)
                if name in BOTH:
                    said |= {"passed": False}
                    claim(world, name, f"{dataset}/{number}", index, "plus", **said)
        claim(world, name, f"{dataset}/0", 0, "seconds", score=1.5)
    for rows in world.raw.values():
        rng.shuffle(rows)
    return world


def _claimed(rng: random.Random, name: str, number: int) -> tuple[bool | None, float | None]:
    """Draw what a source claims of a sample: whether it passes, and how sure it was."""
    p = rng.uniform(0, 1)
    passes = rng.random() < p
    match name:
        case "absent" | "absent_too":
            return name == "absent" or number >= N_FLIPS, None
        case "alone":
            return True, p
        case "harness":
            return passes and rng.random() < 0.5, p
        case "lab" if number % 10 == 4:
            return None, 0.5
        case "lab":
            return passes, rng.choice([p, 0.75, None])
        case _:
            return passes, p
