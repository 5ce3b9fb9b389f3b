"""Repairs: one line is asked for, and the first line of the answer is kept."""

from collections.abc import Sequence

from ingest.answers.truncate import END_FIXED, fixed_line_v1
from ingest.problems.repair import REPAIRS, question_parts
from models.words import Style
from runners.drawing.backends.base import Completion
from runners.drawing.generations import KeptAnswer
from runners.tasks.base import Prompt, Questions, Task, TaskInput, questions_for_problems
from warehouse.facts.problems import StoredProblem

TEMPLATE = "repair_v1"
RULE = "fixed_line_v1"


class Repair(Task):
    """Asks for the line that replaces the wrong line of a bug.

    The line may be of any language: nothing is run, and the view exact_match compares it.
    """

    name = "repair"
    over = (REPAIRS.task,)
    planted = "line"
    template_in_completion = True

    def own_prompt(self, style: Style) -> str:
        """Return the template."""
        return TEMPLATE

    def stop(self, style: Style) -> tuple[str, ...]:
        """Return the tag that closes the line."""
        return (END_FIXED,)

    def keeping_rules(
        self, style: Style, problems: Sequence[StoredProblem] | None = None
    ) -> tuple[str, ...]:
        """Return the one rule."""
        return (RULE,)

    def questions(self, wanted: TaskInput) -> Questions:
        """Return a question for each bug."""
        found = questions_for_problems(wanted, line_prompt)
        rules = self.keeping_rules(wanted.style)
        return Questions(found, rules, lambda rule, stop: kept_line)


def line_prompt(problem: StoredProblem, wanted: TaskInput) -> Prompt:
    """Return the bare prompt of a problem, or the template around it."""
    if wanted.template is None:
        return Prompt(problem.prompt)
    parts = question_parts(problem.prompt)
    messages = wanted.template.messages(**parts) if wanted.style.in_chat else None
    return Prompt(wanted.template.render(**parts), messages)


def kept_line(completion: Completion) -> KeptAnswer:
    """Return the one line; an answer without a line is an issue, and never a right answer."""
    kept = fixed_line_v1(completion.text, ())
    issues = (("no_code", "no line of code"),) if completion.text and not kept.text else ()
    return KeptAnswer(kept, RULE, issues)
