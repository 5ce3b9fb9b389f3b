"""Agreement of people: against plain Python on random worlds, and on a published example."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.support.oracles.similarity.ratings import agreement
from tests.support.sql import rows_of, same
from tests.support.steps import build
from tests.support.worlds.world import World, random_world
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=30)

# Krippendorff 2011 (Computing Krippendorff's Alpha-Reliability, section E): 12 units, 4 observers
OBSERVED = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)
ALPHA = 0.849


def found_in(world: World, home: Path) -> list[dict[str, Any]]:
    world.write(home / "warehouse.duckdb")
    build(select="+rater_agreement_v1")
    with reading() as con:
        return rows_of(con, "select * from rater_agreement_v1 order by release_id")


@pytest.mark.parametrize("seed", [3, 8])
def test_agreement_is_that_of_plain_python(home: Path, seed: int) -> None:
    world = random_world(seed, n_lms=4)
    found = found_in(world, home)
    releases = {row["problem_id"]: row["release_id"] for row in world.raw["problem"]}
    levels: dict[str, Any] = defaultdict(lambda: defaultdict(dict))
    human = [row for row in world.raw["pair_rating"] if row["rater"]]
    for row in human:
        pair = frozenset([row["candidate_first"], row["candidate_second"]])
        levels[releases[row["problem_id"]]][row["rater"]][pair] = row["level"]
    assert [row["release_id"] for row in found] == sorted(levels)
    assert any(row["n_rater_pairs_correlated"] == 3 for row in found)
    for row in found:
        mine = levels[row["release_id"]]
        correlations, alpha = agreement(mine)
        assert same(row["alpha"], alpha)
        assert row["n_rater_pairs_correlated"] == len(correlations)
        mean = sum(correlations) / len(correlations) if correlations else None
        assert same(row["mean_pearson"], mean)
        assert same(row["least_pearson"], min(correlations, default=None))
        assert row["n_raters"] == len(mine)
        assert row["n_ratings"] == sum(map(len, mine.values()))
        assert row["n_pairs"] == len({pair for rated in mine.values() for pair in rated})


def published_example(world: World) -> dict[str, dict[int, float]]:
    """Let four people rate twelve pairs as in the example; return their levels."""
    world.run("r0", 0, "ingest")
    (problem,) = world.release("toy1", "toy", 1, "r0")
    people = world.scorer("human_v1", "people")
    admission = world.admission(problem, "calibrated", "split", "r0")
    levels: dict[str, dict[int, float]] = defaultdict(dict)
    for observer, line in enumerate(OBSERVED):
        for unit, level in enumerate(line.split()):
            for name in (f"a{unit}", f"b{unit}"):
                world.program(name, problem, admission)
            if level != ".":
                levels[f"p{observer}"][unit] = int(level)
                world.rated(
                    people, problem, f"a{unit}", f"b{unit}", 0, int(level), rater=f"p{observer}"
                )
    return levels


def test_a_published_alpha_comes_back(home: Path) -> None:
    world = World()
    levels = published_example(world)
    assert agreement(levels)[1] == pytest.approx(ALPHA, abs=5e-4)
    (row,) = found_in(world, home)
    assert row["alpha"] == pytest.approx(ALPHA, abs=5e-4)
    assert (row["n_pairs"], row["n_pairs_shared"], row["n_ratings"]) == (12, 11, 41)
    assert row["n_rater_pairs"] == 6


@pytest.mark.parametrize("reason", ["no_pairs", "zero_variance"])
def test_one_person_or_one_level_has_no_alpha(home: Path, reason: str) -> None:
    world = World()
    published_example(world)
    if reason == "no_pairs":
        alone = [row for row in world.raw["pair_rating"] if row["rater"] == "p0"]
        world.raw["pair_rating"] = alone
    for row in world.raw["pair_rating"]:
        row["level"] = 4
    (row,) = found_in(world, home)
    assert (row["alpha"], row["alpha_null_reason"], row["mean_pearson"]) == (None, reason, None)
