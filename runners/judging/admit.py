"""Admit problems: a reference must pass here before any candidate is judged.

The reference decides three things per problem, which are stored: whether the verdict can be split
from the candidate's process, the limits (scaled from its own time), and the outputs expected on
input-output tests. A whole program comes with its outputs, and must print them.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any

import duckdb

from ingest.loader import dataset_module
from ingest.problems.drafts import Source
from models import codec
from models.keys import content_key
from models.tables import Admission
from models.words import SCRIPT
from runners.judging.policies import DEFAULT, Policy
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import JUDGE_VERSION, OUTPUTS, Job, Limits, Result, Suite
from runners.problems import require
from runners.progress import track
from warehouse.facts.judging import Rules, target_problems, unadmitted_problems
from warehouse.facts.problems import StoredProblem, inputs_by_problem, newest_ids, problems_by_id
from warehouse.store.connection import reading
from warehouse.store.runs import recorded

N_MEASURED = 5
LONG_S = 0.2
STUB = "stub"
MAX_SET_ASIDE = 0.1  # share of a problem's tests whose outputs may be too large to hand over
Outputs = list[str | None]


@dataclass(frozen=True)
class Taken:
    """CPU seconds a reference took: all tests together, and its longest test where one was long."""

    cpu_s: float | None = None
    test_cpu_s: float | None = None


def admit(
    *,
    dataset: str | None,
    rescore: str | None,
    policy: Policy,
    workers: int,
    isolation: str,
    settings: dict[str, Any],
    retry_rejected: bool = False,
    progress: bool = True,
) -> list[str]:
    """Measure the references that generations wait for; return the tasks that were rejected.

    With ``retry_rejected`` those that were rejected before are measured again.
    """
    with reading() as con:
        ids = target_problems(con, dataset, rescore)
        problems = _unadmitted(con, ids, policy, retry_rejected=retry_rejected)
    return _admit(problems, policy, workers, isolation, settings, progress)


def admit_dataset(
    dataset: str,
    *,
    policy: Policy = DEFAULT,
    workers: int = 2,
    isolation: str = "auto",
    progress: bool = True,
) -> list[str]:
    """Measure all references of a dataset's newest release; return the tasks newly rejected."""
    with reading() as con:
        require(con, dataset)
        problems = _unadmitted(con, newest_ids(con, dataset), policy)
    settings = {"dataset": dataset, "policy": policy.label, "isolation": isolation}
    return _admit(problems, policy, workers, isolation, settings, progress)


def _admit(
    problems: list[StoredProblem],
    policy: Policy,
    workers: int,
    isolation: str,
    settings: dict[str, Any],
    progress: bool,
) -> list[str]:
    if not problems:
        return []
    with reading() as con:
        inputs = inputs_by_problem(con, [problem.problem_id for problem in problems])
    with (
        Pool(workers=workers, isolation=isolation) as pool,
        recorded("admit", settings={**settings, "isolation_used": pool.isolation}) as run,
    ):
        rows = [
            Admission(**found, policy=policy.label, judge_version=JUDGE_VERSION, run_id=run.run_id)
            for found in _measure(pool, problems, inputs, policy, progress)
        ]
        run.append(rows)
        tasks = {problem.problem_id: problem.task_id for problem in problems}
        rejected = [f"{tasks[r.problem_id]} ({r.reason})" for r in rows if r.mode == "rejected"]
        run.summary["rejected"] = rejected
    return rejected


def rules_of(policy: str) -> Rules:
    """Return the rules that this version of the judge gives verdicts under."""
    return Rules(policy, JUDGE_VERSION)


def reference_source(problem: StoredProblem) -> str:
    """Return the problem's own solution as a whole program."""
    return problem.prompt + problem.reference + problem.suffix


def kept_tests(outputs: Outputs) -> list[int]:
    """Return the positions of the input-output tests that were not set aside."""
    return [number for number, output in enumerate(outputs) if output is not None]


def make_suite(problem: StoredProblem, inputs: list[str], outputs: Outputs | None) -> Suite:
    """Return what the judge must know about one problem's tests.

    ``outputs`` has one entry per input, None where the test is set aside; it is None itself where
    outputs are still to be found, and for tests that are asserts. For a whole program each of
    ``inputs`` holds both what it reads and what it must print.
    """
    if problem.entry_point == SCRIPT:
        pairs = [codec.decode(text) for text in inputs]
        inputs = [codec.encode([read]) for read, _ in pairs]
        outputs = [codec.encode(printed) for _, printed in pairs]
    kept = kept_tests(outputs) if outputs is not None else []
    return Suite(
        key=problem.tests_key,
        entry_point=problem.entry_point,
        setup_code=problem.setup_code,
        test_code=problem.test_code,
        inputs=tuple(inputs[n] for n in kept) if outputs is not None else tuple(inputs),
        expected=tuple(outputs[n] or "" for n in kept) if outputs is not None else None,
        compare=problem.compare,
        atol=problem.atol,
        prompt=problem.prompt if problem.test_code is not None else "",
        solution=problem.reference + problem.suffix if problem.test_code else "",
    )


def _unadmitted(
    con: duckdb.DuckDBPyConnection, ids: list[str], policy: Policy, *, retry_rejected: bool = False
) -> list[StoredProblem]:
    left = unadmitted_problems(con, ids, rules_of(policy.label), retry_rejected=retry_rejected)
    return list(problems_by_id(con, left).values())


def _measure(
    pool: Pool,
    problems: list[StoredProblem],
    inputs: dict[str, list[str]],
    policy: Policy,
    progress: bool,
) -> list[dict[str, Any]]:
    by_id = {problem.problem_id: problem for problem in problems}
    measuring = policy.measuring()
    outputs, faults = _outputs(pool, by_id, inputs, measuring, progress)
    suites = {
        key: make_suite(problem, inputs.get(key, []), outputs.get(key))
        for key, problem in by_id.items()
    }
    found: dict[str, dict[str, Any]] = {}
    left = [key for key in by_id if key not in faults]
    for mode in ("split", "same_interpreter"):
        judged = _judge(pool, by_id, suites, left, mode, measuring, progress)
        for key, taken in judged.items():
            if isinstance(taken, str):
                faults[key] = f"{mode}: {taken}"
            else:
                limits = _limits(policy, by_id[key], len(suites[key].inputs), taken)
                found[key] = _row(
                    key, mode, faults.get(key), taken, limits, policy, outputs.get(key)
                )
        # input-output tests need no second way: only asserts can run beside the candidate
        left = [key for key in left if key not in found and by_id[key].test_code is not None]
    for key in by_id:
        if key not in found:
            limits = _limits(policy, by_id[key], len(suites[key].inputs), Taken())
            found[key] = _row(
                key, "rejected", faults[key], Taken(), limits, policy, outputs.get(key)
            )
    return [found[key] for key in by_id]


def _outputs(
    pool: Pool,
    by_id: dict[str, StoredProblem],
    inputs: dict[str, list[str]],
    limits: Limits,
    progress: bool,
) -> tuple[dict[str, Outputs], dict[str, str]]:
    """Return the reference's encoded outputs by problem, and why others gave none."""
    io = {
        key: problem
        for key, problem in by_id.items()
        if problem.test_code is None and problem.entry_point != SCRIPT
    }

    def job(key: str, which: str, some: list[str]) -> Job:
        suite = make_suite(io[key], some, None)
        source = reference_source(io[key])
        return Job(key=f"{key}/{which}", source=source, suite=suite, limits=limits, mode=OUTPUTS)

    found: dict[str, Outputs] = {}
    failed = []
    jobs = [job(key, "all", inputs[key]) for key in io]
    for result in track(pool.run(jobs), len(jobs), "expected outputs", enabled=progress):
        key = result.key.partition("/")[0]
        if result.outputs is not None:
            found[key] = list(result.outputs)
        else:
            failed.append(key)
    # one output too large to hand over must not cost the others: each input by itself
    faults: dict[str, str] = {}
    jobs = [job(key, str(n), [text]) for key in failed for n, text in enumerate(inputs[key])]
    for key in failed:
        found[key] = [None] * len(inputs[key])
    for result in track(pool.run(jobs), len(jobs), "outputs one by one", enabled=progress):
        key, _, number = result.key.partition("/")
        if result.outputs is not None:
            found[key][int(number)] = result.outputs[0]
        else:
            faults[key] = f"the reference gave no output: {result.verdict}: {result.message}"
    for key in failed:
        if found[key].count(None) > MAX_SET_ASIDE * len(found[key]):
            del found[key]
        else:
            del faults[key]
    return found, faults


def _judge(
    pool: Pool,
    by_id: dict[str, StoredProblem],
    suites: dict[str, Suite],
    keys: list[str],
    mode: str,
    limits: Limits,
    progress: bool,
) -> dict[str, str | Taken]:
    """Return per problem why the mode does not serve, or the median of what the reference took."""

    def job(key: str, which: str) -> Job:
        source = _stub(by_id[key]) if which == STUB else reference_source(by_id[key])
        return Job(key=f"{key}/{which}", source=source, suite=suites[key], limits=limits, mode=mode)

    results: dict[str, dict[str, Result]] = defaultdict(dict)

    def run(jobs: list[Job]) -> None:
        label = f"references, {mode}"
        for result in track(pool.run(jobs), len(jobs), label, enabled=progress):
            key, _, which = result.key.partition("/")
            results[key][which] = result

    run([job(key, which) for key in keys for which in ("0", STUB)])
    # a reference that takes long is measured well enough by one run
    short = [key for key in keys if (results[key]["0"].cpu_s or 0.0) < LONG_S]
    run([job(key, str(n)) for key in short for n in range(1, N_MEASURED)])
    found: dict[str, str | Taken] = {}
    for key in keys:
        stub = results[key].pop(STUB)
        failed = [result for result in results[key].values() if result.verdict != "passed"]
        if failed:
            found[key] = f"reference {failed[0].verdict}: {failed[0].message}"
        elif stub.verdict == "passed":
            found[key] = f"the tests pass {_what_stub(by_id[key])}"
        else:
            found[key] = Taken(
                _median(result.cpu_s for result in results[key].values()),
                _median(result.test_cpu_s for result in results[key].values()),
            )
    return found


def _median(times: Iterable[float | None]) -> float | None:
    known = [time for time in times if time is not None]
    return median(known) if known else None


def _stub(problem: StoredProblem) -> str:
    """Return a program that no test may accept."""
    if problem.entry_point == SCRIPT:
        return "pass\n"
    return f"def {problem.entry_point}(*args, **kwargs):\n    raise NotImplementedError\n"


def _what_stub(problem: StoredProblem) -> str:
    script = problem.entry_point == SCRIPT
    return "a program that prints nothing" if script else "a function that only raises"


def _limits(policy: Policy, problem: StoredProblem, n_inputs: int, taken: Taken) -> Limits:
    source: Source = dataset_module(problem.dataset).SOURCE
    return policy.limits(source, n_inputs, taken.cpu_s, taken.test_cpu_s)


def _row(
    problem_id: str,
    mode: str,
    reason: str | None,
    taken: Taken,
    limits: Limits,
    policy: Policy,
    outputs: Outputs | None,
) -> dict[str, Any]:
    # a reference that is measured again may be rejected again, for another reason
    again = [reason, policy.reference_cpu_s] if mode == "rejected" else []
    if outputs is not None and None in outputs:
        aside = [number for number, output in enumerate(outputs) if output is None]
        reason = f"tests {aside} set aside: the reference's output does not fit"
    granted = [limits.cpu_s, limits.wall_s, limits.test_cpu_s, limits.memory_mb]
    return {
        "admission_id": content_key(
            problem_id, policy.label, JUDGE_VERSION, mode, *granted, *again
        ),
        "problem_id": problem_id,
        "mode": mode,
        "reason": reason,
        "reference_cpu_s": taken.cpu_s,
        "reference_test_cpu_s": taken.test_cpu_s,
        "cpu_limit_s": limits.cpu_s,
        "wall_limit_s": limits.wall_s,
        "test_cpu_limit_s": limits.test_cpu_s,
        "memory_limit_mb": limits.memory_mb,
        "outputs": json.dumps(outputs) if outputs is not None else None,
    }
