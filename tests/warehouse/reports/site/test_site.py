"""The site of a hostile world: its structure, its links, its texts and its numbers."""

import errno
import os
import re
import shutil
from pathlib import Path

import pytest

from tests.support.commands import refused
from tests.support.site.html import Element, dead_links
from tests.support.site.world import IMAGE, ODD, SCRIPT, N
from tests.support.sql import rows
from tests.support.steps import site
from warehouse.reports.display import text
from warehouse.reports.site.page import Page, Templates, visible

pytestmark = [pytest.mark.long(seconds=60), pytest.mark.usefixtures("hostile_home")]


def titled(pages: dict[str, Element], kind: str, words: str) -> Element:
    (found,) = [
        page
        for address, page in pages.items()
        if address.startswith(f"{kind}/") and words in next(page.all("h1")).text
    ]
    return found


def test_there_is_a_page_for_each_thing(pages: dict[str, Element]) -> None:
    kinds = [address.partition("/")[0] for address in pages if "/" in address]
    assert kinds.count("problem") == N
    assert kinds.count("language_model") == 4
    assert kinds.count("dataset") == 1
    assert kinds.count("generation") == 4 * 2 * N + 1
    assert kinds.count("view") > 80
    assert kinds.count("compare") == 3
    assert kinds.count("why") == 4
    assert {"index", "runs", "views", "compare", "figures"} <= pages.keys()


def test_no_page_runs_or_loads_what_is_not_ours(pages: dict[str, Element]) -> None:
    for address, page in pages.items():
        up = "../" * address.count("/")
        scripts = [each.attributes for each in page.all("script")]
        names = ["sql.js", "site.js"] if address == "sql" else ["site.js"]
        assert scripts == [{"defer": "", "src": f"{up}{name}"} for name in names], address
        loaded = [each.attributes.get("src", "") for each in page.all("img")]
        loaded += [each.attributes["href"] for each in page.all("link")]
        assert all(name == f"{up}site.css" or name.startswith("data:") for name in loaded)
        (policy,) = page.all("meta", **{"http-equiv": "Content-Security-Policy"})
        allowed = policy.attributes["content"]
        assert allowed.startswith("default-src 'none'; ")
        assert ("wasm" in allowed, "blob:" in allowed) == (address == "sql",) * 2


def test_hostile_texts_are_shown_as_texts(pages: dict[str, Element]) -> None:
    first = titled(pages, "language_model", "first")
    assert next(first.all("h1")).text == text(f"first {SCRIPT}")
    planted = titled(pages, "language_model", "planted")
    assert next(planted.all("h1")).text == text(f"planted {ODD}")
    assert SCRIPT in [each.text for each in planted.all("code")]
    problem = titled(pages, "problem", f"toy/3 {SCRIPT}")
    shown = ["".join(each.texts) for each in problem.all("code")]
    assert f"{visible(IMAGE)}\n{visible(ODD)}" in shown
    assert {IMAGE, f"# {SCRIPT}\n", f"assert {SCRIPT}"} <= set(shown)
    release = titled(pages, "dataset", "toy")
    assert f"javascript:{SCRIPT}" in [each.text for each in release.all("dd")]
    assert next(pages["runs"].all("dl", class_="facts")).text == f"note{SCRIPT}"
    assert IMAGE in [each.text for each in pages["runs"].all("dd")]


def test_a_generation_has_its_text_its_tests_and_its_tokens(pages: dict[str, Element]) -> None:
    page = pages["generation/g.second.s1.toy1.2.1"]
    codes = ["".join(each.texts) for each in page.all("code")]
    assert visible(f"    return '''{SCRIPT}'''  # {IMAGE} {ODD}\n") in codes
    assert f"{SCRIPT} {IMAGE} {visible(ODD)}" in codes
    assert f"Claimed by {SCRIPT}" in [each.text for each in page.all("dt")]
    assert f"not passed, {IMAGE}" in [each.text for each in page.all("dd")]
    (tests,) = page.all("table", class_="tests")
    status = [[each.text for each in row.all("td")] for row in tests.all("tr")][1:]
    places = [
        ("0 to 1", "passed"),
        ("2", "failed"),
        ("3", "passed"),
        ("4 to 5", "not run"),
    ]
    assert status == [[*each, SCRIPT] for each in places]
    (tokens,) = page.all("pre", class_="tokens")
    assert "".join(tokens.texts) == SCRIPT + IMAGE + visible(ODD)
    looks = [(each.attributes["class"], each.attributes["title"]) for each in tokens.all("span")]
    assert looks == [("p9", "0.905"), ("p3", "0.368"), ("p0 out", "0.00674")]
    facts = " ".join(each.text for each in page.all("p"))
    assert "Limits (calibrated): 0.03 CPU seconds, 5 s, 512 MB" in facts
    assert "Isolation none, integrity split, judge 1" in facts


def test_parent_and_child_lead_to_each_other(pages: dict[str, Element]) -> None:
    parent = pages["generation/g.first.s1.toy1.0.0"]
    assert "../generation/g.first.r1.toy1.0.0.html" in [
        a.attributes["href"] for a in parent.all("a")
    ]
    child = pages["generation/g.first.r1.toy1.0.0"]
    assert "../generation/g.first.s1.toy1.0.0.html" in [
        a.attributes["href"] for a in child.all("a")
    ]


def test_every_link_leads_somewhere(pages: dict[str, Element]) -> None:
    assert dead_links(pages) == []
    assert sum(1 for page in pages.values() for _ in page.all("a")) > 1_000
    for address, page in pages.items():
        ids = [each.attributes["id"] for each in page.all() if "id" in each.attributes]
        assert len(ids) == len(set(ids)), address


def test_a_number_is_that_of_its_view_and_leads_to_its_provenance(
    pages: dict[str, Element],
) -> None:
    found = {}
    for cell in pages["index"].all("td"):
        for link in cell.all("a"):
            address, _, anchor = link.attributes["href"].partition(".html#")
            if anchor == "c-pass_at_1":
                assert address.startswith("why/")
                found[next(pages[address].all("h1")).text] = cell.text
                leads = [a.attributes["href"] for a in pages[address].all("a")]
                assert "../view/leaderboard_v2.html#c-pass_at_1" in leads
                assert "../runs.html#r0" in leads
    stored = rows("select lm, dataset, pass_at_1, pass_at_1_lo, pass_at_1_hi from leaderboard_v2")
    assert len(stored) == 4
    assert found == {
        text(f"{lm} on {dataset}"): f"{100 * value:.1f} [{100 * low:.1f}, {100 * high:.1f}]"
        for lm, dataset, value, low, high in stored
    }


def test_the_pass_matrix_counts_the_verdicts(pages: dict[str, Element]) -> None:
    release = titled(pages, "dataset", "toy")
    (matrix,) = release.all("table", class_="sorted matrix")
    heads = [each.text for each in matrix.all("th", scope="col")]
    shown = {}
    for line in list(matrix.all("tr"))[1:]:
        cells = [each.text for each in line.inside]
        shown[cells[0]] = dict(zip(heads[1:], cells[1:], strict=True))
    stored = rows(
        "select task_id, lm, count(*) filter (passed), count(*) from generation_verdicts_v1 "
        "group by all"
    )
    assert len(stored) == 4 * N
    for task, lm, n_passed, n in stored:
        assert shown[text(task)][text(lm)] == f"{n_passed}/{n}"
    solved = dict(
        rows(
            "select task_id, count(distinct lm_id) filter (passed) from generation_verdicts_v1 "
            "group by all"
        )
    )
    assert {task: int(row["solved by"]) for task, row in shown.items()} == {
        text(task): n for task, n in solved.items()
    }


def test_a_view_has_its_meaning_its_columns_and_its_sql(pages: dict[str, Element]) -> None:
    page = pages["view/pass_at_k_v1"]
    terms = [each.text for each in page.all("dt")]
    assert {"Estimand", "Formula", "References", "Known bias"} < set(terms)
    assert "pass_at_k_lo double" in terms
    sql = next(each for each in page.all("pre", class_="code"))
    assert "select * from" in sql.text
    assert re.search(r"facts\.program_judged", page.text)
    assert re.search(r"raw\.outcome", pages["view/execution_runs_v1"].text)


def test_the_newer_site_takes_the_place_of_the_older(hostile_home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shutil.copytree(hostile_home / "site", folder)
    (folder / "index.html").write_text("old")
    site(out=folder)
    assert "Leaderboards" in (folder / "index.html").read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_full_disk_leaves_what_was_there(
    hostile_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site"
    shutil.copytree(hostile_home / "site", folder)
    before = sorted(folder.rglob("*"))
    written: list[str] = []

    def full(templates: Templates, page: Page, **values: object) -> str:
        written.append(page.address)
        if len(written) > 20:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return page.body

    monkeypatch.setattr(Templates, "document", full)
    line = refused("site", "--out", str(folder), code=1)
    assert line == f"error: {folder}: cannot be written: No space left on device"
    assert len(written) == 21
    assert sorted(folder.rglob("*")) == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_comparison_has_the_numbers_of_assay_compare(pages: dict[str, Element]) -> None:
    page = titled(pages, "compare", text(f"first {SCRIPT} and second"))
    shown = {
        term.text: fact.text for term, fact in zip(page.all("dt"), page.all("dd"), strict=True)
    }
    ((value, other, low, high),) = rows(
        "select value_a, value_b, difference_lo, difference_hi from comparison_v1 "
        "where lm_id_a = 'first' and lm_id_b = 'second' and metric = 'pass_at_k' and k = 1 "
        "and pairing = 'board'"
    )
    assert shown[text(f"first {SCRIPT}")] == f"{100 * value:.1f} %"
    assert shown[text(f"second {IMAGE}")] == f"{100 * other:.1f} %"
    ends = f"[{100 * low:+.1f}, {100 * high:+.1f}]"
    assert shown["difference"] == f"{100 * (value - other):+.1f} points, 95 % interval {ends}"
    flips = [line.inside[0].text for line in page.all("tr") if "toy/" in line.inside[0].text]
    assert flips == [text(f"toy/{at} {SCRIPT}") for at in sorted(map(str, range(3, 8)))]
