"""The list of curated projects: what it says of them, and what is said where it does not fit."""

import pytest

from ingest.projects.curated import curated_projects
from warehouse.errors import BadInput

GOOD = f"""
[first]
version = "1"
sha256 = "{"a" * 64}"
license = "MIT"
sources = ["first"]
tests = ["tests"]

[second]
version = "2"
sha256 = "{"b" * 64}"
license = "MIT"
sources = ["second"]
tests = ["tests"]
requires = ["numpy"]

[second.quarantine]
"tests/a.py::test" = "needs a network"
"""


def test_the_projects_that_were_run_are_listed():
    found = curated_projects()
    assert len(found) == 26
    quarantined = {name: len(each.quarantine) for name, each in found.items() if each.quarantine}
    assert quarantined == {
        "sqlparse": 1,
        "idna": 3,
        "boltons": 2,
        "html2text": 1,
        "pyjwt": 1,
        "jsonschema": 3,
        "click": 10,
        "typeguard": 3,
        "furl": 3,
    }
    assert found["click"].pytest == ("-m", "not stress")
    assert found["jsonschema"].tests == ("jsonschema/tests",)
    assert len({each.sha256 for each in found.values()}) == 26


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ('version = "2"', "version = 2", 10, "[second] version: must be a text, not 2"),
        ('version = "2"', 'version = ""', 10, "[second] version: '' is no version"),
        ('version = "2"\n', "", 9, "[second] version is missing"),
        ('requires = ["numpy"]', "requires = [1]", 15, "[second] requires: must be a list"),
        ("requires", "require", 15, "[second] require: there is no such setting: did you mean req"),
        ("requires", "name", 15, "[second] name: there is no such setting; available: license, "),
        ("b" * 64, "b" * 63, 11, "[second] sha256: 'bbb"),
        ('["second"]', "[]", 13, "[second] sources: names no place"),
        ('["second"]', '["../a"]', 13, "[second] sources: '../a' is no place inside the archive"),
        ('["second"]', '["/a"]', 13, "[second] sources: '/a' is no place inside"),
        ('"needs a network"', '" "', 17, "[second] quarantine: 'tests/a.py::test' has no reason"),
        ('"needs a network"', "1", 17, "must be a text, not 1"),
        ("[second.quarantine]", "[third.quarantine]", 17, "[third] version is missing"),
        ("\n[first]", "third = 3\n[first]", 1, "[third] must be a table, not 3"),
        ("[first]", '["a b"]', 2, "[a b] 'a b' is no name of a project"),
        ("[second]", "[first]", None, "not TOML that can be read: Cannot declare"),
    ],
)
def test_what_does_not_fit_is_named_with_its_line(tmp_path, old, new, line, reason):
    path = tmp_path / "projects.toml"
    path.write_text(GOOD)
    assert list(curated_projects(path)) == ["first", "second"]
    assert old in GOOD
    path.write_text(GOOD.replace(old, new))
    with pytest.raises(BadInput) as error:
        curated_projects(path)
    place = f"{path}:{line}" if line else str(path)
    assert str(error.value).startswith(f"{place}: ")
    assert reason in str(error.value)
