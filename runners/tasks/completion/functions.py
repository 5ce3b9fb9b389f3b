"""Function completion: a language model writes the body of a function of a real project.

A completion continues the function after its docstring, or the whole file up to there. It is kept
up to the end of the function. A chat gives the function, or its body, in a fenced block. The kept
code is moved to the indentation of the hole.
"""

import ast
from collections.abc import Mapping, Sequence
from functools import partial

from ingest.answers import RULES
from ingest.answers.beside import code_before, is_future, segment_of
from ingest.answers.extract import fenced_v1, is_body, without_marks
from ingest.answers.truncate import Kept, reindented, whole
from ingest.parsing import UNPARSABLE, compiles, parse, unix_lines
from ingest.problems.holes import BLANK_LINES, Hole
from ingest.problems.project_kinds import FUNCTIONS, WITH_IMPORTS
from ingest.projects.functions import TEXT_LINE, FunctionParts, placed_functions
from ingest.projects.hidden.bodies import body_lines
from models.words import Style
from runners.drawing.backends.base import Completion
from runners.drawing.generations import AnswerRule, KeptAnswer
from runners.tasks.completion.holes import HoleTask, MakeRule
from runners.tasks.templates import ORIGINAL
from warehouse.facts.problems import StoredProblem

BLOCK = "block_body_v1"
COMPLETIONS = ("function_end_v2", "function_end_v1")
SHOWN = {WITH_IMPORTS: WITH_IMPORTS, "file": ORIGINAL}
ANSWER = "answer"


class FunctionCompletion(HoleTask):
    """Asks for the body of a function."""

    name = "function_completion"
    over = (FUNCTIONS.task,)
    shown = SHOWN

    def keeping_rules(
        self, style: Style, problems: Sequence[StoredProblem] | None = None
    ) -> tuple[str, ...]:
        """Return the rules of the style."""
        return (BLOCK,) if style.in_chat else COMPLETIONS

    def answer_rule(self, problems: Sequence[StoredProblem]) -> MakeRule:
        """Return what makes the rules that keep a body, at the indentation of the hidden one."""
        return partial(body_rule, problems={each.problem_id: each for each in problems})


def body_rule(rule: str, stop: Sequence[str], problems: Mapping[str, StoredProblem]) -> AnswerRule:
    """Return the rule that keeps the body of a function."""

    def kept_body(completion: Completion) -> KeptAnswer:
        problem = problems[completion.request.problem_id]
        text = without_marks(completion.text)
        issues: tuple[tuple[str, str], ...] = ()
        if rule == BLOCK:
            found, issues = _block(text, problem.entry_point)
            code = written_body(found.text, problem.entry_point, problem.prompt + problem.suffix)
        else:
            found = RULES.load(rule)(text, stop)
            code = found.text
        kept = fitted(code, Hole(problem.prompt, problem.reference, problem.suffix).indent)
        if text.strip() and not kept and not issues:
            issues = (("no_code", "no line of code"),)
        return KeptAnswer(Kept(kept, found.start, found.end), rule, issues if text else ())

    return kept_body


def fitted(code: str, indent: str) -> str:
    """Return a body at an indentation, without blank lines around it, ending with its line."""
    text = BLANK_LINES.sub("", code).rstrip()
    return reindented(text, indent) + "\n" if text else ""


def written_body(code: str, qualname: str, file: str) -> str:
    """Return the body of a function where an answer repeats its header, else the answer.

    Imports and definitions that the answer has beside the function go before the body. Those that
    the file has word for word at its top level are left out, and so are examples of use. The
    function is the last of its qualified name, else the last of its bare name. An answer that
    Python would refuse is returned unchanged, and fails.
    """
    text = reindented(unix_lines(code), "")
    lines = TEXT_LINE.findall(text)
    try:
        tree = parse(text)
        functions = placed_functions(ANSWER, tree, lines)
    except UNPARSABLE:
        return code
    bare = qualname.rpartition(".")[2]
    named = [each for each in functions if each.qualname == qualname]
    named = named or [
        each for each in functions if each.qualname.rpartition(".")[2] == bare and not each.nested
    ]
    if not named:
        return code
    function = named[-1]
    (holder,) = (node for node in tree.body if _holds(node, function))
    beside = [
        node
        for node in tree.body
        if _is_beside(node, function) and f"\n{segment_of(text, node)}\n" not in f"\n{file}\n"
    ]
    if not compiles(ast.Module([*beside, holder], [])):  # a ``nonlocal`` name of a module
        return code
    body = reindented(_body_of(function, holder, text, lines), "")
    return "\n".join([*code_before(text, beside, holder), body])


def _body_of(function: FunctionParts, holder: ast.stmt, text: str, lines: list[str]) -> str:
    """Return the lines of a body, or its statements where a line holds more than the body."""
    body = body_lines(function, lines)
    if body is not None:
        return "".join(lines[body.first - 1 : body.last])
    if function.body is None:
        return ""
    (node,) = (
        each
        for each in ast.walk(holder)
        if getattr(each, "lineno", None) == function.signature.first
        and isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    statements = node.body[function.docstring is not None :]
    return "\n".join(ast.get_source_segment(text, each) or "" for each in statements)


def _holds(node: ast.stmt, function: FunctionParts) -> bool:
    """Say whether a function is a statement or lies in it."""
    return node.lineno <= function.signature.first <= (node.end_lineno or 0)


def _is_beside(node: ast.stmt, function: FunctionParts) -> bool:
    """Say whether a statement may be needed by the body: an import, a definition, a name before."""
    if _holds(node, function):
        return False
    if isinstance(node, ast.ImportFrom):
        return not is_future(node)
    if isinstance(node, ast.Assign | ast.AnnAssign):
        return node.lineno < function.signature.first
    return isinstance(node, ast.Import | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


def _block(text: str, qualname: str) -> tuple[Kept, tuple[tuple[str, str], ...]]:
    """Return the fenced block of an answer, or all of an answer that is a body and no more."""
    if "```" not in text and is_body(text):
        return whole(text), ()
    found = fenced_v1(text, qualname.rpartition(".")[2])
    return found.kept, found.issues
