"""Strategies: the prompt that each has for the problems of a dataset."""

from dataclasses import replace

import pytest

from models.words import SCRIPT, Style
from runners.tasks.base import task_named
from runners.tasks.questions import prompt_named, template_of
from runners.tasks.strategies import STRATEGIES
from runners.tasks.templates import load, names
from warehouse.facts.problems import StoredProblem
from warehouse.parameters import BadValue

FUNCTION = StoredProblem("p", "toy", "toy/0", "f", "def f():\n", "", "", "", "", "exact", 0.0, "k")
PROGRAM = replace(FUNCTION, entry_point=SCRIPT)


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_asks_a_chat_by_the_template_of_the_problems(name: str) -> None:
    task, strategy = task_named("synthesis"), STRATEGIES.load(name)
    for problems, wanted in (
        ([FUNCTION] * 2, strategy.functions),
        ([PROGRAM] * 2, strategy.programs),
        (None, strategy.functions),
    ):
        prompt = prompt_named(task, name, Style.SOLUTION, problems)
        assert prompt == wanted
        assert template_of(task, prompt, Style.SOLUTION) == load(wanted)
    with pytest.raises(BadValue, match=f"name {strategy.functions} or {strategy.programs}"):
        prompt_named(task, name, Style.SOLUTION, [FUNCTION, PROGRAM])
    with pytest.raises(BadValue, match=f"the strategy {name} is not made for repair"):
        prompt_named(task_named("repair"), name, Style.SOLUTION, [FUNCTION])


def test_a_language_model_that_continues_text_gets_the_bare_prompt_or_nothing() -> None:
    task = task_named("synthesis")
    assert prompt_named(task, "vanilla", Style.COMPLETION, [FUNCTION, PROGRAM]) == "original"
    for name in STRATEGIES.keys() - {"vanilla"}:
        prompt = prompt_named(task, name, Style.COMPLETION, [FUNCTION])
        with pytest.raises(BadValue, match="is for a chat, and this backend continues a text"):
            template_of(task, prompt, Style.COMPLETION)


def test_no_template_has_the_name_of_a_strategy() -> None:
    assert not {*STRATEGIES} & {*names(), "original"}
    assert prompt_named(task_named("synthesis"), "synthesis_chat_v1", Style.SOLUTION, None) == (
        "synthesis_chat_v1"
    )
