"""What the mutation paper prints: which of its rules the numbers can have come from."""

import csv
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from tests.data import shared
from tests.support.goldens import check_golden
from tests.support.published import of, seed
from tests.support.sql import rows_in
from tests.support.steps import build

VIEWS_READ = "+published_contradictions +published_effect_checks_v1 +published_results"

pytestmark = pytest.mark.long

MUTATIONS = ("names_random", "names_shuffle", "if_else_flip", "independent_swap", "def_use_break")
DATASETS = ("humaneval+mbpp", "codecontests")
NAMES = {
    "Var. Name Random": "names_random",
    "Var. Name Shuffle": "names_shuffle",
    "If-Else Flip": "if_else_flip",
    "Independent Swap": "independent_swap",
    "Def-Use Break": "def_use_break",
    "Variable-Names Random": "names_random",
    "Variable-Names Shuffle": "names_shuffle",
    "IfElse-Flip": "if_else_flip",
    "Independent-Swap": "independent_swap",
    "DefUse-Break": "def_use_break",
    # in the text
    "Variable-Names": "names_random+names_shuffle",
    "all mutations": "",
    "": "",
}
ROWS = [row for row in seed("published_results") if row["paper"] == "mutations"]


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    path = tmp_path_factory.mktemp("effects") / "warehouse.duckdb"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(path.parent))
        build(path, select=VIEWS_READ)
    return rows_in(path, "select * from published_effect_checks_v1 order by check_name, item")


def test_every_number_read_is_a_row_of_the_seed() -> None:
    """Cell by cell, in the order of the file."""
    with shared("published/counterfactual.csv").open(encoding="utf-8", newline="") as file:
        listed = list(csv.DictReader(file))
    assert len(listed) == len(ROWS) == 158
    for theirs, ours in zip(listed, ROWS, strict=True):
        is_text = theirs["table"] == "text"
        named = (theirs["measure"] or theirs["setting"]) if is_text else theirs["measure"]
        parts = named.replace(" and ", ", ").split(", ")
        expected = {
            "table_no": theirs["table"],
            "lm": theirs["row"],
            "dataset": theirs["dataset"].lower().replace("cc", "codecontests"),
            "mutation": "+".join(NAMES[part] for part in parts),
            "statistic": theirs["metric"],
            "printed": theirs["value"],
        }
        if is_text:
            expected["note"] = theirs["note"]
        if theirs["table"] == "3":
            # "A ==, B !=" of a ratio, "A to B: == to !=" of a drop
            expected["operator"] = theirs["setting"].split(": ")[-1].removeprefix("A ").split()[0]
            expected["operator"] = expected["operator"].rstrip(",")
        assert expected.items() <= ours.items(), theirs
        assert (float(ours["value"]) if ours["value"] else "") == (
            float(theirs["value"]) if theirs["value"] else ""
        )
        is_percent = "%" in theirs["printed"]
        assert (ours["unit"] == "percent") == is_percent or not theirs["value"], theirs
    assert Counter(row["table_no"] for row in ROWS) == {"1": 15, "2": 120, "3": 9, "text": 14}


def test_what_the_text_at_hand_has_lost_is_empty() -> None:
    lost = {row["result_id"]: row["note"] for row in ROWS if not row["printed"]}
    assert set(lost) == {"mtext.max_ame", "mtext.max_ame.names_or_flip", "mtext.max_accuracy_drop"}
    assert all(note.endswith("number lost in this text; cannot be read") for note in lost.values())


def _cells(dataset: str, mutation: str, statistic: str = "ame") -> dict[str, Decimal]:
    """One column of Table 2, by language model."""
    of_column = {"dataset": dataset, "mutation": mutation, "statistic": statistic, "table_no": "2"}
    return {row["lm"]: Decimal(row["printed"]) for row in ROWS if row.items() >= of_column.items()}


def test_table_2_has_the_means_that_were_computed_from_it(checks: list[dict[str, Any]]) -> None:
    """Column means of the reference, to two decimals: a mistyped cell would move its mean."""
    found = of(checks, "column_mean")
    assert len(found) == 12
    means = {
        "humaneval+mbpp": ("60.31", "17.27", "20.98", "19.93", "8.19", "11.97"),
        "codecontests": ("40.04", "19.41", "20.59", "29.34", "8.29", "24.32"),
    }
    for dataset, expected in means.items():
        columns = [_cells(dataset, "", "original_accuracy")]
        columns += [_cells(dataset, mutation) for mutation in MUTATIONS]
        assert [len(column) for column in columns] == [10] * 6
        for name, column, mean in zip(("original", *MUTATIONS), columns, expected, strict=True):
            assert round(sum(column.values()) / 10, 2) == Decimal(mean)
            row = found[f"m2.{dataset}.{name}"]
            assert row["ours"] == pytest.approx(float(sum(column.values()) / 10))
            assert (row["printed"], row["agrees"], row["status"]) == (float(mean), True, "cited")
    largest = max((_cells(d, m)[lm], lm, m) for d in DATASETS for m in MUTATIONS for lm in _lms())
    assert largest == (Decimal("34.07"), "Llama 2 (7B)", "def_use_break")


def _lms() -> set[str]:
    return set(_cells("codecontests", "names_random"))


def test_eight_of_ten_effects_are_no_share_of_whole_pairs(checks: list[dict[str, Any]]) -> None:
    ids = {
        f"m2.humaneval+mbpp.{row['result_id'].split('.')[-2]}.def_use_break": Fraction(
            row["printed"]
        )
        for row in ROWS
        if row["table_no"] == "2" and row["mutation"] == "def_use_break"
        if row["dataset"] == "humaneval+mbpp"
    }
    assert len(ids) == 10
    for name, parts, n_possible in (("share_of_whole_pairs", 1, 2), ("share_of_tenths", 10, 10)):
        shares = {Fraction(100 * k, parts * n) for n in range(1, 23) for k in range(parts * n + 1)}
        possible = {
            item
            for item, printed in ids.items()
            if any(abs(share - printed) <= Fraction(5, 1000) for share in shares)
        }
        found = of(checks, name)
        assert set(found) == set(ids)
        assert {item for item, row in found.items() if row["agrees"]} == possible
        assert len(possible) == n_possible


@pytest.mark.parametrize(
    ("position", "n_tenths", "n_pairs"),
    [
        (0, 10, 20), (1, 35, 16), (2, 27, 17), (3, 13, 20), (4, 10, 20),
        (5, 19, 20), (6, 16, 21), (7, 31, 16), (8, 34, 20), (9, 25, 21),
    ],
)  # fmt: skip
def test_the_sizes_found_include_the_known_ones(
    checks: list[dict[str, Any]], position: int, n_tenths: int, n_pairs: int
) -> None:
    """Hooda et al. 2024, Table 2: every number is one of tenths over 16, 17, 20 or 21 pairs."""
    items = [
        row["result_id"]
        for row in ROWS
        if row["result_id"].startswith("m2.humaneval+mbpp.") and row["mutation"] == "def_use_break"
    ]
    row = of(checks, "share_of_tenths")[items[position]]
    sizes = row["note"].rsplit(": ", 1)[1].rstrip(".").split(", ")
    assert str(n_pairs) in sizes
    assert row["printed"] == pytest.approx(10 * n_tenths / n_pairs, abs=0.005 + 1e-9)


def test_the_largest_effects_are_known_though_the_text_has_lost_them(
    checks: list[dict[str, Any]],
) -> None:
    found = of(checks, "largest_effect")
    assert {item: row["ours"] for item, row in found.items()} == {
        "mtext.max_ame": 34.07,
        "mtext.max_ame.names_or_flip": 32.53,
    }
    assert all(row["printed"] is row["agrees"] is None for row in found.values())


def test_an_independent_swap_has_the_smallest_effect_but_for_two(
    checks: list[dict[str, Any]],
) -> None:
    found = of(checks, "independent_swap_is_smallest")
    larger = set()
    for dataset in DATASETS:
        columns = {mutation: _cells(dataset, mutation) for mutation in MUTATIONS}
        for lm, effect in columns.pop("independent_swap").items():
            if any(column[lm] <= effect for column in columns.values()):
                larger.add((dataset, lm))
    assert larger == {(DATASETS[0], "Starcoder (13B)"), (DATASETS[0], "Llama Code (7B)")}
    by_id = {row["result_id"]: (row["dataset"], row["lm"]) for row in ROWS}
    assert {by_id[item] for item, row in found.items() if not row["agrees"]} == larger
    assert len(found) == 20


def test_the_form_of_tables_2_and_3(checks: list[dict[str, Any]]) -> None:
    found = of(checks, "two_decimals_and_a_sign")
    assert found.keys() == {row["result_id"] for row in ROWS if row["table_no"] in "23"}
    assert len(found) == 129
    assert all(row["agrees"] for row in found.values())
    forms = Counter((r["statistic"], r["decimals"]) for r in ROWS if r["table_no"] in "23")
    assert forms == {
        ("original_accuracy", "2"): 20, ("ame", "2"): 100, ("accuracy_drop", "2"): 6,
        ("frequency_ratio", "1"): 3,
    }  # fmt: skip


def test_the_text_has_the_pairs_of_table_1(checks: list[dict[str, Any]]) -> None:
    (row,) = of(checks, "pairs_of_the_text").values()
    assert (row["printed"], row["ours"], row["agrees"]) == (22, 22, True)


def test_every_contradiction_is_listed_and_no_other(checks: list[dict[str, Any]]) -> None:
    listed = {
        (row["check_name"], row["item"]): row["reason"]
        for row in seed("published_contradictions")
        if row["paper"] == "mutations"
    }
    found = {
        (row["check_name"], row["item"]): row["contradiction"]
        for row in checks
        if row["agrees"] is False
    }
    assert found == listed
    assert len(listed) == 8 + 2
    assert all(row["contradiction"] is None for row in checks if row["agrees"] is not False)


def test_tables_1_and_3_as_printed(checks: list[dict[str, Any]]) -> None:
    pairs = {(r["mutation"], r["dataset"]): int(r["value"]) for r in ROWS if r["table_no"] == "1"}
    assert [pairs[mutation, "humaneval+mbpp"] for mutation in MUTATIONS] == [724, 724, 103, 624, 22]
    assert [pairs[mutation, "codecontests"] for mutation in MUTATIONS] == [1000] * 4 + [277]
    totals = of(checks, "total_of_pairs")
    assert len(totals) == 5
    assert all(row["agrees"] for row in totals.values())
    table = {(r["operator"], r["statistic"]): r["printed"] for r in ROWS if r["table_no"] == "3"}
    assert table == {
        ("==", "frequency_ratio"): "3.9", ("==", "accuracy_drop"): "13.21",
        ("!=", "accuracy_drop"): "07.37", (">", "frequency_ratio"): "3.8",
        (">", "accuracy_drop"): "16.92", ("<=", "accuracy_drop"): "01.48",
        ("<", "frequency_ratio"): "2.2", ("<", "accuracy_drop"): "05.00",
        (">=", "accuracy_drop"): "0.00",
    }  # fmt: skip


def test_golden(checks: list[dict[str, Any]]) -> None:
    check_golden("published_effect_checks_v1", checks)
