"""Cells of notebooks: a small file of our own, described and written again, and never run."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ingest.datasets import arcade
from runners.cli.main import run
from tests.support.sql import n_rows, rows
from tests.support.steps import build, execute, generate, ingest_dataset, similarity_pairs
from warehouse.errors import BadInput

FILE = Path(__file__).with_name("arcade.json")
GIVEN: dict[str, Any] = {"backend": "planted", "dataset": "arcade", "progress": False}


def test_each_turn_with_code_is_a_problem() -> None:
    found = arcade.read(FILE)
    first, second, third = found.drafts
    assert found.left_out == Counter(no_code=1)
    assert [each.task_id for each in found.drafts] == ["arcade/0/0", "arcade/0/1", "arcade/1/0"]
    assert (first.entry_point, first.compare) == ("kitchens.ipynb", "text")
    assert first.prompt.endswith("# Which town has the most kitchens?\n")
    assert first.reference == "kitchens['town'].value_counts().idxmax()\n"
    code, intent = dict(second.variants).values()
    assert code == (
        "import pandas as pd\nkitchens = pd.read_csv('kitchens.csv')\n"
        "kitchens['town'].value_counts().idxmax()\n\n"
    )
    assert intent == "Mean number of chairs by town, the largest first"
    assert dict(third.variants)["code_before"] == "\n"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({}, "expected a list of episodes, found an object"),
        ([1], "episode 1: expected an object, found a number"),
        ([{"turns": []}], "episode 1: the field 'notebook_name' is missing"),
        ([{"notebook_name": "a", "turns": 1}], "the field 'turns' is a number, expected a list"),
        ([{"notebook_name": "a", "turns": [{}]}], "episode 1, turn 1: the field 'turn' is missing"),
        (
            [{"notebook_name": "a", "turns": [{"turn": {"code": 1}}]}],
            "the field 'input' is missing",
        ),
    ],
)
def test_what_is_no_file_of_it(value: Any, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(value))
    with pytest.raises(BadInput, match=reason):
        arcade.read(path)


def test_without_the_file_one_line_says_where_it_is(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ingest", "arcade"]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert "Assay does not download arcade: name a derived dataset (.json) of" in line
    assert "google-research/arcade-nl2code, whose README says how" in line


@pytest.mark.long(seconds=90)
def test_round_trips_are_compared_as_texts_and_never_run(home: Path) -> None:
    assert ingest_dataset("arcade", FILE).n_problems == 3
    for lm, rate in (("right", 1.0), ("wrong", 0.0)):
        told = {**GIVEN, "lm": lm, "options": {"pass_rate": rate}}
        generate(**told, task="description", n=3)
        generate(**told, task="resynthesis", n=1)
    asked = rows("select distinct prompt from raw.variant where kind = 'code_before'")
    assert not any("Which town" in text for (text,) in asked)
    report = execute(progress=False)
    assert (report.n_planned, report.rejected_problems, n_rows("admission")) == (0, [], 0)
    similarity_pairs(progress=False)
    build(select="+rtc_synthesis_v1")
    found = rows(
        "select lm, similarity, rtc, n_used, n_null_not_applicable from rtc_synthesis_v1 "
        "order by lm, similarity"
    )
    right = {each[1]: each[2:4] for each in found if each[0] == "right"}
    assert right.pop("codebleu")[1] == 3
    assert right == {"bleu": (1.0, 3), "exact_match": (1.0, 3), "pass": (None, 0)}
    assert [each[4] for each in found if each[1] == "pass"] == [3, 3]
    assert all(each[2] < 1 for each in found if each[0] == "wrong" and each[1] != "pass")
    lifts = rows(
        "select distinct baseline, lift, lift_null_reason from rtc_synthesis_v1 where n_used > 0"
    )
    assert lifts == [(None, None, "not_applicable")]
