"""Admit problems: a reference must pass here before any candidate is judged.

The reference decides three things per problem, which are stored: whether the verdict can be split
from the candidate's process, the limits (scaled from its own time), and the outputs expected on
input-output tests. A whole program comes with its outputs, and must print them.
"""

import json
import math
from collections import defaultdict
from statistics import median
from typing import Any

import duckdb

from models import Admission, codec
from models.entry_points import SCRIPT
from models.keys import content_key
from runners.problems import COLUMNS, inputs_by_problem, newest_problems, target_ctes
from runners.progress import track
from runners.sandbox.pool import Pool
from runners.sandbox.types import JUDGE_VERSION, OUTPUTS, Job, Limits, Result, Suite
from warehouse.connection import reading
from warehouse.runs import recorded

N_MEASURED = 5
LONG_S = 0.2
STUB = "stub"
OUTPUT_KB = 60 * 1024
# a reference is judged with half of what is granted to a program
MEASURING = Limits(
    cpu_s=60.0, wall_s=180.0, output_kb=OUTPUT_KB, judge_cpu_s=10.0, judge_memory_mb=1024
)
MAX_SET_ASIDE = 0.1  # share of a problem's tests whose outputs may be too large to hand over
MEMORY_MB = 1024
Outputs = list[str | None]
COMPAT_S = 3.0  # the fixed wall limit of openai/human-eval


def admit(
    *,
    dataset: str | None,
    rescore: str | None,
    policy: str,
    workers: int,
    isolation: str,
    settings: dict[str, Any],
    progress: bool = True,
) -> list[str]:
    """Measure the references that generations wait for; return the tasks that were rejected."""
    ctes, parameters = target_ctes(dataset, rescore)
    return _admit(ctes, parameters, policy, workers, isolation, settings, progress)


def admit_dataset(
    dataset: str,
    *,
    policy: str = "calibrated",
    workers: int = 2,
    isolation: str = "auto",
    progress: bool = True,
) -> list[str]:
    """Measure all references of a dataset's newest release; return the tasks newly rejected."""
    with reading() as con:
        ids = [problem["problem_id"] for problem in newest_problems(con, dataset)]
    ctes = "target as (select unnest(?::varchar[]) as problem_id)"
    settings = {"dataset": dataset, "policy": policy, "isolation": isolation}
    return _admit(ctes, [ids], policy, workers, isolation, settings, progress)


def _admit(
    ctes: str,
    parameters: list[Any],
    policy: str,
    workers: int,
    isolation: str,
    settings: dict[str, Any],
    progress: bool,
) -> list[str]:
    with reading() as con:
        problems = _unadmitted(con, ctes, parameters, policy)
        inputs = inputs_by_problem(con, [problem["problem_id"] for problem in problems])
    if not problems:
        return []
    with (
        Pool(workers=workers, isolation=isolation) as pool,
        recorded("admit", settings={**settings, "isolation_used": pool.isolation}) as run,
    ):
        rows = [
            Admission(**found, policy=policy, judge_version=JUDGE_VERSION, run_id=run.run_id)
            for found in _measure(pool, problems, inputs, policy, progress)
        ]
        run.append(rows)
        tasks = {problem["problem_id"]: problem["task_id"] for problem in problems}
        rejected = [f"{tasks[r.problem_id]} ({r.reason})" for r in rows if r.mode == "rejected"]
        run.summary["rejected"] = rejected
    return rejected


def reference_source(problem: dict[str, Any]) -> str:
    """Return the problem's own solution as a whole program."""
    return str(problem["prompt"] + problem["reference"] + problem["suffix"])


def kept_tests(outputs: Outputs) -> list[int]:
    """Return the positions of the input-output tests that were not set aside."""
    return [number for number, output in enumerate(outputs) if output is not None]


def make_suite(problem: dict[str, Any], inputs: list[str], outputs: Outputs | None) -> Suite:
    """Return what the judge must know about one problem's tests.

    ``outputs`` has one entry per input, None where the test is set aside; it is None itself where
    outputs are still to be found, and for tests that are asserts. For a whole program each of
    ``inputs`` holds both what it reads and what it must print.
    """
    if problem["entry_point"] == SCRIPT:
        pairs = [codec.decode(text) for text in inputs]
        inputs = [codec.encode([read]) for read, _ in pairs]
        outputs = [codec.encode(printed) for _, printed in pairs]
    kept = kept_tests(outputs) if outputs is not None else []
    return Suite(
        key=problem["tests_key"],
        entry_point=problem["entry_point"],
        setup_code=problem["setup_code"],
        test_code=problem["test_code"],
        inputs=tuple(inputs[n] for n in kept) if outputs is not None else tuple(inputs),
        expected=tuple(outputs[n] or "" for n in kept) if outputs is not None else None,
        compare=problem["compare"],
        atol=problem["atol"],
        prompt=problem["prompt"] if problem["test_code"] is not None else "",
        solution=problem["reference"] + problem["suffix"] if problem["test_code"] else "",
    )


def _unadmitted(
    con: duckdb.DuckDBPyConnection, ctes: str, parameters: list[Any], policy: str
) -> list[dict[str, Any]]:
    rows = con.execute(
        f"""
        with {ctes},
        admitted as (
            select problem_id from raw.admission where policy = ? and judge_version = ?
        )
        select {", ".join(f"problem.{name}" for name in COLUMNS)}
        from raw.problem as problem
        semi join target using (problem_id)
        anti join admitted using (problem_id)
        order by problem.dataset, problem.position
        """,
        [*parameters, policy, JUDGE_VERSION],
    ).fetchall()
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def _measure(
    pool: Pool,
    problems: list[dict[str, Any]],
    inputs: dict[str, list[str]],
    policy: str,
    progress: bool,
) -> list[dict[str, Any]]:
    by_id = {problem["problem_id"]: problem for problem in problems}
    outputs, faults = _outputs(pool, by_id, inputs, progress)
    suites = {
        key: make_suite(problem, inputs.get(key, []), outputs.get(key))
        for key, problem in by_id.items()
    }
    found: dict[str, dict[str, Any]] = {}
    left = [key for key in by_id if key not in faults]
    for mode in ("split", "same_interpreter"):
        judged = _judge(pool, by_id, suites, left, mode, progress)
        for key, (reason, cpu_s) in judged.items():
            if reason is None:
                found[key] = _row(key, mode, faults.get(key), cpu_s, policy, outputs.get(key))
            else:
                faults[key] = f"{mode}: {reason}"
        # input-output tests need no second way: only asserts can run beside the candidate
        left = [key for key in left if key not in found and by_id[key]["test_code"] is not None]
    for key in by_id:
        if key not in found:
            found[key] = _row(key, "rejected", faults[key], None, policy, outputs.get(key))
    return [found[key] for key in by_id]


def _outputs(
    pool: Pool, by_id: dict[str, dict[str, Any]], inputs: dict[str, list[str]], progress: bool
) -> tuple[dict[str, Outputs], dict[str, str]]:
    """Return the reference's encoded outputs by problem, and why others gave none."""
    io = {
        key: problem
        for key, problem in by_id.items()
        if problem["test_code"] is None and problem["entry_point"] != SCRIPT
    }

    def job(key: str, which: str, some: list[str]) -> Job:
        suite = make_suite(io[key], some, None)
        source = reference_source(io[key])
        return Job(key=f"{key}/{which}", source=source, suite=suite, limits=MEASURING, mode=OUTPUTS)

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
    by_id: dict[str, dict[str, Any]],
    suites: dict[str, Suite],
    keys: list[str],
    mode: str,
    progress: bool,
) -> dict[str, tuple[str | None, float | None]]:
    """Return per problem why the mode does not serve (None: it does) and the median CPU time."""

    def job(key: str, which: str) -> Job:
        source = _stub(by_id[key]) if which == STUB else reference_source(by_id[key])
        return Job(
            key=f"{key}/{which}", source=source, suite=suites[key], limits=MEASURING, mode=mode
        )

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
    found: dict[str, tuple[str | None, float | None]] = {}
    for key in keys:
        stub = results[key].pop(STUB)
        failed = [result for result in results[key].values() if result.verdict != "passed"]
        times = [result.cpu_s for result in results[key].values() if result.cpu_s is not None]
        if failed:
            found[key] = (f"reference {failed[0].verdict}: {failed[0].message}", None)
        elif stub.verdict == "passed":
            found[key] = (f"the tests pass {_what_stub(by_id[key])}", None)
        else:
            found[key] = (None, median(times) if times else None)
    return found


def _stub(problem: dict[str, Any]) -> str:
    """Return a program that no test may accept."""
    if problem["entry_point"] == SCRIPT:
        return "pass\n"
    return f"def {problem['entry_point']}(*args, **kwargs):\n    raise NotImplementedError\n"


def _what_stub(problem: dict[str, Any]) -> str:
    script = problem["entry_point"] == SCRIPT
    return "a program that prints nothing" if script else "a function that only raises"


def _row(
    problem_id: str,
    mode: str,
    reason: str | None,
    cpu_s: float | None,
    policy: str,
    outputs: Outputs | None,
) -> dict[str, Any]:
    limits = _limits(policy, cpu_s)
    if outputs is not None and None in outputs:
        aside = [number for number, output in enumerate(outputs) if output is None]
        reason = f"tests {aside} set aside: the reference's output does not fit"
    return {
        "admission_id": content_key(
            problem_id, policy, JUDGE_VERSION, mode, limits.cpu_s, limits.wall_s, limits.memory_mb
        ),
        "problem_id": problem_id,
        "mode": mode,
        "reason": reason,
        "reference_cpu_s": cpu_s,
        "cpu_limit_s": limits.cpu_s,
        "wall_limit_s": limits.wall_s,
        "memory_limit_mb": limits.memory_mb,
        "outputs": json.dumps(outputs) if outputs is not None else None,
    }


def _limits(policy: str, cpu_s: float | None) -> Limits:
    """Return the limits of a policy: whole seconds, so that a little noise moves nothing.

    calibrated: 20 times the reference's median CPU time m, at least 1 s, and for a reference that
    takes long no more than 10 s + 5 m; three times the limit plus 1 s on the wall. compat:
    openai/human-eval's fixed 3 s.
    """
    if policy == "compat":
        return policy_limits(COMPAT_S, COMPAT_S, MEMORY_MB)
    measured = cpu_s or 0.0
    limit = float(max(1, math.ceil(min(20 * measured, 10 + 5 * measured))))
    return policy_limits(limit, 3 * limit + 1, MEMORY_MB)


def policy_limits(cpu_s: float, wall_s: float, memory_mb: int) -> Limits:
    """Return the limits a program runs under; those not named are the same for all."""
    return Limits(cpu_s=cpu_s, wall_s=wall_s, memory_mb=memory_mb, output_kb=OUTPUT_KB)
