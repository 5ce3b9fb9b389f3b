"""Exports as HTML: the numbers of the other formats, marked alike, and nothing that can run."""

import re
from pathlib import Path

from tests.support.steps import export
from warehouse.reports.display import Layout, ShownColumn, Span
from warehouse.reports.layouts.html import html_table
from warehouse.reports.layouts.markdown import markdown_table
from warehouse.snapshot.query import QueryResult

SCRIPT = "<script>window.evil=1</script>"
RESULT = QueryResult(
    ["block", "name", "x", "x_lo", "x_hi", "y"],
    ["VARCHAR", "VARCHAR", "DOUBLE", "DOUBLE", "DOUBLE", "BIGINT"],
    [
        (f"first {SCRIPT}", f"a & b {SCRIPT}", 0.5, 0.25, 0.75, 3),
        (f"first {SCRIPT}", "`c` *d*", 0.25, 0.125, 0.5, None),
        (f"first {SCRIPT}", "few", 1.0, None, None, 1),
        ("second", "e", 1.0, 0.9, 1.0, 5),
    ],
)
LAYOUT = Layout(
    groups=("block",),
    title=f"a title {SCRIPT}",
    shown=(
        ShownColumn("name", f"name {SCRIPT}", 1, False),
        ShownColumn("x", "share", 2, True, fraction=True, better="up", low=3, high=4),
        ShownColumn("y", "count", 5, True),
    ),
    spans=(Span("", 1), Span(f"over both {SCRIPT}", 2)),
)


def cells(page: str) -> list[list[str]]:
    """Return the texts of the rows in the body, with what marks them left out."""
    body = page.partition("<tbody")[2].partition("</tbody>")[0]
    rows = re.findall(r"<tr.*?</tr>", body, re.DOTALL)
    return [
        [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<t[dh].*?</t[dh]>", row, re.DOTALL)]
        for row in rows
    ]


def test_cells_are_those_of_markdown_in_blocks() -> None:
    page = html_table(RESULT, LAYOUT)
    escaped = "&lt;script&gt;window.evil=1&lt;/script&gt;"
    assert cells(page) == [
        [f"first {escaped}"],
        [f"a &amp; b {escaped}", "50.0 [25.0, 75.0]", "3"],
        ["`c` *d*", "25.0 [12.5, 50.0]", "--"],
        ["few", "100.0", "1"],
        ["second"],
        ["e", "100.0 [90.0, 100.0]", "5"],
    ]
    assert "**50.0** [25.0, 75.0]" in markdown_table(RESULT, LAYOUT)
    assert "<script" not in page
    for shown in (f"name {escaped}", f"over both {escaped}", f"a title {escaped}", "share (%)"):
        assert shown in page


def test_the_best_is_bold_and_the_second_underlined() -> None:
    page = html_table(RESULT, LAYOUT)
    marked = re.findall(r'<td style="([^"]*)"[^>]*>([^<]*)', page)
    assert [(how.rstrip(";"), text.strip()) for how, text in marked] == [
        ("font-weight: bold", "50.0"),
        ("text-decoration: underline", "25.0"),
    ], "a value without its interval is over too few problems"


def test_a_page_asks_for_nothing_and_is_the_same_each_time() -> None:
    page = html_table(RESULT, LAYOUT)
    assert page.startswith("<!DOCTYPE html>")
    assert '<meta charset="utf-8"' in page
    assert not re.search(r"url\(|@import|src=|href=|https?:", page)
    assert page == html_table(RESULT, LAYOUT)


def test_a_view_is_exported_with_its_record(published: Path, tmp_path: Path) -> None:
    report = export(view="leaderboard", format="html", out=tmp_path)
    assert report.path == str(tmp_path / "leaderboard_v1.html")
    assert Path(report.provenance).is_file()
    rows = cells(Path(report.path).read_text())
    assert rows[0] == ["humaneval"]
    assert rows[1] == ["1", "b%#$", "7", "50.00 [30.00, 70.00]", "--"]


def test_a_result_without_rows_has_its_headings(published: Path, tmp_path: Path) -> None:
    report = export(sql="select 1 as x where false", format="html", out=tmp_path / "none.html")
    page = Path(report.path).read_text()
    assert report.n_rows == 0
    assert ">x<" in page
    assert cells(page) == []
