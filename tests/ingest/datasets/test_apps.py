"""APPS: a fixture of our own in all layouts, and facts of the real files."""

import ast
import functools
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.datasets import apps
from ingest.loader import checked
from ingest.problems.drafts import ProblemDraft, TestDraft
from models.plain.codec import decode
from models.words import SCRIPT
from tests.data import shared
from tests.support.samples import written
from tests.support.steps import ingest_dataset
from warehouse.errors import BadInput

FIXTURE = Path(__file__).with_name("apps.jsonl")
ROWS = [json.loads(line) for line in FIXTURE.read_text(encoding="utf-8").splitlines()]
NESTED = functools.reduce(lambda inner, _: [inner], range(400), 1)  # deeper than a value may be
SELECTED = "datasets/apps/mapcoder_selected150.jsonl"


def drafts(path: Path = FIXTURE) -> dict[str, ProblemDraft]:
    return {draft.task_id: draft for draft in checked(apps.read(path).drafts, path)}


def pairs(draft: ProblemDraft) -> list[Any]:
    return [decode(test.body) for test in draft.tests]


def test_every_row_is_a_problem_or_counted() -> None:
    assert apps.read(FIXTURE).left_out == {"no_tests": 1}
    assert list(drafts()) == [f"apps/{n}" for n in (1, 2, 3, 4, 5, 7, 8)]
    assert [draft.difficulty for draft in drafts().values()] == [
        *("introductory", "interview", "interview", "competition", "competition"),
        *("competition", "introductory"),
    ]


def test_programs_read_their_input_and_functions_take_arguments() -> None:
    found = drafts()
    plums, widest = found["apps/1"], found["apps/2"]
    assert (plums.entry_point, plums.compare) == (SCRIPT, "stdout_floats")
    assert pairs(plums) == [["1 2\n", "3\n"], ["3\n4", "7"], ["-5 5\n", "0"]]
    assert (widest.entry_point, widest.compare) == ("widest", "json_value")
    assert pairs(widest) == [[[[1, 2, 5]], [[3, 1]]], [[[0, 7]], [[7, 0]]]]
    assert {test.kind for test in plums.tests + widest.tests} == {"stdio", "call"}
    assert pairs(found["apps/5"]) == [[[{2: 3, 10: 1}], [16]], [[{-1: 4}], [-4]]]
    assert pairs(found["apps/8"]) == [["aei", "True"], ["ab", "False"]], "as print writes it"


def test_the_first_solution_that_compiles_serves() -> None:
    found = drafts()
    reference = "import sys\nprint(sum(map(int, sys.stdin.read().split())))\n"
    assert found["apps/1"].reference == reference, "the first one returns outside a function"
    assert found["apps/3"].reference.startswith("class Solution:\n")
    assert [task for task, draft in found.items() if not draft.reference] == [
        *("apps/4", "apps/5", "apps/7", "apps/8")
    ]


def test_a_prompt_shows_question_and_header_and_imports_for_functions() -> None:
    found = drafts()
    assert found["apps/1"].prompt == (
        '"""\nTwo jars hold a and b plums.\nHow many plums are in both?\n"""\n'
    )
    shown = ast.get_docstring(ast.parse(found["apps/3"].prompt))
    assert shown is not None
    assert shown.startswith("Halve each number.\n\nclass Solution:\n    def halves(self,")
    assert found["apps/3"].prompt.endswith(apps.IMPORTS)
    assert "def weigh" in found["apps/5"].prompt
    assert "def vowels(s):\n\nRead the arguments from standard input" in found["apps/8"].prompt


def test_folders_are_the_same_problems_with_their_split(tmp_path: Path) -> None:
    names = {"question": "question.txt", "input_output": "input_output.json"}
    names |= {"solutions": "solutions.json", "starter_code": "starter_code.py"}
    for row in ROWS[:7]:
        folder = tmp_path / "made" / "test" / f"{row['problem_id']:04}"
        folder.mkdir(parents=True)
        for field, name in names.items():
            if row[field]:
                (folder / name).write_text(row[field], encoding="utf-8", newline="")
        about = {"difficulty": row["difficulty"], "url": row["url"]}
        (folder / "metadata.json").write_text(json.dumps(about))
        (folder / "gen_solutions.json").write_text("[]")

    def parts(draft: ProblemDraft) -> list[Any]:
        return [draft.prompt, draft.reference, draft.tests, draft.difficulty, draft.setup_code]

    for path in (tmp_path / "made", tmp_path / "made" / "test"):
        found = drafts(path)
        assert list(found) == [f"apps/test/{n}" for n in (1, 2, 3, 4, 5, 7)]
        for name, draft in found.items():
            assert parts(draft) == parts(drafts()[name.replace("/test", "")])
        assert apps.read(path).left_out == {"no_tests": 1}
    both = tmp_path / "both"
    both.mkdir()
    for split in ("train", "test"):
        written(both, *ROWS[:2], name=f"{split}.jsonl")
    assert sorted(drafts(both)) == [
        f"apps/{split}/{n}" for split in ("test", "train") for n in "12"
    ]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"input_output": "{}"}, "no_tests"),
        ({"input_output": '{"inputs": [], "outputs": []}'}, "no_tests"),
        ({"question": " \r\n"}, "no_description"),
        ({"input_output": "{1"}, "unreadable_tests"),
        ({"input_output": "[1]"}, "unreadable_tests"),
        ({"input_output": '{"inputs": "1", "outputs": []}'}, "unreadable_tests"),
        ({"input_output": '{"inputs": ["1"], "outputs": []}'}, "unequal_input_output_counts"),
        ({"input_output": '{"fn_name": "f", "inputs": [1], "outputs": [1]}'}, "unreadable_tests"),
        (
            {"input_output": '{"fn_name": "f", "inputs": [[1], [2]], "outputs": [null, [null]]}'},
            "outputs_are_null",
        ),
        (
            {"input_output": '{"fn_name": "a.b", "inputs": [[]], "outputs": [1]}'},
            "invalid_function_name",
        ),
        (
            {"input_output": '{"fn_name": "if", "inputs": [[]], "outputs": [1]}'},
            "invalid_function_name",
        ),
        (
            {"input_output": '{"fn_name": "__main__", "inputs": [[]], "outputs": [1]}'},
            "invalid_function_name",
        ),
        (
            {"input_output": json.dumps({"inputs": ["1" * 10_000_001], "outputs": ["1"]})},
            "test_too_long",
        ),
        (
            {"input_output": json.dumps({"fn_name": "f", "inputs": [[]], "outputs": [NESTED]})},
            "unreadable_tests",
        ),
        ({}, "repeated"),
    ],
)
def test_what_gives_no_problem_is_counted(
    tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    last = {**ROWS[0], "problem_id": 1 if reason == "repeated" else 9, **changes}
    release = apps.read(written(tmp_path, ROWS[0], last))
    assert release.left_out == {reason: 1}
    assert len(list(release.drafts)) == 1


MAPCODER = ROWS[7]
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no name": ({**ROWS[1], "problem_id": None}, "'problem_id' is null"),
    "a name below 0": ({**ROWS[1], "problem_id": -1}, "'problem_id' must be a whole number"),
    "no question": ({"problem_id": 1, "input_output": ""}, "'question' is missing"),
    "solutions are no list": ({**ROWS[1], "solutions": "{}x"}, "'solutions' is not JSON"),
    "a solution is no text": ({**ROWS[1], "solutions": "[1]"}, r"solutions\[0\] is a number"),
    "solutions are an object": ({**ROWS[1], "solutions": '{"a": 1}'}, "expected a list"),
    "difficulty is no text": ({**ROWS[1], "difficulty": 2}, "'difficulty' is a number"),
    "NUL in a test": (
        {**ROWS[1], "input_output": {"inputs": ["a\0"], "outputs": ["1"]}},
        "'input' has a NUL byte at character 1",
    ),
    "two outputs": (
        {**MAPCODER, "test_list": [{"input": "a", "output": ["1", "2"]}]},
        r"test_list\[0\] is not an object with an 'input' and one 'output'",
    ),
    "tests are a text": ({**MAPCODER, "test_list": "x"}, "'test_list' is a string"),
    "the name of another": ({**ROWS[0], "problem_id": "01"}, "task apps/1 is already in row 1"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_row_is_named_and_nothing_is_written(home: Path, tmp_path: Path, name: str) -> None:
    row, reason = BAD[name]
    path = written(tmp_path, ROWS[0], row)
    with pytest.raises(BadInput, match=reason) as error:
        ingest_dataset("apps", path)
    assert str(error.value).startswith(f"{path}:2: ")
    assert not (home / "warehouse.duckdb").exists()


def test_a_folder_without_problems_and_odd_metadata(tmp_path: Path) -> None:
    (tmp_path / "readme.txt").write_text("nothing")
    with pytest.raises(BadInput, match="no problems found"):
        ingest_dataset("apps", tmp_path)
    for text, reason in (("{", "metadata.json is not JSON"), ("[]", "metadata.json is a list")):
        folder = tmp_path / "train" / "0001"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "question.txt").write_text("?")
        (folder / "metadata.json").write_text(text)
        with pytest.raises(BadInput, match=f"train/0001: {reason}"):
            apps.read(tmp_path)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1))
def test_any_tests_come_back(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    row = {**ROWS[0], "input_output": {"inputs": [text, [text, text]], "outputs": [text, [text]]}}
    path = written(tmp_path_factory.mktemp("any"), row)
    assert pairs(drafts(path)["apps/1"]) == [[text, text], [f"{text}\n{text}", text]]


@pytest.mark.parametrize("kind", ["io", "assert"])
def test_only_tests_that_give_their_outputs_do_without_a_reference(kind: str) -> None:
    draft = ProblemDraft("t", "f", '"""Do it."""\n', " \n", (TestDraft("base", kind, "[1]"),), 3)
    assert checked([replace(draft, tests=(TestDraft("base", "call", "[[1],1]"),))], FIXTURE)
    with pytest.raises(BadInput, match="3: task t has no reference, but its assert or io tests"):
        checked([draft], FIXTURE)


def test_a_method_is_an_entry_point_of_its_class_alone() -> None:
    tests = (TestDraft("base", "call", "[[1],1]"),)
    draft = ProblemDraft(
        "t", "f", "class Solution:\n", "    def f(self):\n        pass\n", tests, 1
    )
    assert checked([draft], FIXTURE)
    with pytest.raises(BadInput, match="task t does not define 'f'"):
        checked([replace(draft, prompt="class Another:\n")], FIXTURE)


def test_the_real_sample_of_the_released_layout() -> None:
    path = shared("datasets/apps/original_layout")
    assert apps.read(path).version_suffix == ""
    found = drafts(path)
    kinds = {name: (draft.entry_point, len(draft.tests)) for name, draft in found.items()}
    assert kinds == {
        "apps/train/1": (SCRIPT, 1),
        "apps/train/111": (SCRIPT, 1),
        "apps/train/2287": (SCRIPT, 3),
        "apps/train/2404": ("findKthPositive", 1),
        "apps/train/4184": ("is_prime", 8),
    }
    assert all(draft.reference for draft in found.values())


def test_the_real_150_problems_of_mapcoder_are_128() -> None:
    path = shared(SELECTED)
    release = apps.read(path)
    found = list(release.drafts)
    assert release.left_out == {"repeated": 22}
    assert release.version_suffix == ", functions as programs by MapCoder"
    assert len(found) == 128
    assert sum(len(draft.tests) for draft in found) == 1602
    assert {(draft.entry_point, draft.reference) for draft in found} == {(SCRIPT, "")}
    assert Counter(draft.difficulty for draft in found) == {
        "introductory": 49,
        "interview": 32,
        "competition": 47,
    }
