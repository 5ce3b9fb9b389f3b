"""Results made elsewhere: what is stored of a file, what is refused, and that nothing is lost."""

import json
from pathlib import Path
from typing import Any

import pytest

from ingest.catalogue import Catalogue
from ingest.claims import CLAIM_FORMATS
from ingest.claims.exporter import ResultsSpec, write_results
from ingest.fields import Fields
from ingest.samples import Sample
from models.words import Style
from runners.cli import main
from tests.support.sql import n_rows, rows
from tests.support.steps import import_claims
from warehouse.errors import BadInput
from warehouse.facts.problems import TaskVariant

TASK = "starter/apple_grades"


def lines(folder: Path, *values: dict[str, Any], name: str = "results.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps({"task_id": TASK} | value) + "\n" for value in values))
    return path


def generic(path: Path, **fields: Any) -> Any:
    given = {"dataset": "starter", "lm": "m"} | fields
    return import_claims(path, format="generic", **given)


@pytest.mark.parametrize("name", CLAIM_FORMATS)
def test_the_example_comes_in(
    name: str, starter: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = CLAIM_FORMATS.load(name).layout
    values = layout.example if layout.lines else [layout.example]
    path = tmp_path / ("results.jsonl" if layout.lines else "results.json")
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    arguments = ["claims", str(path), "--format", name, "--dataset", "starter", "--lm", "m"]
    assert main.run([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["added"]["claim"] >= 1


def test_claims_are_stored_once_and_name_who_claims(starter: Path, tmp_path: Path) -> None:
    first = {"passed": True, "confidence": 0.75, "status": "ok", "text": "    return 1\n"}
    path = lines(tmp_path, first, {"score": -2.5}, first | {"sample_index": 0})
    report = generic(path, claimant="Ada", claimant_version="2", label="night")
    assert (report.n_claims, report.n_repeated, report.n_tasks) == (3, 1, 1)
    assert report.added == {"claim_source": 1, "claim_file": 1, "claim": 2, "claim_record": 2}
    found = rows(
        "select claimant, claimant_version, label, lm, dataset, name, place, task_id, "
        "sample_index, metric, passed, confidence, score, status, text_key is null "
        "from raw.claim join raw.claim_source using (claim_source_id) "
        "join raw.claim_file using (claim_file_id) order by position"
    )
    of_file = ("Ada", "2", "night", "m", "starter", "results.jsonl")
    assert found == [
        (*of_file, "1", TASK, 0, "passed", True, 0.75, None, "ok", False),
        (*of_file, "2", TASK, 1, "passed", None, None, -2.5, None, True),
    ]
    assert generic(path, claimant="Ada", claimant_version="2", label="night").added["claim"] == 0
    assert generic(path, claimant="Ben").added["claim"] == 2
    assert rows("select count(*) from raw.run where kind = 'claims'") == [(2,)]


def test_a_contradiction_names_both_lines(starter: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"results.jsonl:2: contradicts row 1: both are 'passed'"):
        generic(
            lines(
                tmp_path,
                {"passed": True, "sample_index": 0},
                {"passed": False, "sample_index": 0},
            )
        )
    assert n_rows("claim") == n_rows("claim_source") == 0
    generic(lines(tmp_path, {"passed": True}))
    later = lines(tmp_path, {"passed": True}, {"passed": False}, name="later.jsonl")
    generic(later)
    other = lines(tmp_path, {"passed": True}, {"passed": True}, name="other.jsonl")
    with pytest.raises(BadInput, match=r"other.jsonl:2: contradicts row 2 of later.jsonl, which"):
        generic(other)
    assert n_rows("claim") == 2
    assert generic(other, label="other").added["claim"] == 2


def test_a_dataset_that_is_not_here_is_said_to_be(starter: Path, tmp_path: Path) -> None:
    path = lines(tmp_path, {"task_id": "Far/0", "passed": True}, {"passed": True})
    with pytest.raises(BadInput, match=r"results.jsonl:1: unknown task 'Far/0'"):
        generic(path)
    assert generic(path, skip_unknown=True).n_skipped == 1
    with pytest.raises(BadInput, match="dataset 'far' is not in the warehouse"):
        generic(path, dataset="far")
    assert generic(path, dataset="far", not_here=True).added["claim"] == 2
    with pytest.raises(BadInput, match="leave out --not-here"):
        generic(path, not_here=True)


def test_claims_can_begin_a_warehouse(home: Path, tmp_path: Path) -> None:
    path = lines(tmp_path, {"passed": True, "confidence": 0.5})
    with pytest.raises(BadInput, match="--not-here keeps its claims unjoined"):
        generic(path)
    assert not (home / "warehouse.duckdb").exists()
    assert generic(path, not_here=True).added["claim"] == 1


def test_a_task_is_found_by_any_of_its_names(starter: Path, tmp_path: Path) -> None:
    generic(lines(tmp_path, {"task_id": "STARTER_apple_grades", "passed": True}))
    assert rows("select task_id from raw.claim") == [(TASK,)]


def test_an_id_is_not_hidden_by_the_short_name_of_another_task() -> None:
    catalogue = Catalogue("mine")
    for name in ("a/1", "1", "b/2", "c/2"):
        catalogue.add(TaskVariant(name, name, name, "original", "x"))
    named = {name: catalogue.has(name) for name in ("a/1", "A_1", "1", "2", "b_2")}
    assert named == {"a/1": True, "A_1": True, "1": True, "2": False, "b_2": True}
    line = Fields({}, Path("x"), 1)
    sample = Sample(row=1, task_id="1", text="", style=Style.SOLUTION)
    assert catalogue.find(sample, "original", line).task_id == "1"


@pytest.mark.parametrize(
    "fields",
    [
        {"claimant": "a\n"},
        {"claimant_version": "\x1b[31m"},
        {"label": "\u202e"},
        {"revision": "\0"},
        {"dataset": "a\tb", "not_here": True},
    ],
)
def test_a_name_that_does_not_print_is_refused(
    home: Path, tmp_path: Path, fields: dict[str, Any]
) -> None:
    path = lines(tmp_path, {"passed": True})
    with pytest.raises(BadInput, match="is not printable text on one line"):
        generic(path, **fields)


def test_a_name_in_the_file_that_does_not_print_is_refused(home: Path, tmp_path: Path) -> None:
    layout = CLAIM_FORMATS.load("eee").layout
    text = json.dumps(layout.example[0]).replace('"my-lm', '"my\\nlm')
    path = tmp_path / "eee.jsonl"
    path.write_text(text)
    with pytest.raises(BadInput, match=r"eee.jsonl: 'my.*' is not a name for a language model"):
        import_claims(path, format="eee", dataset="far", not_here=True)


def test_a_file_of_two_claimants_is_written_once_and_datasets_are_kept_apart(
    home: Path, tmp_path: Path
) -> None:
    both = lines(tmp_path, {"passed": True}, {"passed": False}, name="both.jsonl")
    far = lines(tmp_path, {"score": 1.5}, name="far.jsonl")
    for claimant in ("Ada", "Ben"):
        generic(both, dataset="near", not_here=True, claimant=claimant)
    generic(far, dataset="far", not_here=True)
    named = {"format": "generic", "lm": "m", "claimed": True}
    report = write_results(ResultsSpec(**named, dataset="near", out=tmp_path / "near"))
    assert (report.files, report.n_results) == (("both.jsonl",), 2)
    assert (tmp_path / "near" / "both.jsonl").read_text() == both.read_text()
    with pytest.raises(BadInput, match="no claims about m on nowhere in the format generic"):
        write_results(ResultsSpec(**named, dataset="nowhere", out=tmp_path / "none"))


def test_evalplus_claims_two_verdicts_of_a_sample(starter: Path, tmp_path: Path) -> None:
    statuses = [("pass", "pass"), ("pass", "fail"), ("fail", "pass"), ("timeout", None)]
    results = [
        {"task_id": TASK, "solution": "x", "base_status": base, "plus_status": plus}
        for base, plus in statuses
    ]
    path = tmp_path / "m_eval_results.json"
    path.write_text(json.dumps({"date": "now", "eval": {TASK: results}}))
    import_claims(path, format="evalplus", dataset="starter", lm="m")
    found = rows("select metric, sample_index, passed, status from raw.claim order by 1, 2")
    assert found == [
        ("base", 0, True, "pass"),
        ("base", 1, True, "pass"),
        ("base", 2, False, "fail"),
        ("base", 3, False, "timeout"),
        ("plus", 0, True, "pass"),
        ("plus", 1, False, "fail"),
        ("plus", 2, False, "pass"),
    ]
    assert rows("select about from raw.claim_file") == [('{"date": "now"}',)]
    assert n_rows("claim_record") == 4
