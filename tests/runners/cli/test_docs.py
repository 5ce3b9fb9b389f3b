"""The generated pages are those the code would write, and they leave nothing out."""

import re
from pathlib import Path

import pytest

from runners.docs import FOLDER, pages, write_pages
from tests.support.published import seed
from warehouse.views.describe import describe_views


@pytest.mark.parametrize("name", ["views.md", "formats.md", "claims.md", "published.md"])
def test_the_page_is_fresh(name: str) -> None:
    path = FOLDER / name
    assert path.read_text(encoding="utf-8") == pages()[name], f"{path} is stale: run `make docs`"


def test_the_list_has_the_newest_version_of_every_mart() -> None:
    listed = re.findall(r"^\| `(\w+)` \| \S.* \|$", pages()["views.md"], re.MULTILINE)
    assert listed == [view.plain_name for view in describe_views() if view.plain_name]


def test_every_contradiction_of_a_paper_is_listed_by_name() -> None:
    page = (FOLDER / "published.md").read_text(encoding="utf-8")
    rows = seed("published_contradictions")
    assert {row["paper"] for row in rows} == {"calibration", "mutations", "round_trip", "diversity"}
    for row in rows:
        (listed,) = re.findall(
            rf"<!-- Contradictions of {row['paper']}\b.*?<!-- End\. -->", page, re.DOTALL
        )
        of_check = [line for line in listed.splitlines() if f"| `{row['check_name']}` |" in line]
        assert any(f"`{row['item']}`" in line for line in of_check), row


def test_only_stale_pages_are_written(tmp_path: Path) -> None:
    assert len(write_pages(tmp_path)) == 4
    assert write_pages(tmp_path) == []
