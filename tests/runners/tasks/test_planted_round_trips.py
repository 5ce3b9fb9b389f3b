"""Planted skill, describing and pass rates: the views find RTC, lift, leak rate and correlation."""

from pathlib import Path
from typing import Any

import pytest
from scipy import stats

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

N_PROBLEMS = 48


def round_trip(pass_rate: float, telling: float) -> float:
    """Return the planted chance that a round trip passes."""
    return telling * pass_rate + (1 - telling) * GUESS


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
                    "telling": telling,
                    "quoting": quoting,
                    "guess": GUESS,
                    "seed": 3,
                },
                "progress": False,
            }
            generate(**asked, n=5)
            generate(**asked, n=3, task="description")
            generate(**asked, n=1, task="resynthesis")
        execute(progress=False)
        build(select="path:models/staging +rtc_vs_pass_at_1 +rtc_synthesis", tests=False)
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
        "select rtc, rtc_lo, rtc_hi, lift, lift_lo, lift_hi, leak_rate, n_used "
        "from rtc_synthesis_v1 where similarity = 'pass' order by lm",
    )
    assert len(told) == len(PLANTED)
    outside = 0
    for row, (pass_rate, telling, quoting) in zip(told, PLANTED, strict=True):
        rtc, rtc_lo, rtc_hi, lift, lift_lo, lift_hi, leak_rate, n_used = row
        truth = round_trip(pass_rate, telling)
        assert n_used == N_PROBLEMS
        assert rtc == pytest.approx(truth, abs=0.13), "three standard errors of 144 programs"
        assert lift == pytest.approx(truth - GUESS, abs=0.2), "one more of 48 without description"
        assert leak_rate == pytest.approx(quoting, abs=0.13)
        outside += not rtc_lo <= truth <= rtc_hi
        outside += not lift_lo <= truth - GUESS <= lift_hi
    assert outside <= 3, "of 16 intervals at 95 %"


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
