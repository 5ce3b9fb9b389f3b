"""Fixtures that count what builds do, or leave the project few views."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.steps import build
from tests.support.worlds.world import World
from warehouse.store.growth.touched import Touched
from warehouse.views import build as building
from warehouse.views import increment
from warehouse.views.part import part_of
from warehouse.views.statements import keeping, sending

FEW = "+pass_at_k_v1 +leaderboard_v1 +roc_v1 +confidence_v2 +int_compared_entry +int_entry_paired"


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often dbt built, tables were made in whole, and rows of touched units were replaced."""
    counted: Counter[str] = Counter()

    def counting(owner: Any, name: str) -> None:
        original = getattr(owner, name)

        def wrapped(*args: Any, **kwargs: Any) -> Any:
            counted[name] += 1
            return original(*args, **kwargs)

        monkeypatch.setattr(owner, name, wrapped)

    counting(building, "_run_dbt")
    counting(sending, "_send_all")
    for name in ("_make", "_replace", "_test"):
        counting(increment.Increment, name)
    return counted


@pytest.fixture
def few_views(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As if the project had few views, ``FEW``."""
    of_all = keeping.StatementStore.find

    def of_few(self: keeping.StatementStore) -> keeping.KeptBuild | None:
        kept = of_all(self)
        assert kept is not None
        few = part_of(FEW, kept.nodes, ())
        names = {"", *(node.name for node in few)}
        sent = [each for each in kept.statements if each.node in names]
        return keeping.KeptBuild(sent, few, kept.built)

    # where no statements are kept yet, a part of an empty warehouse finds them
    build(World().write(tmp_path / "empty" / "warehouse.duckdb"), select="errata")
    monkeypatch.setattr(keeping.StatementStore, "find", of_few)


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of touched units are replaced even where most are touched, as in these small worlds."""
    monkeypatch.setattr(Touched, "is_most", lambda _: False)
