"""The mutants of ReCode's release beside ours, on HumanEval: how many, and whether they are sound.

Theirs were made by another program from the same references, cut at the middle of the code
(``humaneval_partial.jsonl``). 37 of 164 references it left alone, as too short to be cut.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.datasets import humaneval
from ingest.problems.drafts import ProblemDraft
from runners.judging.sandbox.pool import Pool
from tests.bench.mutations.pairs import (
    JudgedPair,
    compare,
    kept_pairs,
    passing,
    source_of,
    unseen_inputs,
)
from tests.data import FILES, json_rows, shared

MUTATIONS = {
    "ForWhileTransformer": "for_while",
    "OperandSwap": "operand_swap",
    "DeadCodeInserter": "dead_code",
    "VarRenamerRN": "names_random",
    "VarRenamerNaive": "names_random",
    "VarRenamerCB": "names_random",
}
"""Their mutation, and ours that is nearest."""

CHANGED = {
    "ForWhileTransformer": 71,
    "OperandSwap": 103,
    "DeadCodeInserter": 127,
    "VarRenamerRN": 127,
    "VarRenamerNaive": 127,
    "VarRenamerCB": 125,
}
"""How many of its 164 programs differ from the reference in more than layout."""

MARKER = "@@this is the line to split##"


@dataclass(frozen=True)
class Tally:
    """How many problems a mutation changes, how many mutants it makes, and what they do."""

    n_problems: int
    n_mutants: int
    n_passed: int
    n_inputs: int
    n_mismatches: int


def print_comparison(workers: int) -> None:
    """Print one row per mutation of theirs, with ours that is nearest."""
    print(f"{'theirs':<22}{HEAD}   {'ours':<14}{HEAD}")
    problems = humaneval_problems()
    inputs = unseen_inputs(problems)
    kept = kept_pairs(problems)
    with Pool(workers=workers) as pool:
        ours = {
            name: _row(tally(pool, [pair for pair in kept if pair.mutation == name], inputs))
            for name in dict.fromkeys(MUTATIONS.values())
        }
        for name, nearest in MUTATIONS.items():
            theirs = _row(tally(pool, their_pairs(problems, name), inputs))
            print(f"{name:<22}{theirs}   {nearest:<14}{ours[nearest]}", flush=True)


HEAD = f"{'problems':>9}{'mutants':>9}{'passed':>8}{'inputs':>8}{'differ':>8}"


def _row(found: Tally) -> str:
    return (
        f"{found.n_problems:>9}{found.n_mutants:>9}{found.n_passed:>8}"
        f"{found.n_inputs:>8}{found.n_mismatches:>8}"
    )


def humaneval_problems() -> list[ProblemDraft]:
    """Return the problems of HumanEval."""
    return list(humaneval.read(shared(FILES["humaneval"])))


def their_pairs(problems: Sequence[ProblemDraft], mutation: str) -> list[JudgedPair]:
    """Return the programs of theirs that are others than the reference, docstrings apart."""
    rows = json_rows(f"datasets/recode_mutants/humaneval_{mutation}_s0.jsonl")
    found = []
    for draft, row in zip(problems, rows, strict=True):
        assert draft.task_id == row["task_id"]
        source = row["prompt"] + row["canonical_solution"]
        if shape(source) != shape(source_of(draft)):
            found.append(JudgedPair(draft, mutation, 0, source_of(draft), source))
    return found


def shape(source: str) -> str:
    """Return what a program is apart from layout, comments and docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


def tally(pool: Pool, pairs: Sequence[JudgedPair], inputs: dict[str, tuple[str, ...]]) -> Tally:
    """Run the mutants on the tests, and those that pass on inputs that no test has."""
    good = passing(pool, pairs)
    found = compare(pool, [pair for pair in good if pair.draft.task_id in inputs], inputs)
    return Tally(
        n_problems=len({pair.draft.task_id for pair in pairs}),
        n_mutants=len(pairs),
        n_passed=len(good),
        n_inputs=found.n_inputs,
        n_mismatches=len(found.mismatches),
    )
