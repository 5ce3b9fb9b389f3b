"""Our verdicts in the files of other harnesses: read back as claims, they agree with us."""

import json
from pathlib import Path

import jsonschema
import pytest

from ingest.claims.exporter import ResultsSpec, write_results
from tests.data import shared
from tests.support.sql import rows, rows_in
from tests.support.steps import (
    build,
    execute,
    generate,
    import_claims,
    import_generations,
    ingest_dataset,
)
from warehouse.errors import BadInput

pytestmark = pytest.mark.long(seconds=60)

VERDICTS = ("eee", "generic", "inspect", "lm_eval")
N_SAMPLES = 96


@pytest.fixture(scope="module")
def coin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with two judged samples of a coin for each problem of the starter set."""
    folder = tmp_path_factory.mktemp("coin")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(folder))
        ingest_dataset("starter")
        generate(
            backend="planted", lm="coin", dataset="starter", n=2, options={"pass_rate": 0.5},
            progress=False,
        )  # fmt: skip
        execute(progress=False)
        build()
    return folder


def written(coin: Path, folder: Path, name: str) -> list[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(coin))
        report = write_results(
            ResultsSpec(format=name, lm="coin", dataset="starter", out=folder / name)
        )
    assert report.n_results == N_SAMPLES
    return [folder / name / file for file in report.files]


def test_our_verdicts_come_back_as_claims_that_agree(
    coin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(coin))
    ((revision,),) = rows("select revision from raw.language_model")
    for name in VERDICTS:
        files = written(coin, tmp_path, name)
        path = files[0].parent if name == "lm_eval" else files[0]
        import_claims(path, format=name, lm="coin", revision=revision, dataset="starter")
    build()
    found = rows_in(
        coin / "warehouse.duckdb",
        "select format, n_compared, agreement, judged_pass from claimed_vs_judged_v1",
    )
    ((pass_at_1,),) = rows("select pass_at_k from pass_at_k_v1 where k = 1")
    assert sorted(row["format"] for row in found) == list(VERDICTS)
    for row in found:
        assert (row["n_compared"], row["agreement"]) == (N_SAMPLES, 1), row
        assert row["judged_pass"] == pytest.approx(pass_at_1)


@pytest.mark.parametrize("name", ["evalplus", "bigcode"])
def test_our_samples_come_back_and_get_the_same_verdicts(
    name: str, coin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,) = written(coin, tmp_path, name)
    expected = rows(
        "select task_id, sample_index, candidate_id from raw.generation "
        "join raw.problem using (problem_id) join raw.evaluation using (generation_id) "
        "order by all",
        path=coin / "warehouse.duckdb",
    )
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "fresh"))
    ingest_dataset("starter")
    import_generations(path, format=name, lm="coin", dataset="starter")
    execute(progress=False)
    found = rows(
        "select task_id, sample_index, candidate_id from raw.generation "
        "join raw.problem using (problem_id) join raw.evaluation using (generation_id) "
        "order by all"
    )
    assert len(found) == N_SAMPLES
    assert found == expected


def test_records_of_every_eval_ever_fit_its_schema(coin: Path, tmp_path: Path) -> None:
    lines, aggregate = written(coin, tmp_path, "eee")
    schemas = [
        json.loads(shared(f"bridges/eee/{name}.schema.json").read_text())
        for name in ("eval", "instance_level_eval")
    ]
    record = json.loads(aggregate.read_text())
    jsonschema.validate(record, schemas[0])
    ((pass_at_1,),) = rows(
        "select pass_at_k from pass_at_k_v1 where k = 1", path=coin / "warehouse.duckdb"
    )
    (result,) = record["evaluation_results"]
    assert result["score_details"]["score"] == pass_at_1
    found = [json.loads(line) for line in lines.read_text().splitlines()]
    assert len(found) == N_SAMPLES
    for line in found:
        jsonschema.validate(line, schemas[1])
        assert line["evaluation_id"] == record["evaluation_id"]


def test_what_cannot_be_written(
    coin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(coin))
    given = {"lm": "coin", "dataset": "starter", "out": tmp_path / "out"}
    for fields, reason in (
        ({"format": "helm"}, "helm has no files of our verdicts"),
        ({"format": "eee", "lm": "nobody"}, "nobody has no verdicts on starter"),
        ({"format": "eee", "setting": "x"}, "under the setting 'x'"),
        ({"format": "eee", "dataset": None}, "name the dataset"),
        ({"format": "helm", "claimed": True}, "no claims about coin on starter in the format helm"),
        ({"format": "eee", "out": tmp_path}, "name an empty or a new folder"),
    ):
        (tmp_path / "here").touch()
        with pytest.raises(BadInput, match=reason):
            write_results(ResultsSpec(**{**given, **fields}))  # type: ignore[arg-type]
    assert not (tmp_path / "out").exists()
