"""Programs of a small project are judged between canaries; the checker runs its tests here."""

import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ingest.projects.project import Project, keep_archive, project_again
from runners.cli.main import cli
from runners.judging.policies import Policy
from runners.projects import passed_suite
from runners.projects.judging import passed_suites, programs
from runners.projects.problems import LinesSpec, ingest_lines
from tests.support.sql import n_rows, rows
from tests.support.steps import execute, generate
from tests.support.worlds.projects import (
    SOURCE,
    HereChecker,
    plant_coverage,
    store_ingested,
    write_project,
)

pytestmark = pytest.mark.long(seconds=30)

GIVEN: dict[str, Any] = {"backend": "planted", "dataset": "small-lines", "progress": False}
VERDICTS = """
    select lm, judged.verdict, judged.null_reason, count(*)
    from raw.generation
    inner join raw.language_model using (lm_id)
    inner join raw.evaluation using (generation_id)
    inner join facts.program_judged as judged using (program_id)
    group by all order by all
"""


@dataclass
class Small:
    """The small project, and the checkers that judge it: one for each time that one is opened."""

    project: Project
    patch: pytest.MonkeyPatch
    limits: list[Any] = field(default_factory=list)

    def judged_by(self, checker: HereChecker) -> HereChecker:
        def opened(found: Any, limits: Any, level: str) -> Any:
            self.limits.append(limits)
            return checker.opened(found)

        self.patch.setattr(passed_suite, "opened_checker", opened)
        return checker


@pytest.fixture
def small(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Small:
    """Two hidden lines, with a right answer to each and a wrong one."""
    project = write_project(tmp_path / "small")
    store_ingested(project)
    plant_coverage(monkeypatch)
    ingest_lines(LinesSpec((str(project.folder),)), progress=False)
    for lm, rate in (("right", 1.0), ("wrong", 0.0)):
        generate(**GIVEN, lm=lm, n=1, options={"pass_rate": rate})
    monkeypatch.setattr(passed_suites, "project_again", lambda release: project)
    monkeypatch.setattr(programs, "namespace_level", lambda: "ns+seccomp")
    return Small(project, monkeypatch)


def test_right_programs_pass_and_each_runs_once(small: Small) -> None:
    checker = small.judged_by(HereChecker())
    report = execute(progress=False)
    assert (report.n_generations, report.n_planned, report.n_executed) == (4, 4, 4)
    assert report.n_not_available is None
    assert report.isolation == "ns+seccomp"
    assert report.verdicts["passed"] == 2
    found = rows(VERDICTS)
    assert found[0] == ("right", "passed", None, 2)
    assert {(lm, reason) for lm, _, reason, _ in found[1:]} == {("wrong", None)}
    assert "passed" not in {verdict for _, verdict, *_ in found[1:]}
    (limits,) = small.limits
    assert (limits.cpu_s, limits.wall_s, limits.memory_mb) == (14, 61, 2048), "10 + 5 x 0.75 s"
    told = "select distinct mode, reference_cpu_s, n_tests, integrity, isolation, alone "
    of = "from raw.outcome, raw.admission"
    assert rows(told + of) == [
        ("same_interpreter", 0.75, 3, "same_interpreter", "ns+seccomp", False)
    ]
    assert rows("select bool_and((verdict = 'passed') = (n_passed = 3)) from raw.outcome") == [
        (True,)
    ]
    failed = rows("select distinct status, test_index between 0 and 2 from raw.test_outcome")
    assert failed == [("failed", True)]
    counts = [n_rows(table) for table in ("run", "outcome", "canary", "admission")]
    assert execute(progress=False).n_planned == 0
    assert [n_rows(table) for table in ("run", "outcome", "canary", "admission")] == counts
    assert (checker.n_opened, len(checker.seen)) == (1, 4)
    assert SOURCE in checker.seen


@pytest.mark.parametrize(
    ("policy", "suite_s", "cpu_s"),
    [
        *((Policy(), 0.1, 10), (Policy(), 0.6, 12), (Policy(), 2.0, 20)),
        *((Policy("fast"), 0.1, 2), (Policy("compat"), 2.0, 3), (Policy(cpu_s=7), 2.0, 7)),
    ],
)
def test_a_candidate_has_the_limits_of_a_policy(
    small: Small, policy: Policy, suite_s: float, cpu_s: float
) -> None:
    known = replace(passed_suite.stored_suite(small.project), cpu_s=suite_s)
    limits = passed_suite.check_limits(known, replace(policy, memory_mb=100))
    assert (limits.cpu_s, limits.memory_mb) == (cpu_s, 100)
    assert passed_suite.check_limits(known, policy).memory_mb == 2048


def test_programs_before_a_failing_canary_do_not_count(small: Small) -> None:
    small.judged_by(HereChecker(canaries=["passed", "failed", "failed"]))
    report = execute(progress=False)
    assert report.failing_canaries == ["small 1.5 (failed: planted)"]
    assert {reason for _, _, reason, _ in rows(VERDICTS)} == {"canary_failed"}
    assert n_rows("outcome") == 4
    small.judged_by(HereChecker(canaries=["passed", "failed", "passed"]))
    again = execute(progress=False)
    assert (again.n_planned, again.failing_canaries) == (4, []), "once more, and it passed"
    assert {reason for _, _, reason, _ in rows(VERDICTS)} == {None}
    assert rows("select distinct attempt from raw.outcome order by all") == [(1,), (2,)]


def test_nothing_runs_where_the_first_canary_fails(small: Small) -> None:
    checker = small.judged_by(HereChecker(canaries=["error", "error"]))
    assert execute(progress=False).failing_canaries == ["small 1.5 (error: planted)"]
    assert (checker.seen, n_rows("outcome")) == ([], 0)
    assert rows("select distinct verdict from raw.canary") == [("error",)]
    small.judged_by(HereChecker())
    assert execute(progress=False).n_executed == 4


def test_a_canary_is_due_after_ten_times_its_time(small: Small) -> None:
    small.patch.setattr(programs, "BATCH_SHARE", 0.5)
    checker = small.judged_by(HereChecker(canaries=["passed", "passed", "failed", "failed"]))
    execute(progress=False)
    found = sorted(reason or "" for _, _, reason, n in rows(VERDICTS) for _ in range(n))
    assert found == ["", "", "canary_failed", "canary_failed"], "one problem of two counts"
    assert checker.canaries == []


def test_a_broken_harness_is_tried_again(small: Small) -> None:
    small.judged_by(HereChecker(faults=2))
    report = execute(progress=False)
    assert (report.n_executed, "harness_fault" in report.verdicts) == (4, False)
    assert rows("select max(attempt), count(*) from raw.outcome") == [(3, 6)]
    assert {reason for _, _, reason, _ in rows(VERDICTS)} == {None}


def test_a_limit_on_programs_holds_for_projects(small: Small) -> None:
    small.judged_by(HereChecker())
    assert execute(progress=False, limit=3).n_executed == 3
    assert execute(progress=False, limit=3).n_executed == 1


def test_why_a_project_is_not_judged(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    def said(*more: str) -> str:
        done = CliRunner().invoke(cli, ["execute", "--no-progress", *more])
        assert isinstance(done.exception, Exception)
        (line,) = [each for each in done.output.splitlines() if each.startswith("not judged")]
        return line

    with monkeypatch.context() as patch:
        patch.setattr(passed_suites, "project_again", project_again)
        assert said().startswith(
            "not judged: small 1.5 is not here any more: ingest its checkout again with "
        )
    assert n_rows("admission") == 0
    assert "small 1.5: the level none has no private /tmp" in said("--isolation", "none")
    assert n_rows("admission") == 2
    with monkeypatch.context() as patch:
        patch.setattr(programs, "require_same_tests", _other_tests)
        again = f"run `assay ingest lines {small.project.folder}`, then `assay generate` again"
        assert again in said()


def test_a_checkout_that_is_gone_is_judged_by_what_is_kept(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passed_suites, "project_again", project_again)
    keep_archive(small.project)
    shutil.rmtree(small.project.folder)
    checker = small.judged_by(HereChecker())
    report = execute(progress=False)
    assert (report.n_executed, report.projects_not_judged) == (4, [])
    assert SOURCE in checker.seen


def _other_tests(found: Any, dataset: str, tests_key: str) -> None:
    passed_suites.require_same_tests(found, dataset, tests_key + "-of-then")
