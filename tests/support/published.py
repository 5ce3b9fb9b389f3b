"""Seeds of published numbers, and the checks that a view makes of them."""

import csv
from typing import Any

from tests.data import ROOT


def seed(name: str) -> list[dict[str, str]]:
    """Return the rows of a seed as text."""
    with (ROOT / "dbt" / "seeds" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def of(checks: list[dict[str, Any]], name: str) -> dict[str, dict[str, Any]]:
    """Return the rows of one check by item; there must be some."""
    found = {row["item"]: row for row in checks if row["check_name"] == name}
    assert found, name
    return found
