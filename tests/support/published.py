"""Seeds of published numbers, and the checks that a view makes of them."""

import csv
from pathlib import Path
from typing import Any

from tests.data import ROOT
from warehouse.store.connection import writing


def seed(name: str) -> list[dict[str, str]]:
    """Return the rows of a seed as text."""
    with (ROOT / "dbt" / "seeds" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def of(checks: list[dict[str, Any]], name: str) -> dict[str, dict[str, Any]]:
    """Return the rows of one check by item; there must be some."""
    found = {row["item"]: row for row in checks if row["check_name"] == name}
    assert found, name
    return found


def make_beside(path: Path, rows: list[tuple[Any, ...]]) -> None:
    """Create rtc_beside_pass_at_1_v1: language model, whether simulated, dataset, three numbers."""
    with writing(path) as con:
        con.execute(
            "create or replace table rtc_beside_pass_at_1_v1 (lm_id varchar, simulated boolean, "
            "dataset varchar, pass_at_1 double, rtc double, lift double)"
        )
        if rows:
            con.executemany("insert into rtc_beside_pass_at_1_v1 values (?, ?, ?, ?, ?, ?)", rows)
