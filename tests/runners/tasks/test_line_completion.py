"""Line completion and round trips over a small project: what is asked, kept and put back."""

from pathlib import Path

import pytest

from models.words import Style
from runners.drawing.backends.base import Completion, Request
from runners.projects.problems import LinesSpec, RegionsSpec, ingest_lines, ingest_regions
from runners.tasks.base import Pairs, TaskInput, program_rules, task_named
from runners.tasks.completion.holes import prompt_before
from runners.tasks.completion.lines import BLOCK, FIRST, line_rule
from runners.tasks.templates import load
from tests.support.sql import rows
from tests.support.steps import generate
from tests.support.worlds.projects import (
    PATH,
    SOURCE,
    HereChecker,
    plant_coverage,
    store_ingested,
    write_project,
)
from warehouse.errors import BadInput
from warehouse.facts.judging import Unplanned
from warehouse.facts.problems import TaskVariant
from warehouse.parameters import BadValue

GIVEN = {"backend": "planted", "lm": "coin", "progress": False}
LINES = {**GIVEN, "dataset": "small-lines", "n": 1}
RIGHT = {"pass_rate": 1.0}


@pytest.fixture
def small(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The folder of the small project, ingested, with its coverage."""
    found = write_project(tmp_path / "small")
    store_ingested(found)
    plant_coverage(monkeypatch)
    return str(found.folder)


@pytest.fixture
def lines(small: str) -> str:
    ingest_lines(LinesSpec((small,)), progress=False)
    return small


def programs(task: str) -> list[tuple[str, str]]:
    """Return the verdict on each answer to a task, with the program that it became."""
    rule = program_rules()[task]
    found = []
    for style, kept_text, prompt, suffix, problem_prompt in rows(
        "select style, kept_text, variant.prompt, coalesce(region.suffix, problem.suffix), "
        "problem.prompt from raw.generation "
        "inner join raw.generation_text using (generation_id) "
        "inner join raw.setting using (setting_id) "
        "inner join raw.problem using (problem_id) "
        "inner join raw.variant on generation.variant_id = variant.variant_id "
        "left join raw.region on generation.variant_id = region.variant_id "
        "where task = ? order by problem.position, parent_generation_id, sample_index",
        task,
    ):
        answer = Unplanned("", "", "", task, style, prompt, kept_text, suffix, problem_prompt)
        source = rule(answer)
        found.append((HereChecker().check(PATH, source).verdict, source))
    return found


def kept(text: str, rule: str, stop: tuple[str, ...] = ("\n",)) -> tuple[str, str, list[str]]:
    """Return what is kept, the part of the answer it came from, and the issues."""
    request = Request("g", "t", "p", "v", "", None, "", 0, None, None, None, stop, None, "", "")
    answer = line_rule(rule, stop, {"p": "        "})(Completion(request, text, "stop"))
    code = [code for code, _ in answer.issues]
    return answer.kept.text, text[answer.kept.start : answer.kept.end], code


@pytest.mark.parametrize(
    ("rule", "text", "line", "issues"),
    [
        (FIRST, "x = 1", "x = 1", []),
        (FIRST, "\t x = 1  \ny = 2\n", "x = 1", []),
        (FIRST, "\nx = 1\n", "", ["no_code"]),
        (FIRST, "", "", []),
        (BLOCK, "Here:\n```python\n\n        x = 1  # y\n        z()\n```\n", "x = 1  # y", []),
        (BLOCK, "if x:", "if x:", []),
        (BLOCK, "I cannot tell.\nSorry.", "", ["no_code"]),
        (BLOCK, "```js\nx;\n```", "", ["wrong_language"]),
        (BLOCK, "```python\n\n```", "", ["no_code"]),
        (BLOCK, "```python\n# -*- coding: latin-1 -*-\nx = 'é'\n```", "x = 'é'", []),
        (BLOCK, "```python\n# coding: latin-1\n```", "", ["no_code"]),
        (BLOCK, "# coding: latin-1", "", ["no_code"]),
        (BLOCK, "\ufeffx = 'é'", "x = 'é'", []),
        (BLOCK, "\ufeff```python\n\ufeff    x = 'é'\n```", "x = 'é'", []),
        (FIRST, "\ufeffx = 'é'", "x = 'é'", []),
        (FIRST, "\ufeff \ty", "y", []),
    ],
)
def test_one_line_is_kept_at_its_indentation(
    rule: str, text: str, line: str, issues: list[str]
) -> None:
    assert kept(text, rule) == ("        " + line if line else "", line, issues)


@pytest.mark.parametrize("chat", [False, True])
def test_a_right_line_gives_the_file_back(lines: str, chat: bool) -> None:
    report = generate(**LINES, options={**RIGHT, "chat": chat})
    assert (report.n_drawn, report.issues) == (2, {})
    assert programs("line_completion") == [("passed", SOURCE)] * 2
    ((kind, style, stop),) = rows("select prompt_kind, style, stop from raw.setting")
    assert kind == ("line_completion_chat_v1" if chat else "line_completion_v1")
    assert (style, stop) == ((Style.SOLUTION, "[]") if chat else (Style.COMPLETION, '["\\n"]'))
    assert generate(**LINES, options={**RIGHT, "chat": chat}).n_drawn == 0


def test_a_wrong_line_does_not(lines: str) -> None:
    generate(**LINES, options={"pass_rate": 0.0})
    found = programs("line_completion")
    assert "passed" not in [verdict for verdict, _ in found]
    for _, source in found:
        changed = [
            (one, other)
            for one, other in zip(SOURCE.splitlines(), source.splitlines(), strict=True)
            if one != other
        ]
        ((right, wrong),) = changed
        assert wrong == right[: len(right) - len(right.lstrip())] + wrong.strip()


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        (None, "function"),
        ("line_completion_no_docstring_v1", "function_without_docstring"),
        ("original", "original"),
        ("line_completion_chat_no_docstring_v1", "function_without_docstring"),
        ("line_completion_chat_file_v1", "original"),
        ("line_completion_file_v2", "original"),
        ("line_completion_chat_file_v2", "original"),
    ],
)
def test_the_prompt_says_what_is_seen(lines: str, prompt: str | None, kind: str) -> None:
    chat = "chat" in str(prompt)
    generate(**LINES, prompt=prompt, options={**RIGHT, "chat": chat})
    kinds = rows(
        "select distinct kind from raw.generation inner join raw.variant using (variant_id)"
    )
    assert kinds == [(kind,)]
    assert programs("line_completion") == [("passed", SOURCE)] * 2


def test_version_2_shows_the_last_lines_of_the_file() -> None:
    lines = [f"x{n} = {n}\n" for n in range(1000)]
    variant = TaskVariant("toy/0", "v", "p", "original", "".join(lines))
    shown = "...\n" + "".join(lines[-682:])  # three tokens each, 2,048 at most
    for name, style, end in [
        ("line_completion_file_v2", Style.COMPLETION, shown),
        ("line_completion_chat_file_v2", Style.SOLUTION, f"```python\n{shown}```"),
    ]:
        wanted = TaskInput("toy", [], style, 1, Pairs(), load(name))
        assert prompt_before(variant, wanted).text.count(end) == 1, name


def test_what_does_not_apply_is_refused(lines: str) -> None:
    with pytest.raises(BadInput, match="original does not ask a chat"):
        generate(**LINES, prompt="original", options={"chat": True})
    for task, dataset in (("synthesis", "small-lines"), ("line_completion", "starter")):
        with pytest.raises(BadValue, match=f"{task} does not apply to {dataset}"):
            generate(**LINES | {"dataset": dataset}, task=task)
    with pytest.raises(BadInput, match="run `assay ingest regions toolz`"):
        generate(**LINES | {"dataset": "toolz-regions"})
    with pytest.raises(BadValue, match="there is no dataset 'toolz'"):
        generate(**LINES | {"dataset": "toolz"})
    assert task_named("line_completion").program is not None


@pytest.mark.parametrize(("chat", "version"), [(False, 1), (True, 1), (True, 2)])
def test_round_trips_run_over_regions(small: str, chat: bool, version: int) -> None:
    checker = HereChecker()
    spec = RegionsSpec((small,), "v1", 4)
    ingest_regions(spec, checker=checker.opened, progress=False)
    regions = {**GIVEN, "dataset": "small-regions", "options": {**RIGHT, "chat": chat}}
    forward, backward = (
        (None, None) if version == 1 else ("description_chat_v2", "resynthesis_chat_v2")
    )
    assert generate(**regions, n=2, task="description", prompt=forward).n_drawn == 2 * 4
    assert generate(**regions, n=1, prompt=forward).n_drawn == 0, "that is the task of regions"
    generate(**regions, n=1, task="resynthesis", prompt=backward)
    found = programs("resynthesis")
    assert len(found) == 4 * (2 + 2)
    described = [verdict for verdict, source in found if source == SOURCE]
    assert described == ["passed"] * 4 * 2
    ((n_regions, n_variants),) = rows(
        "select (select count(*) from raw.region), (select count(*) from raw.variant)"
    )
    assert (n_regions, n_variants) == (4, 4), "drawing adds none"
