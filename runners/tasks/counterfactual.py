"""Counterfactual completion: a language model continues both sides of a pair from the cut.

A pair is asked when both of its programs passed every test here (Hooda et al. 2024, arXiv
2402.05980, section 4.2). The original side is drawn twice as often as the mutated one where
sampling is random: what two halves of it differ by is noise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ingest.answers.extract import CUT_RULE, fenced_cut_v1
from ingest.answers.truncate import at_stop, cut_end_v1
from ingest.problems.programs import PROGRAMS
from models.words import CUT, SCRIPT, Style
from runners.drawing.backends.base import Completion
from runners.drawing.generations import AnswerRule, KeptAnswer
from runners.tasks.base import (
    Pairs,
    Prompt,
    Question,
    Questions,
    Task,
    TaskInput,
    joined_program,
)
from runners.tasks.templates import ORIGINAL, Template
from warehouse.errors import BadInput
from warehouse.facts.mutations import cut_programs
from warehouse.facts.problems import StoredProblem
from warehouse.store.connection import reading

RULE = "cut_end_v1"
KEEP = {Style.COMPLETION: (RULE, "whole"), Style.SOLUTION: (CUT_RULE,)}
"""Keeping rules by style of answer; the first is the default."""

CHAT = "counterfactual_chat_v1"


@dataclass(frozen=True)
class Side:
    """One program of a pair, cut: what is shown, and how its author went on.

    ``mutation`` is None for the original, ``entry_point`` for a program that is no function.
    """

    problem_id: str
    task_id: str
    entry_point: str | None
    variant_id: str
    mutation: str | None
    prompt: str
    rest: str


class Counterfactual(Task):
    """Both sides of the valid pairs of a dataset of functions or programs."""

    name = "counterfactual"
    over = (PROGRAMS.task,)
    planted = "rest"
    of_pairs = True
    bare_in_chat = False
    program = staticmethod(joined_program)  # the tests of the unmutated problem judge a side

    def own_prompt(self, style: Style) -> str:
        """Return the chat template, or the bare prompt to be continued."""
        return CHAT if style.in_chat else ORIGINAL

    def keeping_rules(
        self, style: Style, problems: Sequence[StoredProblem] | None = None
    ) -> tuple[str, ...]:
        """Return the rules of the style."""
        return KEEP[style]

    def questions(self, wanted: TaskInput) -> Questions:
        """Return a question for each side; the original is asked twice as often for the noise."""
        found = sides(wanted.dataset, wanted.pairs)
        return Questions(
            [
                Question(
                    side.problem_id,
                    side.task_id,
                    side.variant_id,
                    side_prompt(side, wanted.template),
                    side.rest,
                    2 * wanted.n if side.mutation is None and wanted.pairs.repeat else wanted.n,
                    side.mutation,
                )
                for side in found
            ],
            self.keeping_rules(wanted.style),
            partial(answer_rule, sides={side.variant_id: side for side in found}),
        )


def sides(dataset: str, pairs: Pairs) -> list[Side]:
    """Return both sides of the pairs to be asked, each once.

    Raises BadInput when there is no valid pair.
    """
    with reading() as con:
        programs = cut_programs(
            con,
            dataset,
            mutations=pairs.mutations,
            editions=pairs.editions,
            most=pairs.most,
            seed=pairs.seed,
        )
    found: dict[str, Side] = {}
    for program in programs:
        end = len(program.source) - len(program.suffix)
        found.setdefault(
            program.variant_id,
            Side(
                program.problem_id,
                program.task_id,
                None if program.entry_point == SCRIPT else program.entry_point,
                program.variant_id,
                None if program.kind == CUT else program.kind,
                program.prompt,
                program.source[len(program.prompt) : end],
            ),
        )
    if not found:
        raise BadInput(
            f"{dataset} has no valid pair: run `assay mutate {dataset}`; where it finds none, the "
            "view mutation_yield says why"
        )
    return list(found.values())


def side_prompt(side: Side, template: Template | None) -> Prompt:
    """Return the text of one side itself, or a chat about it."""
    if template is None:
        return Prompt(side.prompt)
    parts = {"task": side.prompt.rstrip("\n")}
    return Prompt(template.render(**parts), template.messages(**parts))


def answer_rule(rule: str, stop: Sequence[str], sides: Mapping[str, Side]) -> AnswerRule:
    """Return what keeps a part of a completion; ``sides`` are by variant_id."""

    def kept_code(completion: Completion) -> KeptAnswer:
        side = sides[completion.request.variant_id]
        if rule == CUT_RULE:
            found = fenced_cut_v1(completion.text, side.entry_point, side.prompt)
            return KeptAnswer(found.kept, rule, found.issues if completion.text else ())
        if rule == "whole" or side.entry_point is None:
            return KeptAnswer(at_stop(completion.text, stop), rule)
        return KeptAnswer(cut_end_v1(completion.text, stop, side.prompt), rule)

    return kept_code
