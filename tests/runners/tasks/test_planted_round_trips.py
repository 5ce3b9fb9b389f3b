"""Planted skill, describing and pass rates: the views find RTC, lift, leak rate and correlation."""

import math
import re
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from scipy import stats

from tests.data import ROOT
from tests.support.sql import rows
from tests.support.steps import build, execute, generate, ingest_dataset

pytestmark = pytest.mark.long(seconds=60)

GUESS = 0.1
PLANTED = [
    (0.2, 0.9, 0.0),
    (0.3, 0.3, 0.3),
    (0.4, 0.8, 0.6),
    (0.5, 1.0, 0.1),
    (0.6, 0.2, 0.9),
    (0.7, 0.7, 0.4),
    (0.8, 0.6, 0.2),
    (0.9, 0.9, 0.7),
]
"""Of each language model: pass rate, share of descriptions that tell, share that quote the code."""

N_PROBLEMS, N_SAMPLES, N_DESCRIPTIONS = 48, 5, 3


def round_trip(pass_rate: float, telling: float) -> float:
    """Return the planted chance that a round trip passes."""
    return telling * pass_rate + (1 - telling) * GUESS


def spread_of(pass_rate: float) -> float:
    """Return how far the chances of problems may lie around a pass rate."""
    return min(pass_rate, 1 - pass_rate)


def correlation_of_problems(pass_rate: float, telling: float) -> float:
    """Return the planted correlation, over problems, of rates of round trips and of samples.

    The chances of problems are even around the pass rate; rates of few draws add their own noise.
    """
    between = spread_of(pass_rate) ** 2 / 3
    chance = round_trip(pass_rate, telling)
    within = telling**2 * between
    noise = (chance * (1 - chance) - within) / N_DESCRIPTIONS
    samples = between + (pass_rate * (1 - pass_rate) - between) / N_SAMPLES
    return telling * between / math.sqrt(samples * (within + noise))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("planted_round_trips")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        ingest_dataset("starter")
        for index, (pass_rate, telling, quoting) in enumerate(PLANTED):
            asked: dict[str, Any] = {
                "backend": "planted",
                "dataset": "starter",
                "lm": f"planted-{index}",
                "options": {
                    "pass_rate": pass_rate,
                    "spread": spread_of(pass_rate),
                    "telling": telling,
                    "quoting": quoting,
                    "guess": GUESS,
                    "seed": 3,
                },
                "progress": False,
            }
            generate(**asked, n=N_SAMPLES)
            generate(**asked, n=N_DESCRIPTIONS, task="description")
            generate(**asked, n=1, task="resynthesis")
        execute(progress=False)
        build(select="+rtc_synthesis_v1 +rtc_vs_pass_at_1 +round_trips +generation_verdicts")
    return home


def found(monkeypatch: pytest.MonkeyPatch, home: Path, query: str) -> list[tuple[Any, ...]]:
    monkeypatch.setenv("ASSAY_HOME", str(home))
    return rows(query)


def test_round_trips_lifts_and_leaks_are_those_planted(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = found(
        monkeypatch,
        built,
        "select rtc, rtc_lo, rtc_hi, lift, lift_lo, lift_hi, "
        "leak_rate, leak_rate_lo, leak_rate_hi, n_used "
        "from rtc_synthesis_v1 where similarity = 'pass' order by lm",
    )
    assert len(told) == len(PLANTED)
    outside = leaks_outside = 0
    for row, (pass_rate, telling, quoting) in zip(told, PLANTED, strict=True):
        rtc, rtc_lo, rtc_hi, lift, lift_lo, lift_hi, leak_rate, leak_lo, leak_hi, n_used = row
        truth = round_trip(pass_rate, telling)
        assert n_used == N_PROBLEMS
        assert rtc == pytest.approx(truth, abs=0.13), "three standard errors of 144 programs"
        assert lift == pytest.approx(truth - GUESS, abs=0.2), "one more of 48 without description"
        assert leak_lo <= leak_rate <= leak_hi
        leaks_outside += not leak_lo <= quoting <= leak_hi
        outside += not rtc_lo <= truth <= rtc_hi
        outside += not lift_lo <= truth - GUESS <= lift_hi
    assert outside <= 3, "of 16 intervals at 95 %"
    assert leaks_outside <= 1, "of 8 intervals at 95 %"


def test_their_correlation_with_pass_rates_is_that_planted(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [(n, pearson, lo, hi, spearman)] = found(
        monkeypatch,
        built,
        "select n, pearson, pearson_lo, pearson_hi, spearman from rtc_vs_pass_at_1 "
        "where source = 'ours_simulated' and dataset = 'starter' and statistic = 'rtc_pass'",
    )
    pass_rates = [pass_rate for pass_rate, _, _ in PLANTED]
    truths = [round_trip(pass_rate, telling) for pass_rate, telling, _ in PLANTED]
    planted = stats.pearsonr(pass_rates, truths).statistic
    assert n == len(PLANTED)
    assert lo <= planted <= hi
    assert pearson == pytest.approx(planted, abs=0.12)
    ranked = stats.spearmanr(pass_rates, truths).statistic
    assert spearman == pytest.approx(ranked, abs=0.2)


PAGE = ROOT / "docs" / "round_trips.md"
VERDICTS = """
    select lm, problem_id, task, verdict = 'passed'
    from raw.generation
    inner join raw.setting using (setting_id)
    inner join raw.language_model using (lm_id)
    inner join raw.evaluation using (generation_id, problem_id)
    inner join raw.outcome using (program_id)
    where task = 'synthesis' or (task = 'resynthesis' and parent_generation_id is not null)
"""


def test_the_query_of_the_page_correlates_round_trips_with_pass_rates(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [query] = re.findall(r"```sql\n(select trips.lm, .*?)```", PAGE.read_text(), re.DOTALL)
    answer = {lm: (r, n) for lm, r, n in found(monkeypatch, built, query)}
    verdicts: dict[str, dict[str, dict[str, list[bool]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for lm, problem_id, task, passed in found(monkeypatch, built, VERDICTS):
        verdicts[lm][problem_id][task].append(passed)
    assert answer.keys() == verdicts.keys()
    for lm, problems in verdicts.items():
        assert {len(each["synthesis"]) for each in problems.values()} == {N_SAMPLES}
        assert {len(each["resynthesis"]) for each in problems.values()} == {N_DESCRIPTIONS}
        trips = [fmean(each["resynthesis"]) for each in problems.values()]
        passes = [fmean(each["synthesis"]) for each in problems.values()]
        expected = stats.pearsonr(trips, passes).statistic
        assert answer[lm] == (pytest.approx(expected, abs=1e-9), N_PROBLEMS)
    planted = fmean(correlation_of_problems(*each[:2]) for each in PLANTED)
    three_errors = 3 / math.sqrt(N_PROBLEMS * len(PLANTED))
    assert planted > three_errors, "there is something to find"
    assert fmean(r for r, _ in answer.values()) == pytest.approx(planted, abs=three_errors)
