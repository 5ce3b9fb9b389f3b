"""Editing round trips: a change of code is described in words, and made from the description.

Allamanis et al. 2024 (arXiv 2402.08699, section 4.3). What is shown follows the paper's released
code; the words are our own. Nothing is run: views compare what comes back with the new code.
"""

from collections.abc import Sequence
from functools import partial

from ingest.answers.extract import fenced_any_v1
from ingest.answers.truncate import Kept, at_stop
from ingest.problems.edits import COMMENT, EDITS, OLD
from models.words import Style
from runners.drawing.backends.base import Completion
from runners.drawing.generations import AnswerRule, KeptAnswer
from runners.tasks.base import Prompt, Question, Questions, TaskInput
from runners.tasks.forward_backward import (
    BackwardTask,
    ForwardTask,
    RoundTripPlace,
    backward_questions,
    described,
    grouped,
    prompt_of,
    required,
    spaced_once,
    text_rule,
)
from runners.tasks.templates import Template
from warehouse.facts.problems import StoredProblem, TaskVariant, newest_variants
from warehouse.store.connection import reading

UNINFORMED = "Edit."
"""What takes the place of a description for the baseline."""

CODE, BLOCK = "stop", "edit_block_v1"


class EditDescription(ForwardTask):
    """Forward: describe what differs between old and new code."""

    name = "edit_description"
    over = (EDITS.task,)

    def own_prompt(self, style: Style) -> str:
        """Return the template."""
        return "edit_description_v1"

    def stop(self, style: Style) -> tuple[str, ...]:
        """Return the texts that end a description: a blank line, or the next change."""
        return () if style.in_chat else (*super().stop(style), OLD)

    def questions(self, wanted: TaskInput) -> Questions:
        """Return a question for each edit."""
        template = required(wanted.template)
        return Questions(
            [
                place.question(change_prompt(place.problem, template, wanted.style), wanted.n)
                for place in places_of(wanted)
            ],
            self.keeping_rules(wanted.style),
            text_rule,
        )


class Editing(BackwardTask):
    """Backward: make the change from a description, from a person's words, or without any.

    A person's words are asked about where the dataset has them. A completion ends at the mark of
    the next change.
    """

    name = "edit"
    over = (EDITS.task,)
    planted = "edit"
    ending = OLD
    rule, chat_rule = CODE, BLOCK

    def questions(self, wanted: TaskInput) -> Questions:
        """Return the questions of each edit: descriptions, baseline, a person's words."""
        template = required(wanted.template)
        texts = grouped(described(wanted, EditDescription.name), lambda text: text.problem_id)
        words = words_of(wanted.dataset)
        found: list[Question] = []
        for place in places_of(wanted):
            shown = partial(edit_prompt, place.problem, template=template, style=wanted.style)
            of = texts.get(place.problem.problem_id, [])
            found += backward_questions(wanted, place, of, shown, UNINFORMED)
            for told in words.get(place.problem.problem_id, []):
                asked = RoundTripPlace(place.problem, told.variant_id, place.code)
                found.append(asked.question(shown(spaced_once(told.prompt)), wanted.n))
        return Questions(found, self.keeping_rules(wanted.style), code_rule)


def places_of(wanted: TaskInput) -> list[RoundTripPlace]:
    """Return each edit with its own variant: the new code is to be described and made."""
    return [
        RoundTripPlace(problem, wanted.originals[problem.problem_id], problem.reference)
        for problem in wanted.problems
    ]


def words_of(dataset: str) -> dict[str, list[TaskVariant]]:
    """Return what people said of the edits of a dataset's newest release, by problem_id."""
    found: dict[str, list[TaskVariant]] = {}
    with reading() as con:
        for variant in newest_variants(con, dataset):
            if variant.kind == COMMENT:
                found.setdefault(variant.problem_id, []).append(variant)
    return found


def change_prompt(problem: StoredProblem, template: Template, style: Style) -> Prompt:
    """Return the prompt that shows old and new code and asks what differs."""
    return prompt_of(template, style, old=problem.prompt, new=problem.reference)


def edit_prompt(
    problem: StoredProblem, description: str, template: Template, style: Style
) -> Prompt:
    """Return the prompt that shows old code and a description; a completion begins a line."""
    prompt = prompt_of(template, style, old=problem.prompt, description=description)
    return prompt if style.in_chat else Prompt(prompt.text + "\n")


def code_rule(rule: str, stop: Sequence[str]) -> AnswerRule:
    """Return the rule that keeps new code: up to the mark of the next change."""

    def kept_code(completion: Completion) -> KeptAnswer:
        issues: tuple[tuple[str, str], ...] = ()
        block = Kept(completion.text, 0, len(completion.text))
        if rule == BLOCK:
            found = fenced_any_v1(completion.text)
            block, issues = found.kept, found.issues
        code = at_stop(block.text, (OLD, *stop))
        if completion.text and not code.text.strip():
            issues = (("no_code", "no line of code"),)
        return KeptAnswer(Kept(code.text, block.start, block.start + code.end), rule, issues)

    return kept_code
