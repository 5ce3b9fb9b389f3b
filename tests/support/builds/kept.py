"""The file of a build's statements, read and changed: a checksum, then JSON."""

import json
from pathlib import Path
from typing import Any

from warehouse.views.statements.keeping import StatementStore

STORE = StatementStore("warehouse.duckdb")


def read_kept(file: Path) -> Any:
    return json.loads(file.read_text().split("\n", 1)[1])


def write_kept(file: Path, kept: Any) -> None:
    text = json.dumps(kept)
    file.write_text(f"{STORE.checksum(text)}\n{text}")
