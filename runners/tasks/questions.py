"""Which task is asked about a dataset, and by which prompt."""

from collections.abc import Sequence

from ingest.catalogue import kind_of
from models.words import Style
from runners.tasks import TASKS
from runners.tasks.base import Task, task_named
from runners.tasks.strategies import STRATEGIES
from runners.tasks.templates import ORIGINAL, Template, load
from warehouse.facts.problems import StoredProblem
from warehouse.parameters import BadValue


def task_of(dataset: str, named: str | None) -> Task:
    """Return the named task, or the dataset's default; raises BadValue where it does not apply."""
    own = kind_of(dataset).task
    task = task_named(named or own)
    if own not in task.over:
        raise BadValue("task", f"{named} does not apply to {dataset}: leave the task out for {own}")
    return task


def prompt_named(
    task: Task, prompt: str | None, style: Style, problems: Sequence[StoredProblem] | None
) -> str | None:
    """Return the prompt that a strategy has for a task's problems, or else the name itself."""
    if prompt is None or prompt not in STRATEGIES:
        return prompt
    strategy = STRATEGIES.load(prompt)
    if task_asked_by(load(strategy.functions)) != task.name:
        raise BadValue("prompt", f"the strategy {prompt} is not made for {task.name}")
    return strategy.prompt_for(style, problems)


def template_of(task: Task, prompt: str | None, style: Style) -> Template | None:
    """Return the template of a name, or None for the bare prompt; raises BadValue."""
    name = task.own_prompt(style) if prompt is None else prompt
    if name == ORIGINAL:
        if style.in_chat and not task.bare_in_chat:
            raise BadValue(
                "prompt",
                "the prompt original does not ask a chat to continue a program: "
                "choose a chat template",
            )
        return None
    template = load(name)
    if task_asked_by(template) != task.name:
        raise BadValue("prompt", f"the prompt template {name} is not made for {task.name}")
    if name == task.repair:
        raise BadValue(
            "prompt",
            f"{name} is sent where a reply to {task.own_prompt(style)} has another form: "
            "leave the prompt out",
        )
    if not style.in_chat and not task.template_in_completion:
        raise BadValue(
            "prompt",
            f"the prompt template {name} is for a chat, and this backend continues a text: "
            "choose its chat api, or the prompt original",
        )
    return template


def task_asked_by(template: Template) -> str | None:
    """Return the name of the task that a template is made for: the longest that begins its own."""
    return max((each for each in TASKS if template.name.startswith(each)), key=len, default=None)
