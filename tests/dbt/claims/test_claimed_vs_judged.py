"""Claims beside verdicts: against plain Python on random worlds, planted flips, golden files."""

from pathlib import Path
from typing import Any

import pytest

from models.words import CLAIM_NULL_REASONS
from tests.support.claims import oracle
from tests.support.claims.world import claim, claim_source, world_of_claims
from tests.support.goldens import check_golden
from tests.support.sql import rows_of, same
from tests.support.steps import build
from tests.support.worlds.world import World
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=40)

Rows = list[dict[str, Any]]


def views_of(world: World, home: Path) -> tuple[Rows, Rows]:
    world.write(home / "warehouse.duckdb")
    build(select="+claim_verdicts_v1 +claimed_vs_judged_v1")
    with reading() as con:
        return (
            rows_of(con, "select * from claim_verdicts_v1 order by claim_id, release_id"),
            rows_of(
                con,
                "select * from claimed_vs_judged_v1 "
                "order by claim_source_id, metric, release_id nulls first",
            ),
        )


@pytest.mark.parametrize("seed", [4, 9])
def test_views_are_those_of_plain_python(home: Path, seed: int) -> None:
    world = world_of_claims(seed)
    singles, tallied = views_of(world, home)
    expected = oracle.verdicts(world.raw)
    assert {(row["claim_id"], row["problem_id"]) for row in singles} == set(expected)
    assert len(singles) == len(expected)
    for row in singles:
        wanted = expected[row["claim_id"], row["problem_id"]]
        assert row["generation_id"] == wanted["generation"]
        assert row["null_reason"] == wanted["reason"]
        assert (row["verdict"], row["comparison"]) == (wanted["verdict"], wanted["comparison"])
    totals = oracle.tallies(world.raw)
    assert {(r["claim_source_id"], r["metric"], r["release_id"]) for r in tallied} == set(totals)
    for row in tallied:
        wanted = totals[row["claim_source_id"], row["metric"], row["release_id"]]
        for name in [column for column in row if column.startswith("n_")]:
            if name not in ("n_both_passed", "n_both_failed"):
                assert row[name] == wanted.get(name, 0), name
        for name in oracle.MEASURES:
            for column in (name, f"{name}_lo", f"{name}_hi"):
                assert same(row[column], wanted[column]), column


def planted() -> World:
    """Twenty problems with two samples each: 30 pass here. Five claims are turned each way."""
    world = World()
    world.run("r0", 0, "ingest")
    world.run("x0", 1)
    world.setting("s1")
    world.lm("coin")
    claim_source(world, "honest", "coin", "toy")
    claim_source(world, "wrong", "coin", "toy")
    for place, problem in enumerate(world.release("toy1", "toy", 20, "r0")):
        admission = world.admission(problem, "calibrated", "split", "r0")
        world.canary("x0", problem)
        for index in range(2):
            passed = place < 15
            answer = world.generation("coin", "s1", problem, index)
            program = world.program(f"c.{answer}", problem, admission)
            world.evaluation(answer, problem, f"c.{answer}", program, "x0")
            world.outcome(program, 1, "passed" if passed else "timeout", "x0")
            turned = place in (0, 1, 2, 3, 4, 15, 16, 17, 18, 19) and index == 0
            task = f"toy/{place}"
            claim(world, "honest", task, index, "passed", passed=passed)
            claim(world, "wrong", task, index, "passed", passed=passed != turned, text_key=answer)
    return world


def test_planted_flips_come_back(home: Path) -> None:
    _, (honest, wrong) = views_of(planted(), home)
    assert (honest["agreement"], honest["n_compared"], honest["n_problems"]) == (1, 40, 20)
    assert (honest["n_both_passed"], honest["n_both_failed"]) == (30, 10)
    assert honest["difference_interval_null_reason"] == "zero_variance"
    assert (wrong["n_claimed_only"], wrong["n_judged_only"]) == (5, 5)
    assert wrong["n_claimed_only_timeout"] == 5
    assert wrong["agreement"] == 0.75
    assert wrong["agreement_lo"] < 0.75 < wrong["agreement_hi"]
    assert (wrong["claimed_pass"], wrong["judged_pass"], wrong["difference"]) == (0.75, 0.75, 0)


def test_golden_files(home: Path) -> None:
    singles, tallied = views_of(world_of_claims(5), home)
    met = {row["null_reason"] for row in singles} - {None}
    assert met >= set(CLAIM_NULL_REASONS) - {"errata", "harness_fault", "canary_failed"}
    check_golden("claim_verdicts_v1", singles[:80])
    check_golden("claimed_vs_judged_v1", tallied)
