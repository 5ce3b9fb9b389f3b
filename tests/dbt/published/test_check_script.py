"""Every identity of check.py, the script beside the published numbers, is rows of a view.

The script shares no code with the views. It reads its own files and prints, for each identity, how
many cells were held against it and how many break it.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.data import shared
from tests.support.published import make_beside, of
from tests.support.sql import rows_in
from tests.support.steps import build

VIEWS_READ = (
    "+published_checks +published_diversity_checks +published_effect_checks "
    "+published_round_trip_checks"
)

pytestmark = pytest.mark.long

VIEWS = (
    "published_checks",
    "published_effect_checks",
    "published_round_trip_checks",
    "published_diversity_checks",
)
Row = dict[str, Any]


@dataclass(frozen=True)
class Cells:
    """Rows of one check whose item matches; as one where they make one claim together."""

    check_name: str
    item: str = ""
    as_one: bool = False

    def found(self, checks: list[Row]) -> list[bool]:
        """Say of each cell whether it breaks the identity."""
        rows = of(checks, self.check_name).items()
        broken = [row["agrees"] is False for item, row in rows if re.search(self.item, item)]
        return [any(broken)] if self.as_one else broken


LOST = r"^(?!rappendix\.codereviewer\.example_4\.)"
IDENTITIES = {
    "001 two decimals in Tables 2 to 8": [Cells("two_decimals")],
    "001 Unskilled Brier = p(1-p)": [Cells("unskilled_brier")],
    "001 skill = (Bref - B)/Bref, Tables 5, 6, 7: 78, 78, 42 cells": [
        Cells("skill_score_identity")
    ],
    "001 Unskilled skill and ECE 0, AUC 0.5": [Cells("unskilled_reference")],
    "001 ECE shown only where the scaled skill reaches 0.05": [Cells("scaled_ece_omitted")],
    "001 ECE <= sqrt(Brier)": [Cells("ece_at_most_root_of_brier")],
    "001 SStubs of Table 7 = Table 6": [Cells("table_7_repeats_table_6")],
    "001 dashes only for CodeGen2 repair": [Cells("dash_below_one_percent")],
    "001 Table 2 DyPyBench = Table 3 with docstring": [Cells("table_3_repeats_table_2")],
    "001 Table 4 sums to its margins": [Cells("table_4_sum")],
    "001 Table 4 margins = Table 2 GPT-3.5": [Cells("table_4_margin")],
    "001 DyPyBench percentages = k/1987": [
        Cells("table_2_share", r"\.dypybench\."),
        Cells("table_3_share", r"no_docstring$"),
        Cells("table_4_share"),
    ],
    "001 DyPyBench percentages = k/1988, the printed size": [Cells("share_of_stated_size")],
    "001 other percentages of Table 2 = k/N": [Cells("table_2_share", r"^(?!.*\.dypybench\.)")],
    "001 Figure 7 = Tables 5, 6, 8": [Cells("figure_7_repeats_tables")],
    "001 prose = tables": [Cells("text_and_tables")],
    "001 correlation of AUC with scaled skill = 0.789 (0.789 over 78)": [
        Cells("auroc_and_scaled_skill_score")
    ],
    "002 one decimal in Tables 2, 3": [Cells("one_decimal")],
    "002 correlations recomputed from Table 2": [Cells("correlation")],
    "002 RTC_pass on HumanEval = k/492": [Cells("rtc_pass_count")],
    "002 lift on HumanEval = k/492 - e/164": [Cells("lift_count")],
    "002 pass@1 on HumanEval = k/164": [Cells("pass_at_1_count")],
    # of one example the marks are lost, and the script leaves it out
    "002 examples: mean BLEU, RTC = matches/3": [
        Cells("example_bleu"),
        Cells("example_exact_match", LOST),
    ],
    # of Figure 4 the script compares the mean BLEU alone
    "002 examples in prose = shown": [
        Cells("example_in_text", r"^(?!.*figure_4_example\.rtc_exact_match)")
    ],
    "002 project counts and samples agree": [
        Cells("project_count"),
        Cells("appendix_list"),
        Cells("most_samples"),
    ],
    "003 Table 1 totals": [Cells("total_of_pairs")],
    "003 Tables 2, 3 printed with two decimals and a sign": [Cells("two_decimals_and_a_sign")],
    "003 column means of Table 2 over 10 models": [Cells("column_mean")],
    "003 Def-Use AME, HumanEval+MBPP = k/n, n <= 22": [Cells("share_of_whole_pairs")],
    "003 Def-Use AME, HumanEval+MBPP = k/(10 n), n <= 22": [Cells("share_of_tenths")],
    "003 Independent-Swap has the smallest AME": [Cells("independent_swap_is_smallest")],
    "003 largest AME rounds to 34, of names and flip to 33 (34.07, 32.53)": [
        Cells("largest_effect")
    ],
    "003 22 valid problems = Table 1": [Cells("pairs_of_the_text")],
    "004 one decimal, 0 to 100, Tables 2 to 4": [Cells("percentage_with_one_decimal")],
    "004 SCC on APPS = k/250": [Cells("share_of_pairs_of_50_problems", r"^d2\.apps-")],
    "004 SCC on HumanEval = k/250": [Cells("share_of_pairs_of_50_problems", r"^d2\.humaneval\.")],
    "004 SCC on HumanEval = k/250 or k/820": [Cells("share_of_pairs_of_50_or_164_problems")],
    "004 similarity falls with temperature": [Cells("falls_with_temperature")],
    "004 similarity falls with difficulty": [Cells("falls_with_difficulty")],
    "004 Pass@1 = k/500": [Cells("share_of_samples_of_50_problems")],
    "004 Table 3 vanilla Sim@10 = Table 2 LLM-Eval": [
        Cells("unnamed_similarity_is_that_of_the_judge")
    ],
    "004 Table 4 symmetric, dash on the diagonal": [
        Cells("correlation_is_symmetric"),
        Cells("correlation_with_itself_is_a_dash"),
    ],
    "004 prose = tables": [
        Cells("tuned_above_base_by_llm_judge"),
        Cells("tuned_above_base_by_all_measures"),
        Cells("judge_agrees_with_people_more"),
        Cells("encoder_agrees_with_people_by_about"),
        Cells("codellama_13b_above_starcoder2_15b", r"0\.2$", as_one=True),
        Cells("codellama_13b_above_starcoder2_15b", r"0\.8$", as_one=True),
        Cells("codellama_sizes_of_the_text", as_one=True),
        Cells("strategy_raises_similarity", as_one=True),
        Cells("planning_lowers_pass_at_1", as_one=True),
    ],
}


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    path = tmp_path_factory.mktemp("check_script") / "warehouse.duckdb"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(path.parent))
        make_beside(path, [])
        build(path, select=VIEWS_READ)
    return [row for view in VIEWS for row in rows_in(path, f"select * from {view}_v1")]


@pytest.fixture(scope="module")
def printed() -> list[str]:
    script = shared("published/check.py")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def identities(printed: list[str]) -> Iterator[tuple[str, tuple[int, int], set[str]]]:
    """Yield each identity of a paper: its name, its cells with the broken ones, which these are."""
    name, totals, known = "", (0, 0), set[str]()
    for line in [*printed, ""]:
        if line.startswith("    known: "):
            known.add(line.removeprefix("    known: "))
            continue
        if name:
            yield name, totals, known
        found = re.fullmatch(r"(00\d .+): (\d+) checked, (\d+) broken, \d+ known", line)
        name, known = (found[1] if found else ""), set()
        totals = (int(found[2]), int(found[3])) if found else (0, 0)


def test_every_identity_is_rows_with_the_totals_that_the_script_prints(
    checks: list[Row], printed: list[str]
) -> None:
    """By name: an identity that the script gains, loses or renames fails here too."""
    theirs = {name: totals for name, totals, _ in identities(printed)}
    ours = {}
    for name, parts in IDENTITIES.items():
        broken = [cell for part in parts for cell in part.found(checks)]
        ours[name] = (len(broken), sum(broken))
    assert ours == theirs
    assert len(theirs) == 43


def test_the_same_claims_of_the_calibration_paper_break(
    checks: list[Row], printed: list[str]
) -> None:
    known = {name: cells for name, _, cells in identities(printed)}
    rows = of(checks, "text_and_tables").items()
    assert known["001 prose = tables"] == {item for item, row in rows if row["agrees"] is False}


def test_the_correlation_is_the_one_that_the_script_prints(
    checks: list[Row], printed: list[str]
) -> None:
    (correlation,) = of(checks, "auroc_and_scaled_skill_score").values()
    assert any(f"= 0.789 ({correlation['ours']:.3f} over 78)" in line for line in printed)
