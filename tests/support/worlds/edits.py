"""A small warehouse of edits beside round trips over functions: gaps, empty texts, white space."""

import random

from tests.support.worlds.round_trips import random_round_trips
from tests.support.worlds.world import World

EDITS = (
    (" def f(x):\n    return x", " def f(x):\n    return x + 1"),
    (" a\n b", " a\n\tc = 1\n b"),
    ("", "x = 1"),
)
N_EDITS = (4, 6)
FORWARD = ("fd1", "fd2")
BACKWARD = ("fe1", "fe2")


def random_edits(seed: int, n_lms: int = 3) -> World:
    """Draw language models that describe edits and make them; some have a person's words."""
    rng = random.Random(seed)
    world = random_round_trips(seed, 2)
    world.run("r2", 3, "ingest")
    problems = world.release("edits1", "edits", N_EDITS[0], "r1")
    problems += world.release("edits2", "edits", N_EDITS[1], "r2")
    problems += world.release("bare1", "bare", 3, "r2")
    for row in world.raw["problem"]:
        if row["problem_id"] in problems:
            row["prompt"], row["reference"] = rng.choice(EDITS)
            if row["dataset"] == "edits" and rng.random() < 0.7:
                problem = str(row["problem_id"])
                world.add(
                    "variant", f"c.{problem}", variant_id=f"c.{problem}", problem_id=problem,
                    kind="comment", parent_variant_id=f"v.{problem}", prompt="Please mend this.",
                )  # fmt: skip
    for name in FORWARD:
        world.setting(name, task="edit_description", temperature=1.0)
    for name in BACKWARD:
        world.setting(name, task="edit", temperature=0.0)
    lms = [world.lm(f"ed{n}", simulated=n == 0) for n in range(n_lms)]
    described = [
        (_describe(world, rng, lm, setting, problem, index), problem)
        for lm in lms
        for setting in rng.sample(FORWARD, rng.choice([1, 2]))
        for problem in problems
        for index in rng.sample(range(6), rng.choice([0, 1, 3, 3, 4]))
    ]
    for lm in lms:
        for setting in rng.sample(BACKWARD, rng.choice([1, 2])):
            for problem in problems:
                for index in range(rng.choice([0, 1, 2, 4])):
                    _write(world, rng, lm, setting, problem, index)
                if ("variant", f"c.{problem}") in world.seen and rng.random() < 0.8:
                    for index in rng.sample(range(3), rng.choice([1, 2])):
                        _write(world, rng, lm, setting, problem, index, variant=f"c.{problem}")
            for parent, problem in described:
                if parent and rng.random() < 0.9:
                    for index in rng.sample(range(4), rng.choice([0, 1, 1, 2, 3])):
                        _write(world, rng, lm, setting, problem, index, parent)
    _measure(world, random.Random(seed))
    for rows in world.raw.values():
        rng.shuffle(rows)  # row order never matters
    return world


def _measure(world: World, rng: random.Random) -> None:
    """Draw BLEU of descriptions beside a person's words: both ends, no token, and gaps."""
    commented = {r["problem_id"] for r in world.raw["variant"] if r["kind"] == "comment"}
    for row in list(world.raw["generation"]):
        if row["setting_id"] not in FORWARD or row["problem_id"] not in commented:
            continue
        name = row["generation_id"]
        value = rng.choice([0.0, 1.0, round(rng.random(), 3), round(rng.random(), 3), None])
        if rng.random() < 0.85:
            world.add(
                "text_similarity", (name, "bleu"), generation_id=name, measure="bleu_intl_v1",
                text_similarity_id=f"{name}.bleu", component="bleu", value=value,
            )  # fmt: skip


def _describe(
    world: World, rng: random.Random, lm: str, setting: str, problem: str, index: int
) -> str | None:
    """Add a description; return it, or None for an empty one. Some have a separate prompt."""
    variant = f"i.{problem}"
    imported = rng.random() < 0.3
    if imported:
        world.add(
            "variant", variant, variant_id=variant, problem_id=problem, kind="crscore",
            prompt="Summarize.",
        )  # fmt: skip
    name = f"g.{lm}.{setting}.{problem}.{index}"
    world.generation(lm, setting, problem, index, variant if imported else None, generation_id=name)
    text = rng.choice(["Add one.", "", " \n", f"Do {_new(world, problem)}", "Set c"])
    _text(world, name, text)
    return name if text.strip() else None


def _write(
    world: World,
    rng: random.Random,
    lm: str,
    setting: str,
    problem: str,
    index: int,
    parent: str | None = None,
    variant: str | None = None,
) -> None:
    name = f"g.{lm}.{setting}.{problem}.{index}.{parent or variant}"
    world.generation(
        lm, setting, problem, index, variant, generation_id=name, parent_generation_id=parent
    )
    new = _new(world, problem)
    _text(world, name, rng.choice([new, new, f"\n{new}\n", " ".join(new.split()), "pass", ""]))


def _text(world: World, name: str, text: str) -> None:
    world.add(
        "generation_text", name, generation_id=name, raw_text=text, kept_text=text, kept_rule="stop"
    )


def _new(world: World, problem: str) -> str:
    return next(str(p["reference"]) for p in world.raw["problem"] if p["problem_id"] == problem)
