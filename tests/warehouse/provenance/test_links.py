"""Each mart is linked to its rows, or says why it is not; links name what there is."""

import pytest

from warehouse.facts.query import FOLDER, text_of
from warehouse.reports.why.explain import PARAMETER
from warehouse.reports.why.links import LINKS, UNLINKED
from warehouse.reports.why.row import SQL_WORDS
from warehouse.views.describe import describe_views

VIEWS = {view.name: view for view in describe_views() if view.method is not None}


def test_each_mart_is_linked_or_says_why_not() -> None:
    assert {*LINKS, *UNLINKED} == VIEWS.keys()
    assert not LINKS.keys() & UNLINKED.keys()


@pytest.mark.parametrize("view", LINKS)
def test_links_name_columns_and_parameters(view: str) -> None:
    columns = {column.name for column in VIEWS[view].columns}
    for link in LINKS[view]:
        assert set(link.columns.values()) <= columns
        parameters = set(PARAMETER.findall(text_of(f"why/rows/{link.rows}")))
        assert {*link.columns, *link.fixed} <= parameters


def test_each_query_of_rows_is_used() -> None:
    files = {file.name.removesuffix(".sql") for file in (FOLDER / "why" / "rows").iterdir()}
    assert {link.rows for links in LINKS.values() for link in links} == files


@pytest.mark.parametrize(
    ("word", "is_sql"),
    [
        ("k=1 and lm='x'", True),
        ("lm=planted-coin", False),
        ("setting=completion, T=0.8", False),
        ("lm='a'", True),
        ("lm=is-or-coder", False),
    ],
)
def test_what_is_taken_for_sql(word: str, is_sql: bool) -> None:
    assert bool(SQL_WORDS.search(word)) is is_sql
