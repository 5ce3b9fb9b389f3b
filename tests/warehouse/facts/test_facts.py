"""The facts: a query returns the columns of its dataclass."""

from pathlib import Path

import pytest

from tests.support.sql import rows
from tests.support.worlds.world import World
from warehouse.facts import generations, judging, measuring, mutations, problems, reflections, state
from warehouse.store.connection import reading, writing

RULES = judging.Rules("none", "0", "0")


@pytest.fixture
def empty(home: Path) -> None:
    with writing():
        pass


def test_the_latest_attempt_that_counts_settles_a_program(home: Path) -> None:
    world = World()
    for number, run_id in enumerate(("r0", "r1", "r2")):
        world.run(run_id, number)
    problem = world.release("toy", "toy", 1, "r0")[0]
    admission = world.admission(problem, "calibrated", "split", "r0")
    settled, broken, untried = (world.program(name, problem, admission) for name in "abc")
    for run_id in ("r0", "r1"):
        world.canary(run_id, problem)
    world.canary("r2", problem, "failed")
    world.outcome(settled, 1, "timeout", "r0", why_ended="cpu")
    world.outcome(settled, 2, "passed", "r1", why_ended="exit")
    world.outcome(settled, 3, "failed", "r2")
    world.outcome(broken, 1, "failed", "r2")
    world.outcome(broken, 2, "harness_fault", "r1")
    world.write(home / "warehouse.duckdb")
    judged = rows("select program_id, attempt, null_reason from facts.program_judged order by all")
    found = {program: (attempt, why) for program, attempt, why in judged}
    verdicts = rows("from facts.program_settled")
    assert found == {
        settled: (2, None),
        broken: (2, "harness_fault"),
        untried: (None, "not_executed"),
    }
    assert verdicts == [(settled, "passed", "exit")]


def test_an_answer_of_white_space_is_not_asked_about(home: Path) -> None:
    spaces = [chr(number) for number in range(1, 0x3100) if chr(number).isspace()]
    assert len(spaces) == 29
    world = World()
    world.run("r0", 0)
    (problem,) = world.release("toy", "toy", 1, "r0")
    lm, setting = world.lm("lm"), world.setting("s")
    for index, text in enumerate(["", *spaces, "\u3000\n\xa0", "\xa0x", "\u200b"]):
        name = world.generation(lm, setting, problem, index)
        world.add(
            "generation_text", name, generation_id=name, raw_text=text + "# stop", kept_text=text,
            kept_rule="stop",
        )  # fmt: skip
    world.write(home / "warehouse.duckdb")
    with reading() as con:
        assert reflections.count_reflectable(con, "lm", None, ["synthesis"]) == 2


@pytest.mark.usefixtures("empty")
def test_an_empty_warehouse_has_nothing_to_do() -> None:
    with reading() as con:
        assert problems.problems_by_id(con, problems.newest_ids(con, "starter")) == {}
        assert problems.inputs_by_problem(con, ["p"]) == {}
        assert problems.newest_variants(con, "starter") == []
        assert judging.target_problems(con, None, "starter", ["synthesis"]) == []
        assert judging.unadmitted_problems(con, ["p"], RULES) == []
        assert judging.admissions(con, RULES) == []
        unplanned = judging.unplanned_generations(
            con, RULES, dataset=None, rescore=None, tasks=["synthesis"], most=9
        )
        assert unplanned == []
        assert judging.due_programs(con, RULES, dataset=None) == []
        assert judging.due_programs(con, RULES, dataset=None, factor=2.0) == []
        assert judging.expected_outputs(con, ["a"]) == {}
        assert reflections.answers(con, ["g"]) == []
        assert reflections.unread_replies(con, "verbalized_v1") == []
        assert reflections.count_reflectable(con, "l", None, ["synthesis"]) == 0
        assert generations.stored_answers(con, ["g"]) == []
        assert generations.is_simulated(con, "l") is None
        assert generations.endpoint_capabilities(con, "e") == {}
        pairs = measuring.all_pairs(con, max_samples=9, tasks=["synthesis"])
        assert measuring.due_pairs(con, pairs, ["scc_v1"])[1] == {}
        assert measuring.due_scores(con, pairs, "s", None).sources == {}
        assert measuring.references(con, pairs) == []
        assert mutations.cut_programs(con, "d", mutations=[], editions=[1], most=9, seed=0) == []
        state.set_rules(con, RULES, asked=["synthesis"], run=[])
        assert state.pending_state(con) == state.PendingState(0, 0, 0)
        assert state.generation_states(con) == state.rejected_states(con) == []
        assert state.built_from(con) == []
