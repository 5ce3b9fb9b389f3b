"""Both forms of the site in a real browser: nothing leaves the page, nothing hostile runs."""

from pathlib import Path

import pytest

from tests.support.site.browser import LACKING, Browser, chromium
from tests.support.site.world import GENERATION, address_of, kinds_of

pytestmark = [
    pytest.mark.long(seconds=60),
    pytest.mark.skipif(chromium() is None, reason=LACKING),
]
HEADING = "document.querySelector('h1').textContent"


def assert_quiet(chrome: Browser) -> None:
    assert chrome.left_the_page == []
    assert chrome.errors == []
    assert chrome.value("typeof window.evil") == "undefined"


def test_a_folder_opens_from_disk(hostile_place: Path, chrome: Browser) -> None:
    for address in kinds_of(hostile_place):
        chrome.open(f"file://{hostile_place}/site/{address}.html")
        assert chrome.value("document.styleSheets.length") == 1
        assert_quiet(chrome)
    assert any(url.endswith("site.js") for url in chrome.requests)


def test_a_single_file_shows_each_page(hostile_place: Path, chrome: Browser) -> None:
    chrome.open(f"file://{hostile_place}/site.html")
    assert chrome.value("document.title") == "Leaderboards – Assay"
    for address in kinds_of(hostile_place):
        chrome.value(f"location.hash = '#/{address}'")
        chrome.until(f"document.title !== 'waiting' && location.hash === '#/{address}'")
        chrome.until("document.querySelector('main h1') !== null")
        assert_quiet(chrome)
    assert {url.partition("#")[0] for url in chrome.requests} - {"about:blank"} <= {
        f"file://{hostile_place}/site.html",
        *(url for url in chrome.requests if url.startswith(("data:", "blob:"))),
    }


def test_a_link_to_a_generation_opens_it(hostile_place: Path, chrome: Browser) -> None:
    chrome.open(f"file://{hostile_place}/site.html#/{GENERATION}")
    chrome.until(f"{HEADING}.includes('sample 1')")
    text = chrome.value("document.querySelector('main').textContent")
    assert "<script>window.evil=1</script>" in text
    assert "Isolation none, integrity split" in " ".join(text.split())
    chrome.value("document.querySelector('main a[href^=\"#/problem/\"]').click()")
    chrome.until(f"{HEADING}.startsWith('toy/2')")
    assert_quiet(chrome)


def test_tables_are_sorted_and_filtered_by_keyboard(hostile_place: Path, chrome: Browser) -> None:
    chrome.open(f"file://{hostile_place}/site/{address_of(hostile_place, 'dataset')}.html")
    chrome.value("document.querySelector('.matrix th:nth-child(2) button').focus()")
    first = "document.querySelector('.matrix tbody tr').cells[1].textContent"
    chrome.press("Enter")
    counts = chrome.value(
        "[...document.querySelectorAll('.matrix tbody tr')].map((r) => +r.cells[1].textContent)"
    )
    assert counts == sorted(counts, reverse=True)
    heading = "document.querySelector('.matrix th:nth-child(2)').getAttribute('aria-sort')"
    assert chrome.value(heading) == "descending"
    chrome.press("Enter")
    assert chrome.value(heading) == "ascending"
    assert int(chrome.value(first)) == min(counts)
    chrome.value(
        "(() => { const field = document.querySelector('label.filter input');"
        "field.value = 'toy/11'; field.dispatchEvent(new Event('input')); })()"
    )
    shown = "[...document.querySelectorAll('.matrix tbody tr')].filter((r) => !r.hidden).length"
    assert chrome.value(shown) == 1


def test_the_keyboard_reaches_the_content_first(hostile_place: Path, chrome: Browser) -> None:
    chrome.open(f"file://{hostile_place}/site/index.html")
    chrome.press("Tab")
    assert chrome.value("document.activeElement.className") == "skip"
    chrome.press("Enter")
    chrome.press("Tab")
    assert chrome.value("document.querySelector('main').contains(document.activeElement)")


def test_no_page_is_wider_than_a_phone(hostile_place: Path, chrome: Browser) -> None:
    how = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    chrome.call("Emulation.setDeviceMetricsOverride", **how)
    for address in kinds_of(hostile_place):
        chrome.open(f"file://{hostile_place}/site/{address}.html")
        assert chrome.value("document.documentElement.scrollWidth") <= 360, address


def test_a_page_is_whole_without_scripts(hostile_place: Path, chrome: Browser) -> None:
    chrome.call("Emulation.setScriptExecutionDisabled", value=True)
    chrome.call("Page.navigate", url=f"file://{hostile_place}/site/{GENERATION}.html")
    chrome.call("Emulation.setScriptExecutionDisabled", value=False)
    chrome.until("document.readyState === 'complete'")
    assert "Kept by the rule" in chrome.value("document.querySelector('main').textContent")
    assert chrome.value("document.querySelectorAll('button').length") == 0
