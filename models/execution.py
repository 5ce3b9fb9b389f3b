"""Programs, the limits they ran under, and what happened."""

from sqlmodel import Field

from models.base import Row
from models.words import WHY_ENDED


class Candidate(Row, table=True):
    """One row per distinct source text to be judged."""

    candidate_id: str = Field(primary_key=True, description="Hash of the source.")
    source: str = Field(description="Prompt, completion and suffix, ready to run.")
    parses: bool = Field(description="Whether Python can compile it.")
    n_characters: int = Field(description="Length of the source.")
    run_id: str = Field(description="The run that made it.")


class Admission(Row, table=True):
    """One row per problem and judge version: how its reference behaved, and the limits it set."""

    admission_id: str = Field(primary_key=True, description="Hash of problem, policy and judge.")
    problem_id: str = Field(description="The problem.")
    policy: str = Field(
        description="calibrated, fast or compat, with the limits that options set: see "
        "runners.judging.policies."
    )
    mode: str = Field(description="split, same_interpreter, or rejected (the reference fails).")
    reason: str | None = Field(
        description="Why the verdict is not split, or why the problem is rejected; no reference."
    )
    reference_cpu_s: float | None = Field(description="Median CPU seconds of the reference.")
    cpu_limit_s: float = Field(description="CPU seconds a program may use.")
    wall_limit_s: float = Field(description="Wall seconds the judge waits for a program, in all.")
    memory_limit_mb: int = Field(description="Address space a program may use.")
    outputs: str | None = Field(description="Encoded outputs of the reference on io tests.")
    judge_version: str = Field(description="Version of the judge's rules.")
    run_id: str = Field(description="The run that measured it.")
    test_cpu_limit_s: float | None = Field(
        default=None, description="CPU seconds one test may use, where tests have a limit."
    )
    reference_test_cpu_s: float | None = Field(
        default=None,
        description="Median CPU seconds of its longest test, where one took over 20 ms.",
    )
    environment_id: str | None = Field(
        default=None,
        description="Packages that programs run with: raw.project_environment; NULL for none.",
    )


class Program(Row, table=True):
    """One row per distinct candidate, tests and limits."""

    program_id: str = Field(
        primary_key=True, description="Hash of candidate, tests, mode, limits and judge."
    )
    candidate_id: str = Field(description="The source.")
    problem_id: str = Field(description="The problem whose tests judge it.")
    admission_id: str = Field(description="The mode and limits it runs under.")
    run_id: str = Field(description="The run that planned it.")


class Evaluation(Row, table=True):
    """One row per generation judged as a program: many generations may share one program."""

    evaluation_id: str = Field(primary_key=True, description="Hash of generation and program.")
    generation_id: str = Field(description="The generation.")
    problem_id: str = Field(description="The problem it is judged against.")
    candidate_id: str = Field(description="The source it became.")
    program_id: str = Field(description="The program that decides it.")
    run_id: str = Field(description="The run that planned it.")


class Outcome(Row, table=True):
    """One row per program and attempt: the verdict."""

    program_id: str = Field(primary_key=True, description="The program.")
    attempt: int = Field(
        primary_key=True,
        description="From 1; harness faults and what ended near a limit are tried again.",
    )
    verdict: str = Field(
        description="passed, failed, error, timeout, out_of_memory, harness_fault or tampered."
    )
    n_tests: int = Field(description="Tests the program was to face.")
    n_passed: int = Field(description="Tests it passed.")
    cpu_s: float | None = Field(description="CPU seconds of the untrusted process.")
    wall_s: float | None = Field(description="Wall seconds of the untrusted process.")
    max_rss_kb: int | None = Field(description="Largest resident memory.")
    why_ended: str = Field(description=f"{', '.join(WHY_ENDED[:-1])} or {WHY_ENDED[-1]}.")
    message: str | None = Field(description="First failure, at most 500 characters.")
    isolation: str = Field(description="Level used: ns+seccomp, ns1+seccomp, ... or none.")
    integrity: str = Field(description="split or same_interpreter.")
    run_id: str = Field(description="The run that executed it.")
    test_cpu_s: float | None = Field(
        default=None,
        description="CPU seconds of the longest test, where tests have a limit and one took over "
        "20 ms.",
    )
    alone: bool | None = Field(
        default=None,
        description="Whether it ran with nothing beside it, because an attempt ended near a limit.",
    )


class LimitTrial(Row, table=True):
    """One row per program cut off and longer limits: what it would have come to. No verdict."""

    program_id: str = Field(primary_key=True, description="The program.")
    factor: float = Field(primary_key=True, description="How many times its limits it was given.")
    verdict: str = Field(description="As in outcome.")
    n_tests: int = Field(description="Tests the program was to face.")
    n_passed: int = Field(description="Tests it passed.")
    cpu_s: float | None = Field(description="CPU seconds of the untrusted process.")
    test_cpu_s: float | None = Field(description="CPU seconds of the longest test: see outcome.")
    wall_s: float | None = Field(description="Wall seconds of the untrusted process.")
    why_ended: str = Field(description="As in outcome.")
    run_id: str = Field(description="The run that executed it.")


class TestOutcome(Row, table=True):
    """One row per program, attempt and test."""

    __test__ = False  # not a pytest class

    program_id: str = Field(primary_key=True, description="The program.")
    attempt: int = Field(primary_key=True, description="The attempt.")
    test_index: int = Field(primary_key=True, description="The test, from 0.")
    status: str = Field(description="A verdict, or not_run.")
    message: str | None = Field(description="At most 200 characters.")
    run_id: str = Field(description="The run that executed it.")


class Canary(Row, table=True):
    """One row per execution run and problem: did the reference still pass, here and now?"""

    canary_id: str = Field(primary_key=True, description="Hash of run and problem.")
    run_id: str = Field(description="The execution run.")
    problem_id: str = Field(description="The problem.")
    verdict: str = Field(description="Verdict of the reference in this run.")
    cpu_s: float | None = Field(description="CPU seconds it took.")
    message: str | None = Field(description="Why it failed.")
