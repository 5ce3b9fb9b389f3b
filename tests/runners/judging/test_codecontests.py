"""Contest programs through every room: what is planted must come back, what fails is set aside."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runners.drawing.backends.planted import PlantedBackend
from runners.judging.conditions import Conditions
from runners.steps.mutate import MutateReport, admit_dataset
from runners.steps.status import status
from tests.data import ROOT
from tests.support.sql import rows
from tests.support.steps import execute, generate, ingest_dataset, mutate
from warehouse.errors import BadInput

pytestmark = pytest.mark.long

FIXTURE = ROOT / "tests/ingest/datasets/codecontests.jsonl"
N = 6
HALF = "made_G. Half a Loaf"  # its solution fails its own tests
RECORDED = {
    "made_A. Two Shelves": ("a, b = map(int, input().split())\nprint(abs(a - b) // 2)\n", "passed"),
    "made_B. Lamps on a Path": ("print(3)\nprint(0)\nprint(1)\n", "failed"),
    "made_C. Ticket Numbers": ("print(undefined)\n", "error"),
    "made_D. Rising Steps": ("while True:\n    pass\n", "timeout"),
    "made_E. Coat Check": ("print *input().split()\n", "error"),
    "made_H. Größte Lücke": (
        "größe, *x = map(int, open(0).read().split())\n"
        "print(max(größer - kleiner for kleiner, größer in zip(x, x[1:])))\n",
        "passed",
    ),
    "made_J. Parcels": ("input()\nraise SystemExit(3)\n", "error"),
}
JUDGED = """
    from raw.generation as generation
    inner join raw.language_model as language_model using (lm_id)
    inner join raw.problem as problem using (problem_id)
    inner join raw.evaluation as evaluation using (generation_id)
    inner join raw.outcome as outcome using (program_id)
"""


def draw(lm: str, *, n: int = N, backend: str = "planted", **options: Any) -> int:
    asked = {name: options.pop(name) for name in ("prompt", "truncate") if name in options}
    given = {"backend": backend, "lm": lm, "dataset": "codecontests", "n": n, **asked}
    return generate(**given, options=options, progress=False).n_drawn


@pytest.fixture(scope="module", autouse=True)
def mutated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MutateReport]:
    """A separate warehouse: the fixture, its mutants, three language models, all judged."""
    folder = tmp_path_factory.mktemp("contests")
    recording = folder / "recording.jsonl"
    answers = {HALF: "print(1)\n", **{task: text for task, (text, _) in RECORDED.items()}}
    lines = [{"task_id": task, "sample_index": 0, "text": text} for task, text in answers.items()]
    recording.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(folder / "home"))
        ingest_dataset("codecontests", FIXTURE)
        report = mutate(dataset="codecontests", progress=False)
        assert draw("half", pass_rate=0.5) == 8 * N
        assert draw("chatty", pass_rate=0.5, chat=True) == 8 * N
        assert draw("taped", n=1, backend="replay", file=str(recording)) == 8
        execute(progress=False)
        yield report


def test_a_solution_that_fails_its_own_tests_is_set_aside_with_its_reason(
    mutated: MutateReport,
) -> None:
    assert mutated.rejected_problems == [HALF]
    found = dict(
        rows(
            "select problem.task_id, admission.mode from raw.admission as admission "
            "inner join raw.problem as problem using (problem_id)"
        )
    )
    assert Counter(found.values()) == {"split": 7, "rejected": 1}
    ((reason,),) = rows("select reason from raw.admission where mode = 'rejected'")
    assert reason == r"split: reference failed: printed '2\n' for '5\n'"


def test_every_mutant_of_a_contest_program_was_run(mutated: MutateReport) -> None:
    assert mutated.n_mutants > 20
    assert mutated.verdicts == {"passed": mutated.n_executed}
    ((n_pairs,),) = rows("select count(*) from raw.mutation_pair where decline_code is null")
    assert n_pairs > 20


@pytest.mark.parametrize("lm", ["half", "chatty"])
def test_planted_programs_get_the_verdict_that_was_planted(lm: str) -> None:
    planted = PlantedBackend(lm, {"pass_rate": 0.5, "chat": lm == "chatty"})
    found = rows(
        "select problem.task_id, generation.sample_index, outcome.verdict, outcome.integrity "
        f"{JUDGED} where language_model.lm = ?",
        lm,
    )
    assert len(found) == 7 * N
    assert {verdict for *_, verdict, _ in found} == {"passed", "failed", "error"}
    for task, index, verdict, integrity in found:
        right = planted._uniform(task, index, "right") < 0.5
        assert ((verdict == "passed"), integrity) == (right, "split")


def test_recorded_programs_are_kept_whole_and_judged() -> None:
    found = rows(
        "select problem.task_id, outcome.verdict, text.kept_rule, text.kept_text = text.raw_text "
        f"{JUDGED} inner join raw.generation_text as text using (generation_id) "
        "where language_model.lm = 'taped'"
    )
    assert {task: verdict for task, verdict, *_ in found} == {
        task: verdict for task, (_, verdict) in RECORDED.items()
    }
    assert {tuple(rest) for _, _, *rest in found} == {("whole", True)}


def test_each_test_has_its_outcome() -> None:
    found = rows(
        "select test.test_index, test.suite, test_outcome.status "
        "from raw.test_outcome as test_outcome "
        "inner join raw.program as program using (program_id) "
        "inner join raw.problem as problem using (problem_id) "
        "inner join raw.test as test on program.problem_id = test.problem_id "
        "    and test_outcome.test_index = test.test_index "
        "inner join raw.evaluation as evaluation using (program_id) "
        "inner join raw.generation as generation using (generation_id) "
        "inner join raw.language_model as language_model using (lm_id) "
        "where language_model.lm = 'taped' and problem.task_id like 'made_B%' order by 1"
    )
    assert found == [
        (0, "base", "passed"),
        (1, "plus", "failed"),
        (2, "plus", "failed"),
        (3, "plus", "failed"),
    ]


def test_nothing_waits_for_a_problem_that_was_rejected() -> None:
    state = status()
    assert not [line for line in state["to_do"] if "execute" in line]
    assert {row["n_pending"] for row in state["generations"]} == {0}


def test_a_rule_for_functions_does_not_apply(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="available: whole, stop"):
        draw("half", n=1, truncate="function_end_v2")


def test_a_chat_is_asked_for_a_program() -> None:
    assert draw("asked", n=1, prompt="synthesis_program_chat_v1", chat=True, pass_rate=1.0) == 8
    execute(progress=False)
    found = rows(
        f"select outcome.verdict, count(*) {JUDGED} where language_model.lm = 'asked' group by 1"
    )
    assert found == [("passed", 7)]


def test_tests_that_ask_for_nothing_are_refused_and_a_long_program_is_not(
    home: Path, tmp_path: Path
) -> None:
    row = json.loads(FIXTURE.read_text(encoding="utf-8").splitlines()[0])
    for kind in ("private_tests", "generated_tests"):
        row[kind] = {"input": [], "output": []}
    long = "".join(f"v{n} = {n}\n" for n in range(5000)) + "print(v4999)\n"
    made = [
        {
            **row,
            "name": name,
            "public_tests": {"input": [""], "output": [printed]},
            "solutions": {"language": [3], "solution": [solution]},
        }
        for name, printed, solution in (("silent", "\n", "pass\n"), ("long", "4999\n", long))
    ]
    path = tmp_path / "made.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in made), encoding="utf-8")
    ingest_dataset("codecontests", path)
    assert admit_dataset("codecontests", Conditions(progress=False)) == [
        "silent (split: the tests pass a program that prints nothing)"
    ]
