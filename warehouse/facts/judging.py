"""What is to be admitted, planned and executed, under one policy of limits."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from warehouse.facts.query import column_of, mapping_of, rows_of


@dataclass(frozen=True)
class Rules:
    """The rules that a verdict is given under: a policy of limits and a version of the judge."""

    policy: str
    judge_version: str


@dataclass(frozen=True)
class AdmissionResult:
    """How one measurement of a reference ended."""

    problem_id: str
    admission_id: str
    mode: str


@dataclass(frozen=True)
class Unplanned:
    """A generation that is no program yet, with the parts of its program."""

    generation_id: str
    problem_id: str
    admission_id: str
    task: str
    style: str
    prompt: str
    kept_text: str
    suffix: str
    problem_prompt: str


@dataclass(frozen=True)
class DueProgram:
    """A program to be run, and the limits it has."""

    program_id: str
    problem_id: str
    admission_id: str
    source: str
    mode: str
    cpu_limit_s: float
    wall_limit_s: float
    test_cpu_limit_s: float | None
    memory_limit_mb: int
    next_attempt: int


def target_problems(
    con: duckdb.DuckDBPyConnection,
    dataset: str | None,
    rescore: str | None,
    tasks: Sequence[str],
) -> list[str]:
    """Return the problem_ids that answers to tasks over a dataset, or over all, are judged by.

    With ``rescore`` these are problems of that other dataset with the same task names.
    """
    return column_of(con, "judging/targets", dataset=dataset, judged_as=rescore, tasks=list(tasks))


def unadmitted_problems(
    con: duckdb.DuckDBPyConnection,
    problem_ids: Sequence[str],
    rules: Rules,
    *,
    retry_rejected: bool = False,
) -> list[str]:
    """Return the problems without an admission; with retry, also those that were rejected."""
    return column_of(
        con,
        "judging/problems_unadmitted",
        problem_ids=list(problem_ids),
        retry_rejected=retry_rejected,
        **vars(rules),
    )


def admissions(con: duckdb.DuckDBPyConnection, rules: Rules) -> list[AdmissionResult]:
    """Return every measurement of a reference; those that admit come last."""
    return rows_of(con, "judging/admissions", AdmissionResult, **vars(rules))


def unplanned_generations(
    con: duckdb.DuckDBPyConnection,
    rules: Rules,
    *,
    dataset: str | None,
    rescore: str | None,
    tasks: Sequence[str],
    most: int,
) -> list[Unplanned]:
    """Return generations of some tasks that are no programs yet, at most ``most``."""
    return rows_of(
        con,
        "judging/generations_unplanned",
        Unplanned,
        dataset=dataset,
        judged_as=rescore,
        tasks=list(tasks),
        most=most,
        **vars(rules),
    )


def due_programs(
    con: duckdb.DuckDBPyConnection,
    rules: Rules,
    *,
    dataset: str | None,
    most: int | None = None,
    factor: float | None = None,
) -> list[DueProgram]:
    """Return programs without a verdict, problem by problem.

    With ``factor``: programs that timed out, and that no trial with so large a factor settled.
    """
    return rows_of(
        con,
        "judging/programs_to_run",
        DueProgram,
        dataset=dataset,
        most=most,
        factor=factor,
        **vars(rules),
    )


def expected_outputs(
    con: duckdb.DuckDBPyConnection, admission_ids: Sequence[str]
) -> dict[str, list[str | None]]:
    """Return the expected outputs of input-output tests by admission_id; they can be large."""
    found = mapping_of(con, "judging/expected_outputs", admission_ids=list(admission_ids))
    return {admission_id: json.loads(outputs) for admission_id, outputs in found.items()}


def count_answers(con: duckdb.DuckDBPyConnection, dataset: str | None, tasks: Sequence[str]) -> int:
    """Return how many answers to some tasks there are of a dataset, or of all.

    Answers to any task over a real project count too: its suite does not judge them yet.
    """
    return int(column_of(con, "judging/n_answers", dataset=dataset, tasks=list(tasks))[0])
