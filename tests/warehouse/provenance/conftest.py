"""Worlds whose numbers are explained."""

from typing import Any

import pytest

from tests.support.builds.explained import WorldHomes
from tests.support.worlds.world import World


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> WorldHomes:
    return WorldHomes(tmp_path_factory.mktemp("explained"))


@pytest.fixture
def world(homes: WorldHomes, request: Any, monkeypatch: pytest.MonkeyPatch) -> World:
    """One of the worlds, with its home."""
    return homes.enter(request.param, monkeypatch)
