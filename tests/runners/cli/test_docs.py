"""The generated pages are those the code would write, and they leave nothing out."""

import re
from pathlib import Path

import pytest

from models.tables import TABLES
from runners.cli.main import COMMANDS
from runners.docs import FOLDER, pages, write_pages
from tests.support.published import seed
from tests.support.sql import sql_files


@pytest.mark.parametrize(
    "name", ["views.md", "tables.md", "cli.md", "formats.md", "claims.md", "published.md"]
)
def test_the_page_is_fresh(name: str) -> None:
    path = FOLDER / name
    assert path.read_text(encoding="utf-8") == pages()[name], f"{path} is stale: run `make docs`"


def test_every_view_table_and_command_is_there() -> None:
    found = pages()
    for file in sql_files():
        assert re.search(rf"^### (\w+\.)?{file.stem}$", found["views.md"], re.M), file
    for table in TABLES:
        name = table.__tablename__
        assert f"## raw.{name}\n" in found["tables.md"]
        for column in table.model_fields:
            assert f"| `{column}` |" in found["tables.md"]
    for command in COMMANDS:
        assert f"## assay {command}\n" in found["cli.md"]
        assert f"Usage: assay {command}" in found["cli.md"]
    for row in re.findall(r"^\|.*\|$", found["views.md"] + found["tables.md"], re.M):
        assert not row.endswith("|  |"), f"no description: {row}"


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
    assert len(write_pages(tmp_path)) == 6
    assert write_pages(tmp_path) == []
