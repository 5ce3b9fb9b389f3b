"""Estimates: relplot, scikit-learn, uncertainty-calibration, slow resampling, intervals."""

import numpy as np
import pytest
from calibration.utils import normal_debiased_ce
from hypothesis import given, settings
from hypothesis import strategies as st
from relplot.metrics import smECE, smECE_sigma
from sklearn.metrics import roc_auc_score

from runners.measuring.calibration import intervals
from runners.measuring.calibration.bootstrap import bin_of, resample
from runners.measuring.calibration.errors import binned, chance, smooth
from runners.measuring.calibration.errors.binned import debiased_l1
from runners.measuring.calibration.errors.inverted import Known, ece_interval
from runners.measuring.calibration.errors.smooth import (
    chance_p,
    smooth_ece,
    smooth_ece_at,
    smoothed,
)
from runners.measuring.calibration.estimates import Estimated, SubjectRows, estimate
from runners.measuring.calibration.folds import Bools, Floats, Ints
from runners.measuring.calibration.intervals import (
    auroc_interval,
    by_problem,
    rate_interval,
    shares_beaten,
    skill_interval,
)
from tests.support.oracles import calibration as oracles
from tests.support.oracles.calibration import ScoredPair
from tests.support.oracles.calibration_goldens import GOLDEN_A
from tests.support.oracles.statistics import intervals as interval_oracle
from tests.support.oracles.statistics import scores as score_oracle

Sampled = tuple[Floats, Bools, Floats, Ints]


def world(seed: int, n_problems: int = 60, most: int = 3, kind: str = "bent") -> Sampled:
    """Scores, labels, weights and problems: several answers to each problem, like one another."""
    rng = np.random.Generator(np.random.PCG64(seed))
    problem = np.repeat(np.arange(n_problems), rng.integers(1, most + 1, n_problems))
    p = rng.random(n_problems)[problem] * 0.7 + rng.random(len(problem)) * 0.3
    p = {"bent": p, "tied": np.round(p, 1), "edges": np.round(p), "low": p**4}[kind]
    y = rng.random(len(p)) < (p if kind == "tied" else p**2 * 0.8 + 0.1)
    w = 1 / np.bincount(problem)[problem]
    return p, y, w, problem


# --- smooth ECE -----------------------------------------------------------------------------------


def test_smooth_ece_golden() -> None:
    p, y = np.array([pair.p for pair in GOLDEN_A]), np.array([pair.y for pair in GOLDEN_A])
    value, width = smooth_ece(p, y, np.ones(10))
    assert value == pytest.approx(0.116953, abs=5e-7)
    assert width == pytest.approx(0.118164, abs=5e-7)


@pytest.mark.parametrize("kind", ["bent", "tied", "edges", "low"])
def test_smooth_ece_is_that_of_relplot(kind: str) -> None:
    for seed, n_problems in enumerate((1, 2, 9, 60, 400)):
        p, y, w, _ = world(seed, n_problems, 1, kind)
        expected = smECE(p, y.astype(float), return_width=True)
        assert smooth_ece(p, y, w) == pytest.approx(expected, abs=1e-9)
        for width in (0.003, 0.0095, 0.04, 0.3, 1.0):  # grids of odd and even size
            at = smECE_sigma(p, y.astype(float), width)
            assert smooth_ece_at(width, p, y, w) == pytest.approx(at, abs=1e-9)


@pytest.mark.parametrize("weight", [1e-3, 0.1, 3.0, 1e4])
def test_the_scale_of_weights_changes_nothing(weight: float) -> None:
    p, y, _, _ = world(1, 30, 1)
    expected = smECE(p, y.astype(float), return_width=True)
    assert smooth_ece(p, y, np.full(30, weight)) == pytest.approx(expected, abs=1e-9)


def test_a_weight_of_three_is_three_rows() -> None:
    p, y, _, _ = world(1, 30, 1)
    n_rows = 1 + np.arange(30) % 3
    rows = np.repeat(np.arange(30), n_rows)
    once = smooth_ece(p, y, n_rows.astype(float))
    # but for the density floor, which is for the number of rows
    assert smooth_ece(p[rows], y[rows], np.ones(len(rows))) == pytest.approx(once, abs=1e-4)


@pytest.mark.parametrize("right", [0b100110111, 0b101010101, 0b000111111])
def test_drawn_labels_have_as_much_error_as_all_labels(right: int) -> None:
    """Every way to label nine problems, each with a width found for it."""
    p = np.array([0.03, 0.12, 0.17, 0.4, 0.45, 0.62, 0.66, 0.9, 0.95])
    labels = (np.arange(512)[:, None] >> np.arange(9) & 1).astype(bool)
    chances = np.where(labels, p, 1 - p).prod(axis=1)
    errors = np.array([smooth_ece(p, each, np.ones(9))[0] for each in labels])
    observed, width = smooth_ece(p, labels[right], np.ones(9))
    tail = chances[errors >= observed - 1e-9].sum()
    found = chance_p(p, labels[right], np.ones(9), np.arange(9), width, 3)
    error = (tail * (1 - tail) / binned.DRAWS) ** 0.5
    assert found == pytest.approx(tail, abs=4 * error + 2 / binned.DRAWS)


@pytest.mark.parametrize("kind", ["bent", "tied", "low"])
def test_errors_drawn_from_a_normal_law_are_like_those_of_labels(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    p, _, w, problem = world(3, 400, 5, kind)
    y = np.random.Generator(np.random.PCG64(8)).random(len(p)) < np.minimum(p * 1.02, 1)
    _, width = smooth_ece(p, y, w)
    monkeypatch.setattr(chance, "DRAWN_ROWS", 10_000)
    drawn = chance_p(p, y, w, problem, width, 1)
    assert 0.05 < drawn < 0.95
    monkeypatch.setattr(chance, "DRAWN_ROWS", 0)
    assert chance_p(p, y, w, problem, width, 2) == pytest.approx(drawn, abs=0.06)


@pytest.mark.parametrize("kind", ["bent", "tied", "edges", "low", "inverted"])
def test_smoothed_problems_add_up_to_smooth_ece(kind: str) -> None:
    p, y, w, problem = world(7, 80, 3, "edges" if kind == "inverted" else kind)
    if kind == "inverted":  # a wide blur, where errors of opposite sign are far apart
        p, y = np.where(y, 0.15, 0.85), y.copy()
        y[::17] = ~y[::17]
    value, width = smooth_ece(p, y, w)
    rows = smoothed(p, y, w, problem, 80, width)
    assert rows.gaps.shape == rows.weights.shape
    assert rows.ece == pytest.approx(value, abs=1e-9)
    # each point by itself, against the blur that the value is made with
    n_points = rows.gaps.shape[1]
    spectrum = smooth._spectrum(p, (w * (p - y))[None], smooth.CELLS + 1)
    (whole,) = smooth._blur(spectrum, width, smooth.CELLS + 1)
    at = np.interp(np.linspace(0, 1, n_points), np.linspace(0, 1, smooth.CELLS + 1), whole)
    ours = rows.gaps.sum(axis=0)
    assert np.abs(ours / np.abs(ours).sum() - at / np.abs(at).sum()).max() < 2e-3
    counts = resample([f"{i:02d}" for i in range(80)], 200).counts
    found = ece_interval(rows, counts, Known(0.001))
    assert found.low is not None
    assert found.high is not None
    assert found.low <= value <= found.high


# --- debiased ECE ---------------------------------------------------------------------------------


def test_debiased_l1_agrees_with_the_exact_mean_and_with_verified_calibration() -> None:
    for seed in range(5):
        p, y, w, problem = world(seed, 300, 2)
        rows = as_pairs(p, y, w, problem)
        # the mean of 1,000 resamples, against that of folded normals
        assert debiased_l1(p, y, w, problem, seed)[0] == pytest.approx(
            oracles.debiased_l1(rows), abs=3e-3
        )
        alone = debiased_l1(p, y, np.ones(len(p)), np.arange(len(p)), seed)[0]
        np.random.seed(seed)
        binned = [
            [(a, b) for a, b, k in zip(p, y, bin_of(p), strict=True) if k == bin_]
            for bin_ in np.unique(bin_of(p))
        ]
        assert alone == pytest.approx(normal_debiased_ce(binned, power=1), abs=3e-3)


def test_debiased_l1_needs_two_problems_in_each_bin() -> None:
    p, y, apart = np.array([0.12, 0.13, 0.95]), np.array([0, 1, 1], bool), np.arange(3)
    assert debiased_l1(p, y, np.ones(3), apart, 0) == (None, "n_lt_min")
    assert debiased_l1(p[:2], y[:2], np.ones(2), apart[:2], 0)[0] is not None
    # one that weighs next to nothing is not a second one, nor are two rows of one problem
    assert debiased_l1(p[:2], y[:2], np.array([1, 0.1]), apart[:2], 0)[1] == "n_lt_min"
    assert debiased_l1(p[:2], y[:2], np.ones(2), np.zeros(2, int), 0)[1] == "n_lt_min"


# --- resampling -----------------------------------------------------------------------------------


def test_problems_are_resampled_alike_whoever_answered_them() -> None:
    names = [f"p{i}" for i in range(50)]
    one, two = resample(names, 20), resample(names, 20)
    assert one.seed == two.seed < 2**31
    assert (one.counts == two.counts).all()
    assert (one.counts.sum(axis=1) == 50).all()
    assert resample(names[1:], 20).seed != one.seed


# --- intervals ------------------------------------------------------------------------------------


def as_pairs(p: Floats, y: Bools, w: Floats, problem: Ints) -> list[ScoredPair]:
    names = [f"{i:06d}" for i in problem]
    return [ScoredPair(*row) for row in zip(p.tolist(), y.tolist(), w.tolist(), names, strict=True)]


@pytest.mark.parametrize("kind", ["bent", "tied", "edges", "low"])
def test_intervals_are_those_of_plain_python(kind: str) -> None:
    for seed, (n, most) in enumerate(((10, 4), (14, 4), (40, 4), (16, 1), (40, 1), (30, 2))):
        p, y, w, problem = world(seed, n, most, kind)
        rows, pairs = by_problem(p, y, w, problem, n), as_pairs(p, y, w, problem)
        made = {
            "skill": (skill_interval(rows), score_oracle.of_skill(pairs)),
            "auroc": (auroc_interval(p, y, w, problem, rows), score_oracle.of_auroc(pairs)),
        }
        for name, values in (("right", y), ("squares", (p - y) ** 2)):
            parts = np.stack([np.bincount(problem, w * v, n) for v in (values, np.ones(len(w)))])
            expected = interval_oracle.of_ratio([tuple(part) for part in parts.T], "share")
            found = rate_interval(np.asarray(getattr(rows, name), float), rows.weight)
            made[name] = found, expected
        for name, (found, (ends, reason)) in made.items():
            assert found.null_reason == reason, (name, n)
            off = 1e-7 * max(10, *(abs(end or 0) for end in ends))
            assert (found.low, found.high) == pytest.approx(ends, abs=off), (name, n)


@pytest.mark.parametrize("n", [10, 12, 20])
def test_no_end_of_a_share_jumps_where_poissons_limit_fades(n: int) -> None:
    """One value is swept, so that three to four failures are seen."""
    ends = []
    for last in np.linspace(0, 1, 2001):
        values = np.repeat([0.0, last, 1.0], [3, 1, n - 4])
        found = rate_interval(values, np.ones(n))
        ends.append((found.low, found.high))
    steps = np.abs(np.diff(np.array(ends, float), axis=0))
    assert steps.max() < 1e-3


@pytest.mark.parametrize(("n", "n_wrong", "p"), [(60, 9, 0.9), (60, 10, 0.6), (300, 9, 0.75)])
def test_no_end_of_skill_is_nearer_than_four_fifths_of_all_terms(
    n: int, n_wrong: int, p: float
) -> None:
    """Confidences that hardly differ: skill follows the base rate, and one end is near."""
    y, scores = np.arange(n) >= n_wrong, p + np.linspace(-0.02, 0.009, n)
    rows = by_problem(scores, y, np.ones(n), np.arange(n), n)
    found = skill_interval(rows)
    ends, _ = score_oracle.of_skill(as_pairs(scores, y, np.ones(n), np.arange(n)))
    assert (found.low, found.high) == pytest.approx(ends, abs=1e-6)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(intervals, "LEAST_OF_HALF", 0.0)
        without = skill_interval(rows)
    assert (found.low, found.high) != pytest.approx((without.low, without.high), abs=1e-3)


@pytest.mark.parametrize("more", [1e-11, 1e-9, 1e-8])
def test_rates_that_differ_by_rounding_move_no_end_of_skill(more: float) -> None:
    p, y = np.random.default_rng(3).random(40), np.tile([True, False], 20)
    ends = []
    for first in (1.0, 1.0 + more):
        w = np.ones(40)
        w[0] = first
        found = skill_interval(by_problem(p, y, w, np.repeat(np.arange(20), 2), 20))
        ends += [found.low, found.high]
    assert ends[2:] == pytest.approx(ends[:2], abs=1e-6)


@pytest.mark.parametrize("kind", ["bent", "tied", "edges", "low"])
def test_equal_answers_to_a_problem_are_one(kind: str) -> None:
    p, y, w, problem = world(5, 30, 1, kind)
    found = []
    for times in (1, 10):
        repeated = (np.repeat(p, times), np.repeat(y, times), np.repeat(w / times, times))
        cluster = np.repeat(problem, times)
        rows = by_problem(*repeated, cluster, 30)
        ends = skill_interval(rows), auroc_interval(*repeated, cluster, rows)
        found.append([each for one in ends for each in (one.low, one.high)])
    assert found[0] == pytest.approx(found[1], abs=1e-9)


@pytest.mark.parametrize("kind", ["bent", "tied", "edges"])
def test_the_share_that_a_row_beats_adds_up_to_auroc(kind: str) -> None:
    p, y, w, _ = world(11, 25, 4, kind)
    won = shares_beaten(p, y, w)
    expected = pytest.approx(roc_auc_score(y, p, sample_weight=w), abs=1e-12)
    assert np.average(won[y], weights=w[y]) == expected
    assert np.average(won[~y], weights=w[~y]) == expected


def estimates_of(p: Floats, y: Bools, w: Floats, problem: Ints, n: int) -> dict[str, Estimated]:
    counts = resample([f"{i:02d}" for i in range(n)], 200)
    made = estimate(SubjectRows(p, y, w, problem), counts, version=2, seed=0)
    return {row.statistic: row for row in made}


def test_one_class_has_no_skill_but_a_brier_score() -> None:
    p, _, w, problem = world(2)
    made = estimates_of(p, np.ones(len(p), bool), w, problem, 60)
    for name in ("skill_score", "auroc", "ece", "smooth_ece"):
        assert made[name].null_reason == "single_class"
    assert made["smooth_ece"].value is not None
    assert made["base_rate"].interval is not None
    assert made["base_rate"].interval.high == 1
    assert 0.9 < (made["base_rate"].interval.low or 0) < 0.95
    assert made["brier"].null_reason is None


@pytest.mark.parametrize("n", [1, 2, 9])
def test_a_few_problems_have_no_interval_no_test_and_no_noise_floor(n: int) -> None:
    p, y = np.tile([0.2, 0.4, 0.9, 0.7], n), np.tile([False, True, True, False], n)
    made = estimates_of(p, y, np.full(4 * n, 0.25), np.repeat(np.arange(n), 4), n)
    values = {"smooth_ece", "smooth_ece_width", "ece_debiased_l1"}
    for name in made.keys() - values:
        row = made[name]
        assert (row.value, row.null_reason) == (None, "problems_lt_min"), name
        assert row.interval is None or row.interval.low is row.interval.high is None
    assert made["smooth_ece"].value is not None
    assert made["smooth_ece"].null_reason == "problems_lt_min"


def test_a_class_of_four_problems_has_no_skill_auroc_or_ece() -> None:
    p, problem = np.linspace(0.1, 0.9, 40), np.arange(40)
    for n_right, reason in ((4, "class_lt_min"), (5, None)):
        y = np.zeros(40, bool)
        y[7 : 7 + 4 * n_right : 4] = True
        made = estimates_of(p, y, np.ones(40), problem, 40)
        for name in ("skill_score", "auroc", "ece", "smooth_ece"):
            assert made[name].null_reason == reason
        assert made["smooth_ece"].value is not None
        assert made["calibration_p"].value is not None
        assert made["brier"].null_reason is None


@settings(max_examples=10)
@given(st.integers(0, 10**6), st.sampled_from(["bent", "tied", "edges", "low"]))
def test_row_order_does_not_matter_and_seeds_repeat(seed: int, kind: str) -> None:
    p, y, w, problem = world(seed, 12, 3, kind)
    counts = resample([f"{i:02d}" for i in range(12)], 50)
    order = np.random.Generator(np.random.PCG64(seed)).permutation(len(p))

    def made(rows: Ints) -> dict[str, tuple[float | None, ...]]:
        given = (p[rows], y[rows], w[rows], problem[rows])
        return {
            row.statistic: (
                row.value,
                *((row.interval.low, row.interval.high) if row.interval else ()),
            )
            for row in estimate(SubjectRows(*given), counts, version=2, seed=5)
        }

    same, shuffled = made(np.arange(len(p))), made(order)
    assert same == made(np.arange(len(p)))
    for name, values in same.items():
        for one, two in zip(values, shuffled[name], strict=True):
            assert one == (None if two is None else pytest.approx(two, abs=1e-9))
