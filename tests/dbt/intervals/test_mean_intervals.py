"""Closed-form intervals of means over problems: the macro beside plain Python, and its edges."""

import random
from collections import Counter
from typing import Any

import duckdb
import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from runners.measuring.calibration.intervals import rate_interval
from tests.support.oracles.statistics.intervals import of_mean, of_ratio
from tests.support.sql import macro

OTHERS = ("student_t.sql", "wilson_interval.sql", "listed.sql")
KINDS = ("share", "difference", "skewed")

Values = list[float | None]


def random_values(rng: random.Random, kind: str) -> Values:
    """Draw a value per problem: steps, fractions near and far from an edge, equal ones, gaps."""
    rate, k = rng.choice([0.0, 0.03, 0.5, 0.9, 1.0]), rng.choice([1, 4, 10])
    width = rng.choice([0.0, 0.01, 0.3])
    drawn: Values = []
    for _ in range(rng.randint(1, 80)):
        share = sum(rng.random() < rate for _ in range(k)) / k
        fraction = min(1.0, max(0.0, rng.gauss(rate, width)))
        value = rng.choice([share, fraction]) if width else share
        if kind == "difference":
            value -= rng.choice([value, 0.25 * (rng.random() < rate)])
        if kind == "skewed":
            value = 1 + rng.expovariate(1) * value
        drawn.append(None if rng.random() < 0.1 else value)
    return drawn


def bounded(kind: str, parts: dict[int, list[tuple[float, float]]]) -> list[tuple[Any, ...]]:
    """Return key, ends and reason of each ratio, as the macro has them."""
    ctes = macro(
        "mean_interval.sql", f"ratio_interval('facts', ['key'], {{'x': '{kind}'}})", *OTHERS
    )
    con = duckdb.connect()
    con.execute(
        "create table facts (key integer, problem_index integer, x_top double, x_bottom double)"
    )
    rows = [(key, i, *part) for key, held in parts.items() for i, part in enumerate(held)]
    random.Random(1).shuffle(rows)
    con.executemany("insert into facts values (?, ?, ?, ?)", rows)
    columns = "key, x_lo, x_hi, x_interval_null_reason"
    return con.sql(f"with {ctes} select {columns} from interval_found order by key").fetchall()


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_of_random_means_are_those_of_plain_python(kind: str) -> None:
    rng = random.Random(8)
    values = {key: random_values(rng, kind) for key in range(150)}
    values[150], values[151], values[152] = [0.5] * 30, [1.0] * 12, [None] * 12
    values[153] = [0.0] * 20 + [0.5] * 4
    parts = {
        key: [(value or 0.0, float(value is not None)) for value in held]
        for key, held in values.items()
    }
    reasons: Counter[str | None] = Counter()
    for key, low, high, reason in bounded(kind, parts):
        ends, expected = of_mean(values[key], kind)
        assert (low, high) == pytest.approx(ends, abs=1e-9), (key, values[key])
        assert reason == expected
        reasons[reason] += 1
    assert reasons.keys() == {
        *(None, "problems_lt_min"),
        *(["zero_variance", "differing_lt_min"] if kind != "share" else []),
    }
    assert min(reasons.values()) > 2
    assert reasons[None] > 40


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_of_random_ratios_are_those_of_plain_python(kind: str) -> None:
    rng = random.Random(9)
    parts = {
        key: [
            (0.0 if value is None else value * weight, weight if value is not None else 0.0)
            for value in random_values(rng, kind)
            for weight in [rng.choice([0.25, 1.0, 3.0])]
        ]
        for key in range(100)
    }
    n_bounded = 0
    for key, low, high, reason in bounded(kind, parts):
        ends, expected = of_ratio(parts[key], kind)
        assert (low, high) == pytest.approx(ends, abs=1e-9), key
        assert reason == expected
        n_bounded += low is not None
    assert n_bounded > 25


def test_a_share_of_coins_has_wilsons_interval() -> None:
    """Where every problem is 0 or 1, problems are the trials; statsmodels has the same."""
    coins = {right: [(float(i < right), 1.0) for i in range(20)] for right in range(4, 17)}
    for right, low, high, _ in bounded("share", coins):
        theirs = proportion_confint(right, 20, method="wilson")
        assert (low, high) == pytest.approx(theirs, abs=1e-9)


LEAST = {10: 0.919, 13: 0.909, 20: 0.92, 39: 0.918, 50: 0.92, 164: 0.92, 974: 0.92}


@pytest.mark.parametrize(("n", "least"), LEAST.items())
def test_coins_of_any_rate_are_held_in_91_to_92_percent(n: int, least: float) -> None:
    """Exact: between two ends the coverage is lowest next to one of them."""
    rates = [
        rate_interval((np.arange(n) < right).astype(float), np.ones(n)) for right in range(n + 1)
    ]
    ends = np.array([(one.low, one.high) for one in rates])
    if n <= 50:
        coins = {right: [(float(i < right), 1.0) for i in range(n)] for right in range(n + 1)}
        assert ends == pytest.approx(np.array([row[1:3] for row in bounded("share", coins)]))
    assert least <= least_coverage(ends) < 0.93


@pytest.mark.parametrize("mean", [-1e-9, -1e-16, 1 + 1e-16, 1 + 1e-9])
def test_no_rounding_of_a_mean_takes_an_end_past_0_or_1(mean: float) -> None:
    ((_, low, high, _),) = bounded("share", {0: [(mean, 1.0)] * 20})
    assert 0 <= low < high <= 1


def least_coverage(ends: np.ndarray) -> float:
    """Return how often the intervals of 0 to n right of n hold a rate, at the worst rate."""
    n = len(ends) - 1
    beside = ends.ravel() + np.array([[-1e-9], [1e-9]])
    rates = beside[(beside > 0) & (beside < 1)][:, None]
    holds = (ends[:, 0] <= rates) & (rates <= ends[:, 1])
    return float((holds * stats.binom.pmf(np.arange(n + 1), n, rates)).sum(axis=1).min())


def test_what_never_fails_ends_at_one_and_begins_below() -> None:
    ((_, low, high, reason),) = bounded("share", {0: [(1.0, 1.0)] * 20})
    assert (high, reason) == (1, None)
    assert low == pytest.approx(proportion_confint(20, 20, method="wilson")[0], abs=1e-9)


def test_a_value_beside_the_edge_moves_no_end() -> None:
    """All at an edge are trials with Wilson's quantile, and so are all but a value next to it."""
    parts = {key: [(1.0, 1.0)] * 19 + [(1.0 - key * 1e-6, 1.0)] for key in range(2)}
    (_, low, high, _), (_, *beside, _) = bounded("share", parts)
    assert beside == pytest.approx([low, high], abs=1e-5)


def test_only_the_near_end_follows_the_tail_of_the_values() -> None:
    """Values and their mirror around the mean have opposite skewness, and the same variance."""
    towards = [0.0] * 20 + [0.05] * 80
    evenly = [0.02] * 50 + [0.06] * 50
    away = [0.08 - value for value in towards]
    parts = {key: [(v, 1.0) for v in held] for key, held in enumerate((towards, evenly, away))}
    lows, highs = zip(*(row[1:3] for row in bounded("share", parts)), strict=True)
    assert lows[0] + 1e-4 < lows[1] < lows[2] - 5e-5
    assert highs == pytest.approx([highs[0]] * 3)
    mirrored = {key: [(1 - v, 1.0) for v, _ in held] for key, held in parts.items()}
    ends = [(1 - high, 1 - low) for _, low, high, _ in bounded("share", mirrored)]
    assert ends == [pytest.approx(pair) for pair in zip(lows, highs, strict=True)]


def test_near_ends_do_not_jump_where_few_failures_become_many() -> None:
    """Poisson's limit ends at 3.5 failures, and from there on the quantile falls: 16 to 1 here."""
    places = (np.arange(60) + 0.5) / 60
    parts = {
        key: [(0.1 * place ** (5 + 0.25 * key), 1.0) for place in places] for key in range(160)
    }
    lows = np.array([row[1] for row in bounded("share", parts)])
    steps = lows[1:] / lows[:-1]
    assert steps.min() > 0.94
    assert steps.max() < 0.99


@pytest.mark.parametrize("middle", [0.02, 0.1, 0.5, 0.9, 0.98])
@pytest.mark.parametrize("share", [0.5, 0.1, 1e-3])
def test_an_interval_is_a_few_standard_errors_wide_however_little_values_differ(
    middle: float, share: float
) -> None:
    """One value of twenty lies away from the others, by a share of the distance to the edge."""
    for side in (-1, 1):
        values = [middle] * 19 + [middle + side * share * min(middle, 1 - middle)]
        ((_, low, high, _),) = bounded("share", {0: [(value, 1.0) for value in values]})
        mean, error = np.mean(values), np.std(values, ddof=1) / np.sqrt(20)
        near, far = (mean - low, high - mean) if mean < 0.5 else (high - mean, mean - low)
        assert 1.6 < near / error < 5
        assert 1.6 < far / error < (5 if middle in (0.1, 0.5, 0.9) else 20)
