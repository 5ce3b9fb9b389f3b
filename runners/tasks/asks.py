"""Which task is asked about a dataset, and by which prompt."""

from ingest.loader import dataset_module
from models.words import COMPLETION, SOLUTION
from runners.problems import newest_problems
from runners.tasks import TASKS
from runners.tasks.base import Asks, Pairs, Task, TaskInput, task_named
from runners.tasks.templates import ORIGINAL, Template, load
from warehouse.errors import BadInput
from warehouse.store.connection import reading


def asks_of(
    task: str | None, dataset: str, prompt: str | None, style: str, n: int, pairs: Pairs
) -> Asks:
    """Return what is asked: the dataset's own task, or another over such datasets.

    Raises BadInput for a task or template that does not fit, AssayError for what is not there.
    """
    with reading() as con:
        problems = newest_problems(con, dataset)
    own = dataset_module(dataset).SOURCE.task
    chosen = task_named(task or own) if (task or own) in TASKS else None
    if chosen is None or chosen.over != own:
        raise BadInput(f"the task of {dataset} is {own}, not {task}")
    template = _template(chosen, prompt, style)
    return chosen.asks(TaskInput(dataset, problems, style, n, pairs, template))


def _template(task: Task, prompt: str | None, style: str) -> Template | None:
    """Return the template of a name, or None for the bare prompt."""
    name = task.own_prompt(style) if prompt is None else prompt
    if name == ORIGINAL:
        if style != COMPLETION and not task.bare_in_chat:
            raise BadInput(
                "the prompt original does not ask a chat to continue a program: "
                "choose a chat template"
            )
        return None
    template = load(name)
    if not name.startswith(task.name):
        raise BadInput(f"the prompt template {name} is not made for {task.name}")
    if style != SOLUTION and not task.template_in_completion:
        raise BadInput(
            f"the prompt template {name} asks for a whole program in a chat, and this backend "
            "continues a text: choose its chat api, or the prompt original"
        )
    return template
