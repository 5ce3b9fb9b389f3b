"""Behaviour of every pair on random worlds, against plain Python."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.oracles.execution import deciding
from tests.support.oracles.similarity.behaviour import LEAST_CPU_S, behaviours
from tests.support.sql import rows, rows_of, same
from tests.support.steps import build
from tests.support.worlds.world import World, random_world
from warehouse.store.connection import reading

VIEWS_READ = "+int_behaviour_compared"

NAMED = """
select pairs.candidate_a, pairs.candidate_b, behaviours.value, behaviours.null_reason
from (select distinct candidate_a, candidate_b from facts.pair_counted) as pairs
inner join intermediate.int_behaviour_compared as behaviours
    on
        behaviours.candidate_no_a = least(hash(pairs.candidate_a), hash(pairs.candidate_b))
        and behaviours.candidate_no_b = greatest(hash(pairs.candidate_a), hash(pairs.candidate_b))
"""

REASONS = {
    *("not_judged", "no_cpu_time", "other_machine", "below_resolution"),
    *("no_test_outcomes", "no_failing_test"),
}


@pytest.mark.long(seconds=20)
def test_every_pair_is_that_of_the_oracle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reasons: Counter[str | None] = Counter()
    values: Counter[Any] = Counter()
    for seed in range(1, 5):
        world = random_world(seed)
        for place, outcome in enumerate(world.raw["outcome"]):
            if place % 9 == 0:
                outcome["cpu_s"] = None
            if seed > 2 and outcome["verdict"] in ("failed", "error"):
                outcome |= {"cpu_s": (0.01, 0.07, 0.2)[place % 3]}
                outcome |= {"verdict": "passed", "n_passed": outcome["n_tests"]}
        monkeypatch.setenv("ASSAY_HOME", str(tmp_path / str(seed)))
        world.write(tmp_path / str(seed) / "warehouse.duckdb")
        build(select=VIEWS_READ)
        with reading() as con:
            found = rows_of(con, NAMED)
        wanted = behaviours(world.raw, deciding)
        assert len(found) == len(wanted) > 200
        for row in found:
            value, reason = wanted[row["candidate_a"], row["candidate_b"]]
            assert row["null_reason"] == reason, row
            assert same(row["value"], None if value is None else float(value)), row
            reasons[reason] += 1
            values[value] += 1
    assert set(reasons) == {None, *REASONS}
    assert min(reasons.values()) > 5
    assert len(values) > 8


def test_a_candidate_of_two_problems_is_compared_once(home: Path) -> None:
    """A dataset that was released again has the same programs: the newer tests decide."""
    world = World()
    world.run("r0", 0)
    world.run("r1", 1)
    for release, run, times in (("toy1", "r0", (0.1, 0.1)), ("toy2", "r1", (0.1, 0.4))):
        (problem,) = world.release(release, "toy", 1, run)
        world.canary("r1", problem)
        admission = world.admission(problem, "calibrated", "split", run)
        for name, cpu_s in zip("ab", times, strict=True):
            program = world.program(name, problem, admission)
            world.outcome(program, 1, "passed", "r1", cpu_s=cpu_s)
    world.pair("tokens_v2", "a", "b", 5, 10, 10)
    world.pair("scc_v1", "a", "b", 5, 10, 10)
    world.write(home / "warehouse.duckdb")
    build(select=VIEWS_READ)
    found = rows(NAMED)
    assert found == [("a", "b", 0.25, None)]
    assert LEAST_CPU_S <= 0.1
