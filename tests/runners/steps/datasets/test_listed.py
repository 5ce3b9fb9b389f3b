"""CRUXEval and ClassEval judged: the makers' own grades, and references that pass."""

import json

import pytest

from models.words import WITH_NAMESPACES
from runners.judging.conditions import Conditions
from runners.judging.packages import Environments
from runners.judging.sandbox.walls.probe import best_safe_level
from runners.steps.mutate import admit_dataset
from tests.data import json_rows, shared
from tests.runners.projects.conftest import no_index
from tests.support.sql import rows
from tests.support.steps import (
    build,
    execute,
    import_claims,
    import_generations,
    ingest_dataset,
)

pytestmark = pytest.mark.long(seconds=150)

RECORDED = "generations/cruxeval/codellama-7b_temp0.2_output"


@pytest.mark.parametrize("n_problems", [200, pytest.param(800, marks=pytest.mark.slow)])
def test_recorded_predictions_get_their_recorded_grades(home, tmp_path, n_problems):
    """Predictions of outputs by CodeLlama 7B, ten for each function: 8,000 are recorded."""
    ingest_dataset("cruxeval_output", shared("datasets/cruxeval/cruxeval.jsonl"))
    texts = json.loads(shared(f"{RECORDED}.generations.json").read_text())
    grades = json.loads(shared(f"{RECORDED}.scored.json").read_text())["raw_scored_generations"]
    assert texts.keys() == grades.keys()
    texts, grades = (dict(sorted(found.items())[:n_problems]) for found in (texts, grades))
    path = tmp_path / "recorded.jsonl"
    with path.open("w") as file:
        for task_id, found in texts.items():
            for number, text in enumerate(found):
                row = {"task_id": task_id, "sample_index": number, "text": text}
                file.write(json.dumps(row | {"style": "completion"}) + "\n")
    import_generations(path, format="generic", dataset="cruxeval_output", lm="codellama-7b")
    report = execute(dataset="cruxeval_output", progress=False)
    assert report.rejected_problems == []
    judged = rows(
        "select task_id, sample_index, verdict = 'passed' from raw.generation "
        "join raw.problem using (problem_id) "
        "join raw.evaluation using (generation_id) join raw.outcome using (program_id)"
    )
    assert len({(task, number) for task, number, _ in judged}) == 10 * n_problems
    assert {bool(passed) is grades[task][number] for task, number, passed in judged} == {True}
    claims = tmp_path / "claims.jsonl"
    with claims.open("w") as file:
        for task_id, found in grades.items():
            for number, passed in enumerate(found):
                row = {"task_id": task_id, "sample_index": number, "passed": passed}
                file.write(json.dumps(row) + "\n")
    named = {"dataset": "cruxeval_output", "lm": "codellama-7b", "claimant": "CRUXEval"}
    import_claims(claims, format="generic", **named)
    build(select="+claimed_vs_judged_v1")
    found = rows(
        "select n_compared, n_problems, agreement, n_claimed_only + n_judged_only, "
        "round(claimed_pass, 6), round(judged_pass, 6) from claimed_vs_judged_v1"
    )
    share = round(sum(map(sum, grades.values())) / (10 * n_problems), 6)
    assert found == [(10 * n_problems, n_problems, 1, 0, share, share)]
    assert share == 0.342125 or n_problems < 800


def test_inputs_of_cruxeval_continue_a_call(home, tmp_path):
    """The input of the dataset, another one for the first problem, and none for the second."""
    found = json_rows("datasets/cruxeval/cruxeval.jsonl")
    ingest_dataset("cruxeval_input", shared("datasets/cruxeval/cruxeval.jsonl"))
    given = [(row["id"], f"{row['input']})") for row in found[:100]]
    given += [("sample_0", "[3, 1, 3, 1, 1, 1])"), ("sample_1", "")]
    path = tmp_path / "inputs.jsonl"
    with path.open("w") as file:
        for task_id, text in given:
            file.write(json.dumps({"task_id": task_id, "text": text, "style": "completion"}) + "\n")
    import_generations(path, format="generic", dataset="cruxeval_input", lm="m")
    report = execute(dataset="cruxeval_input", progress=False)
    assert (report.rejected_problems, report.verdicts) == ([], {"passed": 101, "error": 1})


def without_a_name():
    """One test expects a host name, which a program has at the namespace levels alone."""
    return [] if best_safe_level() in WITH_NAMESPACES else ["ClassEval_48"]


def test_references_of_classeval(home, monkeypatch):
    """One is rejected, and twelve wait: they need packages, and no index is in reach here."""
    no_index(monkeypatch)
    ingest_dataset("classeval", shared("datasets/classeval/ClassEval_data.json"))
    environments = Environments(Conditions(progress=False))
    rejected = admit_dataset("classeval", environments.how, environments)
    assert [task.partition(" ")[0] for task in rejected] == ["ClassEval_17", *without_a_name()]
    (line,) = environments.not_judged
    assert line.startswith("classeval: packages that 12 problems need are not here")


@pytest.mark.slow
def test_references_of_classeval_with_their_packages(home):
    """Two are rejected: one needs the past, and one a corpus of nltk."""
    ingest_dataset("classeval", shared("datasets/classeval/ClassEval_data.json"))
    environments = Environments(Conditions(progress=False))
    rejected = admit_dataset("classeval", environments.how, environments)
    if environments.not_judged or any("cannot be fetched" in task for task in rejected):
        pytest.skip(f"no package index is in reach: {environments.not_judged or rejected}")
    assert [task.partition(" ")[0] for task in rejected] == [
        *("ClassEval_17", *without_a_name(), "ClassEval_52")
    ]
