"""What the diversity paper prints: every number read, and what its numbers say of one another."""

import csv
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from tests.data import shared
from tests.support.goldens import check_golden
from tests.support.published import of, seed
from tests.support.sql import rows_in
from tests.support.steps import build

VIEWS_READ = "+published_contradictions +published_diversity_checks_v1 +published_results"

pytestmark = pytest.mark.long

ROWS = [row for row in seed("published_results") if row["paper"] == "diversity"]
MEASURES = {"SCC": "scc", "CodeBERT": "embedding", "LLM-Eval": "llm_judge"}
LEVELS = ["apps-introductory", "apps-interview", "apps-competition"]
BASES = {
    "CodeLlama-P 7B": "CodeLlama-I 7B",
    "CodeLlama-P 13B": "CodeLlama-I 13B",
    "CodeLlama-P 34B": "CodeLlama-I 34B",
    "StarCoder2 15B": "StarCoder2-I 15B",
    "Deepseek-Coder 6.7B": "Deepseek-Coder-I 6.7B",
}
Cell = tuple[str, str, str, str]
TABLE_2: dict[Cell, str] = {
    (row["lm"], row["dataset"], row["measure"], row["setting"][-3:]): row["printed"]
    for row in ROWS
    if row["table_no"] == "2"
}


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    path = tmp_path_factory.mktemp("diversity_paper") / "warehouse.duckdb"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(path.parent))
        build(path, select=VIEWS_READ)
    return rows_in(path, "select * from published_diversity_checks_v1 order by check_name, item")


def broken(checks: list[dict[str, Any]], name: str) -> set[str]:
    return {item for item, row in of(checks, name).items() if not row["agrees"]}


def name_of(cell: Cell) -> str:
    lm, dataset, measure, temperature = cell
    return f"d2.{dataset}.{lm.lower().replace(' ', '_')}.{measure}.{temperature}"


def test_golden(checks: list[dict[str, Any]]) -> None:
    check_golden("published_diversity_checks_v1", checks)


def test_every_number_read_is_a_row_of_the_seed() -> None:
    """Row by row, in the order of the file."""
    with shared("published/diversity.csv").open(encoding="utf-8", newline="") as file:
        listed = list(csv.DictReader(file))
    assert len(listed) == len(ROWS) == 326
    for theirs, ours in zip(listed, ROWS, strict=True):
        expected = {
            "table_no": theirs["table"],
            "statistic": theirs["metric"],
            "measure": MEASURES.get(theirs["measure"], ""),
            "printed": theirs["value"],
        }
        if theirs["table"] == "2":
            expected["lm"] = theirs["row"]
            expected["setting"] = theirs["setting"]
        if theirs["table"] in "23":
            expected["dataset"] = theirs["dataset"].lower()
        if theirs["table"] == "text":
            expected["note"] = theirs["note"]
        assert expected.items() <= ours.items(), theirs
        assert ours["value"] == theirs["value"]
        is_percent = "percent" in theirs["note"] or theirs["printed"].endswith("%")
        assert (ours["unit"] == "percent") == (is_percent and bool(theirs["value"])), theirs
    assert Counter(row["table_no"] for row in ROWS) == {
        "1": 5, "2": 264, "3": 24, "4": 12, "text": 21,
    }  # fmt: skip


def test_similarities_by_tokens_are_of_fifty_problems_but_not_on_humaneval(
    checks: list[dict[str, Any]],
) -> None:
    """0.4 % is a pair of 250; tenths of a percent tell the multiples without rounding."""
    tenths = {
        name_of(cell): round(10 * float(printed))
        for cell, printed in TABLE_2.items()
        if cell[2] == "scc"
    }
    assert len(of(checks, "share_of_pairs_of_50_problems")) == 66 + 22
    not_fifty = {name for name, n in tenths.items() if n % 4}
    assert broken(checks, "share_of_pairs_of_50_problems") == not_fifty
    assert len(not_fifty) == 14
    assert all(name.startswith("d2.humaneval.") for name in not_fifty)
    all_problems = {round(1000 * k / 820) for k in range(821)}
    not_all = {n for n in tenths if n.startswith("d2.humaneval.") and tenths[n] not in all_problems}
    assert broken(checks, "share_of_pairs_of_164_problems") == not_all
    assert len(of(checks, "share_of_pairs_of_50_or_164_problems")) == 22
    neither = broken(checks, "share_of_pairs_of_50_or_164_problems")
    assert neither == not_fifty & not_all
    assert neither == {
        "d2.humaneval.codellama-i_7b.scc.0.8",
        "d2.humaneval.codellama-p_13b.scc.0.2",
        "d2.humaneval.starcoder2_15b.scc.0.2",
    }


def test_some_similarities_rise_with_temperature_or_difficulty(
    checks: list[dict[str, Any]],
) -> None:
    warmer = {
        name_of((*cell[:3], "0.8"))
        for cell, printed in TABLE_2.items()
        if cell[3] == "0.2" and float(TABLE_2[*cell[:3], "0.8"]) > float(printed)
    }
    assert broken(checks, "falls_with_temperature") == warmer
    assert (len(of(checks, "falls_with_temperature")), len(warmer)) == (132, 2)
    harder = {
        name_of((lm, later, *rest))
        for lm, dataset, *rest in TABLE_2
        for first, later in pairwise(LEVELS)
        if dataset == first and float(TABLE_2[lm, later, *rest]) > float(TABLE_2[lm, first, *rest])
    }
    assert broken(checks, "falls_with_difficulty") == harder
    assert (len(of(checks, "falls_with_difficulty")), len(harder)) == (132, 16)


def test_tuned_language_models_are_26_points_above_by_the_judge_alone(
    checks: list[dict[str, Any]],
) -> None:
    for measure, points, agrees in (
        ("llm_judge", 26.1, True),
        ("scc", 24.5, False),
        ("embedding", 18.6, False),
    ):
        gains = [
            float(TABLE_2[BASES[lm], dataset, measure, t]) - float(printed)
            for (lm, dataset, name, t), printed in TABLE_2.items()
            if lm in BASES and name == measure
        ]
        assert len(gains) == 40
        (row,) = of(checks, f"tuned_above_base_by_{measure}").values()
        assert row["ours"] == pytest.approx(sum(gains) / 40)
        assert round(row["ours"], 1) == points
        assert row["agrees"] is agrees


def test_the_form_of_tables(checks: list[dict[str, Any]]) -> None:
    """300 cells: numbers of one decimal from 0 to 100, and three dashes."""
    cells = [row for row in ROWS if row["table_no"] in "234"]
    odd = {
        row["result_id"]
        for row in cells
        if row["printed"]
        and (row["printed"].partition(".")[2] not in "0123456789" or float(row["printed"]) > 100)
    }
    found = of(checks, "percentage_with_one_decimal")
    assert broken(checks, "percentage_with_one_decimal") == odd == set()
    assert len(cells) == 300
    assert found.keys() == {row["result_id"] for row in cells}
    dashes = of(checks, "correlation_with_itself_is_a_dash")
    assert dashes.keys() == {row["result_id"] for row in cells if not row["printed"]}
    assert dashes.keys() == {f"d4.{name}.{name}" for name in MEASURES.values()}
    assert all(row["agrees"] is True for row in dashes.values())


def test_claims_of_the_text_that_tables_bear_or_break(checks: list[dict[str, Any]]) -> None:
    (people,) = of(checks, "encoder_agrees_with_people_by_about").values()
    assert (people["printed"], people["ours"], people["agrees"]) == (50, 51.8, True)
    name = "codellama_13b_above_starcoder2_15b"
    below = {
        name_of(("CodeLlama-P 13B", LEVELS[2], measure, temperature))
        for measure in ("scc", "embedding")
        for temperature in ("0.2", "0.8")
        if float(TABLE_2["CodeLlama-P 13B", LEVELS[2], measure, temperature])
        <= float(TABLE_2["StarCoder2 15B", LEVELS[2], measure, temperature])
    }
    assert len(of(checks, name)) == 4
    assert broken(checks, name) == below
    assert {item[-3:] for item in below} == {"0.8"}
    sizes = {lm.split()[-1] for lm, *_ in TABLE_2 if lm.startswith("CodeLlama")}
    assert sizes == {"7B", "13B", "34B"}
    stated = of(checks, "codellama_sizes_of_the_text")
    assert {row["printed"] / 1e9: row["ours"] / 1e9 for row in stated.values()} == {7: 7, 13: 34}
    assert broken(checks, "codellama_sizes_of_the_text") == {"dtext.n_parameters.13b"}
    gains = [
        float(TABLE_2[BASES[cell[0]], *cell[1:]]) - float(printed)
        for cell, printed in TABLE_2.items()
        if cell[0] in BASES
    ]
    (row,) = of(checks, "tuned_above_base_by_all_measures").values()
    assert len(gains) == 120
    assert row["ours"] == pytest.approx(sum(gains) / 120)
    assert (round(row["ours"], 1), row["agrees"]) == (23.1, False)


def test_every_contradiction_is_listed_and_no_other(checks: list[dict[str, Any]]) -> None:
    listed = {
        (row["check_name"], row["item"]): row["reason"]
        for row in seed("published_contradictions")
        if row["paper"] == "diversity"
    }
    found = {
        (row["check_name"], row["item"]): row["contradiction"]
        for row in checks
        if row["agrees"] is not True
    }
    assert found == listed
    assert len(listed) == 52 + 3
    assert all(row["contradiction"] is None for row in checks if row["agrees"])


def test_the_rest(checks: list[dict[str, Any]]) -> None:
    assert broken(checks, "share_of_samples_of_50_problems") == {
        "d3.humaneval.vanilla.pass_at_1",
        "d3.apps-competition.few-shot_cot.pass_at_1",
        "d3.apps-introductory.planning.pass_at_1",
        "d3.apps-interview.planning.pass_at_1",
        "d3.apps-competition.planning.pass_at_1",
    }
    assert len(of(checks, "correlation_is_symmetric")) == 3
    assert len(of(checks, "strategy_raises_similarity")) == 8
    assert len(of(checks, "planning_lowers_pass_at_1")) == 4
    for name in (
        "correlation_is_symmetric",
        "strategy_raises_similarity",
        "planning_lowers_pass_at_1",
        "judge_agrees_with_people_more",
    ):
        assert broken(checks, name) == set(), name
    unnamed = of(checks, "unnamed_similarity_is_that_of_the_judge")
    assert len(unnamed) == 4
    assert not any(row["agrees"] for row in unnamed.values())
