"""The single file: every page of the folder is inside, and nothing outside is needed."""

import gzip
import hashlib
import json
import re
from base64 import b64encode, b85decode
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import refused
from tests.support.site.html import Element, page_of
from warehouse.reports.site import one_file

pytestmark = [pytest.mark.long(seconds=60), pytest.mark.usefixtures("hostile_home")]


@pytest.fixture(scope="module")
def document(hostile_place: Path) -> Element:
    return page_of((hostile_place / "site.html").read_text())


@pytest.fixture(scope="module")
def parts(document: Element) -> list[dict[str, Any]]:
    packed = ["".join(each.texts) for each in document.all("script", class_="part")]
    assert not any("<" in each for each in packed)
    return [json.loads(gzip.decompress(b85decode(each.replace(",", "<")))) for each in packed]


@pytest.fixture(scope="module")
def inside(parts: list[dict[str, Any]]) -> dict[str, Element]:
    return {address: page_of(body) for part in parts[1:] for address, (_, body) in part.items()}


def test_every_page_of_the_folder_is_inside(
    parts: list[dict[str, Any]], inside: dict[str, Element], pages: dict[str, Element]
) -> None:
    assert inside.keys() == pages.keys() == parts[0].keys()
    assert all(address in parts[number] for address, number in parts[0].items())
    for address, page in inside.items():
        (main,) = pages[address].all("main")
        assert page.text == main.text, address


def test_every_link_leads_to_a_page_inside(inside: dict[str, Element]) -> None:
    ids = {
        address: {e.attributes.get("id") for e in page.all()} for address, page in inside.items()
    }
    for page in inside.values():
        for link in page.all("a"):
            assert link.attributes["href"].startswith("#/")
            address, _, anchor = link.attributes["href"][2:].partition("!")
            assert address in inside
            assert not anchor or anchor in ids[address], link.attributes


def test_nothing_is_loaded_and_one_script_may_run(
    document: Element, inside: dict[str, Element]
) -> None:
    (policy,) = document.all("meta", **{"http-equiv": "Content-Security-Policy"})
    allowed = policy.attributes["content"]
    assert allowed.startswith("default-src 'none'; ")
    assert "img-src data:" in allowed
    (script,) = [each for each in document.all("script") if not each.attributes]
    (style,) = document.all("style")
    for kind, element in (("script", script), ("style", style)):
        digest = hashlib.sha256("".join(element.texts).encode()).digest()
        assert f"{kind}-src 'sha256-{b64encode(digest).decode()}'" in allowed
    assert "connect-src" not in allowed
    assert "'unsafe-eval'" not in allowed
    for page in (document, *inside.values()):
        assert not list(page.all("link"))
        assert all(each.attributes["src"].startswith("data:") for each in page.all("img"))
    assert not re.search(r"url\(|@import|https?:", "".join(style.texts))


def test_one_too_large_is_refused(
    hostile_place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(one_file, "MOST_BYTES", 50_000)
    out = tmp_path / "site.html"
    line = refused("site", "--single-file", "--out", str(out), code=1)
    assert line.endswith("leave out --single-file, and the site is a folder")
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_place_for_a_file(hostile_place: Path, tmp_path: Path) -> None:
    line = refused("site", "--single-file", "--out", str(tmp_path), code=3)
    assert line == f"error: {tmp_path}: is a folder: only a regular file is replaced; " + (
        "name a file with --out"
    )
    nowhere = tmp_path / "none" / "site.html"
    line = refused("site", "--single-file", "--out", str(nowhere), code=3)
    assert line == f"error: {nowhere}: there is no folder {nowhere.parent}; name a file with --out"
    line = refused("site", "--single-file", "--serve", code=2)
    assert "--serve goes with a folder" in line
