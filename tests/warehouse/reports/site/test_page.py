"""What is shown of a text, where a page is found, and what is not a place for a site."""

import re
from pathlib import Path

import pytest

from tests.support.commands import refused
from warehouse.reports.site.page import FOLDER, address, in_file, in_folder, named_values, visible


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("def f():\n\treturn 'ä✓'", "def f():\n\treturn 'ä✓'"),
        ("a\u202eb\u200b\x00\x1b[31m\r", "a\\u202eb\\u200b\\x00\\x1b[31m\\r"),
        ("\U000e0041", "\\U000e0041"),
        ("<b>&amp;", "<b>&amp;"),
        (None, ""),
    ],
)
def test_what_prints_nothing_is_escaped(value: str | None, shown: str) -> None:
    assert visible(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (
            '{"k": 1, "names": ["a", "b"], "sure": true, "seed": null, "none": []}',
            [("k", "1"), ("names", "a, b"), ("sure", "yes"), ("seed", "none"), ("none", "none")],
        ),
        (
            {"files": [{"sha256": "ab"}, {"sha256": "cd"}]},
            [("files.0.sha256", "ab"), ("files.1.sha256", "cd")],
        ),
        ("no <JSON>", [("", "no <JSON>")]),
        (None, [("", "none")]),
        ("{}", []),
    ],
)
def test_json_is_shown_as_names_and_values(value: object, shown: list[tuple[str, str]]) -> None:
    assert named_values(value) == shown


def test_an_address_is_a_plain_file_name_whatever_the_name() -> None:
    key = "0123456789abcdef0123456789abcdef"
    assert address("generation", key) == f"generation/{key}"
    assert address("problem", key, "../../etc/<x> #y%00") == "problem/etc_x_y_00-0123456789ab"
    assert address("language_model", key, "\u202e✓") == f"language_model/{key}"
    assert len(address("problem", key, "x" * 500)) < 70


def test_links_of_both_forms() -> None:
    assert in_folder("index", "view/a", "c-x") == "view/a.html#c-x"
    assert in_folder("problem/b", "index") == "../index.html"
    assert in_file("problem/b", "view/a", "c-x") == "#/view/a!c-x"


def test_a_folder_of_something_else_is_not_replaced(published: Path, tmp_path: Path) -> None:
    mine = tmp_path / "thesis"
    mine.mkdir()
    (mine / "chapter.tex").write_text("words")
    line = refused("site", "--out", str(mine), code=3)
    assert line == f"error: {mine}: is a folder with other files: name another folder"
    file = mine / "chapter.tex"
    line = refused("site", "--out", str(file), code=3)
    assert line == f"error: {file}: is a file, not a folder; a site goes to a folder"
    assert [path.name for path in mine.iterdir()] == ["chapter.tex"]


def test_views_that_are_not_built_are_named(published: Path, tmp_path: Path) -> None:
    line = refused("site", "--out", str(tmp_path / "site"), code=1)
    assert line == "error: there is no headline_setting yet: run `assay build` and `assay publish`"
    assert not (tmp_path / "site").exists()


def test_no_warehouse_no_site(home: Path, tmp_path: Path) -> None:
    line = refused("site", "--out", str(tmp_path / "site"), code=1)
    assert line.endswith("and no warehouse: run `assay ingest starter` to begin one")
    assert not (tmp_path / "site").exists()


def _luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(2 * d for d in digits) if len(digits) == 3 else digits
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_colour_of_text_has_the_contrast_that_reading_needs() -> None:
    """Ratios of at least 4.5, by the formula of WCAG 2, in light and in dark mode."""
    style = FOLDER.joinpath("static", "site.css").read_text()
    modes = [
        dict(re.findall(r"--(\w+): (#\w+);", line)) for line in re.findall(r":root {.*}", style)
    ]
    assert len(modes) == 2
    for mode in modes:
        for text in ("ink", "soft", "link", "good", "bad"):
            for ground in ("paper", "wash"):
                light, dark = sorted(map(_luminance, (mode[text], mode[ground])), reverse=True)
                assert (light + 0.05) / (dark + 0.05) >= 4.5, (text, ground)


def test_queries_go_with_a_snapshot(published: Path, tmp_path: Path) -> None:
    line = refused("site", "--sql", "--warehouse", "--out", str(tmp_path / "site"), code=3)
    assert "goes with a snapshot: leave out --warehouse" in line
