"""CodeContests: a fixture of our own in the released layout, and statements of the real set."""

import ast
import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.datasets import codecontests
from ingest.loader import checked
from ingest.parsing import unix_lines
from models.plain.codec import decode
from tests.data import json_rows
from tests.support.steps import ingest_dataset
from warehouse.errors import BadInput

FIXTURE = Path(__file__).with_name("codecontests.jsonl")
ROWS = [json.loads(line) for line in FIXTURE.read_text(encoding="utf-8").splitlines()]


def drafts(path=FIXTURE):
    release = codecontests.read(path)
    return {draft.task_id.partition(".")[0]: draft for draft in checked(release.drafts, path)}


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def changed(**values):
    return {**ROWS[0], **values}


def test_every_row_is_a_problem_or_counted():
    release = codecontests.read(FIXTURE)
    assert release.left_out == {"python2_only": 1, "no_python_solution": 1, "syntax": 1}
    assert len(list(release.drafts)) == len(ROWS) - 3


def test_public_tests_are_base_and_the_others_plus():
    shelves = drafts()["made_A"]
    assert (shelves.entry_point, shelves.compare) == ("__main__", "stdout_loose")
    assert [test.suite for test in shelves.tests] == ["base"] * 2 + ["plus"] * 5
    assert {test.kind for test in shelves.tests} == {"stdio"}
    assert decode(shelves.tests[0].body) == ["7 2\n", "2\n"]
    assert decode(shelves.tests[2].body) == ["0 1000000000\n", "500000000\n"]


def test_the_description_is_read_back_unchanged():
    for draft in drafts().values():
        (row,) = [row for row in ROWS if row["name"] == draft.task_id]
        found = ast.get_docstring(ast.parse(draft.prompt + draft.reference), clean=False)
        assert found == "\n" + unix_lines(row["description"]).strip("\n") + "\n"
    assert '"""' in ROWS[1]["description"]
    assert "\\n" in ROWS[1]["description"]


def test_the_first_solution_that_python_3_reads_serves():
    found = drafts()
    assert found["made_A"].reference == ROWS[0]["solutions"]["solution"][1]
    assert "\r" in ROWS[4]["solutions"]["solution"][0]
    assert "\r" not in found["made_E"].prompt + found["made_E"].reference
    assert "\n\tif steps[i]" in found["made_D"].reference
    assert "größte" in found["made_H"].reference
    assert found["made_J"].reference == ROWS[9]["solutions"]["solution"][1]


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_any_text_comes_back_from_a_docstring(text):
    text = unix_lines(text)
    source = codecontests.module_docstring(text) + "pass\n"
    assert ast.get_docstring(ast.parse(source), clean=False) == f"\n{text}\n"


def test_real_statements_come_back_from_a_docstring():
    rows = json_rows("datasets/codecontests/codet_165_prompts.jsonl")
    statements = [row["prompt"].split("'''")[1] for row in rows]
    assert len(statements) == 165
    for statement in statements:
        source = codecontests.module_docstring(statement) + "pass\n"
        assert ast.get_docstring(ast.parse(source), clean=False) == f"\n{statement}\n"


def test_all_layouts_are_one(tmp_path):
    """Packed, as Parquet, in a folder, as lists of objects, with languages by name."""
    expected = codecontests.read(FIXTURE)
    bodies = [(draft.task_id, draft.reference, draft.tests) for draft in expected.drafts]
    packed = tmp_path / "rows.jsonl.gz"
    packed.write_bytes(gzip.compress(FIXTURE.read_bytes()))
    parquet = tmp_path / "rows.parquet"
    pq.write_table(pa.Table.from_pylist(ROWS), parquet)
    folder = tmp_path / "split"
    folder.mkdir()
    written(folder / "0.jsonl", ROWS[:4])
    pq.write_table(pa.Table.from_pylist(ROWS[4:]), folder / "1.parquet")
    objects = []
    for row in ROWS:
        row = dict(row)
        for field, names in (
            *((name, ("input", "output")) for name in codecontests.SUITES),
            ("solutions", ("language", "solution")),
        ):
            pairs = zip(*(row[field][name] for name in names), strict=True)
            row[field] = [dict(zip(names, pair, strict=True)) for pair in pairs]
        for solution in row["solutions"]:
            solution["language"] = codecontests.LANGUAGES[solution["language"]]
        objects.append(row)
    by_object = written(tmp_path / "objects.jsonl", objects)
    for path in (packed, parquet, folder, by_object):
        found = codecontests.read(path)
        assert found.left_out == expected.left_out
        assert [(draft.task_id, draft.reference, draft.tests) for draft in found.drafts] == bodies


BAD = {
    "no name": ({"name": None}, "'name' is null"),
    "name is no text": ({"name": 7}, "'name' is a number"),
    "no description": ({"description": None}, "'description' is null"),
    "tests are a text": ({"public_tests": "1"}, "'public_tests' is a string"),
    "no outputs": ({"private_tests": {"input": ["1"]}}, "lacks a list 'input' or 'output'"),
    "uneven": (
        {"generated_tests": {"input": ["1"], "output": []}},
        "'generated_tests' has 1 in 'input', 0 in 'output'",
    ),
    "odd test": ({"public_tests": [{"input": "1"}]}, r"public_tests\[0\] is not an object"),
    "number for a test": (
        {"public_tests": {"input": [1], "output": ["1"]}},
        r"'public_tests.input\[0\]' is a number",
    ),
    "NUL in a test": (
        {"public_tests": {"input": ["a\0"], "output": ["1"]}},
        r"'public_tests.input\[0\]' has a NUL byte at character 1",
    ),
    "half a surrogate": (
        {"public_tests": {"input": ["1"], "output": ["\ud800"]}},
        r"'public_tests.output\[0\]' has half a surrogate pair",
    ),
    "an unknown language": (
        {"solutions": {"language": [9], "solution": ["pass"]}},
        r"solutions.language\[0\] is 9",
    ),
    "no text": (
        {"solutions": {"language": [3], "solution": [None]}},
        r"solutions.solution\[0\] is null",
    ),
    "twice": ({"name": ROWS[1]["name"].upper()}, "is already in row 1"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_row_is_named_and_nothing_is_written(home, tmp_path, name):
    values, reason = BAD[name]
    path = written(tmp_path / "bad.jsonl", [ROWS[1], changed(**values)])
    with pytest.raises(BadInput, match=reason) as error:
        ingest_dataset("codecontests", path)
    assert str(error.value).startswith(f"{path}:2: ")
    assert not (home / "warehouse.duckdb").exists()


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"public_tests": None, "private_tests": [], "generated_tests": []}, "no_tests"),
        ({"description": " \r\n"}, "no_description"),
        ({"input_file": "input.txt"}, "reads_files"),
        ({"solutions": []}, "no_python_solution"),
        ({"solutions": [{"language": 1, "solution": "print 1"}]}, "python2_only"),
        ({"solutions": [{"language": 3, "solution": "print 1"}]}, "syntax"),
        ({"solutions": [{"language": 3, "solution": "x = '\0'"}]}, "syntax"),
        ({"solutions": [{"language": 3, "solution": "(" * 5000}]}, "syntax"),
        ({"solutions": [{"language": 3, "solution": "\n"}]}, "syntax"),
    ],
)
def test_what_gives_no_problem_is_counted(tmp_path, values, reason):
    path = written(tmp_path / "rows.jsonl", [ROWS[1], changed(**values)])
    release = codecontests.read(path)
    assert release.left_out == {reason: 1}
    assert len(list(release.drafts)) == 1
    alone = written(tmp_path / "alone.jsonl", [changed(**values)])
    with pytest.raises(BadInput, match=f"no problem is left; left out: {reason} 1"):
        codecontests.read(alone)


def test_a_solution_of_5000_lines(tmp_path):
    long = "".join(f"v{n} = {n}\n" for n in range(5000)) + "print(v1)\n"
    path = written(
        tmp_path / "long.jsonl", [changed(solutions=[{"language": 3, "solution": long}])]
    )
    assert drafts(path)["made_A"].reference == long


def test_a_bad_row_of_a_folder_is_named_with_its_file(tmp_path):
    written(tmp_path / "0.jsonl", ROWS[:2])
    written(tmp_path / "1.jsonl", [ROWS[2], changed(name=None)])
    with pytest.raises(BadInput, match=r"1\.jsonl:2: the field 'name' is null"):
        codecontests.read(tmp_path)


def test_a_file_that_is_no_parquet(tmp_path):
    path = tmp_path / "rows.parquet"
    path.write_bytes(b"PAR1 and no more")
    with pytest.raises(BadInput, match="no Parquet file we can read"):
        codecontests.read(path)
    with pytest.raises(BadInput, match="no such file"):
        codecontests.read(tmp_path / "absent.parquet")
