"""``assay cite``: the works behind an export, views and datasets, and Assay itself."""

import json
from pathlib import Path

import pytest

from tests.support.commands import assay, refused
from tests.support.steps import export
from tests.support.worlds.views import STRANGE
from warehouse.reports.citations.bibliography import parsed


def cited(*arguments: str) -> set[str]:
    done = assay("cite", *arguments)
    assert done.returncode == 0, done.stderr
    whole = parsed(done.stdout.replace("@software{assay,", "@misc{assay,"))
    assert "assay" in whole
    return whole.keys() - {"assay"}


def test_assay_itself() -> None:
    done = assay("cite")
    assert done.stdout.startswith("@software{assay,\n  author = {{The maintainers of Assay}},\n")
    assert cited() == set()


def test_views_and_datasets() -> None:
    assert cited("--view", "pass_at_k") == {"chen2021", "wilson1927"}
    assert cited("--view", "pass_at_k_v1", "--dataset", "humaneval_plus") == {
        *("chen2021", "wilson1927", "liu2023"),
    }
    assert cited("--dataset", "starter", "--view", "execution_health") == set()
    assert {"murphy1973", "dimitriadis2021"} <= cited("--view", "calibration_raw_v2")
    assert not {"murphy1973", "dimitriadis2021"} & cited("--view", "calibration_raw_v1")


def test_each_entry_says_what_it_is_cited_for() -> None:
    done = assay("cite", "--view", "pass_at_k", "--dataset", "humaneval", "--json")
    found = json.loads(done.stdout)
    assert found["assay"]["version"] == "0.1.0"
    works = {work["key"]: work["cited_for"] for work in found["works"]}
    assert works["chen2021"] == ["pass_at_k_v1 (section 2.1, equation 1)", "humaneval"]
    printed = assay("cite", "--view", "pass_at_k", "--dataset", "humaneval").stdout
    assert "% pass_at_k_v1 (section 2.1, equation 1), humaneval\n@misc{chen2021," in printed


def test_an_export(published: Path, tmp_path: Path) -> None:
    board = export(view="leaderboard", out=tmp_path / "board.csv")
    record = json.loads(Path(board.provenance).read_text())
    assert record["datasets"] == ["humaneval"]
    assert record["reads"] == ["leaderboard_v1"]
    expected = cited("--view", "leaderboard_v1", "--dataset", "humaneval")
    assert cited(board.path) == expected
    assert cited(board.path, "--dataset", "mbpp") == expected | {"austin2021"}


def test_an_export_that_was_changed_is_said(published: Path, tmp_path: Path) -> None:
    path = Path(export(view="leaderboard", out=tmp_path / "board.csv").path)
    assert "has changed" not in assay("cite", str(path)).stdout
    works = cited(str(path))
    path.write_text(path.read_text() + "mine,1\n")
    note = "board.csv has changed since it was exported: these works are behind what was exported"
    assert assay("cite", str(path)).stdout.splitlines()[-1] == f"% {note}"
    assert json.loads(assay("cite", str(path), "--json").stdout)["notes"] == [note]
    assert cited(str(path)) == works
    path.unlink()  # the record alone says enough
    assert cited(str(path)) == works


@pytest.mark.parametrize(
    ("query", "datasets"),
    [
        ("select lm from leaderboard", []),
        ("select 'mbpp+apps' as dataset union select null;", ["apps", "mbpp"]),
        ("select 'a' as dataset, 'b' as dataset", []),
        ("select 'b' as dataset union all select 'a' union all select 'a'", ["a", "b"]),
    ],
)
def test_the_record_names_the_datasets_of_a_query(
    published: Path, tmp_path: Path, query: str, datasets: list[str]
) -> None:
    report = export(sql=query, out=tmp_path / "rows.csv")
    assert json.loads(Path(report.provenance).read_text())["datasets"] == datasets


def test_a_dataset_without_a_known_work_is_said(published: Path, tmp_path: Path) -> None:
    path = export(sql="select 'toolz\n@misc{x,' as dataset", out=tmp_path / "rows.csv").path
    said = "% no work is known for the dataset toolz @misc{x,: cite its source"
    assert assay("cite", path).stdout.splitlines()[-1] == said
    assert cited(path) == set()


def test_what_does_not_fit(published: Path, tmp_path: Path) -> None:
    lost = export(view="leaderboard", out=tmp_path / "lost.csv")
    Path(lost.provenance).unlink()
    assert "there is no lost.csv.provenance.json beside it" in refused("cite", lost.path, code=3)
    lists = ('{"reads": [[1]], "datasets": []}', '{"reads": [], "datasets": "abc"}', "[" * 100_000)
    none = '{"reads": [], "datasets": []}'
    for text in ("[]", "{", '{"reads": []}', '{"reads": 1, "datasets": []}', none, *lists):
        Path(lost.provenance).write_text(text)
        assert "not the record of an export" in refused("cite", lost.path, code=3)
    assert "did you mean pass_at_k" in refused("cite", "--view", "pas_at_k", code=3)
    assert "no mart named" in refused("cite", "--view", STRANGE, code=3)
    assert "did you mean humaneval?" in refused("cite", "--dataset", "humanval", code=3)
