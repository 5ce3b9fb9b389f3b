"""``assay dataset check``: the examples of the page pass, and what is wrong is said by line."""

import json
import re
from collections import Counter

import pytest

from runners.specs import DatasetCheckSpec
from runners.steps.datasets.check import BadDataset, check_dataset
from runners.steps.night_config import read_config
from tests.data import ROOT
from tests.runners.projects.conftest import only_these
from tests.support.sql import rows
from tests.support.steps import execute, generate, ingest_dataset
from warehouse.errors import BadInput

PAGE = (ROOT / "docs/own_datasets.md").read_text(encoding="utf-8")
EXAMPLES = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
ADD = EXAMPLES[0]


def written(folder, found):
    path = folder / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")
    return path


def check(path, **fields):
    return check_dataset(DatasetCheckSpec(path, **fields), progress=False)


def test_all_examples_of_the_page_pass(home, tmp_path):
    path = written(tmp_path, EXAMPLES)
    report = check(path)
    assert (report.n_problems, report.judged) == (6, {"split": 3, "same_interpreter": 3})
    # a class cannot be held by the judge: its objects live beside the program
    assert check(path, trust_tests=True).judged == {"split": 5, "same_interpreter": 1}
    assert not (home / "warehouse.duckdb").exists()


def test_what_would_be_rejected_is_said_in_the_order_of_the_file(home, tmp_path, monkeypatch):
    only_these(monkeypatch, tmp_path)
    wrong = ADD | {"task_id": "wrong", "reference": "    return a - b\n"}
    useless = ADD | {"task_id": "useless", "asserts": ["assert True"]}
    needs = ADD | {
        "task_id": "needs",
        "setup_code": "import numpy",
        "requirements": {"numpy": "numpy"},
    }
    path = written(tmp_path, [ADD, wrong, ADD | {"x": 1}, useless, ADD, needs])
    with pytest.raises(BadDataset) as raised:
        check(path)
    assert [line.removeprefix(f"{path}:") for line in raised.value.lines] == [
        "2: task wrong would be rejected: same_interpreter: reference failed: assert add(1, 2) == "
        "3",
        "3: unknown key 'x'; available: " + raised.value.lines[1].partition("available: ")[2],
        "4: task useless would be rejected: same_interpreter: the tests pass a function that only "
        "raises",
        "5: task add is already in row 1",
        "6: task needs would be rejected: it needs numpy, which cannot be fetched (pip finds no "
        "wheels: No matching distribution found for numpy)",
        "5 of 6 problems would be refused or rejected",
    ]
    assert not (home / "warehouse.duckdb").exists()


def test_a_file_that_breaks_off_is_said_behind_its_rows(tmp_path):
    path = written(tmp_path, [ADD | {"x": 1}])
    path.write_text(path.read_text() + "{")
    with pytest.raises(BadDataset) as raised:
        check(path)
    assert "unknown key 'x'" in raised.value.lines[0]
    assert raised.value.lines[1].startswith(f"{path}:2: not JSON")
    with pytest.raises(BadInput, match="no such file"):
        check(tmp_path / "none.jsonl")


def test_packages_that_nothing_imports_are_named(tmp_path):
    folder = tmp_path / "bench"
    folder.mkdir()
    written(folder, [ADD | {"requirements": {"yaml": "pyyaml"}}])
    (folder / "dataset.toml").write_text('[requirements]\nnumpy = "numpy<3"\n')
    assert check(folder).never_imported == ["numpy<3", "pyyaml"]
    assert check(written(tmp_path, [ADD])).never_imported == []


def test_tests_that_nobody_trusts_stay_in_the_sandbox(tmp_path):
    """They write a file that the judge's own process could write."""
    mark = tmp_path / "mark"
    spying = f"try:\n    open({str(mark)!r}, 'w').close()\nexcept OSError:\n    pass\n"
    path = written(tmp_path, [ADD | {"asserts": [spying + ADD["asserts"][0]]}])
    tmp_path.chmod(0o777)
    assert check(path).judged == {"same_interpreter": 1}
    assert not mark.exists()
    assert check(path, trust_tests=True).judged == {"split": 1}
    assert mark.exists()


def test_from_a_file_to_verdicts(home, tmp_path):
    path = written(tmp_path, EXAMPLES)
    ingest_dataset("mine", path, license="MIT")
    generate(backend="planted", lm="coin", dataset="mine", n=4, options={"pass_rate": 0.5})
    report = execute(dataset="mine", progress=False)
    assert report.rejected_problems == []
    assert report.n_generations == 24
    verdicts = Counter(dict(rows("select verdict, count(*) from raw.outcome group by verdict")))
    assert verdicts["passed"] >= 3
    assert verdicts["failed"] + verdicts["error"] >= 3
    integrity = dict(
        rows("select task_id, mode from raw.admission join raw.problem using (problem_id)")
    )
    assert integrity["stack"] == integrity["add"] == "same_interpreter"
    assert integrity["mean"] == integrity["sum"] == "split"


def test_a_night_may_name_a_dataset_that_it_ingests(home, tmp_path):
    written(tmp_path, EXAMPLES)
    config = tmp_path / "night.toml"
    draw = '[[generate]]\nbackend = "planted"\nlm = "m"\ndataset = "mine"\nn = 1\n'
    config.write_text('[[ingest]]\nname = "mine"\npath = "mine.jsonl"\n' + draw)
    assert [step.verb for step in read_config(config)][:2] == ["ingest", "generate"]
    config.write_text(draw)
    with pytest.raises(BadInput, match="dataset: there is no dataset 'mine'"):
        read_config(config)
