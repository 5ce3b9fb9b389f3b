"""The rules that Python and dbt share: which row counts, and what is due under which rules."""

from pathlib import Path

from tests.support.sql import rows
from tests.support.steps import build
from tests.support.worlds.world import World, random_world
from warehouse.facts import judging, problems, state
from warehouse.store.connection import reading

VIEWS_READ = "+int_problem_numbered"

NOW = judging.Rules("calibrated", "1", "projects")
TASKS = ["synthesis"]


class JudgedWorld(World):
    """One problem with one answer, which was judged under the given policies by judge 1."""

    def __init__(self, *policies: str, mode: str = "split", executed: bool = True) -> None:
        super().__init__()
        self.run("r0", 0)
        (self.problem,) = self.release("toy", "toy", 1, "r0")
        self.canary("r0", self.problem)
        self.answer = self.generation(self.lm("lm"), self.setting("s"), self.problem, 0)
        self.add(
            "generation_text", "t", generation_id=self.answer, raw_text="x", kept_text="x",
            kept_rule="whole",
        )  # fmt: skip
        for policy in policies:
            admission = self.admission(self.problem, policy, mode, "r0")
            if mode == "rejected":
                continue
            program = self.program("c", self.problem, admission)
            self.evaluation(self.answer, self.problem, "c", program, "r0")
            if executed:
                self.outcome(program, 1, "passed", "r0")


def pending_work(home: Path, world: World, rules: judging.Rules) -> state.PendingState:
    """Return what status says, which must be what execute would find."""
    if not (home / "warehouse.duckdb").exists():
        world.write(home / "warehouse.duckdb")
    with reading() as con:
        state.set_rules(con, rules, asked=TASKS, run=TASKS)
        found = state.pending_state(con)
        targets = judging.target_problems(con, None, None, TASKS)
        ids = judging.unadmitted_problems(con, targets, rules)
        unplanned = judging.unplanned_generations(
            con, rules, dataset=None, rescore=None, tasks=TASKS, most=10**6
        )
        due = judging.due_programs(con, rules, dataset=None)
        n_pending = sum(row.n_pending for row in state.generation_states(con))
    planned = {each.generation_id for each in unplanned}
    of_ids = {
        name
        for name, problem in rows(
            "select generation_id, problem_id from facts.generation_executable "
            "where task = 'synthesis'"
        )
        if problem in ids
    }
    assert found.n_unexecuted == len(due)
    assert found.n_unadmitted == len(ids)
    assert found.n_unplanned == len(planned | of_ids)
    assert n_pending >= found.n_unplanned
    return found


def test_nothing_is_left_after_all_is_judged(home: Path) -> None:
    assert pending_work(home, JudgedWorld("calibrated"), NOW) == state.PendingState(0, 0, 0)


def test_a_new_version_of_the_judge_is_work(home: Path) -> None:
    newer = judging.Rules("calibrated", "2", "projects")
    assert pending_work(home, JudgedWorld("calibrated"), newer) == state.PendingState(1, 0, 1)


def test_programs_under_another_policy_are_no_work(home: Path) -> None:
    world = JudgedWorld("calibrated")
    fast = world.admission(world.problem, "compat", "split", "r0")
    world.evaluation(
        world.answer, world.problem, "d", world.program("d", world.problem, fast), "r0"
    )
    assert pending_work(home, world, NOW) == state.PendingState(0, 0, 0)
    compat = judging.Rules("compat", "1", "projects")
    assert pending_work(home, world, compat) == state.PendingState(0, 1, 0)


def test_answers_judged_under_another_policy_alone_are_work(home: Path) -> None:
    assert pending_work(home, JudgedWorld("compat"), NOW) == state.PendingState(1, 0, 1)


def test_programs_without_a_verdict_are_work(home: Path) -> None:
    world = JudgedWorld("calibrated", executed=False)
    assert pending_work(home, world, NOW) == state.PendingState(0, 1, 0)


def test_nothing_waits_for_a_rejected_reference(home: Path) -> None:
    world = JudgedWorld("calibrated", mode="rejected")
    assert pending_work(home, world, NOW) == state.PendingState(0, 0, 0)


def test_problems_of_projects_have_a_judge_of_another_version(home: Path) -> None:
    world = JudgedWorld("calibrated", executed=False)
    world.raw["problem"][0]["compare"] = "project"
    world.add(
        "project_problem", "p", problem_id=world.problem, project_release_id="x", path="x.py",
        first_line=1, last_line=1,
    )  # fmt: skip
    world.write(home / "warehouse.duckdb")
    for project_judge, wanted in (("1", (0, 1, 0)), ("2", (1, 0, 1))):
        rules = judging.Rules("calibrated", "any", project_judge)
        with reading() as con:
            state.set_rules(con, rules, asked=TASKS, run=TASKS)
            assert state.pending_state(con) == state.PendingState(*wanted)
            due = judging.due_project_programs(con, rules, dataset=None)
            ids = judging.unadmitted_project_problems(con, rules, dataset=None, tasks=TASKS)
        assert (len(due), len(ids)) == wanted[1:]


def test_status_agrees_with_execute_on_random_rows(home: Path) -> None:
    world = random_world(1, n_lms=3)
    for row in world.raw["generation"]:
        name = row["generation_id"]
        world.add(
            "generation_text", name, generation_id=name, raw_text="x", kept_text="x",
            kept_rule="whole",
        )  # fmt: skip
    for policy in ("calibrated", "compat"):
        found = pending_work(home, world, judging.Rules(policy, "1", "projects"))
        assert found.n_unexecuted > 0


def test_two_releases_of_one_moment_have_one_newest(home: Path) -> None:
    world = World()
    world.run("r0", 0)
    for name in ("b", "a", "c"):
        world.release(name, "toy", 1, "r0")
    world.write(home / "warehouse.duckdb")
    build(select=VIEWS_READ)
    with reading() as con:
        newest = problems.newest_ids(con, "toy")
    numbered = rows("select problem_id from intermediate.int_problem_numbered order by release_no")
    assert newest == ["a.0"] == [problem_id for (problem_id,) in numbered][-1:]


def test_the_admission_to_prefer_says_whether_a_reference_fails(home: Path) -> None:
    """The calibrated policy comes first, then the newest measurement: decision 6."""
    world = World()
    for day in range(3):
        world.run(f"r{day}", day)
    measured = {
        "rejected": [("calibrated", "rejected", "r1")],
        "retried": [("calibrated", "rejected", "r0"), ("calibrated", "split", "r1")],
        "fails_now": [("calibrated", "split", "r0"), ("calibrated", "rejected", "r1")],
        "compat_alone": [("calibrated", "rejected", "r0"), ("compat", "split", "r1")],
        "compat_fails": [("calibrated", "split", "r0"), ("compat", "rejected", "r1")],
        "unmeasured": [],
    }
    problem_of = dict(zip(measured, world.release("toy", "toy", len(measured), "r0"), strict=True))
    for name, admissions in measured.items():
        for policy, mode, run_id in admissions:
            world.admission(problem_of[name], policy, mode, run_id, reason=f"{name} {run_id}")
    world.write(home / "warehouse.duckdb")
    build(select=VIEWS_READ)
    rejected = dict(rows("from facts.problem_rejected"))
    wanted = {"rejected": "r1", "fails_now": "r1", "compat_alone": "r0"}
    assert rejected == {problem_of[name]: f"{name} {run}" for name, run in wanted.items()}
    aside = rows(
        "select problem_id from intermediate.int_problem_numbered where set_aside is not null"
    )
    assert {problem_id for (problem_id,) in aside} == set(rejected)
    with reading() as con:
        (found,) = state.dataset_states(con)
    assert (found.n_admitted, found.n_rejected) == (2, 3)
