"""The site of a hostile world in both forms, made once."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from runners.cli.sql_engine import fetch_sql_engine
from tests.support.site.browser import Browser, browser
from tests.support.site.html import Element, pages_in
from tests.support.site.world import hostile_world
from tests.support.steps import build, publish, site
from tests.support.worlds.views import mark_built
from warehouse.errors import AssayError


@pytest.fixture(scope="session")
def fetched_engine(request: pytest.FixtureRequest) -> Path:
    """The engine of the SQL page in a cache that stays; empty where no index is in reach."""
    home = request.config.cache.mkdir("sql_engine")
    with pytest.MonkeyPatch.context() as patch, suppress(AssayError):
        patch.setenv("ASSAY_HOME", str(home))
        fetch_sql_engine()
    return home / "cache"


@pytest.fixture(scope="session")
def hostile_place(tmp_path_factory: pytest.TempPathFactory, fetched_engine: Path) -> Path:
    """A folder with a home, whose snapshot has texts."""
    place = tmp_path_factory.mktemp("site")
    hostile_world().write(place / "home" / "warehouse.duckdb")
    shutil.copytree(fetched_engine, place / "home" / "cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(place / "home"))
        build()
        mark_built()
        publish(with_texts=True)
        site(out=place / "site")
        site(out=place / "site.html", single_file=True)
    return place


@pytest.fixture(scope="module")
def hostile_home(hostile_place: Path) -> Iterator[Path]:
    """The home of that world, as that of Assay; the folder beside it is returned."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(hostile_place / "home"))
        yield hostile_place


@pytest.fixture(scope="session")
def pages(hostile_place: Path) -> dict[str, Element]:
    """Every page by its address, read and found well formed."""
    return pages_in(hostile_place / "site")


@pytest.fixture
def chrome(tmp_path: Path) -> Iterator[Browser]:
    """A browser with a fresh profile."""
    with browser(tmp_path / "profile") as found:
        yield found
