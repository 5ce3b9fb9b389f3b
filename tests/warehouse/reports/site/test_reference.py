"""The pages of ``assay docs``: all that there is has its place, and a browser can read it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.claims import CLAIM_FORMATS
from ingest.imports import FORMATS
from models.tables import TABLES
from runners.cli.main import COMMANDS
from tests.support.commands import assay, refused
from tests.support.site.browser import LACKING, Browser, browser, chromium
from tests.support.site.html import Element, dead_links, pages_in
from tests.support.sql import sql_files
from warehouse.reports.display import text
from warehouse.views.describe import describe_views
from warehouse.views.lineage import lineage

pytestmark = pytest.mark.long(seconds=30)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages, written where there is no home."""
    place = tmp_path_factory.mktemp("reference")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(place / "home"))
        done = assay("docs", str(place / "docs"))
        assert done.returncode == 0, done.stderr
    assert not (place / "home").exists()
    return place / "docs"


@pytest.fixture(scope="module")
def found(reference: Path) -> dict[str, Element]:
    return pages_in(reference)


def named(page: Element) -> dict[str, str]:
    """Return the terms of a page with what is said of each, the last of one name."""
    return {term.text: said.text for term, said in zip(page.all("dt"), page.all("dd"), strict=True)}


def test_every_link_leads_to_a_page_and_a_place(found: dict[str, Element]) -> None:
    assert dead_links(found) == []


def test_every_view_column_table_command_and_format_has_its_page(
    found: dict[str, Element],
) -> None:
    assert {f"view/{file.stem}" for file in sql_files()} <= found.keys()
    listed = {row.inside[0].text for row in found["index"].all("tr")}
    for view in describe_views():
        page = found[f"view/{view.name}"]
        terms = [term for term in page.all("dt") if "id" in term.attributes]
        assert [term.attributes["id"] for term in terms] == [f"c-{c.name}" for c in view.columns]
        assert {view.name, *(column.name for column in view.columns)} <= listed
    for table in TABLES:
        name = table.__tablename__
        said = {term.split()[0]: of for term, of in named(found[f"table/{name}"]).items()}
        assert table.model_fields.keys() <= said.keys()
        assert all(said[column] for column in table.model_fields)
        assert f"raw.{name}" in listed
    for command in COMMANDS:
        assert f"Usage: assay {command} " in found[f"command/{command}"].text
    for option, formats in {"import": FORMATS, "claims": CLAIM_FORMATS}.items():
        for name in formats:
            fields = {row.inside[0].text for row in found[f"format/{option}-{name}"].all("tr")}
            assert {field.name for field in formats.load(name).layout.fields} <= fields


def test_a_mart_says_what_it_estimates_and_each_column_its_type(found: dict[str, Element]) -> None:
    marts = [view for view in describe_views() if view.method is not None]
    assert len(marts) >= 80
    for view in marts:
        assert view.method is not None
        said = named(found[f"view/{view.name}"])
        assert said["Estimand"] == text(view.method.estimand).replace("`", "")
        assert said["Known bias"] == text(view.method.bias).replace("`", "")
        assert said["Formula"]
        assert said["References"]
        for column in view.columns:
            assert said[f"{column.name} {str(column.data_type).lower()}"], (view.name, column)


def test_columns_have_types_but_where_only_a_build_knows_them() -> None:
    for view in describe_views():
        known = {column.data_type is not None for column in view.columns}
        assert known == {view.schema != "intermediate"}, view.name


def test_lineage_leads_both_ways(found: dict[str, Element]) -> None:
    for file in sql_files():
        (first, *_) = lineage(file.stem)
        reads = named(found[f"view/{file.stem}"])["Reads"]
        assert reads == (", ".join(first.reads) or "nothing")
        for read in first.reads:
            kind, name = ("view", read)
            if "." in read:
                schema, name = read.split(".")
                kind = {"raw": "table", "facts": "rule"}[schema]
            assert file.stem in named(found[f"{kind}/{name}"])["Read by"].split(", ")
    (drawing,) = found["view/pass_at_k_v1"].all("svg")
    drawn = {box.text for box in drawing.all("text")}
    page = named(found["view/pass_at_k_v1"])
    neighbours = {*page["Reads"].split(", "), *page["Read by"].split(", ")}
    assert drawn == {"pass_at_k_v1", *neighbours}
    assert len(list(drawing.all("path"))) == len(neighbours)


def test_other_folders_are_not_replaced(reference: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("words")
    line = refused("docs", str(tmp_path), code=3)
    assert line == f"error: {tmp_path}: is a folder with other files: name another folder"
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.fixture
def chrome(tmp_path: Path) -> Iterator[Browser]:
    with browser(tmp_path / "profile") as opened:
        yield opened


@pytest.mark.skipif(chromium() is None, reason=LACKING)
def test_a_browser_finds_a_name_and_nothing_leaves_the_page(
    reference: Path, chrome: Browser
) -> None:
    how = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    chrome.call("Emulation.setDeviceMetricsOverride", **how)
    kinds = ("views", "tables", "columns", "commands", "formats", "view/int_problem_tallied")
    others = ("table/generation", "rule/program_judged", "command/export", "format/claims-generic")
    for address in (*kinds, *others, "index"):
        chrome.open(f"file://{reference}/{address}.html")
        assert chrome.value("document.styleSheets.length") == 1
        assert chrome.value("document.documentElement.scrollWidth") <= 360, address
    chrome.value(
        "(() => { const field = document.querySelector('label.filter input');"
        "field.value = 'calibration_raw_v2'; field.dispatchEvent(new Event('input')); })()"
    )
    shown = "[...document.querySelectorAll('tbody tr')].filter((row) => !row.hidden)"
    assert chrome.value(f"{shown}[0].cells[0].textContent") == "calibration_raw_v2"
    assert chrome.value(f"{shown}.length") < 10
    chrome.open(chrome.value(f"{shown}[0].querySelector('a').href"))
    assert chrome.value("document.querySelector('h1').textContent") == "calibration_raw_v2"
    assert chrome.value("document.querySelectorAll('svg.lineage a').length") > 2
    assert chrome.left_the_page == []
    assert chrome.errors == []
