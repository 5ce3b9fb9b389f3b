"""Line completion: the next line of a function is asked for, and the first line is kept.

Source: Spiess et al. 2024 (arXiv 2402.02047, section 3.2.2). The prompt template says what is seen
before the line, by its place: the function from ``def`` on, the same without its docstring, or the
file. A completion continues the bare text; the prompt ``original`` is that of the file.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from ingest.answers.extract import fenced_v1
from ingest.answers.truncate import Kept, at_stop
from ingest.problems.project_kinds import FUNCTION, LINES, WITHOUT_DOCSTRING
from models.words import Style
from runners.drawing.backends.base import Completion
from runners.drawing.generations import AnswerRule, KeptAnswer
from runners.tasks.base import Prompt, Question, Questions, Task, TaskInput
from runners.tasks.templates import Template
from warehouse.errors import BadInput
from warehouse.facts.judging import Unplanned
from warehouse.facts.problems import StoredProblem, TaskVariant, newest_variants
from warehouse.store.connection import reading

FIRST, BLOCK = "first_line_v1", "block_line_v1"
ORIGINAL = "original"
SHOWN = {"function": FUNCTION, "function_without_docstring": WITHOUT_DOCSTRING, "file": ORIGINAL}
"""The variant that a place of a template shows."""


class LineCompletion(Task):
    """Asks for one line of a function; the tests of its project or problem judge it."""

    name = "line_completion"
    over = (LINES.task,)
    planted = "next_line"
    bare_in_chat = False
    template_in_completion = True

    def program(self, answer: Unplanned) -> str:
        """Return the file with the line in its place."""
        return answer.problem_prompt + answer.kept_text + answer.suffix

    def own_prompt(self, style: Style) -> str:
        """Return the template that shows the function with its docstring."""
        return "line_completion_chat_v1" if style.in_chat else "line_completion_v1"

    def stop(self, style: Style) -> tuple[str, ...]:
        """Return the end of the line; a chat closes its block."""
        return () if style.in_chat else ("\n",)

    def keeping_rules(
        self, style: Style, problems: Sequence[StoredProblem] | None = None
    ) -> tuple[str, ...]:
        """Return the rule of the style."""
        return (BLOCK,) if style.in_chat else (FIRST,)

    def questions(self, wanted: TaskInput) -> Questions:
        """Return a question for each hidden line."""
        kind = _kind_shown(wanted.template)
        with reading() as con:
            variants = {
                each.problem_id: each
                for each in newest_variants(con, wanted.dataset)
                if each.kind == kind
            }
        found = [
            Question(
                problem.problem_id,
                problem.task_id,
                variants[problem.problem_id].variant_id,
                line_prompt(variants[problem.problem_id], wanted),
                problem.reference,
                wanted.n,
            )
            for problem in wanted.problems
        ]
        indents = {each.problem_id: indent_of(each.reference) for each in wanted.problems}
        rules = self.keeping_rules(wanted.style)
        return Questions(found, rules, partial(line_rule, indents=indents))


def _kind_shown(template: Template | None) -> str:
    """Return the kind of variant that is shown; raises BadInput for a template without one."""
    if template is None:
        return ORIGINAL
    (place,) = template.places
    if place not in SHOWN:
        raise BadInput(f"the prompt template {template.name} shows {place}: that is no code")
    return SHOWN[place]


def line_prompt(variant: TaskVariant, wanted: TaskInput) -> Prompt:
    """Return the code before the line: bare, or in the template."""
    if wanted.template is None:
        return Prompt(variant.prompt)
    (place,) = wanted.template.places
    if not wanted.style.in_chat:
        return Prompt(wanted.template.render(**{place: variant.prompt}))
    shown = {place: variant.prompt.rstrip("\r\n")}
    return Prompt(wanted.template.render(**shown), wanted.template.messages(**shown))


def indent_of(line: str) -> str:
    """Return the white space before the text of a line."""
    return line[: len(line) - len(line.lstrip())]


def line_rule(rule: str, stop: Sequence[str], indents: Mapping[str, str]) -> AnswerRule:
    """Return the rule that keeps one line, at the indentation of the hidden one."""

    def kept_line(completion: Completion) -> KeptAnswer:
        text = completion.text
        if rule == BLOCK:
            line, issues = _line_of_block(text)
        else:
            line, issues = _stripped(at_stop(text, stop).text.split("\n")[0], 0), ()
        if text and not line.text and not issues:
            issues = (("no_code", "no line of code"),)
        indent = indents[completion.request.problem_id] if line.text else ""
        kept = Kept(indent + line.text, line.start, line.end)
        return KeptAnswer(kept, rule, issues if text else ())

    return kept_line


def _line_of_block(text: str) -> tuple[Kept, tuple[tuple[str, str], ...]]:
    """Return the first line with text of the fenced block, or of an answer of one line."""
    found = fenced_v1(text, None)
    code, issues = found.kept, found.issues
    if "```" not in text and len(text.strip().split("\n")) == 1:
        code, issues = Kept(text, 0, len(text)), ()
    start = code.start
    for line in code.text.split("\n"):
        if line.strip():
            return _stripped(line, start), issues
        start += len(line) + 1
    return Kept("", 0, 0), issues


def _stripped(line: str, start: int) -> Kept:
    """Return a line that begins at a place, without white space at its ends."""
    text = line.strip()
    start += len(line) - len(line.lstrip())
    return Kept(text, start, start + len(text)) if text else Kept("", 0, 0)
