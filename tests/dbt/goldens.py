"""Golden files: what a version of a view gave on planted rows, kept to the ninth decimal."""

import csv
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parent / "golden"


def check_golden(view: str, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Compare; REGOLDEN=1 writes the file anew: before publication only, and read the diff."""
    file = GOLDEN / f"{view}.csv"
    if os.environ.get("REGOLDEN"):
        GOLDEN.mkdir(exist_ok=True)
        with file.open("w", newline="", encoding="utf-8") as out:
            csv.writer(out, lineterminator="\n").writerows([header, *rows])
    with file.open(newline="", encoding="utf-8") as saved:
        kept = list(csv.reader(saved))
    assert kept[0] == list(header)
    assert len(kept) - 1 == len(rows)
    for ours, theirs in zip(rows, kept[1:], strict=True):
        for name, value, text in zip(header, ours, theirs, strict=True):
            if isinstance(value, float) and text:
                assert math.isclose(value, float(text), abs_tol=1e-9), (view, name)
            else:
                assert ("" if value is None else str(value)) == text, (view, name)
