"""Round trips: code is described in words, and written again from the description.

The new program is judged by the tests of the code that was described (Allamanis et al. 2024, arXiv
2402.08699, sections 2 and 4). The prompts are our own; they show the same code as the paper's
released code does. The placeholder in a prompt template says how much of the file is shown. For the
baseline UNINFORMED takes the place of the description: how much does the code around the hole give
away?
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ingest import keys
from ingest.answers.extract import fenced_v1, inner_body, is_body
from ingest.answers.truncate import Kept, at_stop, whole
from ingest.problems.cells import BEFORE
from ingest.problems.holes import Hole, RegionHole, body_hole, context, token_context
from ingest.problems.programs import PROGRAMS
from ingest.problems.project_kinds import REGIONS
from models.base import Row
from models.tables import Region, Variant
from models.words import PROJECT, SCRIPT, TEXT, Style
from runners.drawing.backends.base import Completion
from runners.drawing.generations import AnswerRule, KeptAnswer
from runners.tasks.base import Prompt, Question, Questions, TaskInput
from runners.tasks.forward_backward import (
    PARAGRAPH,
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
from warehouse.errors import BadInput
from warehouse.facts.judging import Unplanned
from warehouse.facts.problems import newest_variants
from warehouse.store.connection import reading

HOLE = "hole"
"""Kind of a variant that shows the code before a hole."""

BODY = "body_v1"
BEGIN, END, TODO = "# [begin]", "# [end]", "# TODO: "
UNINFORMED = "Implement."
"""Takes the place of a description for the baseline."""

WINDOWS = {"code": context, "file_part": token_context}
"""The functions that choose the code shown around a hole, by the placeholder of a template."""

LINES, BLOCK = "hole_lines_v1", "hole_block_v1"


@dataclass(frozen=True)
class FunctionHole(RoundTripPlace):
    """The hole of one problem; its variant shows the code before it."""

    hole: Hole

    def rows(self, original: str) -> tuple[Row, Row]:
        """Return the rows of variant and region; ``run_id`` is empty."""
        ids = {"variant_id": self.variant_id, "problem_id": self.problem.problem_id, "run_id": ""}
        before = {"kind": HOLE, "parent_variant_id": original, "prompt": self.hole.before}
        taken = {"rule": BODY, "code": self.hole.code, "suffix": self.hole.after}
        return Variant(**ids, **before, seed=None), Region(**ids, **taken)


class Description(ForwardTask):
    """Forward: describe the body of each function in a few words."""

    name = "description"
    over = (PROGRAMS.task, REGIONS.task)

    def own_prompt(self, style: Style) -> str:
        """Return the template."""
        return "description_v1"

    def questions(self, wanted: TaskInput) -> Questions:
        """Return a question for each top-level function whose body starts below its header."""
        template = required(wanted.template)
        places, rows = holes(wanted)
        return Questions(
            [
                place.question(forward_prompt(place.hole, template, wanted.style), wanted.n)
                for place in places
            ],
            self.keeping_rules(wanted.style),
            text_rule,
            rows,
        )


class Resynthesis(BackwardTask):
    """Backward: write the code again from a description, or without one."""

    name = "resynthesis"
    over = (PROGRAMS.task, REGIONS.task)
    planted = "resynthesis"
    ending = PARAGRAPH
    rule, chat_rule = LINES, BLOCK

    def program(self, answer: Unplanned) -> str:
        """Return the code before the hole, what was written, and the code after it."""
        return answer.prompt + answer.kept_text + answer.suffix

    def questions(self, wanted: TaskInput) -> Questions:
        """Return a question for each description that is not empty, and one for each baseline."""
        template = required(wanted.template)
        places, rows = holes(wanted)
        texts = grouped(described(wanted, Description.name), lambda text: text.variant_id)
        found: list[Question] = []
        for place in places:
            shown = partial(backward_prompt, place.hole, template=template, style=wanted.style)
            of = texts.get(place.variant_id, [])
            found += backward_questions(wanted, place, of, shown, UNINFORMED)
        return Questions(
            found,
            self.keeping_rules(wanted.style),
            partial(code_rule, places={place.variant_id: place for place in places}),
            rows,
        )


def holes(wanted: TaskInput) -> tuple[list[FunctionHole], tuple[Row, ...]]:
    """Return the hole of each function of a dataset, and the rows of variants and regions.

    A problem of a project is a hole already; its docstrings stay, and its rows are stored. A cell
    of a notebook is a hole too, shown after the code of the cells before, without text cells.
    Raises BadInput where no function has a body that starts below its header.
    """
    with reading() as con:
        variants = newest_variants(con, wanted.dataset)
    cells = {each.problem_id: each for each in variants if each.kind == BEFORE}
    places: list[FunctionHole] = []
    rows: list[Row] = []
    for problem in wanted.problems:
        if problem.compare == PROJECT:
            region = RegionHole(problem.prompt, problem.reference, problem.suffix)
            place = FunctionHole(problem, wanted.originals[problem.problem_id], region.code, region)
            places.append(place)
            continue
        if problem.compare == TEXT:
            cell = cells[problem.problem_id]
            region = RegionHole(cell.prompt, problem.reference, "")
            places.append(FunctionHole(problem, cell.variant_id, region.code, region))
            continue
        if problem.entry_point == SCRIPT:
            continue
        program = problem.prompt + problem.reference + problem.suffix
        hole = body_hole(program, problem.entry_point)
        if hole is not None:
            variant_id = keys.variant_id(problem.problem_id, HOLE, hole.before)
            place = FunctionHole(problem, variant_id, hole.code, hole)
            places.append(place)
            rows += place.rows(wanted.originals[problem.problem_id])
    if not places:
        raise BadInput(
            f"{wanted.dataset} has no top-level function whose body starts below its header: "
            "choose another dataset"
        )
    return places, tuple(rows)


def forward_prompt(hole: Hole, template: Template, style: Style) -> Prompt:
    """Return the prompt that shows the code between two marks and asks what it does."""
    marked = f"{hole.indent}{BEGIN}\n{hole.code}{hole.indent}{END}\n"
    return _prompt_around(hole, marked, template, style)


def backward_prompt(hole: Hole, description: str, template: Template, style: Style) -> Prompt:
    """Return the prompt that shows a description as a comment in the place of the code."""
    comment = f"{hole.indent}{TODO}{spaced_once(description)}\n"
    return _prompt_around(hole, comment, template, style)


def _prompt_around(hole: Hole, text: str, template: Template, style: Style) -> Prompt:
    """Return the prompt that shows a text in the place of the code, and what is around it."""
    (place,) = template.places
    return prompt_of(template, style, **{place: hole.filled(text, WINDOWS[place]).strip("\n")})


def code_rule(rule: str, stop: Sequence[str], places: Mapping[str, FunctionHole]) -> AnswerRule:
    """Return the rule that keeps code, moved to the indentation of its hole."""

    def kept_code(completion: Completion) -> KeptAnswer:
        place = places[completion.request.variant_id]
        if rule == BLOCK:
            found = fenced_v1(completion.text, place.problem.entry_point)
            code, issues = found.kept, found.issues
            if "```" not in completion.text and is_body(completion.text):
                code, issues = whole(completion.text), ()
        else:
            code, issues = at_stop(completion.text, stop), ()
        text = place.hole.fitted(inner_body(code.text, place.problem.entry_point))
        if completion.text.strip() and not text and not issues:
            issues = (("no_code", "no line of code"),)
        return KeptAnswer(Kept(text, code.start, code.end), rule, issues if completion.text else ())

    return kept_code
