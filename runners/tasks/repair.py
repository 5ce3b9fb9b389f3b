"""Repairs: one line is asked for, and the first line of the answer is kept."""

from typing import Any

from ingest.answers.truncate import END_FIXED, RULES
from ingest.problems.repair import question_parts
from models.words import SOLUTION
from runners.drawing.backends.base import Completion
from runners.drawing.draw import Reading
from runners.tasks.base import Asks, TaskInput, asks_for_problems
from runners.tasks.templates import Template
from warehouse.facts.problems import StoredProblem

TEMPLATE = "repair_v1"
RULE = "fixed_line_v1"
STOP = END_FIXED


class Repair:
    """Asks for the line that replaces the wrong line of a bug."""

    name = "repair"
    over = "repair"
    planted = "line"
    stop: tuple[str, ...] = (STOP,)
    of_pairs = False
    has_programs = False
    bare_in_chat = True
    template_in_completion = True

    def own_prompt(self, style: str) -> str:
        """Return the template."""
        return TEMPLATE

    def asks(self, wanted: TaskInput) -> Asks:
        """Return a prompt for each bug."""
        found = asks_for_problems(wanted, question, chat=wanted.style == SOLUTION)
        return Asks(self, wanted.template, found, (RULE,), lambda rule, stop: read)


def question(problem: StoredProblem, template: Template | None, *, chat: bool) -> dict[str, Any]:
    """Return what a request says of a problem: the bare prompt, or the template around it."""
    if template is None:
        return {"prompt": problem.prompt}
    parts = question_parts(problem.prompt)
    messages = template.messages(**parts) if chat else None
    return {"prompt": template.render(**parts), "messages": messages}


def read(completion: Completion) -> Reading:
    """Keep the one line; an answer without a line is an issue, and never a right answer."""
    kept = RULES[RULE](completion.text, ())
    issues = (("no_code", "no line of code"),) if completion.text and not kept.text else ()
    return Reading(kept, RULE, issues)
