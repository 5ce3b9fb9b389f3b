"""Function synthesis: a bare prompt is continued, or a chat is asked for a program."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ingest.answers import extract
from ingest.answers.truncate import RULES
from models.words import COMPLETION, SCRIPT, SOLUTION
from runners.drawing.backends.base import Completion
from runners.drawing.draw import Reading
from runners.tasks.base import Asks, TaskInput, asks_for_problems
from runners.tasks.templates import ORIGINAL, Template
from warehouse.facts.problems import StoredProblem

KEEP: dict[str, tuple[str, ...]] = {
    "completion": ("function_end_v2", "function_end_v1", "stop", "whole"),
    "solution": (extract.RULE, "whole"),
}
"""Keeping rules by style of answer; the first is the default."""

KEEP_MODULE = ("module_end_v1", "stop", "whole")
"""The same for a completion that continues with a whole function: the prompt leaves none open."""

KEEP_PROGRAM = ("whole", "stop")
"""The same for a completion that is a whole program: nothing in it says where it ends."""


class Synthesis:
    """A function or a whole program is to be written."""

    name = "synthesis"
    over = "synthesis"
    planted = "body"
    stop: tuple[str, ...] = ()
    of_pairs = False
    has_programs = True
    bare_in_chat = True
    template_in_completion = False

    def own_prompt(self, style: str) -> str:
        """Return the problem's own prompt."""
        return ORIGINAL

    def asks(self, wanted: TaskInput) -> Asks:
        """Return a prompt for each problem."""
        entry_points = {each.problem_id: each.entry_point for each in wanted.problems}
        return Asks(
            self,
            wanted.template,
            asks_for_problems(wanted, question, chat=wanted.style == SOLUTION),
            rules(wanted.style, wanted.problems),
            partial(reader, entry_points=entry_points),
        )


def rules(style: str, problems: Sequence[StoredProblem]) -> tuple[str, ...]:
    """Return what may be kept of answers to the problems of a dataset."""
    if style == COMPLETION:
        if all(problem.entry_point == SCRIPT for problem in problems):
            return KEEP_PROGRAM
        if not any(extract.defines(problem.prompt, problem.entry_point) for problem in problems):
            return KEEP_MODULE
    return KEEP[style]


def question(problem: StoredProblem, template: Template | None, *, chat: bool) -> dict[str, Any]:
    """Return what a request says of a problem; a template asks in a chat."""
    prompt = problem.prompt
    if template is None:
        return {"prompt": prompt, "messages": (("user", prompt),) if chat else None}
    parts = {"task": prompt.strip("\n")}
    return {"prompt": template.render(**parts), "messages": template.messages(**parts)}


def reader(
    rule: str, stop: Sequence[str], entry_points: Mapping[str, str | None]
) -> Callable[[Completion], Reading]:
    """Return what is kept of a completion; ``entry_points`` are by problem_id."""

    def read(completion: Completion) -> Reading:
        if rule == extract.RULE:
            found = extract.fenced_v1(
                completion.text, entry_points.get(completion.request.problem_id)
            )
            # an empty completion is a separate issue
            return Reading(found.kept, rule, found.issues if completion.text else ())
        return Reading(RULES[rule](completion.text, stop), rule)

    return read
