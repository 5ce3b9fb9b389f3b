"""Hidden lines of a benchmark's functions as problems: at most one of each function under test.

The rules are those for projects, on the program of prompt, reference and suffix. Which lines the
tests execute is not known. So admission replaces the line by one that raises, and rejects the
problem if all tests still pass. The tests are those of the function. A description above the
program, as MBPP+ has it, becomes the docstring of the function, as in MBPP.
"""

import ast
import io
import json
from collections.abc import Mapping, Sequence

from ingest.answers.synthesis import recast
from ingest.catalogue import kind_of
from ingest.datasets import DATASETS
from ingest.parsing import UNPARSABLE, parse, top_function
from ingest.problems.drafts import ProblemDraft, TestDraft
from ingest.problems.programs import PROGRAMS
from ingest.problems.project_kinds import made_of, project_kind
from ingest.projects.functions import functions_in
from ingest.projects.hidden.lines import hidden_lines
from ingest.projects.problem_rows import FileHole, line_hole, plain_sources
from ingest.projects.project import unknown_project
from warehouse.errors import BadInput
from warehouse.facts.problems import StoredProblem, StoredTest


def gives_no_lines(wanted: str) -> str:
    """Return why a text names neither a dataset of functions nor a project, or nothing."""
    if wanted not in DATASETS:
        reason = unknown_project(wanted)
        if reason and project_kind(wanted):
            return f"{wanted!r} is made of {made_of(wanted)[0]!r}: name that"
        if reason and "/" not in wanted:
            functions = ", ".join(name for name in DATASETS if kind_of(name) is PROGRAMS)
            return f"{reason}; datasets of functions: {functions}"
        return reason
    is_of_programs = kind_of(wanted) is PROGRAMS
    return "" if is_of_programs else f"{wanted} holds no functions, so it gives no lines"


def line_drafts(
    problems: Sequence[StoredProblem], tests: Mapping[str, Sequence[StoredTest]], rules: str
) -> tuple[list[ProblemDraft], dict[str, str]]:
    """Return the problems of lines, and by task why a program could not be read.

    ``tests`` are those of each problem_id. Only a function that qualifies gives lines.
    """
    drafts, left_out = [], {}
    for problem in problems:
        try:
            hole = function_hole(problem, rules)
        except BadInput as error:
            left_out[problem.task_id] = error.reason
            continue
        if hole is not None:
            drafts.append(_draft(problem, hole, tests.get(problem.problem_id, ()), rules))
    return drafts, left_out


def function_hole(problem: StoredProblem, rules: str) -> FileHole | None:
    """Return the hole that the hidden line of a function under test leaves, if it qualifies.

    The function is the last of the name that is in no class and no other function. Raises BadInput
    for a program that is not plain text.
    """
    program = _with_docstring(
        problem.prompt + problem.reference + problem.suffix, problem.entry_point
    )
    task = problem.task_id
    texts, unread = plain_sources({task: program.encode()})
    if unread:
        raise BadInput(unread[task], row=task)
    source = texts[task]
    named = [each for each in functions_in(task, source) if each.qualname == problem.entry_point]
    found = [
        hidden
        for hidden in hidden_lines(problem.dataset, task, source, rules)
        if named and hidden.function == named[-1]
    ]
    return line_hole(source, found[0]) if found else None


def _draft(
    problem: StoredProblem, file_hole: FileHole, tests: Sequence[StoredTest], rules: str
) -> ProblemDraft:
    hole = file_hole.hole
    return ProblemDraft(
        task_id=problem.task_id,
        entry_point=problem.entry_point,
        prompt=hole.before,
        reference=hole.code,
        suffix=hole.after,
        setup_code=problem.setup_code,
        test_code=problem.test_code,
        tests=tuple(TestDraft(test.suite, test.kind, test.body) for test in tests),
        compare=problem.compare,
        atol=problem.atol,
        difficulty=problem.difficulty,
        tags=(*json.loads(problem.tags), f"lines_{rules}"),
        variants=tuple(file_hole.shown.items()),
        row=problem.task_id,
    )


def _with_docstring(program: str, entry_point: str) -> str:
    """Return a program whose description, if it is above all code, is the function's docstring."""
    try:
        tree = parse(program)
    except UNPARSABLE:
        return program
    function = top_function(tree, entry_point)
    description = ast.get_docstring(tree, clean=False)
    if function is None or description is None or ast.get_docstring(function) is not None:
        return program
    lines = io.StringIO(program, newline="").readlines()
    end = tree.body[0].end_lineno or 1
    if lines[end - 1].encode()[tree.body[0].end_col_offset :].strip():
        return program
    try:
        parts = recast("".join(lines[end:]), entry_point, description)
    except (SyntaxError, ValueError):
        return program
    return parts.prompt + parts.reference + parts.suffix
