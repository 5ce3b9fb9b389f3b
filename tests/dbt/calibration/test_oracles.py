"""The oracles of calibration against the numbers of the reference."""

import math
import operator
import random

import pytest

from tests.support.oracles import calibration as oracle
from tests.support.oracles import calibration_curves as curve_oracle
from tests.support.oracles import confidence as confidence_oracle
from tests.support.oracles.calibration import ScoredPair
from tests.support.oracles.calibration_goldens import (
    DEBIASED,
    FOLDS_B,
    GOLDEN_A,
    GOLDEN_B,
    PERCENTAGES,
    TRUE_OR_FALSE,
    near,
)


def test_golden_token_confidence() -> None:
    logprobs = [-0.1, -0.2, -1.0]
    found = {how: confidence_oracle.token_confidence(logprobs, how)[0] for how in TOKEN_GOLDEN}
    assert found == {how: near(value) for how, value in TOKEN_GOLDEN.items()}
    assert confidence_oracle.token_confidence([], "avg") == (None, "empty")
    assert confidence_oracle.token_confidence(None, "avg") == (None, "missing_logprobs")
    assert confidence_oracle.token_confidence([-0.1, None], "total") == (None, "missing_logprobs")
    assert confidence_oracle.token_confidence([-0.1, 0.5], "min") == (None, "logprob_positive")
    assert confidence_oracle.token_confidence([5e-5], "avg") == (1.0, None)
    assert confidence_oracle.token_confidence([confidence_oracle.SENTINEL, 0.0], "total") == (
        0.0,
        None,
    )
    assert confidence_oracle.token_confidence([confidence_oracle.SENTINEL, 0.0], "avg") == (
        0.5,
        None,
    )


TOKEN_GOLDEN = {"avg": 0.697149, "total": 0.272532, "geometric_mean": 0.648344, "min": 0.367879}


def test_golden_percentages() -> None:
    found = {text: confidence_oracle.percentage(text) for text in PERCENTAGES}
    assert found == {text: value for text, (value, _) in PERCENTAGES.items()}


def test_golden_true_or_false() -> None:
    assert confidence_oracle.ask_tf_v1([TRUE_OR_FALSE]) == (
        (near(0.740818), None),
        (near(0.900250), None),
    )
    assert confidence_oracle.ask_tf_v2([TRUE_OR_FALSE]) == (
        (near(0.894469), None),
        (near(0.915944), None),
    )
    nothing = (None, "parse_fail")
    assert confidence_oracle.ask_tf_v1([[("maybe", -0.1)]]) == (nothing, nothing)
    assert confidence_oracle.ask_tf_v1([[("TrueFalse", -0.1)]]) == (nothing, nothing)
    assert confidence_oracle.ask_tf_v1([[("x", -1.0)], [("false", -0.5)]]) == (
        (0.0, None),
        (0.0, None),
    )
    assert confidence_oracle.ask_tf_v1(None)[0] == (None, "missing_logprobs")


def test_golden_length() -> None:
    found = [confidence_oracle.length_v1(length, 20, 80) for length in (10, 40, 100)]
    assert found == [1.0, near(0.666667), 0.0]
    assert confidence_oracle.length_v1(10, 20, 20) is None
    assert confidence_oracle.length_v2([3, 1, 1]) == [0.0, 0.5, 0.5]


def test_golden_table_of_correctness() -> None:
    counts = {(0, 0): 1190, (0, 1): 321, (1, 0): 137, (1, 1): 339}
    n = sum(counts.values())
    assert n == 1987
    shares = {cell: round(100 * count / n, 2) for cell, count in counts.items()}
    assert shares == {(0, 0): 59.89, (0, 1): 16.16, (1, 0): 6.89, (1, 1): 17.06}


def test_golden_a() -> None:
    assert oracle.ece(GOLDEN_A) == near(0.295)
    assert oracle.error_over(oracle.equal_width(GOLDEN_A, reaches=operator.lt)) == near(0.245)
    found = {
        k: (len(rows), near(oracle.mean_p(rows)), near(oracle.mean_y(rows)))
        for k, rows in oracle.equal_width(GOLDEN_A).items()
    }
    assert found == {
        0: (1, 0.05, 0),
        1: (2, 0.125, 0.5),
        3: (1, 0.35, 0),
        4: (1, 0.40, 1),
        5: (1, 0.55, 0),
        6: (1, 0.65, 1),
        8: (1, 0.80, 1),
        9: (2, 0.95, 1),
    }
    assert oracle.brier(GOLDEN_A) == near(0.16925)
    assert oracle.brier_reference(GOLDEN_A) == near(0.24)
    assert oracle.skill_score(GOLDEN_A) == near(0.294792)
    assert oracle.auroc(GOLDEN_A) == near(0.875)


def test_golden_a_by_quantiles() -> None:
    edges = oracle.quantile_edges([q.p for q in GOLDEN_A], 5)
    assert edges == [near(e) for e in (0.05, 0.14, 0.38, 0.59, 0.82, 1.0)]
    bins = [rows for _, rows in sorted(oracle.quantile_bins(GOLDEN_A, 5).items())]
    assert [len(rows) for rows in bins] == [2] * 5
    means = [near(p) for p in (0.075, 0.25, 0.475, 0.725, 0.95)]
    assert [oracle.mean_p(rows) for rows in bins] == means
    assert [oracle.mean_y(rows) for rows in bins] == [0, 0.5, 0.5, 1, 1]
    assert oracle.quantile_ece(GOLDEN_A, 5) == near(0.135)


def test_golden_a_taken_apart() -> None:
    parts = {"rel": 0.123625, "res": 0.19, "unc": 0.24, "wbv": 0.000625, "wbc": 0.0025}
    assert oracle.murphy(GOLDEN_A) == {name: near(value) for name, value in parts.items()}
    assert oracle.isotonic(GOLDEN_A) == [0, 0, 0.5, 0.5, 0.5, 0.5, 1, 1, 1, 1]
    parts = {"mcb": 0.06925, "dsc": 0.14, "unc": 0.24}
    assert oracle.corp(GOLDEN_A) == {name: near(value) for name, value in parts.items()}


def test_golden_debiased() -> None:
    plug_in = math.sqrt(
        sum(
            len(k) / 8 * (oracle.mean_p(k) - oracle.mean_y(k)) ** 2
            for k in oracle.equal_width(DEBIASED).values()
        )
    )
    assert plug_in == near(0.6)
    assert oracle.debiased_square(DEBIASED) == near(0.2975)
    assert oracle.debiased_l2(DEBIASED) == near(0.545436)
    assert oracle.debiased_square(GOLDEN_A) == near(-0.021375)
    assert oracle.debiased_l2(GOLDEN_A) == 0.0


def test_golden_wilson() -> None:
    assert oracle.wilson(1, 2) == (near(0.094531), near(0.905469))
    assert oracle.wilson(0, 5) == (0.0, near(0.434482))
    assert oracle.wilson(5, 5) == (near(0.565518), 1.0)


def test_golden_b() -> None:
    raw = oracle.brier(GOLDEN_B), oracle.skill_score(GOLDEN_B), oracle.ece(GOLDEN_B)
    assert raw == (near(0.178530), near(0.278667), near(0.162))
    assert oracle.auroc(GOLDEN_B) == near(0.808081)
    folds = curve_oracle.folds_v1(20)
    found = {}
    for k in range(5):
        held = tuple(i for i, fold in enumerate(folds) if fold == k)
        train = [q for q, fold in zip(GOLDEN_B, folds, strict=True) if fold != k]
        found[held] = curve_oracle.logistic(
            [curve_oracle.logit_v1(q.p) for q in train], [float(q.y) for q in train]
        )
    assert set(found) == set(FOLDS_B)
    for held, curve in FOLDS_B.items():
        assert found[held] == pytest.approx(curve, abs=1e-3)
    scaled = curve_oracle.platt_v1(GOLDEN_B)
    assert scaled is not None
    assert oracle.brier(scaled) == pytest.approx(0.253795, abs=1e-3)
    assert oracle.skill_score(scaled) == pytest.approx(-0.025434, abs=1e-3)
    assert oracle.ece(scaled) == pytest.approx(0.152740, abs=1e-3)
    assert oracle.auroc(scaled) == pytest.approx(0.667, abs=1e-3)


def test_golden_a_in_sample() -> None:
    x = [curve_oracle.logit_v1(q.p) for q in GOLDEN_A]
    y = [float(q.y) for q in GOLDEN_A]
    assert curve_oracle.logistic(x, y) == (near(0.926488), near(0.678962))
    smoothed = curve_oracle.smoothed_targets(GOLDEN_A)
    assert curve_oracle.logistic(x, smoothed) == (near(0.250547), near(0.300823))
    slope, _ = curve_oracle.logistic(x, y, with_intercept=False)
    assert (slope, 1 / slope) == (near(0.794129), near(1.259241))


def test_golden_c() -> None:
    """The constant predictor under cross-validation: worse than the reference it is."""
    losses = []
    for seed in range(200):
        labels = [i < 23 for i in range(120)]
        random.Random(seed).shuffle(labels)
        scaled = curve_oracle.platt_v1(
            [ScoredPair(0.5, y, name=f"{i:03d}") for i, y in enumerate(labels)]
        )
        assert scaled is not None
        losses.append(oracle.brier(scaled) or 0.0)
    assert sum(losses) / 200 == pytest.approx(0.1578, abs=5e-4)
    assert sum(0.1555 < loss < 0.1619 for loss in losses) >= 180
    assert min(losses) > 0.1549  # what the predictor has that knows the base rate of all rows
    assert round(23 / 120 * 97 / 120, 4) == 0.1549


def test_logits_of_the_smallest_probabilities() -> None:
    assert curve_oracle.logit_v1(math.exp(-50)) == pytest.approx(-13.8155, abs=1e-4)
    assert curve_oracle.logit_v1(1.0) == pytest.approx(13.8155, abs=1e-4)
    assert curve_oracle.logit_v2(math.exp(-50), -50.0) == pytest.approx(-50.0, abs=1e-12)
