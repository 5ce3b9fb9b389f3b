"""The published numbers: what the seeds hold and what their identities give."""

import csv
import math
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.data import shared
from tests.support.goldens import check_golden
from tests.support.published import of, seed
from tests.support.sql import macro, rows_in
from tests.support.steps import build
from warehouse.store.connection import reading, writing

pytestmark = pytest.mark.long(seconds=15)


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    path = tmp_path_factory.mktemp("published") / "warehouse.duckdb"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(path.parent))
        build(path, select="path:seeds published_checks")
    return rows_in(path, "select * from published_checks_v1 order by check_name, item")


def test_golden(checks: list[dict[str, Any]]) -> None:
    check_golden("published_checks_v1", checks)


def test_all_thirteen_unskilled_scores_follow_from_the_pass_rates(
    checks: list[dict[str, Any]],
) -> None:
    raw = {item: row for item, row in of(checks, "unskilled_brier").items() if item[0] == "5"}
    assert len(raw) == 13
    assert all(row["agrees"] for row in raw.values())
    counts = {
        (c["lm"], c["dataset"], c["notion"], c["variant"]): c for c in seed("published_counts")
    }
    for result in seed("published_results"):
        if result["result_id"] in raw:
            count = counts[result["lm"], result["dataset"], result["notion"], "original"]
            rate = Fraction(int(count["n_correct"]), int(count["n_total"]))
            assert math.isclose(raw[result["result_id"]]["ours"], float(rate * (1 - rate)))


def test_the_scaled_unskilled_score_is_a_cross_validated_one(checks: list[dict[str, Any]]) -> None:
    """Semantics 1.4.1, golden C: 23 right of 120, five folds, 200 orders of the labels."""
    plain = of(checks, "unskilled_brier")
    crossed = of(checks, "unskilled_brier_cross_validated")
    assert len(crossed) == 2
    for item, row in crossed.items():
        assert not plain[item]["agrees"]
        assert row["agrees"]
        assert round(row["ours"], 4) == 0.1579
    scores = [_cross_validated_brier(23, 120, 5, order) for order in range(200)]
    assert min(scores) > 23 * 97 / 120**2, "never better than the base rate of the whole"
    expected = next(iter(crossed.values()))["ours"]
    assert abs(sum(scores) / 200 - expected) < 2e-4


def _cross_validated_brier(c: int, n: int, n_folds: int, order: int) -> float:
    labels = [1] * c + [0] * (n - c)
    random.Random(order).shuffle(labels)
    size, total = n // n_folds, 0.0
    for fold in range(n_folds):
        held = labels[fold * size : (fold + 1) * size]
        rate = (c - sum(held)) / (n - size)
        total += sum((rate - y) ** 2 for y in held)
    return total / n


def test_table_3_as_printed_follows_from_its_counts(checks: list[dict[str, Any]]) -> None:
    shares = of(checks, "table_3_share")
    assert len(shares) == 12
    assert all(row["agrees"] for row in shares.values())
    counts = {
        (c["lm"], c["variant"], c["notion"]): int(c["n_correct"])
        for c in seed("published_counts")
        if c["dataset"] == "dypybench"
    }
    assert shares["3.codex.exact_match.no_docstring"]["ours"] == pytest.approx(
        100 * counts["Codex", "no_docstring", "exact_match"] / 1987
    )
    with shared("published/calibration.csv").open(encoding="utf-8", newline="") as file:
        listed = [row for row in csv.DictReader(file) if row["table"] in ("3", "4")]
    ours = [row for row in seed("published_results") if row["table_no"] in ("3", "4")]
    ours = [row for row in ours if row["paper"] == "calibration"]
    theirs = {(row["table"], row["row"], row["value"]) for row in listed}
    whole = ("4", "GPT-3.5", "100.00")  # the sum of all is no number of its own
    assert {(r["table_no"], r["lm"], r["printed"]) for r in ours} == theirs - {whole}
    assert len(ours) == len(listed) - 1 == 20


def test_table_4_is_made_of_counts(checks: list[dict[str, Any]]) -> None:
    shares = of(checks, "table_4_share")
    assert len(shares) == 8
    assert all(row["agrees"] for row in shares.values())
    margins = of(checks, "table_4_margin")
    assert {item: row["ours"] for item, row in margins.items()} == {
        "dypybench.all_pass": 660,
        "dypybench.exact_match": 476,
    }
    assert all(row["agrees"] and "GPT-3.5" in row["note"] for row in margins.values())


def test_the_size_stated_is_not_the_size_counted(checks: list[dict[str, Any]]) -> None:
    assert {item: (r["printed"], r["ours"]) for item, r in of(checks, "counted_size").items()} == {
        "text.dypybench.n": (1988, 1987),
        "text.defects4j.n": (120, 120),
        "text.sstubs.n": (3000, 3000),
    }
    stated = of(checks, "stated_size")["text.dypybench.n"]
    assert not stated["agrees"]
    printed = [r for r in seed("published_results") if r["statistic"] == "share"]
    fits = [n for n in range(1, 1989) if all(_fits(n, float(r["value"])) for r in printed)]
    assert stated["note"].endswith(f": {', '.join(map(str, fits))}.")
    assert stated["ours"] == fits[-1] == 1987


def _fits(n: int, percent: float) -> bool:
    return any(abs(100 * k / n - percent) <= 0.005 + 1e-9 for k in range(n + 1))


def test_skill_scores_and_the_rule_for_leaving_out_an_ece(checks: list[dict[str, Any]]) -> None:
    assert all(row["agrees"] for row in of(checks, "skill_score_identity").values())
    omitted = of(checks, "scaled_ece_omitted")
    assert len(omitted) == 2
    assert all(row["agrees"] for row in omitted.values())


def test_what_cannot_be_derived_is_listed_as_such(checks: list[dict[str, Any]]) -> None:
    aggregates = of(checks, "aggregate").values()
    assert {row["printed_text"] for row in aggregates if row["status"] == "not_derivable"} == {
        "-1.60",
        "0.32",
    }
    assert not any(row["agrees"] for row in aggregates if row["status"] == "not_derivable")
    assert all(row["status"] == "computed" for row in checks if row["check_name"] != "aggregate")


@pytest.mark.parametrize(
    ("ours", "printed", "decimals", "agrees"),
    [(0.155, 0.15, 2, True), (0.1551, 0.15, 2, False), (0.145, 0.15, 2, True), (2.5, 3, 0, True)],
)
def test_half_a_unit_of_the_last_decimal(
    ours: float, printed: float, decimals: int, agrees: bool
) -> None:
    sql = macro("printed.sql", "half_unit('d')")
    found = duckdb.sql(f"select abs({ours} - {printed}) <= {sql} from (select {decimals} as d)")
    assert found.fetchall() == [(agrees,)]


def test_a_seed_takes_the_shape_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A warehouse of an older version has seeds with other columns, and rows that are gone."""
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    path = tmp_path / "warehouse.duckdb"
    build(path, select="path:seeds")
    with writing(path) as con:
        con.execute("create or replace table lm_sizes as select 'gone' as lm, 1 as other")
    build(path, select="path:seeds")
    with reading(path) as con:
        found = con.execute("select * from lm_sizes")
        assert [column[0] for column in found.description] == list(seed("lm_sizes")[0])
        assert len(found.fetchall()) == len(seed("lm_sizes"))
