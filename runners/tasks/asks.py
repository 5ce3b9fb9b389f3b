"""What a task asks of a language model: the prompts, how often each, and how answers are read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ingest.loader import dataset_module
from runners.drawing.backends.base import Completion, Kind
from runners.drawing.draw import Reading
from runners.problems import newest_problems
from runners.tasks import counterfactual, repair, synthesis
from runners.tasks.counterfactual import Pairs
from runners.tasks.templates import ORIGINAL, Template, load
from warehouse.errors import BadInput
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

    ``rules`` say what may be kept of an answer, the default first; ``reader`` makes of a rule and
    the stop strings what reads an answer.
    """

    task: Kind
    found: list[Ask]
    rules: tuple[str, ...]
    template: Template | None
    reader: Callable[[str, Sequence[str]], Reader]


def asks_of(
    task: str | None, dataset: str, prompt: str | None, style: str, n: int, pairs: Pairs
) -> Asks:
    """Return what is asked: of a dataset its own task, or counterfactual completion of its pairs.

    Raises BadInput for a task or template that does not fit, AssayError for what is not there.
    """
    with reading() as con:
        problems = newest_problems(con, dataset)
    own: Kind = dataset_module(dataset).SOURCE.task
    if task == counterfactual.TASK and own == "synthesis":
        return _counterfactual(dataset, prompt, style, n, pairs)
    if task not in (None, own):
        raise BadInput(f"the task of {dataset} is {own}, not {task}")
    return _problems(own, problems, prompt, style, n)


def _problems(
    task: Kind, problems: Sequence[StoredProblem], prompt: str | None, style: str, n: int
) -> Asks:
    template = _template(task, prompt, style)
    question = repair.question if task == "repair" else synthesis.question
    with reading() as con:
        variants = original_variants(con)
    found = [
        Ask(
            problem.problem_id,
            problem.task_id,
            variants[problem.problem_id],
            question(problem, template, chat=style == "solution"),
            problem.reference,
            n,
        )
        for problem in problems
    ]
    if task == "repair":
        return Asks(task, found, (repair.RULE,), template, lambda rule, stop: repair.read)
    entry_points = {problem.problem_id: problem.entry_point for problem in problems}
    return Asks(
        task,
        found,
        synthesis.rules(style, problems),
        template,
        partial(synthesis.reader, entry_points=entry_points),
    )


def _counterfactual(dataset: str, prompt: str | None, style: str, n: int, pairs: Pairs) -> Asks:
    template = _template(counterfactual.TASK, prompt, style)
    sides = counterfactual.sides(dataset, pairs)
    found = [
        Ask(
            side.problem_id,
            side.task_id,
            side.variant_id,
            counterfactual.question(side, template),
            side.rest,
            2 * n if side.mutation is None and pairs.repeat else n,
            side.mutation,
        )
        for side in sides
    ]
    return Asks(
        counterfactual.TASK,
        found,
        counterfactual.KEEP[style],
        template,
        partial(counterfactual.reader, sides={side.variant_id: side for side in sides}),
    )


def _own_prompt(task: str, style: str) -> str:
    """Return how a task asks where no prompt is named."""
    if task == "repair":
        return repair.TEMPLATE
    return counterfactual.CHAT if (task, style) == (counterfactual.TASK, "solution") else ORIGINAL


def _template(task: str, prompt: str | None, style: str) -> Template | None:
    """Return the template of a name, or None for the bare prompt."""
    name = _own_prompt(task, style) if prompt is None else prompt
    if name == ORIGINAL:
        if task == counterfactual.TASK and style != "completion":
            raise BadInput(
                "the prompt original does not ask a chat to continue a program: "
                "choose a chat template"
            )
        return None
    template = load(name)
    if not name.startswith(task):
        raise BadInput(f"the prompt template {name} is not made for {task}")
    if task != "repair" and style != "solution":
        raise BadInput(
            f"the prompt template {name} asks for a whole program in a chat, and this backend "
            "continues a text: choose its chat api, or the prompt original"
        )
    return template
