"""Real problems: references pass, wrong bodies never do."""

from collections.abc import Iterator
from typing import Any

import pytest

from models.words import SAME_INTERPRETER, SPLIT
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import Job, Limits, Suite
from tests.data import FILES, humaneval_by_task, json_rows
from tests.runners.judging.sandbox.cases import suite

pytestmark = pytest.mark.long  # real references

LIMITS = Limits(cpu_s=10.0, wall_s=60.0)
WRONG = ("    pass\n", "    raise ValueError\n", "    return (\n", "    return 'wrong'\n")


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(workers=2, slots=3) as pool:
        yield pool


@pytest.fixture(scope="module")
def humaneval() -> dict[str, dict[str, Any]]:
    return humaneval_by_task()


def asserts(problem: dict[str, Any]) -> Suite:
    return suite(problem["test"], key=problem["task_id"], entry_point=problem["entry_point"])


@pytest.mark.parametrize("mode", [SPLIT, SAME_INTERPRETER])
def test_every_humaneval_reference_passes(
    pool: Pool, humaneval: dict[str, dict[str, Any]], mode: str
) -> None:
    jobs = (
        Job(key, p["prompt"] + p["canonical_solution"], asserts(p), LIMITS, mode)
        for key, p in humaneval.items()
    )
    failures = [(r.key, r.verdict, r.message) for r in pool.run(jobs) if r.verdict != "passed"]
    assert not failures


def test_no_wrong_body_passes(pool: Pool, humaneval: dict[str, dict[str, Any]]) -> None:
    jobs = (
        Job(f"{key} {n}", p["prompt"] + body, asserts(p), LIMITS, SPLIT)
        for key, p in humaneval.items()
        for n, body in enumerate(WRONG)
    )
    assert not [result.key for result in pool.run(jobs) if result.verdict == "passed"]


def test_mbpp_references_pass_and_all_but_a_few_can_be_split(pool: Pool) -> None:
    """One of eight; all are admitted, so split where they can be, in runners/steps/test_real.py."""
    jobs = []
    some = json_rows(FILES["mbpp"])[::8]
    for row in some:
        tests = "\n".join(row["test_list"])
        entry = tests.partition("(")[0].split()[-1]
        for mode in (SPLIT, SAME_INTERPRETER):
            names = [n for n in _functions(row["code"]) if f"{n}(" in tests.replace(" ", "")]
            name = names[-1] if names else entry
            told = {"entry_point": name, "setup_code": row["test_setup_code"]}
            judged = suite(tests, key=str(row["task_id"]), **told)
            jobs.append(Job(f"{row['task_id']} {mode}", row["code"], judged, LIMITS, mode))
    verdicts = {result.key: result.verdict for result in pool.run(jobs)}
    same = [key for key, found in verdicts.items() if SAME_INTERPRETER in key and found != "passed"]
    split = [key for key, found in verdicts.items() if key.endswith(SPLIT) and found != "passed"]
    assert not same
    assert len(verdicts) == 2 * len(some) == 2 * 122
    assert len(split) <= 1, split


def _functions(code: str) -> list[str]:
    return [
        line.split("(")[0].split()[1]
        for line in code.replace("\r", "").split("\n")
        if line.startswith("def ")
    ]
