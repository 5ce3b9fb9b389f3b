"""Function synthesis: a bare prompt is continued, or a chat is asked for a program.

How a chat is asked is a strategy: see ``runners/tasks/strategies``.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from ingest.answers import RULES, braces, extract
from ingest.catalogue import kind_of
from ingest.problems.programs import PROGRAMS
from models.words import PYTHON, SCRIPT, Style
from runners.drawing.backends.base import Completion
from runners.drawing.generations import AnswerRule, KeptAnswer
from runners.judging.languages import OTHER_LANGUAGES
from runners.tasks.base import (
    Prompt,
    Questions,
    Task,
    TaskInput,
    joined_program,
    questions_for_problems,
)
from warehouse.facts.problems import StoredProblem

KEEP: dict[Style, tuple[str, ...]] = {
    Style.COMPLETION: ("function_end_v2", "function_end_v1", "stop", "whole"),
    Style.SOLUTION: (extract.RULE, "whole"),
}
"""Keeping rules by style of answer; the first is the default."""

KEEP_MODULE = ("module_end_v1", "stop", "whole")
"""The same for a completion that continues with a whole function: the prompt leaves none open."""

KEEP_PROGRAM = ("whole", "stop")
"""The same where any problem of the dataset is a whole program: no rule finds its end."""


KEEP_OTHER: dict[Style, tuple[str, ...]] = {
    Style.COMPLETION: (braces.END_RULE, "stop", "whole"),
    Style.SOLUTION: (braces.RULE, "whole"),
}
"""The same for functions in a language other than Python."""


class Synthesis(Task):
    """A function or a whole program is to be written."""

    name = "synthesis"
    over = (PROGRAMS.task,)
    planted = "body"
    program = staticmethod(joined_program)

    def keeping_rules(
        self, style: Style, problems: Sequence[StoredProblem] | None = None
    ) -> tuple[str, ...]:
        """Return the rules of the style; completions have others where a prompt opens nothing."""
        if problems is not None and _language(problems) != PYTHON:
            return KEEP_OTHER[style]
        if problems is None:
            beside = (*KEEP_MODULE, *KEEP_PROGRAM) if style.continues_prompt else ()
            return tuple(dict.fromkeys((*KEEP[style], *beside, *KEEP_OTHER[style])))
        if not style.continues_prompt:
            return KEEP[style]
        if any(problem.entry_point == SCRIPT for problem in problems):
            return KEEP_PROGRAM
        if not any(extract.defines(problem.prompt, problem.entry_point) for problem in problems):
            return KEEP_MODULE
        return KEEP[style]

    def questions(self, wanted: TaskInput) -> Questions:
        """Return a question for each problem."""
        entry_points = {each.problem_id: each.entry_point for each in wanted.problems}
        return Questions(
            questions_for_problems(wanted, problem_prompt),
            self.keeping_rules(wanted.style, wanted.problems),
            partial(answer_rule, entry_points=entry_points, language=_language(wanted.problems)),
        )


def _language(problems: Sequence[StoredProblem]) -> str:
    return kind_of(problems[0].dataset).language if problems else PYTHON


def problem_prompt(problem: StoredProblem, wanted: TaskInput) -> Prompt:
    """Return the prompt of a problem; a template asks in a chat."""
    text = problem.prompt
    if wanted.template is None:
        return Prompt(text, (("user", text),) if wanted.style.in_chat else None)
    shown = {name: wanted.answers[name] for name in wanted.template.shown}
    parts = {"task": text.strip("\n"), **shown}
    messages = wanted.template.messages(**parts)
    return Prompt(messages[-1][1], messages)  # one text: there may be as many as samples


def answer_rule(
    rule: str,
    stop: Sequence[str],
    entry_points: Mapping[str, str | None],
    language: str = PYTHON,
) -> AnswerRule:
    """Return what keeps a part of a completion; ``entry_points`` are by problem_id."""

    def kept_code(completion: Completion) -> KeptAnswer:
        if rule in (extract.RULE, braces.RULE):
            text, name = completion.text, entry_points.get(completion.request.problem_id)
            if language == PYTHON:
                found = extract.fenced_v1(text, name)
            else:
                labels = OTHER_LANGUAGES.load(language).labels
                found = braces.fenced_language_v1(text, labels, name)
            # an empty completion is a separate issue
            return KeptAnswer(found.kept, rule, found.issues if completion.text else ())
        return KeptAnswer(RULES.load(rule)(completion.text, stop), rule)

    return kept_code
