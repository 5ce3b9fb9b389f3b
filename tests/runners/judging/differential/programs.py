"""The programs to be judged both ways: references, mutants made by others, real samples."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from ingest.datasets import (
    humaneval,
    humaneval_plus,
    mbpp,
    mbpp_plus,
    mbpp_sanitized,
    starter,
)
from ingest.imports import codet, evalperf, ldb
from ingest.problems.drafts import ProblemDraft
from ingest.samples import Sample
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import OUTPUTS, Job, Limits
from tests.data import CODET, FILES, json_rows, shared, tasks_by_prompt
from tests.runners.judging.differential.ways import LIMITS, LONG, Tests, TriedProgram

SEED = 2026
READERS: dict[str, Callable[[Path], Iterable[ProblemDraft]]] = {
    "humaneval": humaneval.read,
    "mbpp": mbpp.read,
    "mbpp_sanitized": mbpp_sanitized.read,
    "starter": starter.read,
    "humaneval_plus": humaneval_plus.read,
    "mbpp_plus": mbpp_plus.read,
}
ASSERTS = ("humaneval", "mbpp", "mbpp_sanitized", "starter")
INPUTS = ("humaneval_plus", "mbpp_plus")
MUTANTS = (
    *("DeadCodeInserter_s0", "ForWhileTransformer_s0", "OperandSwap_s0", "VarRenamerCB_s0"),
    *("VarRenamerNaive_s0", "VarRenamerRN_s0", "partial"),
)
SEEDS = ("codellama", "gpt-3.5-turbo-0613", "starcoder")


WALK = Path(__file__).with_name("walk.py").read_text(encoding="utf-8")
WALK_TESTS = """
twin = {{}}
exec({source!r}, twin)
looks = twin["play"]({seed}, f, {moves}), twin["play"]({seed}, twin["f"], {moves})
for mine, theirs in zip(*looks, strict=True):
    assert mine == theirs
"""


def walks(first: int, n: int, moves: int) -> list[TriedProgram]:
    """Return ``n`` random walks of so many moves each: see ``walk.py``."""
    return [_walk(seed, moves) for seed in range(first, first + n)]


def _walk(seed: int, moves: int) -> TriedProgram:
    name = f"walk {seed} of {moves} moves"
    tests = WALK_TESTS.format(source=WALK, seed=seed, moves=moves)
    return planted(name, WALK, tests)


def planted(name: str, program: str, tests: str) -> TriedProgram:
    """Return a whole program, with tests of its function ``f``."""
    draft = ProblemDraft(name, "f", "", program, (), name, test_code=tests)
    return TriedProgram(name, program, Tests(draft, name))


def tests_of(dataset: str) -> dict[str, Tests]:
    """Return the tests of every problem of a dataset, by task."""
    path = shared(FILES[dataset]) if dataset in FILES else starter.FOLDER
    return {
        draft.task_id: Tests(draft, f"{dataset} {draft.task_id}")
        for draft in READERS[dataset](path)
    }


def with_outputs(pool: Pool, tests: dict[str, Tests]) -> dict[str, Tests]:
    """Return input-output tests with what the reference answers; an answer too large is left out.

    An output is asked for by itself where all of a problem cannot be had together.
    """

    def job(task: str, key: str, only: int | None) -> Job:
        suite = tests[task].suite_of(only)
        return Job(key, tests[task].reference, suite, LONG, OUTPUTS)

    found: dict[str, list[str | None]] = {}
    apart = []
    for result in pool.run(job(task, task, None) for task in tests):
        if result.outputs is not None:
            found[result.key] = list(result.outputs)
        else:
            apart.append(result.key)
            found[result.key] = [None] * len(tests[result.key].draft.tests)
    jobs = (
        job(task, f"{task} {number}", number)
        for task in apart
        for number in range(len(tests[task].draft.tests))
    )
    for result in pool.run(jobs):
        task, _, number = result.key.rpartition(" ")
        if result.outputs is not None:
            found[task][int(number)] = result.outputs[0]
    return {task: one.answered(found[task]) for task, one in tests.items()}


def references(tests: dict[str, Tests]) -> list[TriedProgram]:
    """Return the solution of every problem, with the time that solutions may need."""
    return [
        TriedProgram(f"{one.key} reference", one.reference, one, LONG) for one in tests.values()
    ]


def mutants(tests: dict[str, Tests]) -> list[TriedProgram]:
    """Return ReCode's mutants of HumanEval, each text once."""
    found = []
    for name in MUTANTS:
        for row in json_rows(f"datasets/recode_mutants/humaneval_{name}.jsonl"):
            source = row["prompt"] + row["canonical_solution"]
            task = row["task_id"]
            found.append(TriedProgram(f"{tests[task].key} {name}", source, tests[task]))
    return distinct(found)


def codegen(tests: dict[str, Tests]) -> list[TriedProgram]:
    """Return CodeGen-16B's samples on HumanEval, each text once."""
    tasks = tasks_by_prompt()
    samples = codet.read(shared(CODET))
    return distinct(_program(tests[tasks[one.prompt or ""]], one, "codegen") for one in samples)


def seeds(dataset: str, tests: dict[str, Tests]) -> list[TriedProgram]:
    """Return the samples of three language models that LLMDebugger started from, each text once."""
    return distinct(
        _program(tests[sample.task_id or ""], sample, lm)
        for lm in SEEDS
        for sample in ldb.read(shared(f"generations/ldb_seeds/{dataset}/{lm}.jsonl"))
    )


def profiled(tests: dict[str, Tests]) -> list[TriedProgram]:
    """Return EvalPerf's right samples of five language models, each text once."""
    folder = shared("generations/evalperf")
    return distinct(
        _program(tests[sample.task_id or ""], sample, path.name.partition("_")[0], LONG)
        for path in sorted(folder.glob("*.json"))
        for sample in evalperf.read(path)
        if sample.task_id in tests
    )


def _program(tests: Tests, sample: Sample, lm: str, limits: Limits = LIMITS) -> TriedProgram:
    before = sample.prompt if sample.style == "completion" else sample.canonical_imports
    number = sample.sample_index or 0
    return TriedProgram(f"{tests.key} {lm} {number}", (before or "") + sample.text, tests, limits)


def distinct(programs: Iterable[TriedProgram]) -> list[TriedProgram]:
    """Return the programs without those whose text the same tests have met before."""
    return list({(each.tests.key, each.source): each for each in programs}.values())


def spread(programs: Sequence[TriedProgram], n: int) -> list[TriedProgram]:
    """Return ``n`` programs by a fixed seed, as evenly from all problems as there are."""
    by_problem: dict[str, list[TriedProgram]] = defaultdict(list)
    for each in programs:
        by_problem[each.tests.key].append(each)
    rng = random.Random(SEED)
    shuffled = [rng.sample(group, len(group)) for _, group in sorted(by_problem.items())]
    rng.shuffle(shuffled)
    return list(_in_turn(shuffled))[:n]


def _in_turn(groups: list[list[TriedProgram]]) -> Iterator[TriedProgram]:
    for place in range(max(map(len, groups), default=0)):
        yield from (group[place] for group in groups if place < len(group))
