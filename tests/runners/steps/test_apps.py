"""APPS through every room: functions with given outputs, and problems without a reference."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.plain import codec
from models.words import SCRIPT, Style
from runners.judging.answer_sheets import answer_sheet
from runners.judging.references import NO_REFERENCE
from runners.judging.sandbox.compare import agrees
from runners.problems import newest_problems
from runners.tasks.synthesis import Synthesis
from tests.data import ROOT
from tests.runners.judging.sandbox.cases import job, stdio, suite
from tests.support.samples import written
from tests.support.sql import rows
from tests.support.steps import execute, import_generations, ingest_dataset, mutate
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=20)

MANY = 300
FIXTURE = ROOT / "tests/ingest/datasets/apps.jsonl"

WIDEST = "def widest(x):\n    gaps = [b - a for a, b in zip(x, x[1:])]\n    return {}\n"
HALVES = "class Solution:\n    def halves(self, n):\n        return {}\n"
WEIGH = "def weigh(given):\n    return {}\n"
TEXTS: dict[str, list[tuple[str, str]]] = {
    "apps/1": [
        ("print(sum(map(int, open(0).read().split())))\n", "passed"),
        ("print(3)\n", "failed"),
    ],
    "apps/2": [
        (WIDEST.format("max(gaps), gaps.index(max(gaps))"), "passed"),
        (WIDEST.format("[[max(gaps), gaps.index(max(gaps))]]"), "passed"),
        (WIDEST.format("[str(max(gaps)), gaps.index(max(gaps))]"), "failed"),
        (WIDEST.format("max(gaps)"), "failed"),
        (WIDEST.replace("widest", "wide").format("[3, 1]"), "error"),
        ("class Solution:\n    n = 0\n    def widest(self, x):\n        self.n += 1\n"
         "        return [[3, 1], [7, 0]][self.n - 1]\n", "passed"),
    ],
    "apps/3": [
        (HALVES.format("[n * 0.5 for n in n]"), "passed"),
        (HALVES.format("[n * 0.500000001 for n in n]"), "passed"),
        (HALVES.format("[n * 0.51 for n in n]"), "failed"),
        ("def halves(n):\n    return tuple(n / 2 for n in n)\n", "passed"),
    ],
    "apps/4": [("print(input()[::-1])\n", "passed"), ("print(input())\n", "failed")],
    "apps/5": [
        (WEIGH.format("sum(key * item for key, item in given.items())"), "passed"),
        (WEIGH.format("len(given)"), "failed"),
        (WEIGH.format("1 // 0"), "error"),
    ],
    "apps/8": [
        ("print(set(input()) <= set('aeiou'))\n", "passed"),
        ("print(str(set(input()) <= set('aeiou')).lower())\n", "failed"),
    ],
}  # fmt: skip
LINES = [
    {"task_id": task, "source_codes": [text], "is_solved": verdict == "passed"}
    for task, texts in TEXTS.items()
    for text, verdict in texts
]


@pytest.fixture(scope="module", autouse=True)
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A separate warehouse with the fixture and programs whose verdicts are known."""
    folder = tmp_path_factory.mktemp("apps")
    path = folder / "answers.jsonl"
    lines = [*LINES, {"task_id": 7, "source_codes": ["print(1)\n"]}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(folder / "home"))
        ingest_dataset("apps", FIXTURE)
        import_generations(path, format="mapcoder", dataset="apps", lm="hand")
        report = execute(progress=False)
        assert report.failing_canaries == []
        assert len(report.rejected_problems) == 1
        yield


def test_verdicts_are_those_that_were_planted() -> None:
    found = rows(
        """
        select problem.task_id, generation.sample_index, outcome.verdict, outcome.integrity,
            generation.claimed_pass
        from raw.generation as generation
        inner join raw.problem as problem using (problem_id)
        inner join raw.evaluation as evaluation using (generation_id)
        inner join raw.outcome as outcome using (program_id)
        order by problem.position, generation.sample_index
        """
    )
    planted = [
        (task, number, verdict, "split", verdict == "passed")
        for task, texts in TEXTS.items()
        for number, (_, verdict) in enumerate(texts)
    ]
    assert found == planted


def test_a_problem_without_a_reference_says_so_and_has_the_limits_of_the_harness() -> None:
    found = rows(
        """
        select problem.task_id, admission.mode, admission.reason, admission.reference_cpu_s is null,
            admission.cpu_limit_s, admission.test_cpu_limit_s, admission.outputs
        from raw.admission as admission inner join raw.problem as problem using (problem_id)
        order by problem.position
        """
    )
    admitted = {task: tuple(rest) for task, *rest in found}
    contradictory = admitted.pop("apps/7")
    assert contradictory[0] == "rejected", "one input, two outputs: no program can be right"
    assert contradictory[1].startswith("split: lookup of the expected outputs failed: ")
    with_reference = {"apps/1": 12.0, "apps/2": 8.0, "apps/3": 8.0}
    for task, row in admitted.items():
        known = task in with_reference
        expected = ("split", None if known else NO_REFERENCE, not known, row[3], 4.0, None)
        assert row == expected
    assert {task: admitted[task][3] for task in with_reference} == with_reference
    assert admitted["apps/4"][3] == 8.0


def test_canaries_ran_for_every_problem_and_a_sheet_is_no_program_of_a_language_model() -> None:
    assert rows("select verdict, count(*) from raw.canary group by 1") == [("passed", 6)]
    assert rows("select count(*) from raw.candidate where source like '%ANSWERS%'") == [(0,)]


def test_only_problems_with_a_reference_are_mutated() -> None:
    report = mutate(dataset="apps", mutations=["names_random"], progress=False)
    assert (report.n_problems, report.rejected_problems) == (3, [])


def test_completions_are_kept_whole_where_some_problems_are_programs() -> None:
    with reading() as con:
        problems = newest_problems(con, "apps")
    assert Synthesis().keeping_rules(Style.COMPLETION, problems)[0] == "whole"
    functions = [each for each in problems if each.entry_point != SCRIPT]
    assert len(functions) == 3
    assert Synthesis().keeping_rules(Style.COMPLETION, functions)[0] == "module_end_v1"


def doubling(number: int, **how: Any) -> dict[str, Any]:
    """Return a made problem of 300 tests: double a number."""
    given = range(MANY)
    inputs = [[n] if "fn_name" in how else f"{n}\n" for n in given]
    outputs = [2 * n if "fn_name" in how else f"{2 * n}\n" for n in given]
    return {
        "problem_id": number, "question": "Double it.", "solutions": "", "url": "made",
        "difficulty": "interview", "starter_code": "def twice(n):\n\t" if how else "",
        "input_output": json.dumps({**how, "inputs": inputs, "outputs": outputs}),
    }  # fmt: skip


def test_three_hundred_tests_are_judged_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call and a whole program, each right, and wrong from its test 250 on, or in test 7."""
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    problems = written(tmp_path, doubling(1, fn_name="twice"), doubling(2), name="many.jsonl")
    call, script = "def twice(n):\n    return {}\n", "n = int(input())\nprint({})\n"
    wrong = {"2 * n": set(), "2 * n - (n >= 250)": {*range(250, MANY)}, "2 * n + (n == 7)": {7}}
    lines = [
        {"task_id": task, "source_codes": [text.format(each)], "is_solved": not wrong[each]}
        for task, text in ((1, call), (2, script))
        for each in wrong
    ]
    ingest_dataset("apps", problems)
    import_generations(written(tmp_path, *lines), format="mapcoder", dataset="apps", lm="hand")
    report = execute(progress=False)
    assert report.failing_canaries == report.rejected_problems == []
    found = rows(
        """
        select problem.task_id, generation.sample_index, outcome.verdict, outcome.n_tests,
            outcome.n_passed, list(test_outcome.test_index)
                filter (where test_outcome.status != 'passed'),
            count(*)
        from raw.generation as generation
        inner join raw.problem as problem using (problem_id)
        inner join raw.evaluation as evaluation using (generation_id)
        inner join facts.program_judged as judged using (program_id)
        inner join raw.outcome as outcome
            on judged.program_id = outcome.program_id and judged.attempt = outcome.attempt
        inner join raw.test_outcome as test_outcome
            on outcome.program_id = test_outcome.program_id
            and outcome.attempt = test_outcome.attempt
        group by all order by 1, 2
        """
    )
    expected = [
        ("failed" if failing else "passed", MANY, MANY - len(failing), failing, MANY)
        for _ in range(2)
        for failing in wrong.values()
    ]
    assert [(*row[2:5], set(row[5] or ()), row[6]) for row in found] == expected


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(st.tuples(st.lists(JSON, max_size=2), JSON), min_size=1, max_size=4))
def test_a_sheet_gives_the_given_outputs(pairs: list[tuple[list[Any], Any]]) -> None:
    """Unless one input has two outputs: then some test must fail."""
    texts = [(codec.encode(arguments), codec.encode(wanted)) for arguments, wanted in pairs]
    inputs, expected = zip(*texts, strict=True)
    space: dict[str, Any] = {}
    exec(answer_sheet(suite(None, inputs=inputs, expected=expected)), space)
    right = [codec.encode(space["f"](*arguments)) == codec.encode(wanted)
             for arguments, wanted in pairs]  # fmt: skip
    assert all(right) == (len(set(inputs)) == len(set(texts)))
    for arguments, wanted in pairs:
        assert agrees("json_value", arguments, wanted, wanted, 0)


@pytest.mark.parametrize("name", ["ANSWERS", "repr", "nan", "arguments", "_answers"])
def test_a_sheet_may_have_any_function_name(name: str) -> None:
    given = replace(suite(None, inputs=("[1]", "[2]"), expected=("3", "4")), entry_point=name)
    space: dict[str, Any] = {}
    exec(answer_sheet(given), space)
    assert [space[name](each) for each in (1, 2)] == [3, 4]


@pytest.mark.parametrize(
    "pairs",
    [
        [("1\n", "2\n"), ("2\n", "3")],
        [("\r\na\r", "b\r\n"), ("", "x"), ("größe", "ß")],
        [("same", "y"), ("same", "y")],
    ],
)
def test_a_sheet_prints_the_given_outputs_in_the_sandbox(
    pool: Any, pairs: list[tuple[str, str]]
) -> None:
    tests = stdio(*pairs)
    assert tests.entry_point == SCRIPT
    (result,) = pool.run([job(answer_sheet(tests), tests)])
    assert (result.verdict, result.n_passed) == ("passed", len(pairs))
