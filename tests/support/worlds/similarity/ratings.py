"""Random ratings of the programs of a small world."""

import random
from collections import defaultdict
from typing import TYPE_CHECKING

from models.words import RATING_NULL_REASONS

if TYPE_CHECKING:
    from tests.support.worlds.world import World


def random_ratings(world: "World", rng: random.Random) -> None:
    """Rate pairs by three judges and by people; some replies have no level, some are missing."""
    judges = [
        (world.judge("judge_v1", "judge_1"), 1, 1.0),
        (world.judge("judge_v2", "judge_1"), 3, 1.0),
        (world.judge("judge_v2", "judge_2"), 3, 0.2),
    ]
    people = world.scorer("human_v1", "people")
    by_problem = defaultdict(set)
    for row in world.raw["program"]:
        by_problem[row["problem_id"]].add(row["candidate_id"])
    for problem, candidates in by_problem.items():
        lengths = {name: rng.choice([5, 6, 7]) for name in sorted(candidates)}
        pairs = [(x, y) for x in sorted(candidates) for y in sorted(candidates) if x <= y]
        for scorer, n_votes, share in judges:
            for x, y in pairs if rng.random() < share else ():
                gone = rng.choice([0.0, 0.0, 0.0, 0.05])
                for first, second in sorted({(x, y), (y, x)} if n_votes == 3 else {(x, y)}):
                    unread = rng.choice([0.0, 0.0, 0.2, 1.0 if rng.random() < 0.3 else 0.0])
                    for vote in range(n_votes):
                        reason = rng.choice(RATING_NULL_REASONS)
                        level = reason if rng.random() < unread else rng.randint(1, 5)
                        if rng.random() >= gone:
                            shown = (lengths[first], lengths[second])
                            world.rating(scorer, problem, first, second, vote, level, shown)
        for x, y in pairs:
            for rater in rng.sample(["ada", "ben", "cyd"], rng.choice([0, 0, 1, 3])):
                first, second = rng.sample([x, y], 2)
                world.rated(people, problem, first, second, 0, rng.randint(1, 5), rater=rater)
