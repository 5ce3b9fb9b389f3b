"""Golden files: what a version of a view gave on planted rows, kept to the ninth decimal."""

import csv
import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

from tests.data import ROOT

GOLDEN = ROOT / "tests" / "dbt" / "golden"


def check_golden(view: str, rows: Sequence[Mapping[str, Any]], *, abs_tol: float = 1e-9) -> None:
    """Compare; REGOLDEN=1 writes the file again: before publication only, and read the diff."""
    file = GOLDEN / f"{view}.csv"
    header = list(rows[0])
    if os.environ.get("REGOLDEN"):
        with file.open("w", newline="", encoding="utf-8") as out:
            table = csv.writer(out, lineterminator="\n")
            table.writerows([header, *(row.values() for row in rows)])
    with file.open(newline="", encoding="utf-8") as saved:
        kept = list(csv.reader(saved))
    assert kept[0] == header
    assert len(kept) - 1 == len(rows)
    for row, texts in zip(rows, kept[1:], strict=True):
        for (name, value), text in zip(row.items(), texts, strict=True):
            if isinstance(value, float) and text:
                assert math.isclose(value, float(text), abs_tol=abs_tol), (view, name)
            else:
                assert ("" if value is None else str(value)) == text, (view, name)
