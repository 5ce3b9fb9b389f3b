"""Admit problems: a reference must pass here before any candidate is judged.

The reference decides three things per problem, which are stored. They are whether the verdict can
be split from the candidate's process, the limits (scaled from its own time), and the outputs of
input-output tests. Tests that come with their outputs keep them: the reference must give them.

A problem without a reference is admitted where every output is given. The program that looks them
up (``answer_sheet``) runs in the reference's place: it must pass, and the stub must fail. It shows
that the tests do not contradict each other (beyond the tolerance of their comparison) and that the
judge works. It does not show that a solution exists. The limits are then those of the dataset's own
harness.

The stub of a hidden line is its program with a line that raises. Where the tests pass all the same,
they do not run the line, or its function catches the error. Then the problem is rejected.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from ingest.catalogue import kind_of, source_of
from models.keys import content_key
from models.plain import codec
from models.tables import Admission
from models.words import GIVEN_KINDS, INTEGRITIES, PYTHON, REJECTED, SAME_INTERPRETER, SCRIPT
from runners.judging.answer_sheets import answer_sheet
from runners.judging.conditions import Conditions, PoolAtWork
from runners.judging.languages import OTHER_LANGUAGES
from runners.judging.languages.pool import not_here
from runners.judging.packages import Environments
from runners.judging.policies import Policy, rules_of
from runners.judging.sandbox.types import (
    JUDGE_VERSION,
    OUTPUTS,
    Job,
    Result,
    Suite,
)
from warehouse.facts.judging import unadmitted_problems
from warehouse.facts.problems import (
    StoredInput,
    StoredProblem,
    inputs_by_problem,
    problems_by_id,
)
from warehouse.store.connection import reading

N_MEASURED = 5
LONG_S = 0.2
STUB = "stub"
RAISES = "raise NotImplementedError"
NO_REFERENCE = "no reference: a lookup of the expected outputs was run instead"
MAX_SET_ASIDE = 0.1  # share of a problem's tests whose outputs may be too large to hand over
Outputs = list[str | None]


@dataclass(frozen=True)
class Taken:
    """CPU seconds a reference took: all tests together, and its longest test where one was long."""

    cpu_s: float | None = None
    test_cpu_s: float | None = None


def admit(
    ids: Sequence[str],
    policy: Policy,
    how: Conditions,
    environments: Environments,
    *,
    retry_rejected: bool = False,
) -> list[str]:
    """Measure the references of problems that lack it; return the tasks that were rejected.

    With ``retry_rejected`` those that were rejected before are measured again. Problems whose
    packages are not here wait.
    """
    rules = rules_of(policy.label)
    environments.settle(ids)
    with reading() as con:
        left = unadmitted_problems(con, ids, rules, retry_rejected=retry_rejected)
        stored = problems_by_id(con, left)
        inputs = inputs_by_problem(con, left)
    absent = {name: not_here(name, how.isolation) for name in {p.dataset for p in stored.values()}}
    problems = {
        key: problem
        for key, problem in stored.items()
        if not absent[problem.dataset] and key not in environments.waiting
    }
    if not problems:
        return []
    with how.judging("admit") as judging:
        run = judging.run
        rows = [
            Admission(**found, policy=policy.label, judge_version=JUDGE_VERSION, run_id=run.run_id)
            for found in References(judging, policy, problems, inputs, environments).measured()
        ]
        run.append(rows)
        rejected = [row for row in rows if row.mode == REJECTED]
        tasks = [f"{problems[row.problem_id].task_id} ({row.reason})" for row in rejected]
        run.summary["rejected"] = tasks
    return tasks


def reference_source(problem: StoredProblem) -> str:
    """Return the problem's own solution as a whole program."""
    return problem.prompt + problem.reference + problem.suffix


def right_source(problem: StoredProblem, suite: Suite) -> str:
    """Return a program that must pass: the reference, or the answer sheet where there is none."""
    if problem.has_reference:
        return reference_source(problem)
    return answer_sheet(suite)


def kept_tests(outputs: Outputs) -> list[int]:
    """Return the positions of the input-output tests that were not set aside."""
    return [number for number, output in enumerate(outputs) if output is not None]


def make_suite(
    problem: StoredProblem,
    tests: Sequence[StoredInput],
    outputs: Outputs | None,
    packages: str = "",
) -> Suite:
    """Return what the judge must know about one problem's tests.

    ``outputs`` has one entry per test, None where the test is set aside. It is None itself where
    outputs are still to be found, and for tests that are asserts or that hold their own outputs.
    ``packages`` is the folder of those that programs may import.
    """
    inputs = [test.body for test in tests]
    if _outputs_given(tests):
        pairs = [codec.decode(text) for text in inputs]
        inputs = [
            codec.encode([given] if test.kind == "stdio" else given)
            for test, (given, _) in zip(tests, pairs, strict=True)
        ]
        outputs = [codec.encode(wanted) for _, wanted in pairs]
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
        language=_language(problem),
        packages=packages,
    )


@dataclass
class References:
    """The references of some problems, and what is found of them; all by problem_id.

    ``outputs`` are encoded. ``faults`` say what is wrong with a reference, or which package is
    missing.
    """

    judging: PoolAtWork
    policy: Policy
    problems: Mapping[str, StoredProblem]
    inputs: Mapping[str, list[StoredInput]]
    environments: Environments = field(default_factory=Environments)
    outputs: dict[str, Outputs] = field(default_factory=dict)
    suites: dict[str, Suite] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)

    def measured(self) -> list[dict[str, Any]]:
        """Return the columns of each problem's admission."""
        missing = self.environments.missing
        self.faults |= {key: missing[key] for key in self.problems if key in missing}
        self._find_outputs()
        for key in self.problems:
            self.suites[key] = self._suite(key, self.inputs.get(key, []), self.outputs.get(key))
        found: dict[str, dict[str, Any]] = {}
        left = [key for key in self.problems if key not in self.faults]
        for mode in INTEGRITIES:
            keys = [key for key in left if key not in found and _may_run(self.problems[key], mode)]
            for key, taken in self._judged(keys, mode).items():
                if isinstance(taken, str):
                    self.faults[key] = f"{mode}: {taken}"
                else:
                    found[key] = self._row(key, mode, taken)
        return [found.get(key) or self._row(key, REJECTED, Taken()) for key in self.problems]

    def _suite(self, key: str, tests: Sequence[StoredInput], outputs: Outputs | None) -> Suite:
        packages = self.environments.folders.get(key, "")
        return make_suite(self.problems[key], tests, outputs, packages)

    def _results(
        self, jobs: list[tuple[str, str, str, Suite]], mode: str, label: str
    ) -> Iterator[tuple[str, str, Result]]:
        """Run (problem, job's name, source, suite); yield each result behind the first two."""
        made = (
            Job(
                key=f"{key}/{which}",
                source=source,
                suite=suite,
                limits=self.policy.measuring(self.problems[key].memory_mb),
                mode=mode,
            )
            for key, which, source, suite in jobs
        )
        for result in self.judging.results(made, len(jobs), label):
            key, _, which = result.key.partition("/")
            yield key, which, result

    def _find_outputs(self) -> None:
        """Have the references answer input-output tests, and note why one gave no output."""

        def job(key: str, which: str, some: list[StoredInput]) -> tuple[str, str, str, Suite]:
            return key, which, reference_source(self.problems[key]), self._suite(key, some, None)

        io = [
            key
            for key, problem in self.problems.items()
            if problem.test_code is None
            and not _outputs_given(self.inputs.get(key, []))
            and key not in self.faults
        ]
        found, inputs = self.outputs, self.inputs
        jobs = [job(key, "all", inputs[key]) for key in io]
        for key, _, result in self._results(jobs, OUTPUTS, "expected outputs"):
            if result.outputs is not None:
                found[key] = list(result.outputs)
        # one output too large to hand over must not cost the others: each input by itself
        failed = [key for key in io if key not in found]
        jobs = [job(key, str(n), [test]) for key in failed for n, test in enumerate(inputs[key])]
        found |= {key: [None] * len(inputs[key]) for key in failed}
        for key, number, result in self._results(jobs, OUTPUTS, "outputs one by one"):
            if result.outputs is not None:
                found[key][int(number)] = result.outputs[0]
            else:
                reason = f"{result.verdict}: {result.message}"
                self.faults[key] = f"the reference gave no output: {reason}"
        for key in failed:
            if found[key].count(None) > MAX_SET_ASIDE * len(found[key]):
                del found[key]
            else:
                del self.faults[key]

    def _judged(self, keys: list[str], mode: str) -> dict[str, str | Taken]:
        """Return why the mode does not serve, or the median of what the reference took."""
        results: dict[str, dict[str, Result]] = defaultdict(dict)
        suites = self.suites

        def run(runs: list[tuple[str, str]]) -> None:
            jobs = []
            for key, which in runs:
                problem = self.problems[key]
                source = _stub(problem) if which == STUB else right_source(problem, suites[key])
                jobs.append((key, which, source, suites[key]))
            for key, which, result in self._results(jobs, mode, f"references, {mode}"):
                results[key][which] = result

        run([(key, which) for key in keys for which in ("0", STUB)])
        # a reference that takes long is measured well enough by one run
        timed = {key for key in keys if self.problems[key].has_reference}
        short = [key for key in keys if key in timed and _is_short(suites[key], results[key]["0"])]
        run([(key, str(n)) for key in short for n in range(1, N_MEASURED)])
        found: dict[str, str | Taken] = {}
        for key in keys:
            stub = results[key].pop(STUB)
            failed = [result for result in results[key].values() if result.verdict != "passed"]
            if failed:
                what = "reference" if key in timed else "lookup of the expected outputs"
                found[key] = f"{what} {failed[0].verdict}: {failed[0].message}"
            elif stub.verdict == "passed":
                found[key] = f"the tests pass {_what_stub(self.problems[key])}"
            elif key not in timed:
                found[key] = Taken()
            else:
                found[key] = Taken(
                    _median(result.cpu_s for result in results[key].values()),
                    _median(result.test_cpu_s for result in results[key].values()),
                )
        return found

    def _row(self, key: str, mode: str, taken: Taken) -> dict[str, Any]:
        policy, outputs, reason = self.policy, self.outputs.get(key), self.faults.get(key)
        source = source_of(self.problems[key])
        n_inputs = len(self.suites[key].inputs)
        limits = policy.limits(source, n_inputs, taken.cpu_s, taken.test_cpu_s)
        # a reference that is measured again may be rejected again, for another reason
        again = [reason, policy.reference_cpu_s] if mode == REJECTED else []
        if outputs is not None and None in outputs:
            aside = [number for number, output in enumerate(outputs) if output is None]
            reason = f"tests {aside} set aside: the reference's output does not fit"
        if mode != REJECTED and not self.problems[key].has_reference:
            reason = NO_REFERENCE
        granted = [limits.cpu_s, limits.wall_s, limits.test_cpu_s, limits.memory_mb]
        environment_id = self.environments.ids.get(key)
        made = [*granted, *again, *([environment_id] if environment_id else [])]
        return {
            "admission_id": content_key(key, policy.label, JUDGE_VERSION, mode, *made),
            "problem_id": key,
            "mode": mode,
            "reason": reason,
            "reference_cpu_s": taken.cpu_s,
            "reference_test_cpu_s": taken.test_cpu_s,
            "cpu_limit_s": limits.cpu_s,
            "wall_limit_s": limits.wall_s,
            "test_cpu_limit_s": limits.test_cpu_s,
            "memory_limit_mb": limits.memory_mb,
            "outputs": json.dumps(outputs) if outputs is not None else None,
            "environment_id": environment_id,
        }


def _may_run(problem: StoredProblem, mode: str) -> bool:
    """Say whether tests may run so: only their code can run beside the candidate.

    Code that nobody trusts must.
    """
    has_code = problem.test_code is not None
    if _language(problem) != PYTHON:
        return mode == SAME_INTERPRETER
    return has_code if mode == SAME_INTERPRETER else problem.trusted or not has_code


def _language(problem: StoredProblem) -> str:
    return kind_of(problem.dataset).language


def _is_short(suite: Suite, result: Result) -> bool:
    """Say whether a reference is measured again; a program to be compiled is not."""
    return suite.language == PYTHON and (result.cpu_s or 0) < LONG_S


def _outputs_given(tests: Sequence[StoredInput]) -> bool:
    return bool(tests) and all(test.kind in GIVEN_KINDS for test in tests)


def _median(times: Iterable[float | None]) -> float | None:
    known = [time for time in times if time is not None]
    return median(known) if known else None


def _stub(problem: StoredProblem) -> str:
    """Return a program that no test may accept."""
    if _is_hole(problem):
        indent = problem.reference[: -len(problem.reference.lstrip())]
        return f"{problem.prompt}{indent}{RAISES}{problem.suffix}"
    if _language(problem) != PYTHON:
        return problem.prompt + OTHER_LANGUAGES.load(_language(problem)).stub
    if problem.entry_point == SCRIPT:
        return "pass\n"
    return f"def {problem.entry_point}(*args, **kwargs):\n    {RAISES}\n"


def _is_hole(problem: StoredProblem) -> bool:
    """Say whether the reference is a part of a function."""
    return problem.has_reference and not kind_of(problem.dataset).references_run


def _what_stub(problem: StoredProblem) -> str:
    if _is_hole(problem):
        return "a program whose hidden line only raises"
    script = problem.entry_point == SCRIPT
    return "a program that prints nothing" if script else "a function that only raises"
