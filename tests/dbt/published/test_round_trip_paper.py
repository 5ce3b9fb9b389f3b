"""What the round-trip paper prints: every number read, and what its numbers say of one another."""

import csv
import math
from fractions import Fraction
from typing import Any

import pytest

from tests.data import shared
from tests.support.goldens import check_golden
from tests.support.published import make_beside, of, seed
from tests.support.sql import rows_in
from tests.support.steps import build

VIEWS_READ = (
    "+published_contradictions +published_counts +published_elsewhere "
    "+published_results +published_round_trip_checks_v1"
)

pytestmark = pytest.mark.long

ROWS = [row for row in seed("published_results") if row["paper"] == "round_trip"]
DATASETS = {
    "": "",
    "HumanEval": "humaneval",
    "ARCADE": "arcade",
    "CodeReviewer": "codereviewer",
    "open-source projects": "open_source_projects",
    "more-itertools": "more-itertools",
}
LMS = ("PaLM 2-S", "PaLM 2-S+", "PaLM 2-S*", "Gemini Nano 2", "Gemini Pro")


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    path = tmp_path_factory.mktemp("round_trip_paper") / "warehouse.duckdb"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(path.parent))
        make_beside(path, [])
        build(path, select=VIEWS_READ)
    return rows_in(path, "select * from published_round_trip_checks_v1 order by check_name, item")


def test_golden(checks: list[dict[str, Any]]) -> None:
    check_golden("published_round_trip_checks_v1", checks)


def _listed(name: str) -> list[dict[str, str]]:
    with shared(f"published/{name}").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_number_read_is_a_row_of_the_seed() -> None:
    """Row by row, in the order of the file."""
    listed = _listed("round_trip.csv")
    assert len(listed) == len(ROWS) == 127
    for theirs, ours in zip(listed, ROWS, strict=True):
        assert {
            "paper": theirs["paper"],
            "table_no": theirs["table"],
            "lm": theirs["row"],
            "dataset": DATASETS[theirs["dataset"]],
            "statistic": theirs["metric"],
            "setting": theirs["setting"],
            "printed": theirs["value"],
            "note": theirs["note"],
        }.items() <= ours.items(), theirs
        assert (theirs["task"] == "code editing") == (ours["dataset"] == "codereviewer")
        if theirs["value"]:
            assert float(ours["value"]) == float(theirs["value"])
            assert int(ours["decimals"]) == len(theirs["value"].partition(".")[2])
        else:
            assert ours["value"] == ours["decimals"] == ""
        is_percent = "percent" in theirs["note"] or theirs["printed"].endswith("%")
        assert (ours["unit"] == "percent") >= is_percent, theirs
    assert [len([row for row in ROWS if row["table_no"] == table]) for table in ("2", "3")] == [
        30,
        8,
    ]


def test_the_appendix_lists_as_many_projects() -> None:
    elsewhere = {(row["result_id"], row["source"]): row for row in seed("published_elsewhere")}
    listed = elsewhere["rtext.open_source_projects.resulting.n_projects", "appendix_list"]
    assert int(listed["value"]) == len(_listed("projects.csv"))


def test_what_stands_elsewhere_is_of_a_printed_number() -> None:
    rows = seed("published_elsewhere")
    assert len(rows) == 4
    assert {row["result_id"] for row in rows} <= {row["result_id"] for row in ROWS}


def _cells(statistic: str, dataset: str = "humaneval") -> dict[str, Fraction]:
    return {
        row["lm"]: Fraction(row["printed"])
        for row in ROWS
        if row["table_no"] == "2" and row["dataset"] == dataset and row["statistic"] == statistic
    }


def _rounds_to(share: Fraction, printed: Fraction) -> bool:
    return abs(100 * share - printed) <= Fraction(1, 20)


def test_the_counts_are_the_only_ones_behind_table_2() -> None:
    """Of 164 problems with three round trips each, and one sample of the baseline."""
    counts = {
        (row["lm"], row["variant"]): (int(row["n_correct"]), int(row["n_total"]))
        for row in seed("published_counts")
        if row["paper"] == "round_trip"
    }
    rates, lifts = _cells("rtc_pass"), _cells("lift_pass")
    assert tuple(rates) == tuple(lifts) == LMS
    for lm in LMS:
        right = [k for k in range(493) if _rounds_to(Fraction(k, 492), rates[lm])]
        assert counts[lm, "round_trip"] == (right[0], 492)
        assert len(right) == 1
        rate = Fraction(right[0], 492)
        bases = [e for e in range(165) if _rounds_to(rate - Fraction(e, 164), lifts[lm])]
        assert counts[lm, "uninformative"] == (bases[0], 164)
        assert len(bases) == 1
    assert [counts[lm, "round_trip"][0] for lm in LMS] == [41, 52, 90, 93, 140]
    assert [counts[lm, "uninformative"][0] for lm in LMS] == [14, 12, 14, 25, 27]


def test_the_checks_of_the_counts(checks: list[dict[str, Any]]) -> None:
    for name in ("rtc_pass_count", "lift_count"):
        found = of(checks, name)
        assert len(found) == 5
        assert all(row["agrees"] for row in found.values())
    lifts = of(checks, "lift_count")
    assert lifts["r2.humaneval.palm_2_s.lift_pass"]["ours"] == pytest.approx(-100 / 492)
    passed = of(checks, "pass_at_1_count")
    possible = {
        lm
        for lm, printed in _cells("pass_at_1").items()
        if any(_rounds_to(Fraction(k, 164), printed) for k in range(165))
    }
    assert possible == {"PaLM 2-S", "PaLM 2-S+", "Gemini Pro"}
    ids = {row["result_id"]: row["lm"] for row in ROWS}
    assert {ids[item] for item, row in passed.items() if row["agrees"]} == possible
    assert len(passed) == 5


def test_the_printed_correlations_follow_from_table_2(checks: list[dict[str, Any]]) -> None:
    found = of(checks, "correlation")
    assert len(found) == 4
    assert all(row["agrees"] for row in found.values())
    assert {(row["printed_text"], round(row["ours"], 3)) for row in found.values()} == {
        ("0.95", 0.947),
        ("0.95", 0.951),
        ("0.90", 0.9),
    }


def test_the_examples_fit_their_samples(checks: list[dict[str, Any]]) -> None:
    scores = of(checks, "example_bleu")
    assert len(scores) == 5
    marks = of(checks, "example_exact_match")
    assert len(marks) == 5
    lost = marks.pop("rappendix.codereviewer.example_4.rtc_exact_match")
    assert lost["ours"] is lost["agrees"] is None
    assert lost["note"].endswith(": 2.")
    told = of(checks, "example_in_text")
    assert len(told) == 4
    (share,) = of(checks, "example_share").values()
    assert math.isclose(share["ours"], 1 / 3)
    assert all(row["agrees"] for row in (*scores.values(), *marks.values(), *told.values(), share))
    example = [15.917, 7.171, 50.868]
    assert scores["rappendix.codereviewer.example_1.mean_bleu"]["ours"] == pytest.approx(
        sum(example) / 3
    )


def test_tables_2_and_3_have_one_decimal(checks: list[dict[str, Any]]) -> None:
    found = of(checks, "one_decimal")
    cells = {row["result_id"]: row for row in ROWS if row["table_no"] in "23"}
    assert found.keys() == cells.keys()
    assert len(cells) == 38
    assert all(row["agrees"] is True for row in found.values())
    assert all((row["ours"] is None) == (not cells[item]["value"]) for item, row in found.items())
    assert all(row["decimals"] in ("1", "") for row in cells.values())


def test_where_text_figure_list_and_code_disagree(checks: list[dict[str, Any]]) -> None:
    """Allamanis et al. 2024, sections 4 and 4.2, Appendix A and code: these alone do not fit."""
    place = "rtext.open_source_projects"
    expected = {
        ("project_count", f"{place}.collected.n_projects"): (77, 58),
        ("project_count", "rfigure.open_source_projects.figure_2.n_projects"): (60, 58),
        ("appendix_list", f"{place}.resulting.n_projects"): (58, 72),
        ("most_samples", f"{place}.n_total"): (5961, 5800),
        ("released_code", "rtext.backward.temperature"): (0.1, 0),
        ("released_code", f"{place}.min_region_characters"): (32, 64),
        ("released_code", f"{place}.max_region_characters"): (384, 512),
    }
    found = {
        (row["check_name"], row["item"]): (row["printed"], row["ours"])
        for row in checks
        if row["agrees"] is False and row["check_name"] != "pass_at_1_count"
    }
    assert found == expected
    cited = {row["check_name"] for row in checks if row["status"] == "cited"}
    assert cited == {"released_code", "appendix_list"}


def test_every_contradiction_is_listed_and_no_other(checks: list[dict[str, Any]]) -> None:
    listed = {
        (row["check_name"], row["item"]): row["reason"]
        for row in seed("published_contradictions")
        if row["paper"] == "round_trip"
    }
    found = {
        (row["check_name"], row["item"]): row["contradiction"]
        for row in checks
        if row["agrees"] is False
    }
    assert found == listed
    assert len(listed) == 2 + 4 + 3
    assert all(row["contradiction"] is None for row in checks if row["agrees"] is not False)
