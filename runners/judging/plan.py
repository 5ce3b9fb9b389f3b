"""Which programs are to be run: one per distinct text, tests and limits."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from models.base import Row
from models.keys import content_key, text_key
from models.tables import Candidate, Evaluation, Program
from models.words import UNKEPT_PROGRAM
from runners.judging.languages.python import parses
from runners.judging.packages import Environments
from runners.judging.policies import program_limits, rules_of
from runners.judging.references import kept_tests, make_suite
from runners.judging.sandbox.types import Job, Limits, Suite
from warehouse.facts.judging import (
    Unplanned,
    due_programs,
    expected_outputs,
    unplanned_generations,
)
from warehouse.facts.problems import StoredProblem, inputs_by_problem, problems_by_id
from warehouse.store.connection import reading
from warehouse.store.runs import recorded

CHUNK = 50_000
PROJECT_CHUNK = 500
"""Each program of a project is a whole file."""

ProgramRule = Callable[[Unplanned], str]
"""What makes the source of a program of a kept answer."""


@dataclass(frozen=True)
class PendingProgram:
    """A program without a valid verdict, and all it takes to run it."""

    program_id: str
    problem_id: str
    source: str
    mode: str
    limits: Limits
    next_attempt: int
    problem: StoredProblem
    suite: Suite
    test_indices: list[int] | None  # of the suite's tests; None: their own positions

    def test_index(self, position: int) -> int:
        """Return the index of the test the suite holds at a position."""
        return self.test_indices[position] if self.test_indices is not None else position

    def job(self) -> Job:
        """Return the sandbox's job."""
        return Job(
            key=self.program_id,
            source=self.source,
            suite=self.suite,
            limits=self.limits,
            mode=self.mode,
        )


def plan(
    *,
    dataset: str | None,
    rescore: str | None,
    policy: str,
    rules: Mapping[str, ProgramRule],
    settings: dict[str, Any],
    over_projects: bool = False,
) -> int:
    """Turn generations without an evaluation into candidates and programs; return their number.

    ``rules`` make the programs, by task; generations of other tasks are left alone. With
    ``over_projects`` those over real projects are planned, else all others.
    """
    n_planned = 0
    most = PROJECT_CHUNK if over_projects else CHUNK

    def unplanned() -> list[Unplanned]:
        with reading() as con:
            return unplanned_generations(
                con,
                rules_of(policy),
                dataset=dataset,
                rescore=rescore,
                tasks=list(rules),
                most=most,
                over_projects=over_projects,
            )

    while chunk := unplanned():
        with recorded("plan", settings=settings) as run:
            run.append(_rows(chunk, rules, run.run_id))
        n_planned += len(chunk)
        if len(chunk) < most:
            break
    return n_planned


def _rows(chunk: list[Unplanned], rules: Mapping[str, ProgramRule], run_id: str) -> Iterator[Row]:
    seen: set[str] = set()
    for each in chunk:
        source = UNKEPT_PROGRAM if each.unkept else rules[each.task](each)
        candidate_id = text_key(source)
        program_id = content_key(candidate_id, each.admission_id)
        if candidate_id not in seen:
            seen.add(candidate_id)
            yield Candidate(
                candidate_id=candidate_id,
                source=source,
                parses=parses(source),
                n_characters=len(source),
                run_id=run_id,
            )
        if program_id not in seen:
            seen.add(program_id)
            yield Program(
                program_id=program_id,
                candidate_id=candidate_id,
                problem_id=each.problem_id,
                admission_id=each.admission_id,
                run_id=run_id,
            )
        yield Evaluation(
            evaluation_id=content_key(each.generation_id, program_id),
            generation_id=each.generation_id,
            problem_id=each.problem_id,
            candidate_id=candidate_id,
            program_id=program_id,
            run_id=run_id,
        )


def due(
    *,
    dataset: str | None,
    policy: str,
    environments: Environments,
    most: int | None = None,
    factor: float | None = None,
) -> list[PendingProgram]:
    """Return programs without a verdict from a run whose canary passed, problem by problem.

    With ``factor`` those stopped at their limits that no trial so long has settled. Those whose
    packages are not here wait.
    """
    with reading() as con:
        found = due_programs(con, rules_of(policy), dataset=dataset, most=most, factor=factor)
        problem_of = {program.admission_id: program.problem_id for program in found}
        ids = sorted(set(problem_of.values()))
        problems = problems_by_id(con, ids)
        inputs = inputs_by_problem(con, ids)
        outputs = expected_outputs(con, sorted(problem_of))
    environments.settle(ids)
    suites = {
        admission_id: make_suite(
            problems[problem_id],
            inputs.get(problem_id, []),
            outputs.get(admission_id),
            environments.folders.get(problem_id, ""),
        )
        for admission_id, problem_id in problem_of.items()
    }
    indices = {key: kept_tests(found) for key, found in outputs.items()}
    return [
        PendingProgram(
            program_id=program.program_id,
            problem_id=program.problem_id,
            source=program.source,
            mode=program.mode,
            limits=program_limits(
                cpu_s=program.cpu_limit_s,
                wall_s=program.wall_limit_s,
                test_cpu_s=program.test_cpu_limit_s,
                memory_mb=program.memory_limit_mb,
            ),
            next_attempt=program.next_attempt,
            problem=problems[program.problem_id],
            suite=suites[program.admission_id],
            test_indices=indices.get(program.admission_id),
        )
        for program in found
        if program.problem_id not in environments.waiting
    ]
