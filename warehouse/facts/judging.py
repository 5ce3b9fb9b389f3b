"""What is to be admitted, planned and executed, under one policy of limits."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from models.words import UNKEPT_ISSUES
from warehouse.facts.query import column_of, mapping_of, rows_of


@dataclass(frozen=True)
class Rules:
    """The rules that a verdict is given under: a policy of limits and versions of the judge.

    Programs of real projects have a judge of another version.
    """

    policy: str
    judge_version: str
    project_judge_version: str


@dataclass(frozen=True)
class AdmissionResult:
    """How one measurement of a reference ended."""

    problem_id: str
    admission_id: str
    mode: str


@dataclass(frozen=True)
class Unplanned:
    """A generation that is no program yet, with the parts of its program.

    ``unkept``: it has a text that no row can hold, so nothing of it is here.
    """

    generation_id: str
    problem_id: str
    admission_id: str
    task: str
    style: str
    prompt: str
    kept_text: str
    suffix: str
    problem_prompt: str
    unkept: bool = False


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


@dataclass(frozen=True)
class ProjectTarget:
    """A problem of a real project without an admission; ``tests_key`` stands for its tests."""

    problem_id: str
    dataset: str
    tests_key: str
    project_release_id: str


@dataclass(frozen=True)
class DueProjectProgram:
    """A program of a real project to be run: the new text of the file at ``path``."""

    program_id: str
    problem_id: str
    dataset: str
    tests_key: str
    project_release_id: str
    path: str
    cpu_limit_s: float
    wall_limit_s: float
    memory_limit_mb: int
    next_attempt: int


@dataclass(frozen=True)
class PackageNeed:
    """A package that a problem needs."""

    release_id: str
    dataset: str
    problem_id: str
    package: str


@dataclass(frozen=True)
class StoredEnvironment:
    """The newest lock of a release; ``missing`` is JSON: why a package is not in it."""

    release_id: str
    environment_id: str
    missing: str
    python: str
    lock: str


def target_problems(
    con: duckdb.DuckDBPyConnection,
    dataset: str | None,
    rescore: str | None,
    tasks: Sequence[str],
) -> list[str]:
    """Return the problem_ids that answers to tasks over a dataset, or over all, are judged by.

    Problems of real projects are not there. With ``rescore`` these are problems of that other
    dataset with the same task names.
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


def package_needs(con: duckdb.DuckDBPyConnection, problem_ids: Sequence[str]) -> list[PackageNeed]:
    """Return what problems need, of all problems in the releases of the named ones."""
    return rows_of(con, "judging/needs", PackageNeed, problem_ids=list(problem_ids))


def newest_environments(
    con: duckdb.DuckDBPyConnection, release_ids: Sequence[str]
) -> dict[str, StoredEnvironment]:
    """Return the newest environment of each named release that has one, by release_id."""
    found = rows_of(con, "judging/environments", StoredEnvironment, release_ids=list(release_ids))
    return {each.release_id: each for each in found}


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
    over_projects: bool = False,
) -> list[Unplanned]:
    """Return generations of some tasks that are no programs yet, at most ``most``.

    With ``over_projects`` those over real projects, else all others.
    """
    return rows_of(
        con,
        "judging/generations_unplanned",
        Unplanned,
        dataset=dataset,
        judged_as=rescore,
        tasks=list(tasks),
        most=most,
        over_projects=over_projects,
        unkept_issues=list(UNKEPT_ISSUES),
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
    """Return programs without a verdict, problem by problem; none of real projects.

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
    """Return how many answers to some tasks there are of a dataset, or of all."""
    return int(column_of(con, "judging/n_answers", dataset=dataset, tasks=list(tasks))[0])


def unadmitted_project_problems(
    con: duckdb.DuckDBPyConnection, rules: Rules, *, dataset: str | None, tasks: Sequence[str]
) -> list[ProjectTarget]:
    """Return the problems of real projects that answers are judged by, without an admission."""
    return rows_of(
        con,
        "judging/project_problems_unadmitted",
        ProjectTarget,
        dataset=dataset,
        tasks=list(tasks),
        **vars(rules),
    )


def due_project_programs(
    con: duckdb.DuckDBPyConnection, rules: Rules, *, dataset: str | None, most: int | None = None
) -> list[DueProjectProgram]:
    """Return programs of real projects without a verdict, by project, limits, file and problem."""
    return rows_of(
        con,
        "judging/project_programs_due",
        DueProjectProgram,
        dataset=dataset,
        most=most,
        **vars(rules),
    )


def program_sources(con: duckdb.DuckDBPyConnection, program_ids: Sequence[str]) -> dict[str, str]:
    """Return the texts of programs by program_id."""
    return mapping_of(con, "judging/program_sources", program_ids=list(program_ids))
