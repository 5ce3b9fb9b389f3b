"""A new task is one file and one line in the registry: here one that asks in capital letters."""

import ast
from collections.abc import Sequence
from pathlib import Path

import pytest

from ingest.answers.truncate import whole
from models.words import Style
from runners.drawing.backends.base import Completion
from runners.drawing.generations import AnswerRule, KeptAnswer
from runners.steps.status import status
from runners.tasks import TASKS
from runners.tasks.base import (
    Prompt,
    Questions,
    Task,
    TaskInput,
    joined_program,
    questions_for_problems,
    task_named,
)
from tests.data import ROOT
from tests.support.sql import rows
from tests.support.steps import execute, generate, ingest_dataset
from warehouse.errors import BadInput
from warehouse.facts.judging import Unplanned
from warehouse.facts.problems import StoredProblem

FIRST_LINE = "LOUD = True\n"
GIVEN = {"backend": "planted", "lm": "toy", "dataset": "starter", "n": 1}
OPTIONS = {"pass_rate": 1.0, "n_styles": 1}


def loud_prompt(problem: StoredProblem, wanted: TaskInput) -> Prompt:
    return Prompt(problem.prompt.upper())


def answer_rule(rule: str, stop: Sequence[str]) -> AnswerRule:
    def kept_text(completion: Completion) -> KeptAnswer:
        return KeptAnswer(whole(completion.text, stop), rule)

    return kept_text


class Loud(Task):
    """The toy task: the prompt is shouted, all of the answer is kept, the program says so first."""

    name = "loud"
    over = ("synthesis",)
    planted = "body"
    bare_in_chat = False

    def stop(self, style: Style) -> tuple[str, ...]:
        return ("# quiet",)

    def program(self, answer: Unplanned) -> str:
        return FIRST_LINE + joined_program(answer)

    def keeping_rules(
        self, style: Style, problems: Sequence[StoredProblem] | None = None
    ) -> tuple[str, ...]:
        return ("whole",)

    def questions(self, wanted: TaskInput) -> Questions:
        found = questions_for_problems(wanted, loud_prompt)
        return Questions(found, self.keeping_rules(wanted.style), answer_rule)


class Silent(Loud):
    """The same, but nothing that is answered is a program."""

    name = "silent"
    program = None


@pytest.mark.parametrize("name", TASKS)
def test_a_task_has_the_name_of_its_line(name: str) -> None:
    assert task_named(name).name == name


def test_a_toy_task_goes_from_its_question_to_the_verdict(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TASKS, "loud", f"{__name__}:Loud")
    ingest_dataset("starter")
    report = generate(**GIVEN, task="loud", options=OPTIONS, progress=False)
    assert report.n_drawn > 40
    assert generate(**GIVEN, task="loud", options=OPTIONS).n_present == report.n_drawn
    assert execute(progress=False).verdicts == {"passed": report.n_drawn}
    settings = rows("select task, style, stop from raw.setting")
    assert settings == [("loud", "completion", '["# quiet"]')]
    sources = rows("select source from raw.candidate")
    assert len(sources) == report.n_drawn
    assert all(source.startswith(FIRST_LINE) for (source,) in sources)
    with pytest.raises(BadInput, match="the prompt original does not ask a chat"):
        generate(**GIVEN, task="loud", options={"chat": True})


def test_a_task_without_programs_is_counted_and_not_run(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TASKS, "silent", f"{__name__}:Silent")
    ingest_dataset("starter")
    report = generate(**GIVEN, task="silent", options=OPTIONS, progress=False)
    found = status()
    assert found["pending"]["generations"] == found["pending"]["problems_not_admitted"] == 0
    (lm,) = found["generations"]
    assert (lm["n_generations"], lm["n_pending"]) == (report.n_drawn, 0)
    executed = execute(progress=False)
    assert executed.n_not_available == report.n_drawn
    assert (executed.n_generations, executed.verdicts) == (0, {})


NAMES = {*TASKS, "reflection", *Style}
CONSTANTS = {"COMPLETION", "SOLUTION", "SYNTHESIS", "REPAIR", "TASK"}


def compared(source: str) -> list[int]:
    """Return the lines that compare something with the name of a task or of a style."""
    found = []
    for node in ast.walk(ast.parse(source)):
        parts: list[ast.AST] = []
        if isinstance(node, ast.Compare):
            for each in (node.left, *node.comparators):
                parts += each.elts if isinstance(each, ast.Tuple | ast.List | ast.Set) else [each]
        elif isinstance(node, ast.MatchValue):
            parts = [node.value]
        for part in parts:
            name = getattr(part, "attr", None) or getattr(part, "id", None)
            if getattr(part, "value", None) in NAMES or name in CONSTANTS:
                found.append(part.lineno)
    return found


def test_no_room_compares_with_the_name_of_a_task_or_style() -> None:
    for wrong in (
        'style == "completion"',
        'task in ("repair", "reflection")',
        "style is Style.SOLUTION",
        "words.COMPLETION != style",
        "setting.task == reflection.TASK",
    ):
        assert compared(wrong), wrong
    allowed = {ROOT / "models" / "words.py", *(ROOT / "runners" / "tasks").glob("*.py")}
    found = {
        f"{path.relative_to(ROOT)}:{line}"
        for room in ("models", "warehouse", "ingest", "runners")
        for path in (ROOT / room).rglob("*.py")
        if path not in allowed
        for line in compared(path.read_text(encoding="utf-8"))
    }
    assert found == set()
