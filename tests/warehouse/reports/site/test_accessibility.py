"""axe in a real browser: each kind of page, in light on a desk and in dark on a phone."""

import json
from importlib import resources
from pathlib import Path

import pytest

from tests.support.site.browser import LACKING, Browser, chromium
from tests.support.site.world import kinds_of

pytestmark = [
    pytest.mark.long(seconds=60),
    pytest.mark.skipif(chromium() is None, reason=LACKING),
]
AXE = resources.files("axe_playwright_python").joinpath("axe.min.js")
LOOKS = {"light": (1280, 900, False), "dark": (360, 740, True)}
SERIOUS = """axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes: [{ html, failureSummary }] }) => `${id}: ${html} ${failureSummary}`))"""


def look(chrome: Browser, scheme: str) -> None:
    """Show pages in a colour scheme, at the width that goes with it."""
    width, height, mobile = LOOKS[scheme]
    chrome.call(
        "Emulation.setDeviceMetricsOverride",
        width=width, height=height, deviceScaleFactor=1, mobile=mobile,
    )  # fmt: skip
    chosen = {"name": "prefers-color-scheme", "value": scheme}
    chrome.call("Emulation.setEmulatedMedia", features=[chosen])


def serious(chrome: Browser) -> list[str]:
    """Return what axe calls serious or critical on the page that is open."""
    chrome.value("for (const each of document.querySelectorAll('details')) each.open = true")
    chrome.call("Runtime.evaluate", expression=AXE.read_text(encoding="utf-8"))
    return list(chrome.value(SERIOUS))


@pytest.mark.parametrize("scheme", LOOKS)
def test_axe_finds_nothing_serious(hostile_place: Path, chrome: Browser, scheme: str) -> None:
    found = {}
    look(chrome, scheme)
    for address in kinds_of(hostile_place):
        chrome.open(f"file://{hostile_place}/site/{address}.html")
        if faults := serious(chrome):
            found[address] = faults
    assert not found, json.dumps(found, indent=1)


def test_axe_finds_a_planted_fault(hostile_place: Path, chrome: Browser) -> None:
    chrome.open(f"file://{hostile_place}/site/index.html")
    chrome.value("document.querySelector('main').append(new Image())")
    assert [each.partition(":")[0] for each in serious(chrome)] == ["image-alt"]
