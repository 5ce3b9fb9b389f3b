"""The glossary says where each noun lives; the place must be there, and the noun only once."""

import re
from pathlib import Path

from models.tables import TABLES
from tests.data import ROOT
from warehouse.views.describe import describe_views

ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split("|"))
    for line in (ROOT / "docs" / "glossary.md").read_text().splitlines()
    if line.startswith("| ") and not line.startswith("| noun")
]
NOUNS = [noun for noun, _, _ in ROWS]


def test_there_are_at_least_forty_nouns_in_order() -> None:
    assert len(NOUNS) == len(set(NOUNS)) >= 40
    assert sorted(NOUNS, key=str.casefold) == NOUNS


def test_every_place_exists() -> None:
    tables = {f"raw.{table.__tablename__}" for table in TABLES}
    views = {view.plain_name or view.name for view in describe_views()}
    for noun, _, where in ROWS:
        (place,) = re.findall(r"`([^`]+)`", where)
        assert place in {"raw", *tables, *views} or (ROOT / Path(place)).exists(), noun
