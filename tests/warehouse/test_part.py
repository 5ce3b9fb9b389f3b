"""A part of the views whose parents are not built: one clear line, and nothing is built."""

from pathlib import Path

import pytest

from runners.cli import main
from tests.support.sql import rows
from tests.support.steps import build, ingest_dataset
from warehouse.errors import BadInput
from warehouse.facts.query import text_of
from warehouse.store.connection import writing
from warehouse.views.nodes import Node
from warehouse.views.part import part_of, unknown_selection

pytestmark = pytest.mark.long(seconds=45)


@pytest.fixture
def unbuilt(home: Path) -> Path:
    """A warehouse with the starter set and no views."""
    ingest_dataset("starter")
    return home / "warehouse.duckdb"


def refusal(selection: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what a user reads, after ``error: ``."""
    assert main.run(["build", "--select", selection, "--force"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("error: ").rstrip()


SELECTIONS = {
    "pass_at_k": "(int_entry_numbered, int_problem_tallied)",
    # what could be built alone is not built either
    "stg_run pass_at_k": " more)",
}


def relations() -> list[tuple[object, ...]]:
    return rows(text_of("catalog/built_relations"))


@pytest.mark.parametrize("selection", SELECTIONS)
def test_a_part_of_views_that_were_never_built(
    selection: str, unbuilt: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = relations()
    said = refusal(selection, capsys)
    assert said.startswith(f"the views that {selection!r} and its data tests read are not built (")
    assert SELECTIONS[selection] in said
    assert said.endswith("): run `assay build`, which builds all")
    assert relations() == before == []


def test_a_part_that_reads_raw_rows_alone_is_built(unbuilt: Path) -> None:
    """Of the data tests of stg_pair_rating, those that read other views are left out."""
    assert build(select="errata").views == ["errata"]
    assert build(select="stg_pair_rating").tests_passed != []
    assert "stg_suite_run" in build(select="+int_suite_run_counted").views


def test_the_one_view_that_is_gone_is_named(
    unbuilt: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build(select="+pass_at_k")
    with writing() as con:
        con.execute("drop table intermediate.int_problem_tallied")
    before = relations()
    assert "are not built (int_problem_tallied): run `assay build`" in refusal("pass_at_k", capsys)
    assert relations() == before
    # made by hand, it is there
    with writing() as con:
        con.execute("create view intermediate.int_problem_tallied as select 1 as something_else")
    assert main.run(["build", "--select", "pass_at_k", "--force"]) == 6
    assert "are not built" not in capsys.readouterr().err


def node(name: str, *reads: str) -> Node:
    kind = "test" if name.startswith("test.") else "table"
    relation = "" if kind == "test" else "main." + name.rpartition("assay.")[2].replace(".", "_")
    return Node(name, kind, relation, reads, "", "", "", "")


NODES = [
    node("model.assay.one", "raw.run"),
    node("model.assay.two.v1", "main.one"),
    node("model.assay.two.v2", "main.one"),
    node("model.assay.three", "main.two_v1"),
    node("model.assay.four", "raw.run"),
    node("test.assay.two_is_right.a", "main.two_v1"),
    node("test.assay.two_is_of_one.b", "main.two_v2", "main.one"),
    node("test.assay.two_is_no_four.c", "main.two_v1", "main.four"),
    node("test.assay.three_is_of_one.d", "main.three", "main.one"),
]


@pytest.mark.parametrize(
    ("select", "meant"),
    [
        ("two", "two_v1 two_v2 two_is_right two_is_of_one"),
        ("two.v2", "two_v2 two_is_of_one"),
        ("two_v1", "two_v1 two_is_right"),
        ("+three", "one two_v1 three two_is_right three_is_of_one"),
        ("two_v1+", "two_v1 three two_is_right three_is_of_one"),
        ("four +two_v1", "one two_v1 four two_is_right two_is_no_four"),
        ("one+", "one two_v1 two_v2 three two_is_right two_is_of_one three_is_of_one"),
    ],
)
def test_the_nodes_that_a_selection_means(select: str, meant: str) -> None:
    there = ["main.one", "main.two_v1"]
    part = part_of(select, NODES, there)
    names = [each.relation.removeprefix("main.") or each.name.split(".")[2] for each in part]
    assert names == meant.split()


@pytest.mark.parametrize("word", ["three.v1", "fore", "+fore+"])
def test_a_word_that_means_no_node_is_refused(word: str) -> None:
    with pytest.raises(BadInput, match=r"there is no view '(three\.v1|fore)': did you mean"):
        part_of(f"one {word}", NODES, ["main.one"])


@pytest.mark.parametrize("name", ["columns", "README"])
def test_a_file_that_makes_no_view_has_no_name_to_select(name: str) -> None:
    assert unknown_selection(name).startswith(f"there is no view {name!r}")
