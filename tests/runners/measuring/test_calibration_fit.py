"""Folds and curves: the published goldens, scikit-learn, and inputs that break careless fits."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold

from runners.measuring.calibration.bootstrap import bin_of
from runners.measuring.calibration.fit import (
    Curve,
    fit_folds_v1,
    fit_isotonic,
    fit_lines,
    fit_platt_v1,
    out_of_fold,
    outside,
    sigmoid,
)
from runners.measuring.calibration.folds import Bools, Floats, grouped_folds, kfold_order
from tests.support.oracles.calibration_goldens import FOLDS_B, GOLDEN_A, GOLDEN_B

A_P, B_P = (np.array([pair.p for pair in pairs]) for pairs in (GOLDEN_A, GOLDEN_B))
A_Y, B_Y = (np.array([pair.y for pair in pairs]) for pairs in (GOLDEN_A, GOLDEN_B))


def logit(p: Floats) -> Floats:
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(p / (1 - p)))


def fit_one(x: Floats, y: Bools, w: Floats | None = None, *, temperature: bool = False) -> Curve:
    weights = np.ones(len(x)) if w is None else w
    (curve,) = fit_lines(x, y, weights, np.ones((1, len(x)), bool), through_origin=temperature)
    return curve


def oracle(x: Floats, y: Bools, w: Floats, *, smoothed: bool) -> tuple[float, float]:
    """scikit-learn's optimum; a target between 0 and 1 is a right and a wrong row."""
    right, wrong = w[y].sum(), w[~y].sum()
    target = np.where(y, (right + 1) / (right + 2), 1 / (wrong + 2)) if smoothed else y * 1.0
    line = LogisticRegression(
        C=np.inf, solver="newton-cholesky", tol=1e-12, max_iter=1000, fit_intercept=smoothed
    )
    line.fit(
        np.r_[x, x][:, None],
        np.r_[np.ones(len(x)), np.zeros(len(x))],
        sample_weight=np.r_[w * target, w * (1 - target)],
    )
    return float(line.coef_[0, 0]), float(np.ravel(line.intercept_)[0])


def test_golden_b() -> None:
    folds = kfold_order(20)
    curves = fit_folds_v1(logit(B_P), B_Y, folds)
    found = {tuple(np.flatnonzero(folds == k).tolist()): curves[k] for k in range(5)}
    assert found.keys() == FOLDS_B.keys()
    for rows, (slope, intercept) in FOLDS_B.items():
        assert found[rows].slope == pytest.approx(slope, abs=1e-6)
        assert found[rows].intercept == pytest.approx(intercept, abs=1e-6)
    scaled = out_of_fold(curves, folds, B_P, logit(B_P))
    brier = np.mean((scaled - B_Y) ** 2)
    assert brier == pytest.approx(0.253795, abs=1e-6)
    assert 1 - brier / (0.5 * 0.5 - 0.05**2) == pytest.approx(-0.025434, abs=1e-5)
    gaps = np.bincount(bin_of(scaled), scaled - B_Y, 10)
    assert np.abs(gaps).sum() / 20 == pytest.approx(0.152740, abs=1e-6)


def test_golden_a_on_its_own_rows() -> None:
    x = logit(A_P)
    line = fit_platt_v1(x, A_Y)
    assert (line.slope, line.intercept) == pytest.approx((0.926488, 0.678962), abs=1e-6)
    smoothed = fit_one(x, A_Y)
    assert (smoothed.slope, smoothed.intercept) == pytest.approx((0.250547, 0.300823), abs=1e-6)
    temperature = fit_one(x, A_Y, temperature=True)
    assert temperature.slope == pytest.approx(0.794129, abs=1e-6)
    assert 1 / (temperature.slope or 0) == pytest.approx(1.259241, abs=1e-6)
    assert temperature.intercept == 0
    isotonic = fit_isotonic(A_P, A_Y, np.ones(10))
    expected = [0, 0, 0.5, 0.5, 0.5, 0.5, 1, 1, 1, 1]
    assert isotonic.apply(A_P, x) == pytest.approx(expected, abs=1e-12)


def test_golden_c_unskilled_under_cross_validation() -> None:
    """23 right of 120, the same score for all: folds differ in base rate, and that costs."""
    briers = []
    for order in range(600):
        y = np.random.Generator(np.random.PCG64(order)).permutation(np.arange(120) < 23)
        folds = kfold_order(120)
        constant = np.full(120, 0.3)
        curves = fit_folds_v1(logit(constant), y, folds)
        assert {curve.flag for curve in curves} == {"constant_score"}
        scaled = out_of_fold(curves, folds, constant, logit(constant))
        briers.append(np.mean((scaled - y) ** 2))
    # the range is that of nine orders in ten
    assert np.mean(briers) == pytest.approx(0.1578, abs=3e-4)
    assert np.percentile(briers, [5, 95]) == pytest.approx([0.1556, 0.1618], abs=1e-3)


@pytest.mark.parametrize("n_rows", [5, 6, 119, 164, 974])
def test_kfold_is_the_portable_form(n_rows: int) -> None:
    """The legacy generator's shuffle, cut into five slices, the first ones one longer."""
    order = np.arange(n_rows)
    np.random.RandomState(42).shuffle(order)
    folds = kfold_order(n_rows)
    for fold, rows in enumerate(np.array_split(order, 5)):
        assert set(np.flatnonzero(folds == fold)) == set(rows)


@pytest.mark.parametrize("world", range(12))
def test_grouped_folds_are_those_of_scikit_learn(world: int) -> None:
    rng = np.random.Generator(np.random.PCG64(world))
    n_problems = int(rng.integers(12, 40))
    problem = np.repeat(np.arange(n_problems), rng.integers(1, 5 if world % 2 else 2, n_problems))
    y = rng.random(len(problem)) < 0.5
    tally = np.stack([np.bincount(problem, y == label, n_problems) for label in (False, True)], 1)
    folds = grouped_folds(tally, n_seeds=4)
    for seed in range(4):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # few of a class: it warns and continues
            splits = StratifiedGroupKFold(5, shuffle=True, random_state=seed).split(
                problem, y, problem
            )
            for fold, (_, held_out) in enumerate(splits):
                assert set(folds[problem[held_out], seed]) == {fold}
                assert (folds[problem, seed] == fold).sum() == len(held_out)


def test_grouped_folds_go_on_where_both_classes_are_small() -> None:
    folds = grouped_folds(np.array([[1, 0]] * 4 + [[0, 1]] * 3, float), n_seeds=3)
    assert all(set(column) == set(range(5)) for column in folds.T)
    assert grouped_folds(np.array([[0.0, 1.0]] * 6), 20).shape == (6, 20)  # one class


@pytest.mark.parametrize("seed", range(6))
def test_lines_agree_with_scikit_learn(seed: int) -> None:
    rng = np.random.Generator(np.random.PCG64(seed))
    n_rows = int(rng.integers(30, 400))
    x = rng.normal(-1, 3, n_rows)
    y = rng.random(n_rows) < sigmoid(0.6 * x + 0.5)
    w = rng.choice([1.0, 0.5, 0.25], n_rows)
    if seed == 5:
        x[:3] = -9999.0  # what is left of a sentinel in log space
    folds = rng.integers(0, 5, n_rows)
    train = outside(folds)
    for temperature in (False, True):
        curves = fit_lines(x, y, w, train, through_origin=temperature)
        for rows, curve in zip(train, curves, strict=True):
            slope, intercept = oracle(x[rows], y[rows], w[rows], smoothed=not temperature)
            assert curve.slope == pytest.approx(slope, abs=1e-6)
            assert curve.intercept == pytest.approx(0 if temperature else intercept, abs=1e-6)
            assert (curve.n_train, curve.n_positive) == (rows.sum(), y[rows].sum())


def test_one_class_in_training() -> None:
    x, right = np.array([-1.0, 0.0, 2.0]), np.ones(3, bool)
    v1 = fit_platt_v1(x, right)
    assert (v1.slope, v1.null_reason) == (None, "fit_failed")
    for temperature in (False, True):
        v2 = fit_one(x, right, temperature=temperature)
        assert v2.flag == "one_class"
        assert v2.apply(x, x) == pytest.approx([4 / 5] * 3)
        assert fit_one(x, ~right).apply(x, x) == pytest.approx([1 / 5] * 3)


def test_separated_classes() -> None:
    x, y = np.array([-3.0, -2.0, 2.0, 3.0]), np.array([0, 0, 1, 1], bool)
    assert (fit_platt_v1(x, y).slope or 0) > 5  # whatever the solver reached
    assert fit_platt_v1(x / 1e5, y).flag == "steep"
    assert 0 < (fit_one(x, y).slope or 0) < 5  # Platt's targets end somewhere
    assert fit_one(x, y, temperature=True).null_reason == "fit_failed"


def test_a_constant_score_gives_the_base_rate() -> None:
    x, y = np.full(4, -1.5), np.array([1, 0, 0, 0], bool)
    for curve in (fit_platt_v1(x, y), fit_one(x, y), fit_one(x, y, temperature=True)):
        assert (curve.slope, curve.flag) == (0, "constant_score")
        assert curve.apply(x, x) == pytest.approx([0.25] * 4)


def test_isotonic_agrees_with_scikit_learn_and_keeps_tiny_scores_apart() -> None:
    rng = np.random.Generator(np.random.PCG64(3))
    p, w = np.round(rng.random(300), 2), rng.choice([1.0, 0.5], 300)
    y = rng.random(300) < p
    expected = IsotonicRegression().fit(p, y, sample_weight=w).predict(p)
    assert fit_isotonic(p, y, w).apply(p, p) == pytest.approx(expected, abs=1e-12)
    tiny = np.array([1e-40, 1e-30, 1e-20, 0.5])  # scikit-learn alone takes three for tied
    y = np.array([0, 0, 1, 1], bool)
    assert fit_isotonic(tiny, y, np.ones(4)).apply(tiny, tiny).tolist() == [0, 0, 1, 1]


pairs = st.lists(
    st.tuples(
        st.one_of(
            st.floats(-15, 15), st.floats(-1e5, 13.8), st.sampled_from([0.0, 13.8, -13.8, -9999.0])
        ),
        st.booleans(),
    ),
    min_size=1,
    max_size=40,
)


@settings(max_examples=100)
@given(pairs)
def test_any_scores_are_fitted_in_any_order(rows: list[tuple[float, bool]]) -> None:
    x, y = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    shuffled = np.argsort(np.random.Generator(np.random.PCG64(len(rows))).random(len(rows)))
    for temperature in (False, True):
        curve = fit_one(x, y, temperature=temperature)
        again = fit_one(x[shuffled], y[shuffled], temperature=temperature)
        assert curve.null_reason == again.null_reason
        if curve.null_reason is None:
            here, there = curve.apply(x, x), again.apply(x, x)
            assert np.isfinite(here).all()
            assert here == pytest.approx(there, abs=1e-6)
