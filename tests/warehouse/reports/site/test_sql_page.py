"""The SQL page in a real browser: the numbers of the export, and nothing but the views."""

import csv
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.support.site.browser import LACKING, Browser, chromium
from tests.support.site.world import ADDED, IMAGE, ODD, SCRIPT
from tests.support.steps import export
from warehouse.reports.site import sql_engine
from warehouse.reports.site.page import visible

pytestmark = [
    pytest.mark.long(seconds=60),
    pytest.mark.skipif(chromium() is None, reason=LACKING),
]
STATUS = "document.getElementById('sql-status')?.textContent"
CELLS = "[...document.querySelectorAll('#sql-rows td')].map((cell) => cell.textContent)"
KINDS = """select null as a, chr(8238) || '<b>' as b, 0.1 + 0.2::double as c, [1, 2] as d,
    {'x': 1.50} as e, date '2026-01-02' as f, true as g, '' as h,
    'x' || chr(0) || chr(65533) as i; -- the end"""
REFUSED = (
    "create table more as select 1",
    "update leaderboard_v2 set rank = 1",
    "copy leaderboard_v2 to 'out.csv'",
    "attach 'other.duckdb'",
    "install httpfs",
    "load json",
    "set enable_external_access = true",
    "select * from 'views.duckdb'",
    "select * from read_text('views.duckdb')",
    "select * from read_csv('{url}')",
    "select * from '{url}'",
    "attach '{url}'",
)


@pytest.fixture(autouse=True)
def with_engine(hostile_home: Path) -> None:
    if not sql_engine.is_kept():
        pytest.skip("the engine of the SQL page cannot be fetched: is a package index in reach?")


@pytest.fixture(params=["site/sql.html", "site.html#/sql"])
def page(request: pytest.FixtureRequest, hostile_home: Path, chrome: Browser) -> Browser:
    """The SQL page of either form, from disk, ready."""
    chrome.open(f"file://{hostile_home}/{request.param}")
    chrome.until(f"{STATUS} === 'Ready.'")
    return chrome


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    """An address of this machine, and what was asked there."""
    seen: list[str] = []

    class Listening(BaseHTTPRequestHandler):
        def parse_request(self) -> bool:
            seen.append(str(self.raw_requestline))
            return False

    with ThreadingHTTPServer(("127.0.0.1", 0), Listening) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/rows.csv", seen
        server.shutdown()


def submit(page: Browser, sql: str) -> None:
    page.value(f"document.getElementById('sql-text').value = {json.dumps(sql)}")
    page.value("document.querySelector('form.sql button').click()")


def answer(page: Browser, sql: str) -> str:
    """Run a query and return what the page says of it."""
    submit(page, sql)
    page.until(f"!{STATUS}.startsWith('Runs') && {STATUS} !== 'Ready.'")
    return str(page.value(STATUS))


def test_a_typed_query_returns_the_number_of_the_export(page: Browser, tmp_path: Path) -> None:
    export(view="leaderboard_v2", out=tmp_path / "board.csv", raw=True)
    with (tmp_path / "board.csv").open() as file:
        rows = {row["lm_id"]: row for row in csv.DictReader(file)}
    wanted = ("pass_at_1", "pass_at_1_lo", "pass_at_1_hi", "n_samples")
    for lm, row in rows.items():
        said = answer(page, f"select {', '.join(wanted)} from leaderboard where lm_id = '{lm}'")
        assert said.startswith("Rows: 1,")
        assert page.value(CELLS) == [row[name] for name in wanted]
    assert page.left_the_page == []
    assert page.errors == []


def test_values_of_each_kind_are_shown(page: Browser) -> None:
    assert answer(page, KINDS).startswith("Rows: 1,")
    assert page.value(CELLS) == [
        *("NULL", r"\u202e<b>", "0.30000000000000004", "[1, 2]"),
        *("{'x': 1.50}", "2026-01-02", "true", "", "x\\x00\ufffd"),
    ]
    heads = "[...document.querySelectorAll('#sql-rows th')].map((head) => head.firstChild.data)"
    assert page.value(heads) == list("abcdefghi")
    assert answer(page, "select i from range(5000) t (i) order by i desc").startswith(
        "Rows: the first 1000,"
    )
    assert page.value(CELLS) == [str(4999 - at) for at in range(1000)]


def test_hostile_names_are_texts_in_an_answer(page: Browser) -> None:
    """Names of language models, a dataset and problems that are markup, scripts or odd letters.

    One has a letter over its eighth byte: this DuckDB fails to order names by those eight.
    """
    assert any(f"{lm} {added}".encode()[8] & 192 == 128 for lm, added in ADDED.items())
    sql = f"""select distinct lm, task_id, '{IMAGE.replace("'", "''")}' as "{SCRIPT}"
        from generation_verdicts order by all"""
    assert answer(page, sql).startswith("Rows: 48,")
    assert page.value("document.querySelectorAll('#sql-rows td *').length") == 0
    cells = page.value(CELLS)
    assert {f"first {SCRIPT}", f"second {IMAGE}", f"planted {visible(ODD)}"} < {*cells[::3]}
    assert f"toy/3 {SCRIPT}" in cells[1::3]
    assert {*cells[2::3]} == {IMAGE}
    assert page.value("document.querySelectorAll('#sql-rows th')[2].firstChild.data") == SCRIPT
    assert page.errors == []
    assert "Error" in answer(page, f"select * from {SCRIPT}")
    assert page.value("window.evil") is None
    assert page.left_the_page == []


def test_a_query_reaches_the_views_alone(page: Browser, asked: tuple[str, list[str]]) -> None:
    url, seen = asked
    for sql in REFUSED:
        said = answer(page, sql.format(url=url))
        assert "Error" in said, (sql, said)
        assert page.value(CELLS) == []
    assert seen == []
    assert answer(page, "select count(*) from leaderboard").startswith("Rows: 1,")


def test_a_query_that_does_not_end_can_be_stopped(page: Browser) -> None:
    submit(page, "select count(*) from range(1000000000000) a where a.range % 7 = 3")
    page.until(f"{STATUS} === 'Runs…'")
    page.value("document.querySelectorAll('form.sql button')[1].click()")
    page.until(f"{STATUS} === 'Ready.'")
    assert answer(page, "select 7").startswith("Rows: 1,")
    assert page.value(CELLS) == ["7"]


def test_the_query_of_a_table_opens_in_the_page(hostile_home: Path, chrome: Browser) -> None:
    for first in ("site/index.html", "site.html"):
        chrome.open(f"file://{hostile_home}/{first}")
        query = chrome.value("document.querySelector('details.query code').textContent")
        chrome.open(chrome.value("document.querySelector('details.query a').href"))
        chrome.until(f"{STATUS} === 'Ready.'")
        assert chrome.value("document.getElementById('sql-text').value") == query
        chrome.value("document.querySelector('form.sql button').click()")
        chrome.until(f"{STATUS}.startsWith('Rows')")
        assert chrome.value(CELLS)
