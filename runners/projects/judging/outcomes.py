"""The checker's results on programs and canaries, as rows."""

from collections.abc import Iterator, Mapping

from models.keys import content_key
from models.tables import Canary, Outcome, TestOutcome
from models.words import ERROR, FAILED, OUT_OF_MEMORY, PASSED, SAME_INTERPRETER
from runners.projects.checker import MEMORY, CheckResult
from runners.projects.events import TestRecord

MAX_MESSAGE, MAX_TEST_MESSAGE = 500, 200


def outcome_row(
    result: CheckResult, program_id: str, attempt: int, level: str, run_id: str
) -> Outcome:
    """Return the verdict on one program."""
    return Outcome(
        program_id=program_id,
        attempt=attempt,
        verdict=result.verdict,
        n_tests=result.n_expected,
        n_passed=sum(test.outcome == PASSED for test in result.tests),
        cpu_s=result.cpu_s,
        wall_s=result.wall_s,
        max_rss_kb=None,
        why_ended=result.why_ended,
        message=_cut(result.reason, MAX_MESSAGE),
        isolation=level,
        integrity=SAME_INTERPRETER,
        run_id=run_id,
        alone=False,
    )


def rows_of_tests(
    result: CheckResult, outcome: Outcome, index_of: Mapping[str, int]
) -> Iterator[TestOutcome]:
    """Yield the tests that ran and did not pass; ``index_of`` is a test's place in the suite."""
    for test in result.tests:
        if test.outcome != PASSED and test.test in index_of:
            yield TestOutcome(
                program_id=outcome.program_id,
                attempt=outcome.attempt,
                test_index=index_of[test.test],
                status=_status(test),
                message=_cut(test.message or test.outcome, MAX_TEST_MESSAGE),
                run_id=outcome.run_id,
            )


def canary_row(result: CheckResult, problem_id: str, run_id: str) -> Canary:
    """Return the canary's verdict, for one of the problems that it was run for."""
    return Canary(
        canary_id=content_key(run_id, problem_id),
        run_id=run_id,
        problem_id=problem_id,
        verdict=result.verdict,
        cpu_s=result.cpu_s,
        message=_cut(result.reason, MAX_MESSAGE),
    )


def _status(test: TestRecord) -> str:
    if (test.message or "").startswith(MEMORY):
        return OUT_OF_MEMORY
    return ERROR if test.outcome == "error" else FAILED


def _cut(text: str | None, most: int) -> str | None:
    return text and text[:most]
