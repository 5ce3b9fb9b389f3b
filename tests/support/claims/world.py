"""Claims about the samples of a small world: by text, by index, about strangers and absent sets."""

import random
from typing import Any

from tests.support.worlds.world import World, random_world

SOURCES = {
    "one": ("lm0", "toy"),
    "two": ("lm1", "toy"),
    "three": ("lm2", "other"),
    "stranger": ("nobody", "toy"),
    "absent": ("lm0", "elsewhere"),
}


def world_of_claims(seed: int, sizes: tuple[int, int] = (14, 3)) -> World:
    """Draw a world, and claims of five sources about it."""
    rng = random.Random(seed)
    world = random_world(seed, n_lms=3, sizes=sizes)
    for name, (lm, dataset) in SOURCES.items():
        claim_source(world, name, lm, dataset)
        tasks = {row["task_id"] for row in world.raw["problem"] if row["dataset"] == dataset}
        texts = _texts(world, lm)
        for task in sorted(tasks or {"elsewhere/0", "elsewhere/1"}):
            for index in range(rng.choice([0, 1, 2, 4])):
                for metric in ("passed", "plus")[: rng.choice([1, 2])]:
                    claim(
                        world, name, task, index, metric,
                        passed=rng.choice([True, True, False, False, None]),
                        confidence=rng.choice([None, 0.25]), score=1.0,
                        text_key=rng.choice([None, "unknown", *rng.choices(texts, k=4)]),
                    )  # fmt: skip
        claim(world, name, None, None, "pass@1", score=0.5)
    for rows in world.raw.values():
        rng.shuffle(rows)
    return world


def claim_source(world: World, name: str, lm: str, dataset: str) -> None:
    """Add a source and its file."""
    world.add(
        "claim_source", name, claim_source_id=name, format="generic", claimant=name,
        claimant_version="", lm_id=lm, lm=lm, revision="", dataset=dataset, label="",
    )  # fmt: skip
    world.add(
        "claim_file", name, claim_file_id=f"f.{name}", claim_source_id=name, name=f"{name}.jsonl",
        sha256=name, about="{}",
    )  # fmt: skip


def claim(
    world: World, source: str, task: str | None, index: int | None, metric: str, **claimed: Any
) -> None:
    """Add a claim of a source."""
    name = f"{source}.{task}.{index}.{metric}"
    world.add(
        "claim", name, claim_id=name, claim_source_id=source, claim_file_id=f"f.{source}",
        position=len(world.raw["claim"]), place="1", task_id=task, sample_index=index,
        metric=metric, **claimed,
    )  # fmt: skip


def _texts(world: World, lm: str) -> list[str]:
    """Return the texts of a language model's answers and the programs they became."""
    mine = {row["generation_id"] for row in world.raw["generation"] if row["lm_id"] == lm}
    programs = [
        row["candidate_id"] for row in world.raw["evaluation"] if row["generation_id"] in mine
    ]
    return sorted({*mine, *programs}) or ["unknown"]
