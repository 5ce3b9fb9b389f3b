"""Round trips: what is shown, what is kept, and the way from a description back to a verdict."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ingest.problems.holes import Hole
from models.words import Style
from runners.drawing.backends.base import Completion, Request
from runners.tasks.forward_backward import PARAGRAPH
from runners.tasks.round_trip import (
    BLOCK,
    LINES,
    FunctionHole,
    backward_prompt,
    code_rule,
    forward_prompt,
)
from runners.tasks.templates import load
from tests.support.sql import n_rows, rows
from tests.support.steps import build, execute, generate, ingest_dataset
from warehouse.errors import BadInput
from warehouse.facts.problems import StoredProblem

VIEWS_READ = "+round_trips +rtc_synthesis_v1"

HOLE = Hole("def area(r):\n", "    return 3 * r * r\n", "\n\nprint(area(1))\n")
PROBLEM = StoredProblem(
    "p", "toy", "toy/0", "area", "", "", "", "", "assert area(1) == 3", "exact", 0.0, "k"
)
GIVEN: dict[str, Any] = {"backend": "planted", "dataset": "starter", "progress": False}


def kept(text: str, rule: str) -> tuple[str, tuple[str, ...]]:
    request = Request("g", "toy/0", "p", "v", "", "", 0, None, None, None, (), None)
    stop = (PARAGRAPH,) if rule == LINES else ()
    found = code_rule(rule, stop, {"v": FunctionHole(PROBLEM, "v", HOLE.code, HOLE)})(
        Completion(request, text)
    )
    return found.kept.text, tuple(code for code, _ in found.issues)


def test_the_description_sees_the_code_between_its_marks_and_no_answer() -> None:
    text = forward_prompt(HOLE, load("description_v1"), Style.COMPLETION).text
    shown = text.rpartition("Program:\n")[2]
    assert shown == (
        "def area(r):\n    # [begin]\n    return 3 * r * r\n    # [end]\n\n\nprint(area(1))\n"
        "Description:"
    )


def test_the_program_sees_the_description_on_one_line_and_not_the_code() -> None:
    text = backward_prompt(HOLE, " Return\nthe area. ", load("resynthesis_v1"), Style.COMPLETION)
    assert text.messages is None, "a text that is continued"
    shown = text.text.rpartition("Program:\n")[2]
    assert shown == "def area(r):\n    # TODO: Return the area.\n\n\nprint(area(1))\nCode:"
    chat = backward_prompt(HOLE, "Return the area.", load("resynthesis_chat_v1"), Style.SOLUTION)
    assert chat.messages is not None
    assert "# TODO: Return the area." in chat.messages[0][1]
    assert "3 * r * r" not in text.text + chat.text


def test_a_prompt_of_version_2_shows_more_of_the_file() -> None:
    around = "".join(f"x = {n}\n" for n in range(400))
    hole = Hole(around + HOLE.before, HOLE.code, HOLE.after + around)
    for version, n_lines in ((1, (130, 140)), (2, (670, 690))):
        words = "Return the area."
        template = load(f"resynthesis_chat_v{version}")
        asked = backward_prompt(hole, words, template, Style.SOLUTION).text
        assert "    # TODO: Return the area.\n" in asked
        assert asked.count("...\n") == 2
        assert n_lines[0] <= asked.count("x = ") <= n_lines[1]
    described = forward_prompt(hole, load("description_chat_v2"), Style.SOLUTION).text
    assert "    # [begin]\n    return 3 * r * r\n    # [end]\n" in described
    assert n_lines[0] <= described.count("x = ") <= n_lines[1]


@pytest.mark.parametrize(
    ("rule", "text", "code", "issues"),
    [
        (LINES, "return 3 * r * r\n\nProgram:\nx", "    return 3 * r * r\n", ()),
        (LINES, "\nreturn r\n\nx", "    return r\n", ()),
        (LINES, "    s = r\n    return s\n", "    s = r\n    return s\n", ()),
        (LINES, "\n\nreturn 1", "", ("no_code",)),
        (LINES, "", "", ()),
        (BLOCK, "So:\n```python\nreturn r\n\n```\n", "    return r\n", ()),
        (
            BLOCK,
            "```python\ndef area(r):\n    'doc'\n    s = r\n\n    return s\n```",
            "    s = r\n\n    return s\n",
            (),
        ),
        (BLOCK, "    return r * 2\n", "    return r * 2\n", ()),
        (
            BLOCK,
            "```python\nimport math\n\ndef half(r):\n    return r / 2\n\ndef area(r):\n"
            "    return math.pi * half(r)\n\nprint(area(1))\n```",
            "    import math\n    def half(r):\n        return r / 2\n"
            "    return math.pi * half(r)\n",
            (),
        ),
        (BLOCK, "```python\ndef area(r): return 3 * r\n```", "    return 3 * r\n", ()),
        (BLOCK, "I cannot.", "", ("no_code",)),
        (BLOCK, "```js\nreturn 1;\n```", "", ("wrong_language",)),
    ],
)
def test_what_is_kept_fits_the_hole(
    rule: str, text: str, code: str, issues: tuple[str, ...]
) -> None:
    assert kept(text, rule) == (code, issues)


@pytest.fixture
def starter(home: Path) -> Path:
    ingest_dataset("starter")
    return home


@pytest.mark.long
@pytest.mark.parametrize("chat", [False, True])
def test_right_code_comes_back_and_passes(starter: Path, chat: bool) -> None:
    options = {"pass_rate": 1.0, "chat": chat}
    described = generate(**GIVEN, lm="coin", n=2, task="description", options=options)
    assert described.n_drawn == 2 * 48
    written = generate(**GIVEN, lm="coin", n=1, task="resynthesis", options=options)
    assert written.n_drawn == 4 * 48, "a program of each description, and as many without one"
    assert generate(**GIVEN, lm="coin", n=1, task="resynthesis", options=options).n_drawn == 0
    report = execute(progress=False)
    assert report.n_not_available == described.n_drawn
    told = """
        select outcome.verdict, count(*) from raw.generation
        inner join raw.evaluation using (generation_id)
        inner join raw.outcome using (program_id)
        where (parent_generation_id is not null) = ? group by all
    """
    assert rows(told, True) == [("passed", 2 * 48)]
    assert rows(told, False) == [("error", 2 * 48)], "wrong code raises"
    assert n_rows("region") == 48
    cut = """
        select variant.prompt || region.code || region.suffix
        from raw.region inner join raw.variant using (variant_id)
    """
    assert all('"""' not in program for (program,) in rows(cut))


@pytest.mark.long
def test_one_language_model_describes_and_another_writes(starter: Path) -> None:
    vague = {"telling": 0.0}
    generate(**GIVEN, lm="vague", n=1, task="description", options=vague)
    sure = {"pass_rate": 1.0}
    generate(**GIVEN, lm="sure", n=1, task="description", options=sure)
    for by in ("vague", "sure"):
        generate(**GIVEN, lm="sure", n=1, task="resynthesis", described_by=by, options=sure)
    execute(progress=False)
    build(select=VIEWS_READ)
    found = rows("select forward_lm, passed from main.round_trips where forward_lm is not null")
    assert Counter(found) == {("vague", False): 48, ("sure", True): 48}


def test_an_empty_description_is_not_sent(starter: Path) -> None:
    generate(**GIVEN, lm="coin", n=1, task="description", options={"faults": {"empty": 1.0}})
    written = generate(**GIVEN, lm="sure", n=1, task="resynthesis", described_by="coin")
    assert written.n_drawn == 48, "only the baseline"
    assert rows("select count(parent_generation_id) from raw.generation") == [(0,)]


@pytest.mark.long
def test_who_says_nothing_has_no_round_trip(starter: Path) -> None:
    wordless = {"faults": {"empty": 1.0}}
    generate(**GIVEN, lm="mute", n=3, task="description", options=wordless)
    generate(**GIVEN, lm="mute", n=1, task="resynthesis", options=wordless)
    execute(progress=False)
    build(select=VIEWS_READ)
    found = rows(
        "select rtc, n_used, n_descriptions_empty, n_baseline_programs > 0 from rtc_synthesis_v1 "
        "where similarity = 'pass'"
    )
    assert found == [(0.0, 48, 3 * 48, True)]


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"task": "resynthesis"}, "no descriptions of starter by coin are stored"),
        ({"task": "resynthesis", "prompt": "original"}, "needs a prompt template"),
        ({"task": "description", "prompt": "original"}, "needs a prompt template"),
        ({"task": "description", "described_by": "x"}, "need the task resynthesis or edit"),
        ({"described_by": "x"}, "need the task resynthesis or edit"),
    ],
)
def test_what_does_not_fit_is_refused(starter: Path, given: dict[str, str], reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        generate(**GIVEN, lm="coin", n=1, **given)
