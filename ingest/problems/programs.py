"""Functions and whole programs: prompt, reference and suffix together run; tests judge them."""

import ast

from ingest.fields import Fields
from ingest.parsing import parse
from ingest.problems.asserts import assert_sources
from ingest.problems.dataset import ProblemKind
from ingest.problems.drafts import ProblemDraft
from models.words import GIVEN_KINDS, SCRIPT

SOLUTION_CLASS = "Solution"
"""Class whose method may be the entry point: see ``method_setup``."""

MAX_PROBLEM_TEXT_BYTES = 40_000_000
"""Longest single text of a problem: prompts, tests and encoded inputs are ours to bound."""


def check_program(draft: ProblemDraft, place: Fields) -> None:
    """Raise BadInput unless there are tests, and code that parses and has the entry point."""
    if not draft.tests:
        raise place.bad(f"task {draft.task_id} has no tests")
    if draft.entry_point == SCRIPT and any(test.kind != "stdio" for test in draft.tests):
        raise place.bad(
            f"task {draft.task_id}: the entry point {SCRIPT} is a program that reads standard "
            "input, and its tests are of another kind: name a function"
        )
    for test in draft.tests:
        place.check_text(test.body, "test", limit=MAX_PROBLEM_TEXT_BYTES)
    program = _parsed(draft.prompt + draft.reference + draft.suffix, "reference", draft, place)
    if not draft.reference.strip():
        if any(test.kind not in GIVEN_KINDS for test in draft.tests):
            raise place.bad(
                f"task {draft.task_id} has no reference, but its assert or io tests need one: "
                "add a reference, or use stdio and call tests only"
            )
    elif draft.entry_point not in (SCRIPT, *defined(program), *_classes(program)):
        raise place.bad(f"task {draft.task_id} does not define {draft.entry_point!r}")
    _parsed(draft.setup_code, "setup code", draft, place)
    if draft.test_code is not None:
        _parsed(draft.test_code, "test code", draft, place)
        if assert_sources(draft.test_code) != [test.body for test in draft.tests]:
            raise place.bad(f"task {draft.task_id}: the tests are not the asserts of test_code")
    elif any(test.kind == "assert" for test in draft.tests):
        raise place.bad(f"task {draft.task_id} has asserts without the test_code that they are of")


def method_setup(function: str) -> str:
    """Return setup code after which a method of SOLUTION_CLASS is called like a function.

    One instance serves all calls, as in the harness of APPS (Hendrycks et al. 2021).
    """
    return f"if {SOLUTION_CLASS!r} in globals():\n    {function} = {SOLUTION_CLASS}().{function}\n"


def defined(program: ast.Module) -> set[str]:
    """Return the names of functions: of the module, and of its class SOLUTION_CLASS."""
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    bodies = [program.body]
    bodies += [
        node.body
        for node in program.body
        if isinstance(node, ast.ClassDef) and node.name == SOLUTION_CLASS
    ]
    return {node.name for body in bodies for node in body if isinstance(node, functions)}


def _classes(program: ast.Module) -> set[str]:
    return {node.name for node in program.body if isinstance(node, ast.ClassDef)}


PROGRAMS = ProblemKind("synthesis", references_run=True, check=check_program)
"""A function, a class, or a program that reads standard input, is to be written."""


def _parsed(code: str, what: str, draft: ProblemDraft, place: Fields) -> ast.Module:
    try:
        return parse(code)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise place.bad(f"the {what} of task {draft.task_id} does not parse: {error}") from error
