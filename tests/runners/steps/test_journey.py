"""Planted models through generation and execution: the facts must say what was planted."""

from pathlib import Path
from typing import Any

import pytest

from models.words import VERDICTS
from runners.drawing.backends.planted import PlantedBackend
from runners.steps.status import status
from tests.support.sql import rows
from tests.support.steps import execute, generate, reflect
from warehouse.errors import AssayError, BadInput
from warehouse.store import connection

N = 6
KINDS = {"pass_rate": 0.5, "error": 0.3, "unparseable": 0.3, "n_styles": 2, "seed": 7}


def draw(lm: str = "coin", n: int = N, **options: Any) -> Any:
    return generate(backend="planted", lm=lm, dataset="starter", n=n, options={**KINDS, **options})


def test_every_verdict_is_the_planted_one(starter: None) -> None:
    drawn = draw()
    report = execute(isolation="auto")
    assert report.failing_canaries == report.rejected_problems == []
    assert list(report.verdicts) == [word for word in VERDICTS if word in report.verdicts]
    found = rows(
        """
        select problem.task_id, generation.sample_index, generation_text.kept_text,
            outcome.verdict, outcome.integrity, candidate.parses
        from raw.generation as generation
        inner join raw.generation_text as generation_text using (generation_id)
        inner join raw.evaluation as evaluation using (generation_id)
        inner join raw.program as program using (program_id)
        inner join raw.candidate as candidate on candidate.candidate_id = program.candidate_id
        inner join raw.outcome as outcome using (program_id)
        inner join raw.problem as problem on problem.problem_id = evaluation.problem_id
        """
    )
    assert len(found) == drawn.n_drawn
    for task, index, text, verdict, integrity, parses in found:
        if "planted wrong answer" in text:
            expected = {"failed", "error"}  # an assert may fail on it, or on what it does with it
        elif "planted error" in text or "return (" in text.splitlines()[-1]:
            expected = {"error"}
        else:
            expected = {"passed"}
        assert verdict in expected, (task, index, text)
        assert parses == (not text.endswith("return (\n"))
        assert integrity == "split"
    shares = {verdict for _, _, _, verdict, _, _ in found}
    assert {"passed", "error"} <= shares


@pytest.mark.long
def test_running_again_adds_nothing(starter: None) -> None:
    first = draw()
    execute()
    tables = rows("select table_name, estimated_size from duckdb_tables() where schema_name='raw'")
    again = draw()
    assert (again.n_drawn, again.n_present) == (0, first.n_drawn)
    report = execute()
    assert (report.n_planned, report.n_generations, report.isolation) == (0, 0, None)
    assert tables == rows(
        "select table_name, estimated_size from duckdb_tables() where schema_name='raw'"
    )


def test_steps_with_nothing_new_seldom_open_the_warehouse(
    starter: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"backend": "planted", "lm": "coin", "options": KINDS}
    draw()
    reflect(**asked)
    opened = []
    connect = connection._connect

    def counted(path: Path, **how: Any) -> Any:
        opened.append(path)
        return connect(path, **how)

    monkeypatch.setattr(connection, "_connect", counted)
    assert draw().n_drawn == 0
    assert 0 < len(opened) <= 4
    opened.clear()
    assert reflect(**asked).n_asked == {}
    assert 0 < len(opened) <= 5


def test_more_samples_draw_only_what_is_missing(starter: None) -> None:
    few = draw(n=2)
    more = draw(n=3)
    assert more.n_present == few.n_drawn
    assert more.n_drawn == few.n_drawn // 2


@pytest.mark.long
def test_identical_programs_run_once(starter: None) -> None:
    draw(pass_rate=1.0, n_styles=1)
    report = execute()
    (problems,) = rows("select count(*) from raw.problem")[0]
    assert report.n_generations == problems * N
    assert report.n_planned == problems
    again = execute(dataset="starter", rescore="starter")
    assert (again.n_generations, again.n_planned) == (0, 0), "judged on these tests already"


@pytest.mark.long
def test_the_policy_is_part_of_the_program(starter: None) -> None:
    draw(n=1)
    calibrated = execute(policy="calibrated")
    compat = execute(policy="compat")
    assert compat.verdicts == calibrated.verdicts
    assert rows(
        """
        select admission.policy, count(distinct evaluation_id)
        from raw.evaluation inner join raw.program using (program_id)
        inner join raw.admission as admission using (admission_id) group by 1 order by 1
        """
    ) == [("calibrated", calibrated.n_generations), ("compat", compat.n_generations)]


@pytest.mark.long
def test_a_failing_canary_marks_the_run_and_its_outcomes_do_not_count(
    starter: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw(n=1)
    with monkeypatch.context() as patch:  # admits and plans on a machine in good order
        patch.setattr("runners.steps.execute.run_pending", lambda *given, **named: None)
        execute()
    with monkeypatch.context() as patch:
        ill = "raise OSError('ill')"
        patch.setattr("runners.steps.execute.right_source", lambda *given: ill)
        sick = execute()
    assert len(sick.failing_canaries) == rows("select count(*) from raw.problem")[0][0]
    assert rows("select status from raw.run_finish where status <> 'ok'") == [("canary_failed",)]
    found = status()
    assert found["pending"]["programs"] == sick.n_planned, "status says so too"
    (n_generations,) = rows("select count(*) from raw.generation")[0]
    assert sum(row["n_pending"] for row in found["generations"]) == n_generations
    well = execute()
    assert status()["pending"]["programs"] == 0
    assert well.n_planned == sick.n_planned, "what a sick machine judged is judged again"
    assert well.failing_canaries == []
    assert rows("select distinct attempt from raw.outcome order by 1") == [(1,), (2,)]


def test_unknown_names_are_one_clear_error(starter: None) -> None:
    with pytest.raises(BadInput, match="there is no 'gpt'"):
        generate(backend="gpt", lm="x", dataset="starter", n=1)
    with pytest.raises(BadInput, match="no option 'pass_rte'"):
        draw(pass_rte=1)
    with pytest.raises(AssayError, match="available: starter"):
        generate(backend="planted", lm="x", dataset="humaneval", n=1)


def test_planted_probabilities_average_to_the_pass_rate() -> None:
    backend = PlantedBackend("x", {"pass_rate": 0.6, "spread": 0.3, "seed": 4})
    found = [backend.pass_probability(f"task {number}") for number in range(4000)]
    assert sum(found) / len(found) == pytest.approx(0.6, abs=0.01)
    assert min(found) >= 0.3
    assert max(found) <= 0.9


def test_a_dataset_that_is_not_there_is_no_empty_success(starter: None) -> None:
    for given in ({"dataset": "humaneval"}, {"rescore": "humaneval_plus"}):
        with pytest.raises(AssayError, match="is not in the warehouse; available: starter"):
            execute(**given, progress=False)
