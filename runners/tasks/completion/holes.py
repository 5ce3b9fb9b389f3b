"""What tasks share that ask for the code in a hole of a file, from the code before the hole.

The placeholder in the prompt template says which code is shown. A completion continues this code.
The prompt ``original`` is the file up to the hole.
"""

from collections.abc import Callable, Mapping, Sequence

from ingest.problems.holes import token_context
from models.words import Style
from runners.drawing.generations import AnswerRule
from runners.tasks.base import Prompt, Question, Questions, Task, TaskInput
from runners.tasks.templates import ORIGINAL, Template
from warehouse.errors import BadInput
from warehouse.facts.judging import Unplanned
from warehouse.facts.problems import StoredProblem, TaskVariant, newest_variants
from warehouse.store.connection import reading

FILE_PART = "file_part"
"""The placeholder for the last lines of the file before the hole."""

MakeRule = Callable[[str, Sequence[str]], AnswerRule]
"""Takes a rule and the stop strings; returns the function that keeps a part of an answer."""


class HoleTask(Task):
    """Asks for the code in a hole; the tests of its project or problem judge the file.

    ``shown`` has the kind of variant that each placeholder of a template shows.
    """

    planted = "filling"
    bare_in_chat = False
    template_in_completion = True
    shown: Mapping[str, str]

    def program(self, answer: Unplanned) -> str:
        """Return the file with the answer in its hole."""
        return answer.problem_prompt + answer.kept_text + answer.suffix

    def own_prompt(self, style: Style) -> str:
        """Return the template of the style that shows the function."""
        return f"{self.name}_chat_v1" if style.in_chat else f"{self.name}_v1"

    def answer_rule(self, problems: Sequence[StoredProblem]) -> MakeRule:
        """Return what makes the rules that keep a part of an answer to some problems."""
        raise NotImplementedError

    def questions(self, wanted: TaskInput) -> Questions:
        """Return a question for each hole."""
        kind = self._kind_shown(wanted.template)
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
                prompt_before(variants[problem.problem_id], wanted),
                problem.reference,
                wanted.n,
            )
            for problem in wanted.problems
        ]
        return Questions(found, self.keeping_rules(wanted.style), self.answer_rule(wanted.problems))

    def _kind_shown(self, template: Template | None) -> str:
        """Return the kind of variant that is shown; raises BadInput for a template without one."""
        if template is None:
            return ORIGINAL
        (place,) = template.places
        if place not in self.shown:
            raise BadInput(f"the prompt template {template.name} shows {place}: that is no code")
        return self.shown[place]


def prompt_before(variant: TaskVariant, wanted: TaskInput) -> Prompt:
    """Return the code before a hole: bare, or in the template."""
    if wanted.template is None:
        return Prompt(variant.prompt)
    (place,) = wanted.template.places
    text = variant.prompt if place != FILE_PART else token_context(variant.prompt, "")[0]
    if not wanted.style.in_chat:
        return Prompt(wanted.template.render(**{place: text}))
    shown = {place: text.rstrip("\r\n")}
    return Prompt(wanted.template.render(**shown), wanted.template.messages(**shown))
