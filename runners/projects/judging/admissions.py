"""Admissions of problems of real projects: their limits follow from the CPU time of the suite.

The suite passed unmodified twice when the project was ingested, so no reference runs here. Canaries
say whether it still passes.
"""

from collections import defaultdict
from collections.abc import Sequence

from models.keys import content_key
from models.tables import Admission
from models.words import SAME_INTERPRETER
from runners.judging.policies import Policy, rules_of
from runners.judging.sandbox.types import PROJECT_JUDGE_VERSION
from runners.projects.judging.passed_suites import PassedSuites, require_same_tests
from runners.projects.passed_suite import PassedSuite, check_limits
from warehouse.facts.judging import ProjectTarget, unadmitted_project_problems
from warehouse.store.connection import reading
from warehouse.store.runs import RunHandle, recorded


def unadmitted(policy: Policy, dataset: str | None, tasks: Sequence[str]) -> list[ProjectTarget]:
    """Return the problems of projects that have answers and are not admitted yet."""
    with reading() as con:
        rules = rules_of(policy.label)
        return unadmitted_project_problems(con, rules, dataset=dataset, tasks=tasks)


def admit_projects(
    targets: Sequence[ProjectTarget],
    suites: PassedSuites,
    policy: Policy,
    settings: dict[str, object],
) -> None:
    """Store the admissions of problems, except for projects that cannot be judged."""
    by_tests: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for each in targets:
        by_tests[each.project_release_id, each.dataset, each.tests_key].append(each.problem_id)
    if not by_tests:
        return
    with recorded("admit", settings=settings) as run:
        for (release_id, dataset, tests_key), ids in by_tests.items():

            def admit(
                suite: PassedSuite,
                dataset: str = dataset,
                tests_key: str = tests_key,
                ids: list[str] = ids,
            ) -> None:
                require_same_tests(suite, dataset, tests_key)
                run.append(_row(each, suite, policy, run) for each in ids)

            suites.tried(release_id, admit)


def _row(problem_id: str, suite: PassedSuite, policy: Policy, run: RunHandle) -> Admission:
    """Return the admission of one problem."""
    limits = check_limits(suite, policy)
    granted = [limits.cpu_s, limits.wall_s, limits.memory_mb]
    return Admission(
        admission_id=content_key(
            problem_id, policy.label, PROJECT_JUDGE_VERSION, SAME_INTERPRETER, *granted
        ),
        problem_id=problem_id,
        policy=policy.label,
        mode=SAME_INTERPRETER,
        reason="the tests of a project run beside the program",
        reference_cpu_s=suite.cpu_s,
        cpu_limit_s=limits.cpu_s,
        wall_limit_s=limits.wall_s,
        memory_limit_mb=limits.memory_mb,
        outputs=None,
        judge_version=PROJECT_JUDGE_VERSION,
        run_id=run.run_id,
    )
