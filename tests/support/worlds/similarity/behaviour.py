"""Random behaviour of the programs of a small world: CPU time, machines, statuses of tests."""

import random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.support.worlds.world import World

CPU_S = (0.01, 0.0199, 0.02, 0.08, 0.2)
ENDINGS = ("passed", "passed", "failed", "error", "not_run")


def random_behaviour(world: "World", rng: random.Random) -> None:
    """Let right programs differ in CPU time, and give most wrong ones a status for each test.

    Some tests were not reached, in some programs none; some programs have no status of a test, some
    not of each. Sometimes runs were on two machines. Right programs ran in another isolation.
    """
    for run in sorted(world.raw["run"], key=lambda row: str(row["run_id"])):
        run["host"] = rng.choice(["{}", "{}", '{"cpus": 2}'])
    for outcome in sorted(
        world.raw["outcome"], key=lambda row: (str(row["program_id"]), int(row["attempt"]))
    ):
        if outcome["verdict"] == "passed":
            outcome["cpu_s"] = rng.choice(CPU_S)
            outcome["isolation"] = "ns+seccomp"
        elif rng.random() < 0.9:
            _random_statuses(world, rng, outcome)


def _random_statuses(world: "World", rng: random.Random, outcome: dict[str, Any]) -> None:
    none_ran, all_passed = rng.random() < 0.1, rng.random() < 0.1
    known = list(range(outcome["n_tests"]))
    kept = rng.random()
    if kept < 0.1:
        known = rng.sample(known, rng.randrange(len(known)))
    elif kept < 0.15:  # as many, and others than there are
        known = [index + 1 for index in known]
    for index in known:
        status = "not_run" if none_ran else "passed" if all_passed else rng.choice(ENDINGS)
        world.test_outcome(outcome["program_id"], outcome["attempt"], index, status)
