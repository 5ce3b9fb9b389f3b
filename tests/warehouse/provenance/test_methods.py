"""Each mart says what it estimates, how, by whom and how it errs; the works are parsed."""

import re
from pathlib import Path

import pytest
import yaml

from ingest.datasets import DATASETS as INGESTED
from tests.data import ROOT
from warehouse.reports.citations.bibliography import DATASETS, Work, bibliography, parsed, plain
from warehouse.reports.citations.cite import PARTS_OF_ASSAY, own_citation
from warehouse.views.describe import ViewDoc, describe_views
from warehouse.views.project import project_dir

REQUIRED = {
    "article": {"journal"},
    "inproceedings": {"booktitle"},
    "incollection": {"booktitle", "publisher"},
    "book": {"publisher"},
    "misc": {"eprint", "archiveprefix"},
}
KNOWN = {
    *("author", "title", "year", "journal", "booktitle", "publisher", "volume", "number", "pages"),
    *("edition", "doi", "eprint", "archiveprefix"),
}


def marts() -> list[ViewDoc]:
    names = {path.stem for path in (project_dir() / "models" / "marts").rglob("*.sql")}
    return [view for view in describe_views() if view.name in names]


@pytest.mark.parametrize("view", marts(), ids=lambda view: view.name)
def test_each_mart_says_what_it_estimates_and_how(view: ViewDoc) -> None:
    method = view.method
    assert method is not None, "config.meta with estimand, formula, reference and bias"
    for text in (method.estimand, method.formula, method.bias):
        assert len(text) > 8
        assert text.endswith("."), text
    assert bool(method.references) != bool(method.no_reference)
    keys = [reference.key for reference in method.references]
    assert set(keys) <= bibliography().keys()
    assert len(keys) == len(set(keys)), "a work is named once"


def test_the_numbers_of_versions_that_differ_have_methods_that_differ() -> None:
    views = {view.name: view.method for view in marts()}
    for name in ("ame", "calibration_raw", "calibration_scaled", "sim_at_k", "leaderboard"):
        assert views[f"{name}_v1"] != views[f"{name}_v2"], name


def test_each_work_is_cited_and_each_dataset_has_one() -> None:
    cited = {
        reference.key for view in marts() if view.method for reference in view.method.references
    }
    cited |= {key for keys in DATASETS.values() for key in keys}
    assert cited == bibliography().keys()
    assert {*DATASETS, *PARTS_OF_ASSAY} == set(INGESTED)


@pytest.mark.parametrize("entry", bibliography().values(), ids=lambda entry: entry.key)
def test_each_work_can_be_cited(entry: Work) -> None:
    assert entry.fields.keys() >= {"author", "title", "year"} | REQUIRED[entry.kind]
    assert entry.fields.keys() <= KNOWN
    assert re.fullmatch(r"(18|19|20)\d\d", entry.fields["year"])
    assert entry.fields["year"] in entry.key
    for name in entry.fields["author"].split(" and "):
        assert name in ("Student", "others") or re.fullmatch(r"[^,]+, [^,]+", name), name
    if "eprint" in entry.fields:
        assert re.fullmatch(r"\d{4}\.\d{5}", entry.fields["eprint"])
        assert entry.fields["archiveprefix"] == "arXiv"
    if "pages" in entry.fields:
        assert re.fullmatch(r"\d+--\d+|e\d+", entry.fields["pages"])
    if "doi" in entry.fields:
        assert re.fullmatch(r"10\.\d{4,5}/\S+", entry.fields["doi"])
    assert re.search(r"[{}\\]", plain(entry.fields["title"] + entry.fields["author"])) is None


def test_the_labels_of_works() -> None:
    works = bibliography()
    assert works["wilson1927"].label == "Wilson 1927"
    assert works["blasiok2023"].label == "Błasiok and Nakkiran 2023"
    assert works["chen2021"].label == "Chen et al. 2021"


GOOD = "@misc{a1,\n  title = {T},\n}\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (GOOD + GOOD, "line 4: no entry, or a second one of its key"),
        ("@misc{a1}\n", "line 1: no entry"),
        ("text\n", "line 1: no entry"),
        (GOOD.replace("},", "}"), "line 2: no field"),
        (GOOD.replace("{T}", "{T} }"), "line 2: no field"),
        (GOOD.replace("  title = {T},\n", "  title = {T},\n  title = {U},\n"), "line 3: no field"),
        (GOOD[:-2], "the entry a1 does not end"),
    ],
)
def test_a_slip_in_the_bibliography_is_named(text: str, reason: str) -> None:
    assert set(parsed("% words\n\n" + GOOD)) == {"a1"}
    with pytest.raises(ValueError, match=re.escape(reason)):
        parsed(text)


def test_assay_can_be_cited() -> None:
    """What the schema of the Citation File Format 1.2.0 requires, and what the package says."""
    own = own_citation()
    assert own == yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert own.keys() >= {"cff-version", "message", "title", "authors"}
    assert own["cff-version"] == "1.2.0"
    assert own["type"] in ("software", "dataset")
    assert own["authors"]
    for author in own["authors"]:
        assert set(author) & {"name", "family-names"}
    package = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{own["version"]}"\n' in package
    assert f'\nlicense = "{own["license"]}"\n' in package
    assert '"CITATION.cff" = "warehouse/CITATION.cff"' in package


def test_the_bibliography_travels_with_the_package() -> None:
    import warehouse.reports.citations.bibliography as module

    assert (Path(module.__file__).parent / module.FILE).is_file()
