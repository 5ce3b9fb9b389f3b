"""SQL is in files: no Python but the store's holds a query, a statement, or a part of one."""

import ast
import re
from pathlib import Path

import pytest

from tests.data import ROOT
from warehouse.facts import query as facts
from warehouse.reports import query as reports

STORE = Path("warehouse/store")
FOLDERS = (Path(str(facts.FOLDER)), Path(str(reports.FOLDER)))
COMMAND = re.compile(r"assay (sql|export)\b.*")
"""A command that the reader is shown: its SQL is the reader's."""
SQL = re.compile(
    r"""
    \bselect\s+(distinct\b|\*|count\(|\S+.*\bfrom\b)
    | ^\s*(with\s+\w+\s+as\s*\(|from\s+\w+(\.\w+)?\s*(where\b|order\b|$))
    | \b(order|group|partition)\s+by\b
    | \b(inner|left|cross|semi|anti|full)\s+join\b | \bjoin\s+\w+\s+(as|on|using)\b
    | \bunion\s+(all|by)\b
    | \bwhere\s+\(?\S+\s*[=<>] | \bwhere\s+\S+\s+(is\s+(not\s+)?null\b|in\s*\(|between\b)
    | \b(coalesce|list_position|row_number|nullif)\( | \bcase\s+(\w+\s+)?when\b
    | \bfilter\s*\(\s*where\b | \bas\s+\w+\s+from\b
    | \b(insert\s+(or\s+replace\s+)?into|delete\s+from|(create|drop)\s+(table|view|macro|schema))\b
    | \bcopy\s*\( | \bcomment\s+on\b
    """,
    re.VERBOSE | re.DOTALL,
)


def texts(tree: ast.Module) -> list[str]:
    """Return the string constants of a module but its docstrings; what f-strings fill in is x."""
    docstrings = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "x" for part in node.values]
            found.append("".join(map(str, parts)))
        elif isinstance(node, ast.Constant) and id(node) not in docstrings:
            found.append(str(node.value))
    return found


def sql_in(source: str) -> list[str]:
    """Return the texts of some Python that are SQL."""
    return [text for text in texts(ast.parse(source)) if SQL.search(COMMAND.sub("", text))]


def test_no_python_but_the_store_holds_sql() -> None:
    found = {}
    for room in ("models", "warehouse", "ingest", "runners"):
        for path in (ROOT / room).rglob("*.py"):
            name = path.relative_to(ROOT)
            if not name.is_relative_to(STORE) and (texts := sql_in(path.read_text())):
                found[str(name)] = texts
    assert not found


@pytest.mark.parametrize(
    "source",
    [
        "'select 1 from raw.run'",
        "f'select {names} from {table}'",
        "'select distinct lm, dataset'",
        "f' where {column} = ' + value",
        "f'dataset where lm_id in ({names})'",
        "'order by lm, lm_id'",
        "f'{rows} group by all'",
        "f'left join {name} on trips.lm_id = {name}.lm_id'",
        "'\\nunion all by name\\n'",
        "f'max({name}) filter (where {condition})'",
        "'with named as (select 1)'",
        "'from alerts'",
        "f'create view {name} as'",
        "'insert into meta.view_build values (?)'",
    ],
)
def test_sql_in_python_would_be_seen(source: str) -> None:
    assert sql_in(f"x = {source}")


@pytest.mark.parametrize(
    "source",
    [
        "'choose from those that are there, in order'",
        "'where it is not known'",
        "'see them with `assay sql \"select * from alerts where is_new\"`'",
    ],
)
def test_words_and_commands_are_not_taken_for_sql(source: str) -> None:
    assert not sql_in(f"x = {source}")


@pytest.mark.parametrize("folder", FOLDERS, ids=["facts", "reports"])
def test_each_query_opens_with_its_grain(folder: Path) -> None:
    files = [file for file in folder.rglob("*.sql") if file.parent.name != "macros"]
    assert files
    for file in files:
        assert file.read_text().startswith("-- One row"), file


def test_the_sql_of_reports_reads_views_alone() -> None:
    """All but those that show raw rows: of `assay why`, and of the pages of a site."""
    folder = Path(str(reports.FOLDER))
    rows = {*(folder / "why").iterdir(), *(folder / "site" / "raw").iterdir()}
    for file in set(folder.rglob("*.sql")) - rows:
        assert not re.search(r"\b(raw|facts|intermediate)\.", file.read_text()), file
