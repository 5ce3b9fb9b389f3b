"""Which programs are to be run: one per distinct text, tests and limits."""

import ast
import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import duckdb

from models.base import Row
from models.keys import content_key, text_key
from models.tables import Candidate, Evaluation, Program
from runners.judging.admit import Outputs, kept_tests, make_suite
from runners.judging.policies import program_limits
from runners.judging.sandbox.types import JUDGE_VERSION, Job, Limits, Suite
from runners.problems import inputs_by_problem, problems_by_id, target_ctes
from warehouse.store.connection import reading
from warehouse.store.runs import recorded

CHUNK = 50_000


@dataclass(frozen=True)
class Pending:
    """A program without a valid verdict, and all it takes to run it."""

    program_id: str
    problem_id: str
    source: str
    mode: str
    limits: Limits
    next_attempt: int
    problem: dict[str, Any]
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


def plan(*, dataset: str | None, rescore: str | None, policy: str, settings: dict[str, Any]) -> int:
    """Turn generations without an evaluation into candidates and programs; return their number."""
    n_planned = 0
    while chunk := _unplanned(dataset, rescore, policy):
        with recorded("plan", settings=settings) as run:
            run.append(_rows(chunk, run.run_id))
        n_planned += len(chunk)
        if len(chunk) < CHUNK:
            break
    return n_planned


def parses(source: str) -> bool:
    """Return whether the text is Python; nothing of it is run."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _unplanned(dataset: str | None, rescore: str | None, policy: str) -> list[tuple[Any, ...]]:
    ctes, parameters = target_ctes(dataset, rescore)
    with reading() as con:
        return con.execute(
            f"""
            with {ctes},
            admitted as (
                select problem_id, admission_id from raw.admission
                where policy = ? and judge_version = ? and mode <> 'rejected'
            ),
            planned as (
                select evaluation.generation_id, program.admission_id
                from raw.evaluation as evaluation
                inner join raw.program as program using (program_id)
            )
            select
                target.generation_id,
                target.problem_id,
                admitted.admission_id,
                setting.style,
                variant.prompt,
                generation_text.kept_text,
                problem.suffix
            from target
            inner join admitted using (problem_id)
            anti join planned
                on target.generation_id = planned.generation_id
                and admitted.admission_id = planned.admission_id
            inner join raw.generation as generation
                on target.generation_id = generation.generation_id
            inner join raw.setting as setting using (setting_id)
            inner join raw.variant as variant on generation.variant_id = variant.variant_id
            inner join raw.generation_text as generation_text
                on target.generation_id = generation_text.generation_id
            inner join raw.problem as problem on target.problem_id = problem.problem_id
            limit {CHUNK}
            """,
            [*parameters, policy, JUDGE_VERSION],
        ).fetchall()


def _rows(chunk: list[tuple[Any, ...]], run_id: str) -> Iterator[Row]:
    seen: set[str] = set()
    for generation_id, problem_id, admission_id, style, prompt, kept_text, suffix in chunk:
        source = (prompt if style == "completion" else "") + kept_text + suffix
        candidate_id = text_key(source)
        program_id = content_key(candidate_id, admission_id)
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
                problem_id=problem_id,
                admission_id=admission_id,
                run_id=run_id,
            )
        yield Evaluation(
            evaluation_id=content_key(generation_id, program_id),
            generation_id=generation_id,
            problem_id=problem_id,
            candidate_id=candidate_id,
            program_id=program_id,
            run_id=run_id,
        )


WITHOUT_VERDICT = "chosen as (from facts.program_due)"

CUT_OFF = """
    known as (
        select limit_trial.program_id
        from raw.limit_trial as limit_trial
        where limit_trial.factor >= ? or limit_trial.why_ended not in ('cpu', 'wall')
    ),
    chosen as (
        select program_id, 1 as next_attempt
        from facts.program_settled
        anti join known using (program_id)
        where verdict = 'timeout' and why_ended in ('cpu', 'wall')
    )
"""


def pending_programs(*, dataset: str | None, policy: str, limit: int | None) -> list[Pending]:
    """Return programs without a verdict from a run whose canary passed, problem by problem."""
    return _programs(WITHOUT_VERDICT, [], dataset, policy, limit)


def cut_off_programs(*, dataset: str | None, policy: str, factor: float) -> list[Pending]:
    """Return programs stopped at their limits that no trial so long has settled."""
    return _programs(CUT_OFF, [factor], dataset, policy, None)


def _programs(
    chosen: str, parameters: list[Any], dataset: str | None, policy: str, limit: int | None
) -> list[Pending]:
    with reading() as con:
        rows = con.execute(
            f"""
            with {chosen}
            select
                program.program_id,
                program.problem_id,
                candidate.source,
                admission.mode,
                admission.cpu_limit_s,
                admission.wall_limit_s,
                admission.test_cpu_limit_s,
                admission.memory_limit_mb,
                program.admission_id,
                chosen.next_attempt
            from raw.program as program
            inner join chosen using (program_id)
            inner join raw.admission as admission using (admission_id)
            inner join raw.candidate as candidate using (candidate_id)
            inner join raw.problem as problem on program.problem_id = problem.problem_id
            where admission.policy = ? and admission.judge_version = ?
                and (? is null or problem.dataset = ?)
            order by problem.dataset, problem.position, program.program_id
            limit ?
            """,
            [
                *parameters,
                policy,
                JUDGE_VERSION,
                dataset,
                dataset,
                limit if limit is not None else 2**62,
            ],
        ).fetchall()
        ids = sorted({row[1] for row in rows})
        problems = problems_by_id(con, ids)
        inputs = inputs_by_problem(con, ids)
        outputs = _outputs(con, sorted({row[8] for row in rows}))
    suites = {
        admission_id: make_suite(
            problems[problem_id], inputs.get(problem_id, []), outputs.get(admission_id)
        )
        for admission_id, problem_id in {row[8]: row[1] for row in rows}.items()
    }
    indices = {key: kept_tests(found) for key, found in outputs.items()}
    return [
        Pending(
            program_id=program_id,
            problem_id=problem_id,
            source=source,
            mode=mode,
            limits=program_limits(
                cpu_s=cpu_s, wall_s=wall_s, test_cpu_s=test_cpu_s, memory_mb=memory_mb
            ),
            next_attempt=next_attempt,
            problem=problems[problem_id],
            suite=suites[admission_id],
            test_indices=indices.get(admission_id),
        )
        for (
            program_id,
            problem_id,
            source,
            mode,
            cpu_s,
            wall_s,
            test_cpu_s,
            memory_mb,
            admission_id,
            next_attempt,
        ) in rows
    ]


def _outputs(con: duckdb.DuckDBPyConnection, admission_ids: list[str]) -> dict[str, Outputs]:
    """Return the expected outputs of input-output tests; they can be large, so once each."""
    rows = con.execute(
        """
        select admission_id, outputs from raw.admission
        where outputs is not null and admission_id in (select unnest(?::varchar[]))
        """,
        [admission_ids],
    ).fetchall()
    return {admission_id: json.loads(outputs) for admission_id, outputs in rows}
