"""Real problems and real generations: references pass, wrong bodies never do, labels agree."""

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest

from models.words import SAME_INTERPRETER, SPLIT
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import Job, Limits, Suite
from tests.data import shared

pytestmark = pytest.mark.long  # real references and samples

LIMITS = Limits(cpu_s=10.0, wall_s=60.0)
WRONG = ("    pass\n", "    raise ValueError\n", "    return (\n", "    return 'wrong'\n")


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(workers=2, slots=3) as pool:
        yield pool


@pytest.fixture(scope="module")
def humaneval() -> dict[str, dict[str, Any]]:
    with gzip.open(shared("datasets/humaneval/HumanEval.jsonl.gz"), "rt") as lines:
        return {problem["task_id"]: problem for problem in map(json.loads, lines)}


def asserts(problem: dict[str, Any]) -> Suite:
    test_code = problem["test"]
    return Suite(
        *(problem["task_id"], problem["entry_point"], "", test_code),
        *((), None, "exact", 0.0),
    )


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


def test_verdicts_agree_with_independent_ones(
    pool: Pool, humaneval: dict[str, dict[str, Any]]
) -> None:
    """Every twentieth of CodeGen-16B's samples, against verdicts executed by another harness."""
    prompts = shared("generations/codet_HumanEval_for_code_generation.jsonl").read_text()
    task_ids = {row["prompt"]: row["task_id"] for row in map(json.loads, prompts.splitlines())}
    labels = {}
    for row in map(
        json.loads, shared("labels/codet_codegen16B_verified.jsonl").read_text().splitlines()
    ):
        labels[f"{row['task_id']} {row['sample']}"] = row["status_raw"] == "passed"
    samples = shared("generations/codet_codegen16B_humaneval.lines1-110.jsonl").read_text()
    jobs = []
    for row in map(json.loads, samples.splitlines()):
        problem = humaneval[task_ids[row["prompt"]]]
        for number in range(0, 100, 20):
            source = problem["prompt"] + row["samples"][number]
            key = f"{problem['task_id']} {number}"
            jobs.append(Job(key, source, asserts(problem), Limits(1.0, 20.0), SPLIT))
    assert len(jobs) == 550
    found = {result.key: result.verdict == "passed" for result in pool.run(jobs)}
    assert {key for key in found if found[key] != labels[key]} == set()


def test_mbpp_references_pass_and_all_but_a_few_can_be_split(pool: Pool) -> None:
    jobs = []
    for row in map(json.loads, shared("datasets/mbpp/mbpp.jsonl").read_text().splitlines()):
        tests = "\n".join(row["test_list"])
        entry = tests.partition("(")[0].split()[-1]
        for mode in (SPLIT, SAME_INTERPRETER):
            names = [n for n in _functions(row["code"]) if f"{n}(" in tests.replace(" ", "")]
            suite = Suite(
                *(str(row["task_id"]), names[-1] if names else entry),
                *(row["test_setup_code"], tests, (), None, "exact", 0.0),
            )
            jobs.append(Job(f"{row['task_id']} {mode}", row["code"], suite, LIMITS, mode))
    verdicts = {result.key: result.verdict for result in pool.run(jobs)}
    same = [key for key, found in verdicts.items() if SAME_INTERPRETER in key and found != "passed"]
    split = [key for key, found in verdicts.items() if key.endswith(SPLIT) and found != "passed"]
    assert not same
    assert len(verdicts) == 2 * 974
    assert len(split) <= 974 - 969, split


def _functions(code: str) -> list[str]:
    return [
        line.split("(")[0].split()[1]
        for line in code.replace("\r", "").split("\n")
        if line.startswith("def ")
    ]
