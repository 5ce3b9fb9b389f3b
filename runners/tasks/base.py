"""What every task says: what is asked, what is kept of an answer, and how that is judged."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from models.base import Row
from models.words import EDITIONS, MAX_PAIRS, Style
from runners.drawing.chains import Chains
from runners.drawing.generations import AnswerRule
from runners.judging.plan import ProgramRule
from runners.tasks import TASKS
from runners.tasks.templates import ORIGINAL, Messages, Template
from warehouse.facts.judging import Unplanned
from warehouse.facts.problems import StoredProblem


@dataclass(frozen=True)
class Prompt:
    """The text that is to be continued, or to be answered in a chat."""

    text: str
    messages: Messages | None = None


@dataclass(frozen=True)
class Question:
    """One prompt, to be answered ``n`` times; ``reference`` is the right answer to it.

    ``parent`` is the generation it speaks of, as its key and its sample index. ``first`` is the
    index of the first sample.
    """

    problem_id: str
    task_id: str
    variant_id: str
    prompt: Prompt
    reference: str
    n: int
    mutation: str | None = None
    parent: tuple[str, int] | None = None
    first: int = 0


@dataclass(frozen=True)
class Questions:
    """All questions of a task, in order.

    ``rules`` say what may be kept of an answer, the default first. ``answer_rule`` takes a rule and
    the stop strings and returns the function that keeps a part of an answer. ``rows`` are what the
    questions refer to and the warehouse may lack; ``run_id`` is filled in.
    """

    found: list[Question]
    rules: tuple[str, ...]
    answer_rule: Callable[[str, Sequence[str]], AnswerRule]
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True)
class Pairs:
    """Which pairs are asked: of all mutations unless some are named, at most ``most`` of each.

    ``repeat`` says whether the original side is drawn twice as often, for the noise floor.
    """

    mutations: Sequence[str] = ()
    editions: Sequence[int] = EDITIONS
    most: int = MAX_PAIRS
    seed: int = 0
    repeat: bool = True


@dataclass(frozen=True)
class TaskInput:
    """The input of ``Task.questions``; ``problems`` are those of the dataset's newest release.

    ``originals`` has the id of the original variant by problem. ``described_by`` names the
    language model whose descriptions are turned back into code. ``chains`` are what was
    answered to the templates that are asked before this one, if there are any. ``answers`` are
    those about one sample, by template.
    """

    dataset: str
    problems: Sequence[StoredProblem]
    style: Style
    n: int
    pairs: Pairs
    template: Template | None
    described_by: str = ""
    chains: Chains | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    originals: Mapping[str, str] = field(default_factory=dict)


FormFault = Callable[[str, Mapping[str, str]], str | None]
"""What says how a reply fails its form, or None; it gets the reply and the earlier answers by
template."""


class Task(Protocol):
    """One way to ask about the problems of a dataset.

    ``over`` names the default tasks of the datasets that it applies to. ``planted`` names the form
    in which the planted backend answers. ``of_pairs`` says whether it asks about counterfactual
    pairs, and ``of_descriptions`` whether about descriptions. ``bare_in_chat`` says whether a chat
    may get the bare prompt, and ``template_in_completion`` whether a template's text may be
    continued. ``program`` makes a program of a kept answer, which the tests of its problem judge.
    None: nothing is run here, and views judge the text, such as by exact match.

    ``form_fault`` says what is wrong with the form of a reply that later requests show. ``repair``
    names the template that asks for such a reply once more.
    """

    name: str
    over: tuple[str, ...]
    planted: str
    of_pairs: bool = False
    of_descriptions: bool = False
    bare_in_chat: bool = True
    template_in_completion: bool = False
    program: ProgramRule | None = None
    form_fault: FormFault | None = None
    repair: str | None = None

    def own_prompt(self, style: Style) -> str:
        """Return the name of the default prompt."""
        return ORIGINAL

    def stop(self, style: Style) -> tuple[str, ...]:
        """Return the texts that end every answer."""
        return ()

    def keeping_rules(
        self, style: Style, problems: Sequence[StoredProblem] | None = None
    ) -> tuple[str, ...]:
        """Return the names of the rules by which answers may be kept, the default first.

        Without ``problems``, those for any dataset that the task applies to.
        """
        ...

    def questions(self, wanted: TaskInput) -> Questions:
        """Return all questions, and the rules by which answers to them are kept."""
        ...


def task_named(name: str) -> Task:
    """Return the task of a name in ``TASKS``."""
    return TASKS.load(name)()


def program_rules() -> dict[str, ProgramRule]:
    """Return what makes programs of answers, by task; tasks whose answers are not run have none."""
    found = {name: task().program for name, task in TASKS.load_all(TASKS)}
    return {name: program for name, program in found.items() if program is not None}


def joined_program(answer: Unplanned) -> str:
    """Return the prompt, where the answer continues it, the kept text, and the problem's suffix."""
    prompt = answer.prompt if Style(answer.style).continues_prompt else ""
    return prompt + answer.kept_text + answer.suffix


def questions_for_problems(
    wanted: TaskInput, prompt_of: Callable[[StoredProblem, TaskInput], Prompt]
) -> list[Question]:
    """Return one question per problem, about its original variant.

    Where other templates are asked before, there is one question per sample, each with the answers
    about that sample. A sample whose chain ended has none.
    """
    found: list[Question] = []
    for problem in wanted.problems:
        ask = partial(
            Question,
            problem.problem_id,
            problem.task_id,
            wanted.originals[problem.problem_id],
            reference=problem.reference,
        )
        if wanted.chains is None:
            found.append(ask(prompt_of(problem, wanted), n=wanted.n))
            continue
        for chain in wanted.chains.get(problem.problem_id, ()):
            prompt = prompt_of(problem, replace(wanted, answers=chain.texts))
            parent = (chain.generation_id, chain.sample_index)
            found.append(ask(prompt, n=1, parent=parent, first=chain.sample_index))
    return found
