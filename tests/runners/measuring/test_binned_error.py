"""ECE by chance, its interval and its coverage: enumeration, slow loops and planted truth."""

from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from runners.measuring.calibration.bootstrap import resample, tail_share
from runners.measuring.calibration.errors import binned, chance
from runners.measuring.calibration.errors.binned import Binned
from runners.measuring.calibration.errors.chance import by_chance, shared_chance
from runners.measuring.calibration.errors.inverted import Known, ece_interval
from runners.measuring.calibration.estimates import SubjectRows, error_interval
from runners.measuring.calibration.folds import Bools, Floats, Ints
from runners.measuring.calibration.intervals import (
    by_problem,
    furthest_gap,
    rate_interval,
    summed,
)
from tests.bench import coverage as bench
from tests.support.oracles.calibration import chance_errors, ece, pairs_of
from tests.support.oracles.statistics.levels import alone, level_of, middle_of
from tests.support.worlds.calibration.coverage import (
    STATISTICS,
    Coverage,
    PlantedScores,
    Sizes,
    cover,
)

Rows = tuple[Floats, Bools, Floats, Ints]


def alike(seed: int, n: int, k: int, luck: float, *, spread: float = 0.0) -> Rows:
    """Exactly calibrated answers: k to each of n problems, following one chance so often."""
    rng = np.random.Generator(np.random.PCG64(seed))
    p, y = PlantedScores("spread", "over", 0.0, k, spread, luck).draw(rng, n)
    return p.ravel(), y.ravel(), np.full(n * k, 1 / k), np.repeat(np.arange(n), k)


def test_chance_of_a_few_problems_is_that_of_all_their_labels() -> None:
    p = np.array([0.03, 0.12, 0.17, 0.4, 0.45, 0.62, 0.66, 0.9, 0.95])
    y = np.array([0, 1, 1, 1, 0, 1, 0, 1, 1], bool)
    found = by_chance(p, y, np.ones(9), np.arange(9), 3)
    pairs = pairs_of(p.tolist(), y.astype(int).tolist())
    ways, observed = chance_errors(pairs), ece(pairs)
    assert observed is not None
    mean = sum(chance * error for chance, error in ways)
    spread = sum(chance * (error - mean) ** 2 for chance, error in ways) ** 0.5
    assert found.ece_noise_floor == pytest.approx(mean, abs=4 * spread / binned.DRAWS**0.5)
    tail = sum(chance for chance, error in ways if error >= observed - 1e-12)
    error = (tail * (1 - tail) / binned.DRAWS) ** 0.5
    assert found.calibration_p == pytest.approx(tail, abs=4 * error + 1 / binned.DRAWS)
    assert by_chance(p, y, np.ones(9), np.arange(9), 3) == found


def test_the_noise_floor_sees_that_samples_of_a_problem_are_alike() -> None:
    """Fifty problems with ten equal samples each are worth fifty rows, not five hundred."""
    floors, errors = [], []
    for seed in range(20):
        rows = alike(seed, 50, 10, 1.0)
        floors.append(by_chance(*rows, seed=seed).ece_noise_floor)
        errors.append(binned.binned(*rows, 50).ece)
    assert np.mean(floors) == pytest.approx(np.mean(errors), abs=0.02)
    assert min(floors) > 0.11
    apart = by_chance(*alike(1, 50, 10, 0.0, spread=0.7), seed=1).ece_noise_floor
    assert apart < 0.06


@pytest.mark.parametrize("luck", [0.0, 0.5, 1.0])
def test_the_shared_chance_is_found(luck: float) -> None:
    p, y, w, cluster = alike(5, 4000, 5, luck, spread=0.7)
    order = np.lexsort((p, cluster))
    found = shared_chance(p[order], y[order], w[order], cluster[order])
    assert found == pytest.approx(luck, abs=0.03)


@pytest.mark.parametrize("luck", [0.0, 0.6])
def test_gaps_from_a_normal_law_are_like_those_of_labels(
    luck: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = alike(9, 400, 6, luck, spread=0.7)
    monkeypatch.setattr(chance, "DRAWN_ROWS", 10_000)
    drawn = by_chance(*rows, seed=1)
    monkeypatch.setattr(chance, "DRAWN_ROWS", 0)
    normal = by_chance(*rows, seed=2)
    assert normal.ece_noise_floor == pytest.approx(drawn.ece_noise_floor, rel=0.04)
    assert normal.calibration_p == pytest.approx(drawn.calibration_p, abs=0.08)


@pytest.mark.parametrize(("error", "n_rarer"), [(0.2, 10), (0.3, 7), (0.3, 5)])
def test_the_interval_holds_the_errors_that_no_slow_test_rejects(
    error: float, n_rarer: int
) -> None:
    rng = np.random.Generator(np.random.PCG64(4))
    p, y = PlantedScores("middle", "over", error, 2).draw(rng, 40)
    cluster = np.repeat(np.arange(40), 2)
    rows = binned.binned(p.ravel(), y.ravel(), np.full(80, 0.5), cluster, 40)
    counts = resample([f"{i:02d}" for i in range(40)], 400).counts

    def ends(p_value: float, furthest: float) -> tuple[float, float]:
        found = ece_interval(rows, counts, Known(p_value, furthest, n_rarer))
        assert found.low is not None
        assert found.high is not None
        return found.low, found.high

    gap, noises = rows.gaps.sum(axis=0) / 40, []
    for times in counts:
        held = np.repeat(np.arange(40), times.astype(int))
        noises.append(rows.gaps[held].sum(axis=0) / rows.weights[held].sum() - gap)
    sign = np.where(gap < 0, -1, 1)
    spread = np.std(noises, axis=0)
    patterns = [gap, sign * spread, rows.weights.sum(axis=0) * np.sign(gap.sum())]
    patterns.append(alone(gap, spread))

    at = np.arange(0, 0.6, 0.002)
    left = np.array([[e * one / np.abs(one).sum() + noises for one in patterns] for e in at])
    below = (np.abs(left).sum(axis=3) <= rows.ece).mean(axis=2)

    def highest(tail: float) -> float:
        return float(at[(below >= tail).any(axis=1)][-1])

    likely = gap * middle_of(gap, np.array(noises)) / rows.ece
    lows = set()
    for furthest in (rows.ece - 0.02, rows.ece + 0.02, rows.ece + 0.06):
        margin = furthest - abs(gap.sum())
        chosen = level_of(likely, rows.weights.sum(axis=0), np.array(noises), margin)
        tail = tail_share(40, min(chosen, 0.015 + 0.06 * (n_rarer - 5) / 5))
        lowest = at[(1 - below >= tail).any(axis=1)][0]
        low, high = ends(0.001, furthest)
        assert low == pytest.approx(min(lowest, rows.ece), abs=0.003)
        cut_off = tail_share(40, chosen if low else max(chosen, 0.05))
        assert high == pytest.approx(max(highest(cut_off), furthest), abs=0.003)
        high_from_0 = max(highest(tail_share(40, max(chosen, 0.05))), furthest)
        assert ends(0.06, furthest) == pytest.approx((0, high_from_0), abs=0.003)
        lows.add(low)
    assert min(lows) > 0.01
    assert ends(0.06, 0.7) == (0, 0.7)


def test_few_problems_of_a_class_have_a_lower_end_further_down() -> None:
    rng = np.random.Generator(np.random.PCG64(1))
    counts = resample([f"{i:02d}" for i in range(50)], 400).counts
    n_further = 0
    for _ in range(60):
        p, y = PlantedScores("spread", "over", 0.1, 1).draw(rng, 50)
        rows = binned.binned(p.ravel(), y.ravel(), np.ones(50), np.arange(50), 50)
        lows = [ece_interval(rows, counts, Known(0.04, 0.0, n)).low for n in (5, 7, 10)]
        assert None not in lows
        few, more, many = (float(low or 0) for low in lows)
        assert few <= more <= many
        n_further += few < many
        assert ece_interval(rows, counts, Known(0.06)).low == 0
    assert n_further > 4


def test_an_error_is_at_least_the_distance_of_mean_confidence_and_base_rate() -> None:
    p, y, w, cluster = alike(3, 40, 5, 0.5)
    held = by_problem(p, y, w, cluster, 40)
    # equal confidences: the distance is as uncertain as the base rate
    flat = np.full(len(p), 0.2)
    gaps = summed(cluster, w * (flat - y), 40)
    bounds = rate_interval(held.right, held.weight)
    assert bounds.high is not None
    assert furthest_gap(held, gaps) == pytest.approx(bounds.high - 0.2, abs=1e-12)
    gaps = summed(cluster, w * (0.9 - y), 40)
    assert bounds.low is not None
    assert furthest_gap(held, gaps) == pytest.approx(0.9 - bounds.low, abs=1e-12)
    alike_answers = by_problem(
        np.full(40, 0.2), np.tile([True, False], 20), np.ones(40), np.repeat(np.arange(20), 2), 20
    )
    assert furthest_gap(alike_answers, np.full(20, -0.6)) == pytest.approx(0.3, abs=1e-12)


@pytest.mark.parametrize("weight", [1e-7, 1.0, 1e5])
def test_the_scale_of_weights_moves_no_end(weight: float) -> None:
    p, y = np.full(200, 0.02), np.arange(200) % 31 == 0
    cluster = np.repeat(np.arange(20), 10)
    found = []
    for w in (np.full(200, 0.1), np.full(200, 0.1 * weight)):
        held, gaps = by_problem(p, y, w, cluster, 20), summed(cluster, w * (p - y), 20)
        found.append(furthest_gap(held, gaps))
    assert found[1] == pytest.approx(found[0], abs=1e-9)
    assert found[0] > abs(np.mean(p - y)) + 0.02


def test_the_order_of_rows_moves_no_end() -> None:
    """Confidences that are the share of right answers in their bin: gaps are 0 but for rounding."""
    resamples = resample([f"{i:02d}" for i in range(15)], 200)
    cluster = np.repeat(np.arange(15), 10)
    for seed in range(20):
        rng = np.random.Generator(np.random.PCG64(seed))
        level = rng.integers(0, 5, 150)
        y = rng.random(150) < (level + 0.5) / 5 * np.repeat(rng.random(15) * 1.2, 10).clip(0, 1)
        p = np.array([y[level == each].mean() for each in range(5)])[level]
        ends = set()
        for _ in range(4):
            at = rng.permutation(150)
            rows = SubjectRows(p[at], y[at], np.full(150, 0.1), cluster[at])
            gaps = partial(binned.binned, rows.p, rows.y, rows.w, rows.cluster, 15)
            found = error_interval(gaps, rows, resamples, 0.5)
            assert found.high is not None
            ends.add(round(found.high, 9))
        assert len(ends) == 1


def test_an_error_of_1_is_not_above_its_interval() -> None:
    y = np.arange(48) % 3 == 0
    rows = binned.binned(1.0 - y, y, np.full(48, 1 / 7), np.arange(48), 48)
    counts = resample([f"{i:02d}" for i in range(48)], 200).counts
    high = ece_interval(rows, counts, Known(0.001)).high
    assert high is not None
    assert 1 - 1e-12 < rows.ece <= high <= 1


def test_no_rounding_takes_the_end_of_a_share_below_0() -> None:
    assert rate_interval(np.full(12, 1e-11), np.ones(12)).low == 0


def test_no_interval_for_few_problems_or_one_class() -> None:
    p, y, w, cluster = alike(1, 9, 3, 0.5)
    rows = binned.binned(p, y, w, cluster, 9)
    counts = resample([f"{i}" for i in range(9)], 50).counts
    assert ece_interval(rows, counts, Known(0.5)).null_reason == "problems_lt_min"
    assert rate_interval(np.ones(9), np.ones(9)).null_reason == "problems_lt_min"


def test_no_interval_where_problems_do_not_vary() -> None:
    p, y = np.tile([0.8, 0.8, 0.8], 50), np.tile([True, False, True], 50)
    rows = binned.binned(p, y, np.ones(150), np.repeat(np.arange(50), 3), 50)
    counts = resample([f"{i:02d}" for i in range(50)], 50).counts
    assert ece_interval(rows, counts, Known(0.5)).null_reason == "no_variation"


def test_an_interval_holds_what_was_observed() -> None:
    """A lucky set has a smaller ECE than any calibrated one would: [0, 0] would claim too much."""
    n_lucky = 0
    for seed in range(60):
        rows = alike(seed, 164, 1, 0.0)
        found = binned.binned(*rows, 164)
        counts = resample([f"{i:03d}" for i in range(164)], 200).counts
        bounds = ece_interval(found, counts, Known(by_chance(*rows, seed=seed).calibration_p))
        assert bounds.low is not None
        assert bounds.high is not None
        assert bounds.low <= found.ece <= bounds.high
        n_lucky += bounds.high == found.ece
    assert n_lucky > 0


@pytest.mark.parametrize("scale", [1e-9, 1e6])
def test_chance_does_not_depend_on_the_scale_of_weights(scale: float) -> None:
    p, y, w, cluster = alike(4, 60, 5, 0.7)
    one, other = by_chance(p, y, w * scale, cluster, 1), by_chance(p, y, w, cluster, 1)
    assert one.calibration_p == other.calibration_p
    assert one.ece_noise_floor == pytest.approx(other.ece_noise_floor, abs=1e-12)


def test_rate_intervals_at_the_edges_and_between() -> None:
    every = rate_interval(np.ones(20), np.ones(20))
    low, high = proportion_confint(20, 20, method="wilson")
    assert (every.low, every.high) == pytest.approx((low, high), abs=1e-12)
    none = rate_interval(np.zeros(20), np.ones(20))
    assert (none.low, none.high) == pytest.approx((0, 1 - low), abs=1e-12)
    # samples that agree less than coins of a problem: more trials than problems
    coins = rate_interval(np.array([0.0, 1.0] * 50), np.ones(100))
    mixed = rate_interval(np.array([0.4, 0.6] * 50), np.ones(100))
    assert coins.low is not None
    assert mixed.low is not None
    assert coins.low < mixed.low < 0.5


COVERED = [
    (PlantedScores("middle", "over", 0.0, 1), 20),
    (PlantedScores("rare", "under", 0.05, 10), 20),
    (PlantedScores("spread", "over", 0.0, 1), 50),
    (PlantedScores("low", "under", 0.0, 10), 50),
    (PlantedScores("low", "under", 0.05, 10), 50),
    (PlantedScores("middle", "extreme", 0.05, 10), 164),
    (PlantedScores("spread", "over", 0.2, 1), 164),
]


@pytest.fixture(scope="module")
def coverages() -> list[Coverage]:
    sizes = Sizes(200, bins_every=2, points_every=4, n_replicates=300)
    return [cover(world, n, sizes) for world, n in COVERED]


@pytest.mark.long(seconds=20)
def test_intervals_cover_the_planted_truth(coverages: list[Coverage]) -> None:
    """200 data sets each, 100 for ECE, 50 for smooth ECE (table: measured.md).

    A share of .95 is then off by .015, .022 and .031 on average.
    """
    for made in coverages:
        for statistic in STATISTICS:
            share, found = made.held(statistic)
            assert found > 0.5, (made.world, statistic)
            assert share is not None
            assert share >= 0.87, (made.world, made.n_problems, statistic, share)
        if made.world.error == 0:
            assert made.rejected() <= 0.12


@pytest.mark.long(seconds=20)
def test_intervals_are_no_wider_than_they_must_be(coverages: list[Coverage]) -> None:
    """Over all data sets of 50 problems and more."""
    large = [made for made in coverages if made.n_problems >= 50]
    for statistic in STATISTICS:
        share = np.mean([made.held(statistic)[0] for made in large])
        assert 0.925 <= share <= 0.975, statistic


def test_a_binned_subject_adds_up_to_its_ece() -> None:
    rows = Binned(np.array([[0.2, -0.1], [0.1, 0.0]]), np.array([[1.0, 1.0], [1.0, 0.0]]))
    assert rows.ece == pytest.approx(0.4 / 3)


def test_a_table_of_coverage_goes_on_where_it_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "SETS_AT_ONCE", 2)
    blocks = bench.planned([1], [20], 4, 50)[:2]
    assert [block.number for block in blocks] == [0, 1]
    path = tmp_path / "found.jsonl"
    bench.simulated(blocks[:1], path, 1)
    with path.open("a") as lines:
        lines.write('{"block": "cut o')
    (whole,) = bench.simulated(blocks, path, 1)
    assert len(path.read_text().splitlines()) == 2
    monkeypatch.setattr(bench, "cover", None)  # nothing is left to simulate
    (again,) = bench.simulated(blocks, path, 1)
    assert again == whole
    assert again.found["base_rate", "held"] + again.found["base_rate", "below"] == 4


def test_cells_with_few_intervals_get_more_data_sets() -> None:
    """One of four data sets has an interval of skill, none of AUROC: sixteen blocks for four."""
    world = PlantedScores("rare", "under", 0.2, 1)
    every = Counter({(statistic, "held"): 4 for statistic in STATISTICS})
    few = every | Counter({("skill_score", "none"): 12, ("auroc", "none"): 4})
    few["auroc", "held"] = 0
    rows = [Coverage(world, 20, {}, few), Coverage(world, 50, {}, every)]
    found = list(bench.lacking(rows, 400, 50))
    assert [(block.n_problems, block.number) for block in found] == [(20, n) for n in range(4, 16)]
    assert {block.sizes.n_sets for block in found} == {bench.SETS_AT_ONCE}
