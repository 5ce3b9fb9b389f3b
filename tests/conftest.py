"""Every test has a separate home; none touches the user's."""

import gc
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from xdist.scheduler import LoadScopeScheduling

from tests.support.builds.parsed import ParsedProject

SHARED = ("tests/warehouse/provenance", "tests/warehouse/reports/site")
"""Folders whose modules share built worlds or a site."""


def pytest_configure() -> None:
    """Set what holds for all tests: nothing is timed, and an interrupt interrupts.

    Some tests interrupt a program; started in the background, all would ignore that.
    """
    hypothesis.settings.register_profile("untimed", deadline=None)
    hypothesis.settings.load_profile("untimed")
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests first, those of most seconds before all: the others fill the time beside them."""
    items.sort(key=lambda item: -_seconds(item))


def pytest_collection_finish() -> None:
    """Look for garbage seldom, and not in what was imported: a twentieth of all time went there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def _seconds(item: pytest.Item) -> int:
    """Return what the mark ``long`` says a module takes, 30 unless it says more."""
    marks = [mark for name in ("long", "slow") for mark in item.iter_markers(name)]
    return max((mark.kwargs.get("seconds", 30) for mark in marks), default=0)


class ByShared(LoadScopeScheduling):
    """Modules that share what is dear to make go to one worker."""

    def _split_scope(self, nodeid: str) -> str:
        folder = nodeid.partition("::")[0].rpartition("/")[0]
        return folder if folder in SHARED else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    return ByShared(config, log)


@pytest.fixture(scope="session")
def parsed_project(pytestconfig: pytest.Config) -> ParsedProject:
    """What dbt parsed in this run or in one before, while the project is the same."""
    return ParsedProject(pytestconfig.cache.mkdir("dbt"))  # type: ignore[union-attr]


@pytest.fixture(scope="session", autouse=True)
def parsed_once(
    tmp_path_factory: pytest.TempPathFactory, parsed_project: ParsedProject
) -> Iterator[None]:
    """All warehouses share what dbt has parsed, and what it has sent for builds of one kind."""
    place = tmp_path_factory.mktemp("dbt")

    def dbt_dir() -> Path:
        parsed_project.give(place)
        parsed_project.take(place)
        return place

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warehouse.views.build.dbt_dir", dbt_dir)
        patch.setattr("warehouse.views.statements.keeping.dbt_dir", dbt_dir)
        yield
    parsed_project.take(place)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh ASSAY_HOME."""
    folder = tmp_path / "home"
    monkeypatch.setenv("ASSAY_HOME", str(folder))
    return folder
