"""Editing: what is shown, what is kept, and the way from a description back to new code."""

import json
from pathlib import Path
from typing import Any

import pytest

from models.words import Style
from runners.drawing.backends.base import Completion, Request
from runners.drawing.backends.planted import TELLS
from runners.tasks.editing import BLOCK, CODE, change_prompt, code_rule, edit_prompt
from runners.tasks.templates import load
from tests.support.sql import rows
from tests.support.steps import build, execute, generate, import_generations, ingest_dataset
from warehouse.errors import BadInput
from warehouse.facts.problems import StoredProblem

VIEWS_READ = "+edit_companions_v1 +rtc_editing"

PROBLEM = StoredProblem(
    "p", "toy", "toy/0", "", " a\nb", " a\nB\n\nc", "", "", None, "exact", 0.0, "k"
)
GIVEN: dict[str, Any] = {"backend": "planted", "dataset": "codereviewer", "progress": False}
N = 6


def kept(text: str, rule: str) -> tuple[str, tuple[str, ...]]:
    request = Request("g", "toy/0", "p", "v", "", "", 0, None, None, None, (), None)
    stop = () if rule == BLOCK else ("[old]",)
    found = code_rule(rule, stop)(Completion(request, text))
    part = found.kept
    assert part.text == text[part.start : part.end]
    return part.text, tuple(code for code, _ in found.issues)


def test_the_description_sees_both_sides() -> None:
    text = change_prompt(PROBLEM, load("edit_description_v1"), Style.COMPLETION).text
    assert text.endswith("\n\n[old]\n a\nb\n[new]\n a\nB\n\nc\n[edit description]")
    assert text.count("[old]\n") == 4, "three worked examples and the change"
    assert change_prompt(PROBLEM, load("edit_description_v1"), Style.SOLUTION).messages is not None


def test_new_code_is_asked_for_on_a_line_of_its_own_and_is_not_shown() -> None:
    text = edit_prompt(PROBLEM, "Use B.", load("edit_v1"), Style.COMPLETION)
    assert text.messages is None, "a text that is continued"
    assert text.text.endswith("\n\n[old]\n a\nb\n[edit description] Use B.\n[new]\n")
    chat = edit_prompt(PROBLEM, "Use B.", load("edit_chat_v1"), Style.SOLUTION)
    assert chat.messages is not None
    assert "[old]\n a\nb\n[edit description] Use B.\n" in chat.messages[0][1]
    assert " a\nB" not in text.text + chat.text


@pytest.mark.parametrize(
    ("rule", "text", "code", "issues"),
    [
        (CODE, " a\nB\n\nc\n\n[old]\nx", " a\nB\n\nc\n\n", ()),
        (CODE, " a\nB", " a\nB", ()),
        (CODE, "\n[old]\nx", "\n", ("no_code",)),
        (CODE, "", "", ()),
        (BLOCK, "So:\n```java\n a\nB\n```\nDone.", " a\nB\n", ()),
        (BLOCK, "```\nx\n```\n```go\n y\n```", " y\n", ("several_blocks",)),
        (BLOCK, "```\n a\nB\n[old]\n```", " a\nB\n", ()),
        (BLOCK, " a\nB", " a\nB", ()),
        (BLOCK, "```\n```", "", ("no_code",)),
    ],
)
def test_what_is_kept_ends_at_the_next_change(
    rule: str, text: str, code: str, issues: tuple[str, ...]
) -> None:
    assert kept(text, rule) == (code, issues)


@pytest.fixture
def changes(home: Path, tmp_path: Path) -> Path:
    """Six edits; a person said of the first two what a planted language model understands."""
    edits: list[dict[str, Any]] = [
        {"id": n, "old": f" a\n-b{n}", "new": f" a\n+\n+B{n}", "change_summary": TELLS}
        for n in range(N)
    ]
    for n, words in enumerate((TELLS, TELLS, "Mend this.")):
        edits[n]["comment"] = words
    path = tmp_path / "changes.jsonl"
    path.write_text("".join(json.dumps(edit) + "\n" for edit in edits), encoding="utf-8")
    ingest_dataset("codereviewer", path, unpinned=True)
    return path


@pytest.mark.long
@pytest.mark.parametrize("chat", [False, True])
def test_right_edits_come_back(changes: Path, chat: bool) -> None:
    options = {"pass_rate": 1.0, "chat": chat}
    described = generate(**GIVEN, lm="coin", n=3, options=options)
    assert described.n_drawn == 3 * N
    made = generate(**GIVEN, lm="coin", n=1, task="edit", options=options)
    assert made.n_drawn == 6 * N + 3, "one of each description, as many without, three of words"
    assert generate(**GIVEN, lm="coin", n=1, task="edit", options=options).n_drawn == 0
    assert execute(progress=False).n_not_available == described.n_drawn + made.n_drawn
    build(select=VIEWS_READ)
    for version in (1, 2):
        found = rows(
            f"select rtc, baseline, lift, at_k, n_used, n_lift from rtc_editing_v{version}"
        )
        assert found == [(1.0, 0.0, 1.0, 1.0, N, N)]
    found = rows("select similarity, value, n_total from edit_companions_v1 order by similarity")
    bleu = ("bleu", None, 3)  # not measured: that is a separate step
    assert found == [bleu, ("exact_match", 2 / 3, 3), ("exact_match_spaced", 2 / 3, 3)]


@pytest.mark.long
def test_recorded_descriptions_are_a_forward_half(changes: Path) -> None:
    import_generations(changes, format="crscore", dataset="codereviewer", lm="told")
    sure = {"pass_rate": 1.0}
    made = generate(**GIVEN, lm="sure", n=2, task="edit", described_by="told", options=sure)
    assert made.n_drawn == 2 * (2 * N + 3)
    build(select=VIEWS_READ)
    first = rows("select forward_lm, rtc, n_null_samples_missing from rtc_editing_v1")
    second = rows("select forward_lm, rtc, baseline, n_programs from rtc_editing_v2")
    assert first == [("told", None, N)], "the paper takes three descriptions of an edit"
    assert second == [("told", 1.0, 0.0, 2 * N)]


def test_an_empty_description_is_not_sent(changes: Path) -> None:
    generate(**GIVEN, lm="coin", n=1, options={"faults": {"empty": 1.0}})
    made = generate(**GIVEN, lm="sure", n=1, task="edit", described_by="coin")
    assert made.n_drawn == N + 3, "only the baseline and a person's words"
    assert rows("select count(parent_generation_id) from raw.generation") == [(0,)]


def test_without_temperature_the_baseline_is_drawn_once(changes: Path) -> None:
    generate(**GIVEN, lm="coin", n=3)
    made = generate(**GIVEN, lm="coin", n=1, task="edit", temperature=0.0)
    assert made.n_drawn == 3 * N + N + 3


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"task": "edit"}, "no descriptions of codereviewer by coin are stored"),
        ({"task": "edit", "prompt": "original"}, "needs a prompt template"),
        ({"prompt": "original"}, "needs a prompt template"),
        ({"prompt": "edit_v1"}, "edit_v1 is not made for edit_description"),
        ({"task": "edit", "prompt": "edit_description_v1"}, "is not made for edit"),
        ({"task": "description"}, "description does not apply to codereviewer"),
        ({"described_by": "x"}, "need the task resynthesis or edit"),
    ],
)
def test_what_does_not_fit_is_refused(changes: Path, given: dict[str, str], reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        generate(**GIVEN, lm="coin", n=1, **given)
