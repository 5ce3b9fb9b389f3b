"""What every task says: what is asked, what is kept of an answer, what a planted model answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any, Protocol

from ingest.mutations import EDITIONS
from models.words import MAX_PAIRS
from runners.drawing.backends.base import Completion
from runners.drawing.draw import Reading
from runners.tasks import TASKS
from runners.tasks.templates import Template
from warehouse.facts.problems import StoredProblem, original_variants
from warehouse.store.connection import reading

Reader = Callable[[Completion], Reading]


@dataclass(frozen=True)
class Ask:
    """One prompt, to be answered ``n`` times; ``reference`` is the right answer to it."""

    problem_id: str
    task_id: str
    variant_id: str
    question: dict[str, Any]
    reference: str
    n: int
    mutation: str | None = None


@dataclass(frozen=True)
class Asks:
    """All prompts of a task, in order.

    ``rules`` say what may be kept of an answer, the default first; ``reader`` takes a rule and
    the stop strings and returns the function that reads an answer.
    """

    task: "Task"
    template: Template | None
    found: list[Ask]
    rules: tuple[str, ...]
    reader: Callable[[str, Sequence[str]], Reader]


@dataclass(frozen=True)
class Pairs:
    """Which pairs are asked: no mutations stand for all; at most ``most`` per mutation and edition.

    ``repeat`` says whether the original side is drawn twice as often, for the noise floor.
    """

    mutations: Sequence[str] = ()
    editions: Sequence[int] = EDITIONS
    most: int = MAX_PAIRS
    seed: int = 0
    repeat: bool = True


@dataclass(frozen=True)
class TaskInput:
    """The input of ``Task.asks``; ``problems`` are those of the dataset's newest release."""

    dataset: str
    problems: Sequence[StoredProblem]
    style: str
    n: int
    pairs: Pairs
    template: Template | None


class Task(Protocol):
    """One way to ask about the problems of a dataset.

    ``over`` names the task of the datasets that it applies to. ``planted`` names the form in which
    the planted backend answers. ``stop`` ends every answer. ``of_pairs``: it asks about pairs.
    ``has_programs``: references of its problems are programs that run here. ``bare_in_chat``: a
    chat may be asked by the bare prompt. ``template_in_completion``: a text may be continued that
    a template made. A kept answer joins its prompt as the style of its setting says, and is judged
    by the tests of its problem.
    """

    name: str
    over: str
    planted: str
    stop: tuple[str, ...]
    of_pairs: bool
    has_programs: bool
    bare_in_chat: bool
    template_in_completion: bool

    def own_prompt(self, style: str) -> str:
        """Return the prompt where none is named."""
        ...

    def asks(self, wanted: TaskInput) -> Asks:
        """Return all prompts, and the rules by which answers to them are kept."""
        ...


def task_named(name: str) -> Task:
    """Return the task of a name in ``TASKS``."""
    task: Task = resolve_name(TASKS[name])()
    return task


def asks_for_problems(
    wanted: TaskInput, question: Callable[..., dict[str, Any]], chat: bool
) -> list[Ask]:
    """Return one prompt per problem, about its original variant."""
    with reading() as con:
        variants = original_variants(con)
    return [
        Ask(
            problem.problem_id,
            problem.task_id,
            variants[problem.problem_id],
            question(problem, wanted.template, chat=chat),
            problem.reference,
            wanted.n,
        )
        for problem in wanted.problems
    ]
