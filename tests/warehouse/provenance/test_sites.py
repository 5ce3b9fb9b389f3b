"""A site of worlds of every kind: edits, lines, samples, pairs. Every page is there and whole."""

from pathlib import Path

import pytest

from tests.support.builds.explained import WORLDS
from tests.support.site.html import dead_links, pages_in
from tests.support.sql import n_rows
from tests.support.steps import site
from tests.support.worlds.world import World

pytestmark = pytest.mark.long(seconds=120)


@pytest.mark.parametrize("world", list(WORLDS), indirect=True)
def test_every_link_of_a_site_leads_somewhere(world: World, tmp_path: Path) -> None:
    site(out=tmp_path / "site", warehouse=True)
    pages = pages_in(tmp_path / "site")
    assert dead_links(pages) == []
    kinds = [address.partition("/")[0] for address in pages]
    assert kinds.count("generation") == n_rows("generation") > 0
    assert kinds.count("problem") == n_rows("problem")
