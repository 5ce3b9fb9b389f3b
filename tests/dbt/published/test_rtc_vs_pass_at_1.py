"""How round trips correlate with pass@1: published numbers, and random ones beside an oracle."""

import math
import random
from dataclasses import asdict
from pathlib import Path
from typing import Any

import duckdb
import pytest
from scipy import stats

from tests.support.goldens import check_golden
from tests.support.oracles.statistics.correlations import correlate
from tests.support.published import make_beside, seed
from tests.support.sql import macro, rows_in, same
from tests.support.steps import build
from warehouse.store.connection import writing

Row = dict[str, Any]

pytestmark = pytest.mark.long(seconds=15)

QUERY = "select * from rtc_vs_pass_at_1 order by dataset, statistic desc"
LMS = ("PaLM 2-S", "PaLM 2-S+", "PaLM 2-S*", "Gemini Nano 2", "Gemini Pro")
N_RANDOM = 50


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("round_trips") / "warehouse.duckdb"


@pytest.fixture(scope="module")
def published(warehouse: Path) -> list[Row]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(warehouse.parent))
        make_beside(warehouse, [])
        build(warehouse, select="published_results rtc_vs_pass_at_1")
    return rows_in(warehouse, QUERY)


def test_golden(published: list[Row]) -> None:
    check_golden("rtc_vs_pass_at_1_v1", published)


def test_the_published_correlations(published: list[Row]) -> None:
    """Allamanis et al. 2024, Table 2: both datasets, with intervals; the lift on HumanEval."""
    found = {(row["dataset"], row["statistic"]): row for row in published}
    assert len(found) == len(published) == 4
    assert all(row["few_pairs"] for row in published)
    shown = {
        key: tuple(
            round(row[name], 4 if name == "pearson" else 3)
            for name in ("pearson", "pearson_lo", "pearson_hi", "pearson_p", "spearman")
        )
        for key, row in found.items()
        if row["null_reason"] is None
    }
    assert shown == {
        ("humaneval", "rtc_pass"): (0.9473, 0.396, 0.997, 0.014, 0.9),
        ("arcade", "rtc_pass"): (0.9513, 0.430, 0.997, 0.013, 0.9),
        ("humaneval", "lift_pass"): (0.8891, 0.032, 0.993, 0.044, 1.0),
    }
    for dataset in ("humaneval", "arcade"):
        row = found[dataset, "rtc_pass"]
        assert row["n"] == row["n_lms"] == 5
        assert round(row["spearman_p"], 3) == 0.037
        assert row["spearman_p_exact"] == pytest.approx(1 / 12), "10 of 120 orders"
    lift = found["humaneval", "lift_pass"]
    assert lift["spearman_p"] is None, "t has no value at 1"
    assert lift["spearman_p_exact"] == pytest.approx(2 / 120)
    assert found["arcade", "lift_pass"]["null_reason"] == "not_applicable"
    assert found["arcade", "lift_pass"]["n_lms"] == 5


def test_the_published_numbers_beside_the_oracle(published: list[Row]) -> None:
    cells = {
        (row["dataset"], row["lm"], row["statistic"]): float(row["value"])
        for row in seed("published_results")
        if row["paper"] == "round_trip" and row["table_no"] == "2" and row["value"]
    }
    for row in published:
        pairs = [
            (cells[row["dataset"], lm, "pass_at_1"], cells[row["dataset"], lm, row["statistic"]])
            for lm in LMS
            if (row["dataset"], lm, row["statistic"]) in cells
        ]
        _compare(row, pairs)


def _compare(row: Row, pairs: list[tuple[float, float]]) -> None:
    expected = asdict(correlate([x for x, _ in pairs], [y for _, y in pairs]))
    for name, theirs in expected.items():
        if isinstance(theirs, float):
            assert same(row[name], theirs), (row, name, theirs)
        else:
            assert row[name] == theirs, (row, name, theirs)


def _random_pairs(source: random.Random) -> list[tuple[float, float | None]]:
    """Few and many, with ties, constant sides, gaps, and both signs."""
    n, spread = source.choice([1, 3, 4, 4, 5, 6, 7, 8, 9, 12]), source.choice([1, 2, 3, 40])
    slope, gaps = source.choice([-1, 0, 1]), source.choice([0, 0, 0.3, 1])
    pairs: list[tuple[float, float | None]] = []
    for _ in range(n):
        x = source.randrange(spread) / 2
        y = slope * x + source.randrange(spread)
        pairs.append((x, None if source.random() < gaps else y))
    return pairs


def test_random_numbers_beside_the_oracle(
    warehouse: Path, published: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(warehouse.parent))
    source = random.Random(20240402)
    drawn = {f"d{number:02}": _random_pairs(source) for number in range(N_RANDOM)}
    cells = [
        (dataset, f"lm{index}", statistic, value)
        for dataset, pairs in drawn.items()
        for index, pair in enumerate(pairs)
        for statistic, value in zip(("pass_at_1", "rtc_pass"), pair, strict=True)
    ]
    source.shuffle(cells)
    with writing(warehouse) as con:
        con.execute("delete from published_results")
        con.executemany(
            "insert into published_results (paper, table_no, dataset, lm, statistic, value) "
            "values ('round_trip', '2', ?, ?, ?, ?)",
            cells,
        )
    ours = [
        (f"lm{index}", source == "ours_simulated", dataset, *pair, None)
        for source in ("ours", "ours_simulated")
        for dataset, pairs in drawn.items()
        for index, pair in enumerate(pairs if source == "ours" else pairs[1:])
    ]
    make_beside(warehouse, ours)
    build(warehouse, select="rtc_vs_pass_at_1")
    every = rows_in(warehouse, QUERY)
    _check_ours([row for row in every if row["source"] != "published"], drawn)
    found = [row for row in every if row["source"] == "published"]
    assert [row["dataset"] for row in found] == sorted(drawn)
    for row in found:
        pairs = drawn[row["dataset"]]
        assert row["n_lms"] == len(pairs)
        _compare(row, [(x, y) for x, y in pairs if y is not None])
    reasons = {row["null_reason"] for row in found}
    assert reasons == {None, "n_lt_min", "zero_variance", "not_applicable"}
    assert sum(row["spearman_p_exact"] is not None for row in found) >= 15
    assert any(row["n"] > 8 and row["spearman_p"] is not None for row in found)


def _check_ours(rows: list[Row], drawn: dict[str, list[tuple[float, float | None]]]) -> None:
    """Of real language models all pairs, of simulated ones all but the first: never mixed."""
    found = {(r["source"], r["dataset"]): r for r in rows if r["statistic"] == "rtc_pass"}
    lifts = [row for row in rows if row["statistic"] == "lift_pass"]
    assert {row["null_reason"] for row in lifts} == {"not_applicable"}
    assert len(found) == len(lifts) > N_RANDOM
    for source, first in (("ours", 0), ("ours_simulated", 1)):
        for dataset, pairs in drawn.items():
            kept = pairs[first:]
            assert ((source, dataset) in found) == bool(kept)
            if kept:
                row = found[source, dataset]
                assert row["n_lms"] == len(kept)
                _compare(row, [(x, y) for x, y in kept if y is not None])


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7, 10, 11, 30, 101, 500])
def test_p_of_a_correlation_is_that_of_students_t(n: int) -> None:
    """Both series of the closed form, from a single term to hundreds."""
    sql = macro("correlation.sql", "correlation_p('r', 'n')")
    for r in (-0.999, -0.6, -0.05, 0.0, 0.01, 0.3, 0.9, 0.999999):
        query = f"select {sql} from (select {r}::double as r, {n} as n)"
        ((found,),) = duckdb.sql(query).fetchall()
        t = abs(r) * math.sqrt((n - 2) / (1 - r * r))
        assert found == pytest.approx(2 * stats.t.sf(t, n - 2), abs=1e-12), (r, n)


@pytest.mark.parametrize(("r", "n"), [(0.5, 2), (1.0, 5), (-1.0, 6), ("null", 5)])
def test_there_is_no_p_without_a_t(r: float | str, n: int) -> None:
    sql = macro("correlation.sql", "correlation_p('r', 'n')")
    found = duckdb.sql(f"select {sql} from (select {r}::double as r, {n} as n)").fetchall()
    assert found == [(None,)]
