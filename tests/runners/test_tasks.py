"""A new task is one file and one line in the registry: here one that asks in capital letters."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ingest.answers.truncate import RULES
from ingest.loader import ingest_dataset
from models.words import SOLUTION
from runners.drawing.backends.base import Completion
from runners.drawing.draw import Reading
from runners.tasks import TASKS
from runners.tasks.base import Asks, Reader, Task, TaskInput, asks_for_problems, task_named
from runners.tasks.templates import ORIGINAL, Template
from tests.support.steps import execute, generate
from warehouse.errors import BadInput
from warehouse.facts.problems import StoredProblem
from warehouse.store.connection import reading


def question(problem: StoredProblem, template: Template | None, *, chat: bool) -> dict[str, Any]:
    return {"prompt": problem.prompt.upper()}


def reader(rule: str, stop: Sequence[str]) -> Reader:
    def read(completion: Completion) -> Reading:
        return Reading(RULES[rule](completion.text, stop), rule)

    return read


class Loud:
    """The toy task: the prompt is shouted, and all of the answer is kept."""

    name = "loud"
    over = "synthesis"
    planted = "body"
    stop: tuple[str, ...] = ("# quiet",)
    of_pairs = False
    has_programs = True
    bare_in_chat = False
    template_in_completion = False

    def own_prompt(self, style: str) -> str:
        return ORIGINAL

    def asks(self, wanted: TaskInput) -> Asks:
        found = asks_for_problems(wanted, question, chat=wanted.style == SOLUTION)
        return Asks(self, wanted.template, found, ("whole",), reader)


@pytest.mark.parametrize("name", TASKS)
def test_a_task_has_the_name_of_its_line(name: str) -> None:
    assert task_named(name).name == name


def test_a_toy_task_goes_from_its_question_to_the_verdict(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TASKS, "loud", f"{__name__}:Loud")
    loud: Task = task_named("loud")
    ingest_dataset("starter")
    given = {"backend": "planted", "lm": "toy", "dataset": "starter", "n": 1, "task": loud.name}
    report = generate(**given, options={"pass_rate": 1.0, "n_styles": 1}, progress=False)
    assert report.n_drawn > 40
    assert generate(**given, options={"pass_rate": 1.0, "n_styles": 1}).n_present == report.n_drawn
    assert execute(progress=False).verdicts == {"passed": report.n_drawn}
    with reading() as con:
        settings = con.execute("select task, style, stop from raw.setting").fetchall()
    assert settings == [("loud", "completion", '["# quiet"]')]
    with pytest.raises(BadInput, match="the prompt original does not ask a chat"):
        generate(**given, options={"chat": True})
