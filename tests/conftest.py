"""Every test has a home of its own; none touches the user's."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest


def pytest_configure() -> None:
    """Some tests interrupt a program; started in the background, all would ignore that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests first: the others then fill the time beside them."""
    items.sort(key=lambda item: not {"long", "slow"} & {mark.name for mark in item.iter_markers()})


@pytest.fixture(scope="session", autouse=True)
def parsed_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """All warehouses of this process share what dbt has parsed of the project."""
    place = tmp_path_factory.mktemp("dbt")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warehouse.views.build.dbt_dir", lambda: place)
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh ASSAY_HOME."""
    folder = tmp_path / "home"
    monkeypatch.setenv("ASSAY_HOME", str(folder))
    return folder
