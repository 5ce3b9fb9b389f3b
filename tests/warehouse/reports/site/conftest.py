"""The site of a hostile world in both forms, made once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.site.html import Element, pages_in
from tests.support.site.world import hostile_world
from tests.support.steps import build, publish, site
from tests.support.worlds.views import mark_built


@pytest.fixture(scope="session")
def hostile_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a home, whose snapshot has texts."""
    place = tmp_path_factory.mktemp("site")
    hostile_world().write(place / "home" / "warehouse.duckdb")
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
