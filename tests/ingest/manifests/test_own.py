"""A user's own dataset: every format and way of putting tests, and what is refused."""

import csv
import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest.files import sha256_of
from ingest.loader import IngestSpec, checked
from ingest.manifests.own import own_dataset
from models.plain.codec import decode
from tests.data import ROOT
from tests.support.sql import rows
from tests.support.steps import ingest_dataset
from warehouse.errors import BadInput
from warehouse.parameters import BadValue

PAGE = (ROOT / "docs/own_datasets.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
ADD = {
    "task_id": "add",
    "entry_point": "add",
    "prompt": "def add(a, b):\n",
    "reference": "    return a + b\n",
    "asserts": ["assert add(1, 2) == 3"],
}


def read(path, **fields):
    dataset = own_dataset(path, "mine", **fields)
    return checked(dataset.read(path), path, dataset.kind)


def lines(folder, *found):
    path = folder / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")
    return path


def test_the_page_has_an_example_of_each_way(tmp_path):
    found = read(lines(tmp_path, *map(json.loads, EXAMPLES)))
    kinds = {draft.task_id: sorted({test.kind for test in draft.tests}) for draft in found}
    assert kinds == {
        "add": ["assert"],
        "twice": ["assert"],
        "mean": ["call"],
        "evens": ["io"],
        "sum": ["stdio"],
        "stack": ["assert"],
    }
    suites = {draft.task_id: [test.suite for test in draft.tests] for draft in found}
    assert suites["evens"] == ["base", "base", "plus"]
    assert [draft.entry_point for draft in found][-2:] == ["__main__", "Stack"]
    mean = next(draft for draft in found if draft.task_id == "mean")
    assert mean.prompt == (
        'def mean(xs):\n    """\n    Return the mean of some numbers.\n    """\n'
    )
    assert decode(mean.tests[1].body) == [[[0.1, 0.1, 0.1]], 0.1]


def test_the_formats_hold_the_same(tmp_path):
    table = [
        {
            "task_id": name,
            "entry_point": "f",
            "prompt": "def f(x):\n",
            "reference": f"    return x + {n}\n",
            "inputs": [[1], [2]],
            "outputs": [1 + n, 2 + n],
        }
        for n, name in enumerate(("one", "two"))
    ]
    expected = read(lines(tmp_path, *table))
    document = tmp_path / "mine.json"
    document.write_text(json.dumps(table))
    parquet = tmp_path / "mine.parquet"
    pq.write_table(pa.Table.from_pylist(table), parquet)
    text = tmp_path / "mine.csv"
    with text.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(table[0]))
        writer.writeheader()
        for row in table:
            writer.writerow(
                {k: json.dumps(v) if isinstance(v, list) else v for k, v in row.items()}
            )
    for path in (document, parquet):
        assert read(path) == expected
    assert [draft.row for draft in read(text)] == [2, 5]  # a cell may have several lines
    assert [draft.tests for draft in read(text)] == [draft.tests for draft in expected]


def test_the_csv_of_the_page(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(re.findall(r"```csv\n(.*?)```", PAGE, re.DOTALL)[0])
    (draft,) = read(path)
    assert draft.prompt + draft.reference == "def half(x):\n    return x / 2\n"


def test_the_folder_of_the_page(tmp_path):
    (manifest,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "dataset.toml").write_text(manifest)
    row = {"id": 7, "code": "def f(x):\n", "solution": "    return x\n", "function": "f"}
    row |= {"cases": ["1"], "topic": "easy", "author": "me"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    (draft,) = read(tmp_path)
    assert (draft.task_id, draft.tags, draft.compare) == ("mybench/7", ("easy",), "evalplus")
    assert draft.row == "rows.jsonl:1"
    source = own_dataset(tmp_path, "mine").source
    assert (source.license, source.cpu_s, source.test_cpu_s, source.memory_mb) == (
        "MIT",
        10,
        2,
        2048,
    )
    assert source.requirements == {"numpy": "numpy"}
    assert re.fullmatch("2 [0-9a-f]{12}", source.version)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (ADD | {"promt": "x"}, "unknown key 'promt': did you mean prompt?"),
        ({**ADD, "prompt": None}, "give 'prompt' (code to be continued) or 'description'"),
        (ADD | {"stdin": ["1"]}, "the tests are given twice: by 'asserts' and by 'stdin'"),
        (ADD | {"asserts": None}, "there are no tests: give one of asserts, test_code, unittest"),
        (ADD | {"outputs": [1]}, "'outputs' does not go with tests that are given by 'asserts'"),
        (ADD | {"solution": "x"}, "'solution' does not go with 'prompt'"),
        (ADD | {"entry_point": "sub"}, "task add does not define 'sub'"),
        (ADD | {"entry_point": "__main__"}, "task add: the entry point __main__ is a program"),
        (ADD | {"asserts": ["assert add(1"]}, "the tests: '(' was never closed"),
        (
            ADD | {"asserts": ["import nump\nassert nump"]},
            "the tests import 'nump', which is not in",
        ),
        (
            ADD | {"setup_code": "import requests"},
            "the setup_code imports 'requests', which is not",
        ),
        (ADD | {"compare": "exakt"}, "there is no comparison 'exakt': did you mean exact?"),
        (ADD | {"atol": -1}, "the field 'atol' is below 0"),
        (ADD | {"task_id": "a\nb"}, "the task_id 'a\\nb' is no name"),
        (ADD | {"task_id": " a"}, "the task_id ' a' is no name"),
        (ADD | {"requirements": ["numpy"]}, "'requirements' must be an object"),
        (ADD | {"requirements": {"numpy": "-r x"}}, "numpy needs '-r x', which is no name of a"),
        (ADD | {"asserts": None, "inputs": ["open('x')"]}, "inputs[0]: \"open('x')\" is no call"),
        (
            ADD | {"asserts": None, "inputs": [[1]], "outputs": []},
            "there are 1 in 'inputs' and 0 in",
        ),
        (
            ADD | {"asserts": None, "unittest": "class A:\n    def test(self): pass"},
            "the tests: no class has a method whose name begins with 'test'",
        ),
    ],
)
def test_a_row_that_does_not_fit_is_named(tmp_path, row, reason):
    row = {key: value for key, value in row.items() if value is not None}
    path = lines(tmp_path, ADD | {"task_id": "fits"}, row)
    with pytest.raises(BadInput) as raised:
        read(path)
    assert str(raised.value).startswith(f"{path}:2: {reason}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("licence = 'MIT'", "1: unknown key 'licence': did you mean license?"),
        ("name = 'a'\n\n[limits]\ncpu_s = 0", "4: cpu_s: 0.0 is not in the range 0.001<=x<=36000"),
        ("[limits]\ncpu_s = inf", "2: cpu_s: inf is not in the range"),
        (f"[limits]\nmemory_mb = 1{'0' * 400}", "2: memory_mb: 1"),
        ("version = '1\u202e'", "1: version must be a text on one line, all of it printable"),
        ("[limits]\nmemory_mb = 'much'", "2: memory_mb must be a whole number"),
        ("[requirements]\nx = 'x @ https://y'", "2: x needs 'x @ https://y', which is no name"),
        ("files = ['../x.jsonl']", "the file '../x.jsonl' does not lie below the manifest"),
        ("files = [", " not TOML: Invalid value (at end of document)"),
    ],
)
def test_a_manifest_that_does_not_fit(tmp_path, text, reason):
    (tmp_path / "dataset.toml").write_text(text)
    lines(tmp_path, ADD)
    with pytest.raises(BadInput) as raised:
        read(tmp_path)
    assert reason in str(raised.value)


def test_a_file_has_the_checksum_that_its_manifest_gives(tmp_path):
    right = sha256_of(lines(tmp_path, ADD))
    for sha256 in (right, right.upper()):
        entry = f'files = [{{name = "mine.jsonl", sha256 = "{sha256}"}}]'
        (tmp_path / "dataset.toml").write_text(entry)
        assert len(read(tmp_path)) == 1
    lines(tmp_path, ADD | {"prompt": "def add(a, b): \n"})
    with pytest.raises(BadInput, match=r"and dataset\.toml says"):
        read(tmp_path)


def test_columns_that_a_manifest_does_not_use_are_named(tmp_path):
    (tmp_path / "dataset.toml").write_text('[problem]\ntask_id = "{id}"\n')
    row = {key: value for key, value in ADD.items() if key != "task_id"} | {"id": 1}
    lines(tmp_path, row | {"author": "me"})
    with pytest.raises(BadInput, match="unknown key 'author'"):
        read(tmp_path)
    lines(tmp_path, row | {"task_id": "x"})
    with pytest.raises(BadInput, match="the column 'task_id' is not used"):
        read(tmp_path)


def test_a_file_that_changed_is_another_version(home, tmp_path):
    report = ingest_dataset("mine", lines(tmp_path, ADD))
    again = ingest_dataset("mine", lines(tmp_path, ADD))
    assert (any(again.added.values()), report.version) == (False, again.version)
    other = ingest_dataset("mine", lines(tmp_path, ADD, ADD | {"task_id": "add2"}), license="MIT")
    assert other.version != report.version
    trusted = ingest_dataset("mine", tmp_path / "mine.jsonl", trust_tests=True)
    assert trusted.version == f"{other.version}, tests trusted"
    stored = rows(
        "select license, trusted from raw.dataset_release join raw.own_release using (release_id)"
    )
    assert sorted(stored) == [("MIT", False), ("not stated", False), ("not stated", True)]


def test_a_bad_file_leaves_no_row(home, tmp_path):
    with pytest.raises(BadInput):
        ingest_dataset("mine", lines(tmp_path, ADD, ADD))
    assert not (home / "warehouse.duckdb").exists()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"name": "humanevl"}, "name: there is no dataset 'humanevl': did you mean humaneval?"),
        ({"name": "My Bench", "path": Path("x")}, "name: 'My Bench' is no name for a dataset"),
        ({"name": "x-lines", "path": Path("x")}, "name: x-lines is made of a project"),
        ({"name": "starter", "license": "MIT"}, "license: starter is a listed dataset"),
        ({"name": "mine", "path": Path("x"), "license": "a\nb"}, "license: must be the name"),
    ],
)
def test_names_of_own_datasets(fields, reason):
    with pytest.raises(BadValue) as raised:
        IngestSpec(**fields)
    assert str(raised.value).startswith(reason)
