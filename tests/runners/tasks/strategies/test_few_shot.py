"""Worked examples of few-shot prompts: each program is run, and is checked by a slow one."""

import ast
import doctest
import itertools
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.answers.extract import fenced_v1
from runners.tasks.templates import load
from tests.data import ROOT, data_root

FUNCTIONS, PROGRAMS = "synthesis_chat_few_shot_cot_v1", "synthesis_program_chat_few_shot_cot_v1"
EXAMPLE = re.compile(
    r"^Task:\n```python\n(?P<task>.*?)^```\n\nAnswer:\n(?P<reasoning>.*?)\n\n"
    r"```python\n(?P<code>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
SAMPLE = re.compile(r"Sample Input (\d)\n(.*?)\n\nSample Output \1\n(.*?)\n(?=\n|\Z)", re.DOTALL)
MODULUS = 1_000_000_007


def examples(name: str) -> list[re.Match[str]]:
    return list(EXAMPLE.finditer(load(name).text))


def functions() -> dict[str, Callable[..., int]]:
    space: dict[str, Any] = {}
    for example in examples(FUNCTIONS):
        exec(example["code"], space)
    return space


def samples(task: str) -> list[tuple[str, str]]:
    text = ast.literal_eval(task.strip())
    return [(given + "\n", wanted + "\n") for _, given, wanted in SAMPLE.findall(text)]


@pytest.mark.parametrize("name", [FUNCTIONS, PROGRAMS])
def test_there_are_three_examples_and_the_task_comes_last(name: str) -> None:
    assert len(examples(name)) == 3
    assert [len(each["reasoning"].split()) > 30 for each in examples(name)] == [True] * 3
    rendered = load(name).render(task="def wanted():\n    pass")
    assert fenced_v1(rendered, None).kept.text == "def wanted():\n    pass\n"
    assert rendered.endswith("Answer:")


@pytest.mark.parametrize("number", range(3))
def test_each_function_gives_what_its_docstring_states(number: int) -> None:
    example = examples(FUNCTIONS)[number]
    [task] = ast.parse(example["task"]).body
    [code] = ast.parse(example["code"]).body
    assert isinstance(task, ast.FunctionDef)
    assert isinstance(code, ast.FunctionDef)
    assert ast.dump(task.args) == ast.dump(code.args)
    stated = doctest.DocTestParser().get_doctest(
        ast.get_docstring(task) or "", functions(), task.name, None, None
    )
    assert len(stated.examples) >= 2
    assert doctest.DocTestRunner(verbose=False).run(stated) == (0, len(stated.examples))


@pytest.mark.parametrize("number", range(3))
def test_each_program_prints_what_its_task_states(number: int) -> None:
    example = examples(PROGRAMS)[number]
    stated = samples(example["task"])
    assert len(stated) >= 2
    for given_input, printed in stated:
        done = subprocess.run(
            [sys.executable, "-I", "-c", example["code"]],
            input=given_input,
            capture_output=True,
            text=True,
            check=True,
        )
        assert (done.stdout, done.stderr) == (printed, "")


@given(stays=st.lists(st.integers(1, 2000), max_size=6))
def test_parking_fees_are_right(stays: list[int]) -> None:
    slow = 0
    for minutes in stays:
        begun = [hour for hour in range(minutes) if hour * 60 < minutes]
        slow += min(15, sum(3 if hour == 0 else 2 for hour in begun))
    assert functions()["parking_fees"](stays) == slow


@given(
    gap=st.integers(0, 4),
    events=st.lists(st.tuples(st.integers(0, 12), st.sampled_from("abc")), min_size=1, max_size=9),
)
def test_open_sessions_are_right(gap: int, events: list[tuple[int, str]]) -> None:
    events.sort(key=lambda event: event[0])

    def is_open(user: str, second: int) -> bool:
        seconds = [at for at, whose in events if whose == user]
        near = itertools.pairwise(seconds)
        return second in seconds or any(
            one < second < other and other - one <= gap for one, other in near
        )

    slow = max(sum(is_open(user, second) for user in "abc") for second in range(13))
    assert functions()["most_open_sessions"](gap, events) == slow


@given(m=st.integers(1, 5), crates=st.lists(st.integers(1, 9), min_size=1, max_size=8))
def test_barge_loads_are_right(m: int, crates: list[int]) -> None:
    slow = 0
    for cuts in itertools.product([False, True], repeat=len(crates) - 1):
        ends = [*(place + 1 for place, cut in enumerate(cuts) if cut), len(crates)]
        loads = [crates[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        slow += all(sum(load) % m for load in loads)
    assert functions()["barge_loads"](m, crates) == slow % MODULUS


def test_the_two_prompts_show_the_same_problems() -> None:
    for function, program in zip(examples(FUNCTIONS), examples(PROGRAMS), strict=True):
        assert function["reasoning"] == program["reasoning"]


def runs_of_words(text: str, n: int = 8) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return set(zip(*(words[start:] for start in range(n)), strict=False))


def test_no_example_is_a_problem_of_a_stored_dataset() -> None:
    shown = {
        run
        for name in (FUNCTIONS, PROGRAMS)
        for example in examples(name)
        for run in runs_of_words(example["task"])
    }
    stored = list((ROOT / "ingest/datasets/starter_problems").glob("*.py"))
    stored += [
        path
        for folder in ("humaneval", "mbpp", "apps", "codecontests")
        for path in (data_root() / "datasets" / folder).rglob("*.json*")
        if path.suffix != ".gz"
    ]
    assert len(stored) > 40
    for path in stored:
        assert not shown & runs_of_words(path.read_text(encoding="utf-8").replace("\\n", " ")), path


def test_of_two_blocks_of_an_answer_the_last_is_kept() -> None:
    answer = "First:\n```python\nprint(1)\n```\nBetter:\n```python\nprint(2)\n```\n"
    found = fenced_v1(answer, "__main__")
    assert found.kept.text == "print(2)\n"
    assert [code for code, _ in found.issues] == ["several_blocks"]
    helper = "```python\ndef f():\n    return 1\n```\nIt is tried so:\n```python\nf()\n```\n"
    assert fenced_v1(helper, "f").kept.text == "def f():\n    return 1\n"
