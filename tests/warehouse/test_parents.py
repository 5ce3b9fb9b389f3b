"""A part of the views whose parents are not built: one clear line, and nothing is built."""

from pathlib import Path

import pytest

from runners.cli import main
from tests.support.sql import rows
from tests.support.steps import build, ingest_dataset
from warehouse.facts.query import text_of
from warehouse.store.connection import writing

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
    "path:models/marts/pass_at_k": "(int_entry_numbered, int_problem_tallied)",
    # what could be built alone is not built either
    "stg_run pass_at_k": " more)",
    # nor are parents whose data tests read other views
    "+pass_at_k": "stg_",
    # a view of raw rows alone: only its data tests read other views
    "stg_pair_rating": "stg_candidate, stg_generation, stg_problem and 1 more",
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
    assert build(select="errata").views == ["errata"]
    assert "stg_suite_run" in build(select="path:models/staging +int_suite_run_counted").views


def test_the_one_view_that_is_gone_is_named(
    unbuilt: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build(select="path:models/staging +pass_at_k")
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
