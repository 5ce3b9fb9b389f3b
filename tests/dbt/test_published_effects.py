"""What the mutation paper prints: which of its rules the numbers can have come from."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from tests.dbt.goldens import check_golden
from tests.dbt.test_published import of, seed
from tests.dbt.test_views import rows_of
from warehouse.build import build
from warehouse.connection import reading


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[dict[str, Any]]]:
    path = tmp_path_factory.mktemp("effects") / "warehouse.duckdb"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(path.parent))
        build(path, select="path:seeds published_effect_checks")
    with reading(path) as con:
        yield rows_of(con, "select * from published_effect_checks_v1 order by check_name, item")


def effects() -> dict[str, Fraction]:
    return {
        row["effect_id"]: Fraction(int(row["n_tenths"]), 10 * int(row["n_pairs"]))
        for row in seed("published_effects")
    }


def test_eight_of_ten_effects_are_no_share_of_whole_pairs(checks: list[dict[str, Any]]) -> None:
    (stated,) = [
        int(row["value"])
        for row in seed("published_results")
        if (row["statistic"], row["mutation"]) == ("n_pairs", "def_use_break")
    ]
    assert stated == 22
    possible = set()
    for effect_id, value in effects().items():
        shares = [Fraction(k, n) for n in range(1, stated + 1) for k in range(n + 1)]
        # printed to two decimals of a percentage: half a unit, and half a unit again
        if any(abs(share - value) <= Fraction(1, 10_000) for share in shares):
            possible.add(effect_id)
    assert len(possible) == 2
    found = of(checks, "share_of_whole_pairs")
    assert len(found) == 10
    assert {item for item, row in found.items() if row["agrees"]} == possible
    for item, row in found.items():
        assert row["printed"] == pytest.approx(float(100 * effects()[item]))


def test_the_ten_effects_are_the_fifth_column(checks: list[dict[str, Any]]) -> None:
    ((item, row),) = of(checks, "mean_of_effects").items()
    assert item == "m2.humaneval+mbpp.5"
    assert row["ours"] == pytest.approx(float(10 * sum(effects().values())))
    assert (row["printed"], row["agrees"]) == (11.97, True)
    others = [
        float(r["value"])
        for r in seed("published_results")
        if r["statistic"] == "mean_ame" and r["result_id"] != item
    ]
    assert len(others) == 9
    assert all(abs(row["ours"] - other) > row["tolerance"] for other in others)


def test_no_effect_is_of_more_pairs_than_there_are(checks: list[dict[str, Any]]) -> None:
    found = of(checks, "pairs_within_table_1")
    assert {row["ours"] for row in found.values()} == {16, 17, 20, 21}
    assert all(row["agrees"] for row in found.values())


def test_tables_1_and_3_as_stated() -> None:
    rows = [r for r in seed("published_results") if r["paper"] == "mutations"]
    pairs = {r["mutation"]: int(r["value"]) for r in rows if r["statistic"] == "n_pairs"}
    assert pairs == {
        "names": 724, "if_else_flip": 103, "independent_swap": 624, "def_use_break": 22
    }  # fmt: skip
    table = {(r["operator"], r["statistic"]): r["printed"] for r in rows if r["table_no"] == "3"}
    assert table == {
        ("==", "frequency_ratio"): "3.9", ("==", "accuracy_drop"): "13.21",
        ("!=", "accuracy_drop"): "7.37", (">", "frequency_ratio"): "3.8",
        (">", "accuracy_drop"): "16.92", ("<=", "accuracy_drop"): "1.48",
        ("<", "frequency_ratio"): "2.2", ("<", "accuracy_drop"): "5.00",
        (">=", "accuracy_drop"): "0.00",
    }  # fmt: skip


def test_golden(checks: list[dict[str, Any]]) -> None:
    rows = [list(row.values()) for row in checks]
    check_golden("published_effect_checks_v1", list(checks[0]), rows)
