"""Line completion: the next line of a function is asked for, and the first line is kept.

Source: Spiess et al. 2024 (arXiv 2402.02047, section 3.2.2). The prompt template says what is seen
before the line: the function from ``def`` on, with or without its docstring, or the file. Version 2
of the file templates shows only the nearest lines of the file.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial

from ingest.answers.extract import fenced_v1, without_marks
from ingest.answers.truncate import Kept, at_stop
from ingest.problems.project_kinds import FUNCTION, LINES, WITHOUT_DOCSTRING
from models.words import Style
from runners.drawing.backends.base import Completion
from runners.drawing.generations import AnswerRule, KeptAnswer
from runners.tasks.completion.holes import FILE_PART, HoleTask, MakeRule
from runners.tasks.templates import ORIGINAL
from warehouse.facts.problems import StoredProblem

COOKIE = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+", re.ASCII)
FIRST, BLOCK = "first_line_v1", "block_line_v1"
SHOWN = {
    "function": FUNCTION,
    "function_without_docstring": WITHOUT_DOCSTRING,
    "file": ORIGINAL,
    FILE_PART: ORIGINAL,
}


class LineCompletion(HoleTask):
    """Asks for one line of a function."""

    name = "line_completion"
    over = (LINES.task,)
    shown = SHOWN

    def stop(self, style: Style) -> tuple[str, ...]:
        """Return the end of the line; a chat closes its block."""
        return () if style.in_chat else ("\n",)

    def keeping_rules(
        self, style: Style, problems: Sequence[StoredProblem] | None = None
    ) -> tuple[str, ...]:
        """Return the rule of the style."""
        return (BLOCK,) if style.in_chat else (FIRST,)

    def answer_rule(self, problems: Sequence[StoredProblem]) -> MakeRule:
        """Return what makes the rule that keeps one line, at the indentation of the hidden one."""
        indents = {each.problem_id: indent_of(each.reference) for each in problems}
        return partial(line_rule, indents=indents)


def indent_of(line: str) -> str:
    """Return the white space before the text of a line."""
    return line[: len(line) - len(line.lstrip())]


def line_rule(rule: str, stop: Sequence[str], indents: Mapping[str, str]) -> AnswerRule:
    """Return the rule that keeps one line, at the indentation of the hidden one."""

    def kept_line(completion: Completion) -> KeptAnswer:
        text = completion.text
        if rule == BLOCK:
            line, issues = _line_of_block(without_marks(text))
        else:
            line, issues = _stripped(at_stop(text, stop).text.split("\n")[0], 0), ()
        if text and not line.text and not issues:
            issues = (("no_code", "no line of code"),)
        indent = indents[completion.request.problem_id] if line.text else ""
        kept = Kept(indent + line.text, line.start, line.end)
        return KeptAnswer(kept, rule, issues if text else ())

    return kept_line


def _line_of_block(text: str) -> tuple[Kept, tuple[tuple[str, str], ...]]:
    """Return the first line with text of the fenced block, or of an answer of one line.

    A file's declaration of its encoding is no line of a function.
    """
    found = fenced_v1(text, None)
    code, issues = found.kept, found.issues
    if "```" not in text and len(text.strip().split("\n")) == 1:
        code, issues = Kept(text, 0, len(text)), ()
    start = code.start
    for line in code.text.split("\n"):
        if line.strip() and not COOKIE.match(line):
            return _stripped(line, start), issues
        start += len(line) + 1
    return Kept("", 0, 0), issues


def _stripped(line: str, start: int) -> Kept:
    """Return a line that begins at a place, without white space and byte order mark."""
    begun = line.lstrip("\ufeff").lstrip()
    text = begun.rstrip()
    start += len(line) - len(begun)
    return Kept(text, start, start + len(text)) if text else Kept("", 0, 0)
