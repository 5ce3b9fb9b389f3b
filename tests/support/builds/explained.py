"""Small worlds with all of their views, and rows of them explained."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.sql import rows_of
from tests.support.steps import build
from tests.support.worlds.ame import random_pair_world
from tests.support.worlds.edits import random_edits
from tests.support.worlds.lines import random_lines
from tests.support.worlds.world import World, random_world
from warehouse.reports.specs import WhySpec
from warehouse.reports.why.explain import Explanation, explain
from warehouse.store.connection import reading
from warehouse.views.describe import describe_views

WORLDS: dict[str, Callable[[], World]] = {
    "samples": lambda: random_world(20261125),
    "pairs": lambda: random_pair_world(20261125, 3),
    "edits": lambda: random_edits(20240214),
    "lines": lambda: random_lines(20261125),
}
VIEWS = {view.name: view for view in describe_views() if view.method is not None}


class WorldHomes:
    """WorldHomes of the worlds, each written and built when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.built: dict[str, World] = {}

    def enter(self, name: str, patch: pytest.MonkeyPatch) -> World:
        """Make a world's home that of Assay, and return the world."""
        home = self.folder / name
        patch.setenv("ASSAY_HOME", str(home))
        if name not in self.built:
            self.built[name] = WORLDS[name]()
            self.built[name].write(home / "warehouse.duckdb")
            build()
        return self.built[name]


def some_rows(view: str, most: int = 5, where: str = "true") -> list[dict[str, Any]]:
    """Return rows of a view, spread over all of it."""
    with reading() as con:
        found = rows_of(con, f"select * from {view} where {where} order by all")
    return found[:: max(1, len(found) // most)][:most]


def why(view: str, row: dict[str, Any], **more: Any) -> Explanation:
    """Explain a row that is named by its key."""
    key = VIEWS[view].key or ("generation_id", "problem_id")
    words = [f"{name}={told(row[name])}" for name in key]
    return explain(WhySpec(view=view, row=words, warehouse=True, generations=True, **more))


def told(value: Any) -> str:
    return (
        str(value).lower() if isinstance(value, bool) else "NULL" if value is None else str(value)
    )


def parts(found: Explanation, role: str) -> Counter[tuple[str | None, str | None]]:
    return Counter(
        {
            (p["verdict"], p["null_reason"]): p["n"]
            for p in found.inputs.reasons
            if p["role"] == role
        }
    )
