"""A small warehouse of round trips: descriptions and programs with gaps, faults and quotations."""

import random

from models.words import TEXT_MEASURES
from tests.support.worlds.world import VERDICTS, World

CODE = ("    total = a + b\n    return total * 2\n", "    return x\n", "    ...\n")
N_PROBLEMS = (5, 18)
FORWARD = ("d1", "d2")
BACKWARD = ("w1", "w2")


def random_round_trips(
    seed: int, n_lms: int = 4, second: str = "toy", whole: bool = False
) -> World:
    """Draw language models that describe and write, each under one or two settings.

    ``second`` is the dataset of the second release: a later one of the first, or another. Most
    round trips of a ``whole`` world have the samples that version 1 asks for.
    """
    rng = random.Random(seed)
    world = World()
    world.run("r0", 0, "ingest")
    world.run("r1", 1, "ingest")
    world.run("x0", 2)
    problems = world.release("toy1", "toy", N_PROBLEMS[0], "r0")
    problems += world.release("toy2", second, N_PROBLEMS[1], "r1")
    for problem in problems:
        world.admission(problem, "calibrated", "rejected" if rng.random() < 0.25 else "split", "r0")
        world.canary("x0", problem, "timeout" if rng.random() < 0.1 else "passed")
        code = rng.choice(CODE)
        world.add(
            "variant", ("hole", problem), variant_id=f"h.{problem}", problem_id=problem,
            kind="hole", parent_variant_id=f"v.{problem}", prompt="def f(x):\n",
        )  # fmt: skip
        world.add(
            "region", problem, variant_id=f"h.{problem}", problem_id=problem, rule="body_v1",
            code=code, suffix="",
        )  # fmt: skip
    for name in FORWARD:
        world.setting(name, task="description")
    for name in BACKWARD:
        world.setting(name, task="resynthesis")
    lms = [world.lm(f"lm{n}", simulated=n == 0) for n in range(n_lms)]
    for lm in lms:
        for setting in rng.sample(FORWARD, rng.choice([1, 2])):
            for problem in problems:
                drawn = rng.sample(range(6), rng.choice([0, 1, 3, 3, 4]))
                for index in range(3) if whole else drawn:
                    _describe(world, rng, lm, setting, problem, index)
    described = [row for row in world.raw["generation"] if row["setting_id"] in FORWARD]
    texts = {row["generation_id"]: row["kept_text"] for row in world.raw["generation_text"]}
    for lm in lms:
        for setting in rng.sample(BACKWARD, rng.choice([1, 2])):
            for problem in problems:
                for index in range(rng.choice([0, 1, 2, 4])):
                    _write(world, rng, lm, setting, problem, index, None)
            for row in described:
                if texts[row["generation_id"]].strip() and rng.random() < 0.9:
                    drawn = rng.sample(range(4), rng.choice([0, 1, 1, 2, 3]))
                    for index in [0] if whole else drawn:
                        parent = row["generation_id"]
                        _write(world, rng, lm, setting, row["problem_id"], index, parent)
    _measure(world, random.Random(seed))
    for rows in world.raw.values():
        rng.shuffle(rows)  # row order never matters
    return world


def regions_of_projects(seed: int) -> World:
    """Draw round trips over regions of two projects."""
    world = random_round_trips(seed, second="other", whole=True)
    for row in list(world.raw["problem"]):
        name = row["dataset"]
        world.add(
            "project_release", name, project_release_id=f"p.{name}", project=f"the {name}",
            version="1.0", license="MIT", sha256="0", source="x", is_curated=False, sources="[]",
            tests="[]", run_id="r0",
        )  # fmt: skip
        world.add(
            "project_problem", row["problem_id"], problem_id=row["problem_id"],
            project_release_id=f"p.{name}", path="a.py", first_line=1, last_line=2, run_id="r0",
        )  # fmt: skip
    return world


def _measure(world: World, rng: random.Random) -> None:
    """Draw similarities of programs: ends of the range, values that are not defined, and gaps."""
    for row in [row for row in world.raw["generation"] if row["setting_id"] in BACKWARD]:
        name = row["generation_id"]
        blank = rng.random() < 0.1  # the measures are pure: this stands for code without a token
        for measure, components in TEXT_MEASURES.items():
            if rng.random() < 0.1:
                continue
            for component in components:
                value = rng.choice([0.0, 1.0, round(rng.random(), 3), round(rng.random(), 3)])
                undefined = blank or (component == "dataflow_match" and rng.random() < 0.2)
                world.add(
                    "text_similarity", (name, component), generation_id=name, measure=measure,
                    text_similarity_id=f"{name}.{component}", component=component,
                    value=None if undefined else value,
                )  # fmt: skip


def _code(world: World, problem: str) -> str:
    return next(row["code"] for row in world.raw["region"] if row["problem_id"] == problem)


def _describe(
    world: World, rng: random.Random, lm: str, setting: str, problem: str, index: int
) -> None:
    name = f"g.{lm}.{setting}.{problem}.{index}"
    world.generation(lm, setting, problem, index, f"h.{problem}", generation_id=name)
    code = _code(world, problem)
    text = rng.choice(
        ["Add both.", "", " \n", f"Do {code}", f"Do\n{code[: len(code) // 2]}", "total = a", "..."]
    )
    world.add(
        "generation_text", name, generation_id=name, raw_text=text, kept_text=text, kept_rule="stop"
    )


def _write(
    world: World,
    rng: random.Random,
    lm: str,
    setting: str,
    problem: str,
    index: int,
    parent: str | None,
) -> None:
    name = f"g.{lm}.{setting}.{problem}.{index}.{parent}"
    world.generation(
        lm, setting, problem, index, f"h.{problem}", generation_id=name,
        parent_generation_id=parent,
    )  # fmt: skip
    code = _code(world, problem)
    text = rng.choice([code, code.replace(" ", "  "), f"\n{code}\n", "    pass\n", ""])
    world.add(
        "generation_text", name, generation_id=name, raw_text=text, kept_text=text,
        kept_rule="hole_lines_v1",
    )  # fmt: skip
    admission = next(a for a in world.raw["admission"] if a["problem_id"] == problem)
    if admission["mode"] == "rejected" or rng.random() < 0.05:
        return
    candidate = f"c.{name}"
    program = world.program(candidate, problem, admission["admission_id"])
    world.evaluation(name, problem, candidate, program, "x0")
    if rng.random() < 0.95:
        verdict = "harness_fault" if rng.random() < 0.07 else rng.choice(VERDICTS)
        world.outcome(program, 1, verdict, "x0")
