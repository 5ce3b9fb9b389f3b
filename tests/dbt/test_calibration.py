"""Calibration: the oracles against the published numbers, and the views against the oracles."""

import math
import random
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from runners.steps.calibrate import calibrate
from tests.support.goldens import check_golden
from tests.support.oracles import calibration as oracle
from tests.support.oracles.calibration import Pair, pairs_of
from tests.support.oracles.calibration_goldens import DEBIASED, GOLDEN_A, GOLDEN_B, near
from tests.support.sql import rows_in, same
from tests.support.worlds.calibration import (
    FITTED,
    SEEDS,
    Line,
    Measured,
    make_up_curves,
    many_small_sets,
    measured,
    published_world,
    written,
)
from warehouse.store.connection import writing
from warehouse.views.build import build

# --- the oracles against the goldens of the reference -------------------------------------------


def test_golden_token_confidence() -> None:
    logprobs = [-0.1, -0.2, -1.0]
    found = {how: oracle.token_confidence(logprobs, how)[0] for how in TOKEN_GOLDEN}
    assert found == {how: near(value) for how, value in TOKEN_GOLDEN.items()}
    assert oracle.token_confidence([], "avg") == (None, "empty")
    assert oracle.token_confidence(None, "avg") == (None, "missing_logprobs")
    assert oracle.token_confidence([-0.1, None], "total") == (None, "missing_logprobs")
    assert oracle.token_confidence([-0.1, 0.5], "min") == (None, "logprob_positive")
    assert oracle.token_confidence([5e-5], "avg") == (1.0, None)
    assert oracle.token_confidence([oracle.SENTINEL, 0.0], "total") == (0.0, None)
    assert oracle.token_confidence([oracle.SENTINEL, 0.0], "avg") == (0.5, None)


TOKEN_GOLDEN = {"avg": 0.697149, "total": 0.272532, "geometric_mean": 0.648344, "min": 0.367879}

PERCENTAGES = {
    "80%": 0.80,
    "80.00%": 0.80,
    "The probability is about 80.": 0.80,
    "0.8.": 0.8,
    ".85": 0.85,
    "1": 1.0,
    "100": 1.0,
    "85 percent": 0.85,
    "8/10": 0.8,
    "8 out of 10": 0.8,
    "Between 70% and 80%": 0.70,
    "75-80%": 0.75,
    "5": 0.05,
    "0": 0.0,
    "150%": None,
    "150": None,
    "-5%": None,
    "v2.0": None,
    "no idea": None,
    "": None,
    "step 1: fine. Probability 0.7": 1.0,
}


def test_golden_percentages() -> None:
    assert {text: oracle.percentage(text) for text in PERCENTAGES} == PERCENTAGES


def test_golden_true_or_false() -> None:
    position = [(" True", -0.3), ("True", -2.0), ("False", -2.5), (" true", -4.0)]
    assert oracle.ask_tf_v1([position]) == ((near(0.740818), None), (near(0.900250), None))
    assert oracle.ask_tf_v2([position]) == ((near(0.894469), None), (near(0.915944), None))
    nothing = (None, "parse_fail")
    assert oracle.ask_tf_v1([[("maybe", -0.1)]]) == (nothing, nothing)
    assert oracle.ask_tf_v1([[("TrueFalse", -0.1)]]) == (nothing, nothing)
    assert oracle.ask_tf_v1([[("x", -1.0)], [("false", -0.5)]]) == ((0.0, None), (0.0, None))
    assert oracle.ask_tf_v1(None)[0] == (None, "missing_logprobs")


def test_golden_length() -> None:
    found = [oracle.length_v1(length, 20, 80) for length in (10, 40, 100)]
    assert found == [1.0, near(0.666667), 0.0]
    assert oracle.length_v1(10, 20, 20) is None
    assert oracle.length_v2([3, 1, 1]) == [0.0, 0.5, 0.5]


def test_golden_table_of_correctness() -> None:
    counts = {(0, 0): 1190, (0, 1): 321, (1, 0): 137, (1, 1): 339}
    n = sum(counts.values())
    assert n == 1987
    shares = {cell: round(100 * count / n, 2) for cell, count in counts.items()}
    assert shares == {(0, 0): 59.89, (0, 1): 16.16, (1, 0): 6.89, (1, 1): 17.06}


def test_golden_a() -> None:
    assert oracle.ece(GOLDEN_A) == near(0.295)
    assert oracle.error_over(oracle.right_closed(GOLDEN_A)) == near(0.245)
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


FOLDS_B = {
    (0, 1, 15, 17): (0.610021, -0.225326),
    (3, 5, 8, 11): (0.708504, 0.371239),
    (2, 13, 16, 18): (1.366549, 0.686043),
    (4, 9, 12, 19): (1.047253, -0.400248),
    (6, 7, 10, 14): (0.880632, -0.607386),
}


def test_golden_b() -> None:
    raw = oracle.brier(GOLDEN_B), oracle.skill_score(GOLDEN_B), oracle.ece(GOLDEN_B)
    assert raw == (near(0.178530), near(0.278667), near(0.162))
    assert oracle.auroc(GOLDEN_B) == near(0.808081)
    folds = oracle.folds_v1(20)
    found = {}
    for k in range(5):
        held = tuple(i for i, fold in enumerate(folds) if fold == k)
        train = [q for q, fold in zip(GOLDEN_B, folds, strict=True) if fold != k]
        found[held] = oracle.logistic(
            [oracle.logit_v1(q.p) for q in train], [float(q.y) for q in train]
        )
    assert set(found) == set(FOLDS_B)
    for held, curve in FOLDS_B.items():
        assert found[held] == pytest.approx(curve, abs=1e-3)
    scaled = oracle.platt_v1(GOLDEN_B)
    assert scaled is not None
    assert oracle.brier(scaled) == pytest.approx(0.253795, abs=1e-3)
    assert oracle.skill_score(scaled) == pytest.approx(-0.025434, abs=1e-3)
    assert oracle.ece(scaled) == pytest.approx(0.152740, abs=1e-3)
    assert oracle.auroc(scaled) == pytest.approx(0.667, abs=1e-3)


def test_golden_a_in_sample() -> None:
    x = [oracle.logit_v1(q.p) for q in GOLDEN_A]
    y = [float(q.y) for q in GOLDEN_A]
    assert oracle.logistic(x, y) == (near(0.926488), near(0.678962))
    smoothed = oracle.smoothed_targets(GOLDEN_A)
    assert oracle.logistic(x, smoothed) == (near(0.250547), near(0.300823))
    slope, _ = oracle.logistic(x, y, with_intercept=False)
    assert (slope, 1 / slope) == (near(0.794129), near(1.259241))


def test_golden_c() -> None:
    """The constant predictor under cross-validation: worse than the reference it is."""
    losses = []
    for seed in range(200):
        labels = [i < 23 for i in range(120)]
        random.Random(seed).shuffle(labels)
        scaled = oracle.platt_v1([Pair(0.5, y, name=f"{i:03d}") for i, y in enumerate(labels)])
        assert scaled is not None
        losses.append(oracle.brier(scaled) or 0.0)
    assert sum(losses) / 200 == pytest.approx(0.1578, abs=5e-4)
    assert sum(0.1555 < loss < 0.1619 for loss in losses) >= 180
    assert min(losses) > 0.1549  # what the predictor has that knows the base rate of all rows
    assert round(23 / 120 * 97 / 120, 4) == 0.1549


def test_logits_of_the_smallest_probabilities() -> None:
    assert oracle.logit_v1(math.exp(-50)) == pytest.approx(-13.8155, abs=1e-4)
    assert oracle.logit_v1(1.0) == pytest.approx(13.8155, abs=1e-4)
    assert oracle.logit_v2(math.exp(-50), -50.0) == pytest.approx(-50.0, abs=1e-12)


# --- curves, estimates and views of a small world -----------------------------------------------


def clustered(n: int, seed: int) -> list[Pair]:
    """Answers to fourteen problems, some to one, some to many; confidence means something."""
    rng = random.Random(seed)
    pairs = []
    for _ in range(n):
        p = rng.choice([rng.random(), rng.randint(0, 10) / 10])
        problem = f"toy1.{min(13, int(rng.expovariate(0.2)))}"
        pairs.append(Pair(p, rng.random() < 0.15 + 0.6 * p, 1.0, problem))
    return pairs


SETS = {
    "golden_a": GOLDEN_A,
    "golden_b": GOLDEN_B,
    "debiased": DEBIASED,
    "clustered": clustered(90, 3),
    "constant": pairs_of([0.4] * 12, [0, 1] * 6),
    "all_right": pairs_of([i / 8 for i in range(9)], [1] * 9),
    "separated": pairs_of([0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9], [0, 0, 0, 0, 1, 1, 1, 1]),
}
REPLICATES = 100
VIEWS = (
    *("confidence_v1", "confidence_v2", "calibration_raw_v1", "calibration_raw_v2"),
    *("calibration_scaled_v1", "calibration_scaled_v2"),
    *("reliability_bins_v1", "reliability_bins_v2", "calibration_by_correctness_v1"),
    *("reliability_points_v1", "roc_v1", "roc_v2"),
)
WITH_PARENTS = " ".join(f"+{view}" for view in VIEWS)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("small")
    path = written(published_world(SETS), home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        calibrate(seeds=3, replicates=REPLICATES, progress=False)
        build(path, select=WITH_PARENTS, tests=False)
        yield path


def fits_of(path: Path) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return the stored curves by language model, version, measure, rescaler, seed and fold."""
    rows = rows_in(
        path,
        """
        select subject.lm_id, subject.version, subject.measure, fit.*
        from raw.calibration_fit as fit
        inner join intermediate.int_calibration_subject as subject using (subject_key, input_key)
        """,
    )
    names = ("lm_id", "version", "measure", "rescaler", "fold_seed", "fold")
    return {tuple(row[name] for name in names): row for row in rows}


@pytest.mark.long
def test_stored_folds_are_those_of_the_oracle(small: Path) -> None:
    rows = rows_in(small, "select n_rows, folds from raw.kfold_order")
    assert {row["n_rows"] for row in rows} >= {10, 20, 90}
    for row in rows:
        assert row["folds"] == oracle.folds_v1(row["n_rows"])


def test_stored_curves_are_those_of_greatest_likelihood(small: Path) -> None:
    fits, folds, n_compared = fits_of(small), folds_of(small), 0
    subjects = measured(small)
    for (lm, version, measure, rescaler, seed, fold), fit in fits.items():
        subject = subjects[lm, version, measure]
        if rescaler == "isotonic" or seed not in (None, 0, 42) or fit["null_reason"] == "n_lt_min":
            continue
        subject.folds = folds.get(subject.keys[1], {})
        train = [
            (q, x)
            for i, (q, x) in enumerate(zip(subject.pairs, subject.x, strict=True))
            if fold is None or subject.fold_of(seed)[i] != fold
        ]
        pairs, x = [q for q, _ in train], [x for _, x in train]
        assert fit["n_train"] == len(pairs)
        assert fit["n_positive"] == sum(q.y for q in pairs)
        if len({q.y for q in pairs}) < 2:
            assert (fit["flag"] == "one_class") or fit["null_reason"] == "fit_failed"
            continue
        if len(set(x)) < 2:
            rate = oracle.mean_y(pairs)
            assert oracle.sigmoid(fit["intercept"]) == pytest.approx(rate, abs=1e-9)
            continue
        right, wrong = [a for q, a in train if q.y], [a for q, a in train if not q.y]
        separated = max(wrong) <= min(right) or max(right) <= min(wrong)
        weights = [q.w for q in pairs]
        if version == 2 and rescaler == "platt":
            truth = oracle.logistic(x, oracle.smoothed_targets(pairs), weights)
        elif separated:  # the slope is where the solver stopped, or there is none
            continue
        else:
            truth = oracle.logistic(
                x, [float(q.y) for q in pairs], weights, with_intercept=rescaler == "platt"
            )
        found = fit["slope"], fit["intercept"]
        exact = 1e-4 if version == 1 else 1e-7
        assert found == pytest.approx(truth, abs=exact, rel=exact), (lm, version, measure, rescaler)
        n_compared += 1
    assert n_compared > 150


def test_intervals_of_lines_follow_the_weight_of_each_problem(small: Path) -> None:
    rows, subjects, n_compared = by_subject(small, "calibration_scaled_v2"), measured(small), 0
    for (lm, version, measure, rescaler), row in rows.items():
        if row["slope_lo"] is None:
            assert row["slope_hi"] is row["intercept_lo"] is row["intercept_hi"] is None
            continue
        if lm not in ("golden_a", "golden_b", "clustered"):
            continue
        subject = subjects[lm, version, measure]
        if row["is_steep"] or len({q.y for q in subject.pairs}) < 2:
            continue
        platt = rescaler == "platt"
        targets = [float(q.y) for q in subject.pairs]
        if platt:
            targets = oracle.smoothed_targets(subject.pairs)
        errors = oracle.standard_errors(subject.pairs, subject.x, targets, with_intercept=platt)
        for name, error in zip(("slope", "intercept"), errors, strict=True):
            if name == "intercept" and not platt:
                assert row["intercept_lo"] is row["intercept_hi"] is None
                continue
            ends = row[name] - 1.959963984540054 * error, row[name] + 1.959963984540054 * error
            found = row[f"{name}_lo"], row[f"{name}_hi"]
            close = pytest.approx(ends, rel=0, abs=1e-3 * error)
            assert found == close, (lm, measure, rescaler, name)
            n_compared += 1
    assert n_compared >= 30


def test_a_constant_curve_has_no_interval(small: Path) -> None:
    flat = [r for r in by_subject(small, "calibration_scaled_v2").values() if r["slope"] == 0]
    assert flat
    assert all(row["slope_lo"] is None and row["intercept_hi"] is None for row in flat)


def folds_of(path: Path) -> dict[str, dict[str, list[int]]]:
    """Return the stored folds of each problem, by split."""
    found: dict[str, dict[str, list[int]]] = {}
    for row in rows_in(path, "select split_key, problem_id, folds from raw.calibration_fold"):
        found.setdefault(row["split_key"], {})[row["problem_id"]] = row["folds"]
    return found


def test_problems_stay_together_and_classes_are_spread(small: Path) -> None:
    subject = measured(small)["clustered", 2, "verbalized"]
    subject.folds = folds_of(small)[subject.keys[1]]
    assert len(subject.folds) == len({q.problem for q in subject.pairs})
    assert all(len(folds) == 20 for folds in subject.folds.values())
    for seed in SEEDS:
        folds = subject.fold_of(seed)
        assert set(folds) == set(range(5)), "no fold is empty"


def test_stored_isotonic_steps_are_the_oracles(small: Path) -> None:
    subjects, n_compared = measured(small), 0
    for (lm, version, measure, rescaler, _, fold), fit in fits_of(small).items():
        if rescaler != "isotonic" or fold is not None:
            continue
        pairs = subjects[lm, version, measure].pairs
        levels = oracle.isotonic(pairs)
        for q, level in zip(pairs, levels, strict=True):
            at = oracle.curve_between(fit["steps_x"], fit["steps_y"], q.p)
            assert at == pytest.approx(level, abs=1e-9), (lm, measure)
        n_compared += 1
    assert n_compared >= 11 * len(SETS)


def test_smooth_error_is_that_of_relplot(small: Path) -> None:
    """Where all rows weigh the same; and the golden number."""
    import numpy as np
    import relplot

    subjects = measured(small)
    found = estimates_of(small)
    assert found["golden_a", 2, "verbalized", "none", "smooth_ece"]["value"] == near(0.116953)
    assert found["golden_a", 2, "verbalized", "none", "smooth_ece_width"]["value"] == near(0.118164)
    n_compared = 0
    for (lm, version, measure), subject in subjects.items():
        if version == 1 or not subject.pairs or len({q.w for q in subject.pairs}) > 1:
            continue
        p, y = np.array([q.p for q in subject.pairs]), np.array([q.y for q in subject.pairs])
        theirs = relplot.smECE(p, y.astype(float))
        ours = found[lm, version, measure, "none", "smooth_ece"]["value"]
        assert ours == pytest.approx(theirs, abs=1e-9), (lm, measure)
        n_compared += 1
    assert n_compared >= 60


def estimates_of(path: Path) -> dict[tuple[Any, ...], dict[str, Any]]:
    rows = rows_in(
        path,
        """
        select subject.lm_id, subject.version, subject.measure, estimate.*
        from raw.estimate as estimate
        inner join intermediate.int_calibration_subject as subject using (subject_key, input_key)
        """,
    )
    names = ("lm_id", "version", "measure", "rescaler", "statistic")
    return {tuple(row[name] for name in names): row for row in rows}


def test_debiased_error_is_near_its_expectation(small: Path) -> None:
    """Exactly what the 1,000 draws are draws of; their mean is off by a few standard errors."""
    subjects, n_compared = measured(small), 0
    for (lm, version, measure, rescaler, statistic), row in estimates_of(small).items():
        if statistic != "ece_debiased_l1" or rescaler != "none":
            continue
        pairs = subjects[lm, version, measure].pairs
        truth = oracle.debiased_l1(pairs)
        if truth is None:
            assert (row["value"], row["null_reason"]) == (None, "n_lt_min")
            continue
        # no bin's draw has a standard deviation above 1 / (2 sqrt(2)), and the bins share it out
        assert row["value"] == pytest.approx(truth, abs=5 * 0.36 / math.sqrt(1000))
        n_compared += 1
    assert n_compared > 5


def test_intervals_are_percentiles_of_resampled_problems(small: Path) -> None:
    """The same draws, every replicate written out row by row and measured by the oracles."""
    import numpy as np

    measures = {
        "brier": oracle.brier,
        "skill_score": oracle.skill_score,
        "ece": oracle.ece,
        "auroc": oracle.auroc,
        "base_rate": lambda pairs: oracle.mean_y(pairs),
        "mean_score": lambda pairs: oracle.mean_p(pairs),
    }
    found = estimates_of(small)
    for lm, version, measure in (
        ("clustered", 1, "verbalized"),
        ("clustered", 2, "total_prob"),
        ("golden_b", 2, "verbalized"),
    ):
        pairs = measured(small)[lm, version, measure].pairs
        problems = sorted({q.problem for q in pairs})
        held = {name: [q for q in pairs if q.problem == name] for name in problems}
        row = found[lm, version, measure, "none", "brier"]
        assert row["n_replicates"] == REPLICATES
        generator = np.random.Generator(np.random.PCG64(row["seed"]))
        drawn = generator.integers(len(problems), size=(REPLICATES, len(problems)))
        samples = [[q for place in places for q in held[problems[place]]] for places in drawn]
        for name, statistic in measures.items():
            row = found[lm, version, measure, "none", name]
            values = [statistic(sample) for sample in samples]
            known = sorted(value for value in values if value is not None)
            assert row["n_dropped"] == REPLICATES - len(known), name
            bounds = (oracle.oracles.percentile(known, share) for share in (0.025, 0.975))
            assert (row["low"], row["high"]) == pytest.approx(tuple(bounds), abs=1e-9), name


def test_goldens_through_the_views(small: Path) -> None:
    first = by_subject(small, "calibration_raw_v1") | by_subject(small, "calibration_raw_v2")
    for version in (1, 2):
        row = first["golden_a", version, "verbalized"]
        found = [row[name] for name in ("brier", "brier_reference", "skill_score", "ece", "auroc")]
        assert found == [near(v) for v in (0.16925, 0.24, 0.294792, 0.295, 0.875)]
    parts = ("reliability", "resolution", "uncertainty", "within_variance", "within_covariance")
    found = [row[f"murphy_{name}"] for name in parts]
    assert found == [near(v) for v in (0.123625, 0.19, 0.24, 0.000625, 0.0025)]
    found = [row[f"corp_{name}"] for name in ("miscalibration", "discrimination", "uncertainty")]
    assert found == [near(v) for v in (0.06925, 0.14, 0.24)]
    assert (row["calibration_error_square"], row["ece_debiased_l2"]) == (near(-0.021375), 0.0)
    assert (row["smooth_ece"], row["smooth_ece_width"]) == (near(0.116953), near(0.118164))
    row = first["debiased", 2, "verbalized"]
    assert (row["calibration_error_square"], row["ece_debiased_l2"]) == (
        near(0.2975),
        near(0.545436),
    )
    scaled = by_subject(small, "calibration_scaled_v1")["golden_b", 1, "verbalized", "platt"]
    found = [scaled[name] for name in ("brier", "skill_score", "ece")]
    assert found == pytest.approx([0.253795, -0.025434, 0.152740], abs=1e-3)
    assert scaled["ece_reported"] is None, "without skill there is no error to tell"
    assert scaled["auroc"] == near(0.808081), "of the raw scores, not 0.667"
    whole = by_subject(small, "calibration_scaled_v2")["golden_a", 2, "verbalized", "platt"]
    assert (whole["slope"], whole["intercept"]) == (near(0.250547), near(0.300823))


def test_other_libraries_agree_with_the_views(small: Path) -> None:
    """scikit-learn with our weights; uncertainty-calibration in our bins, all weighing the same."""
    import numpy as np
    from calibration.utils import unbiased_square_ce
    from sklearn.isotonic import IsotonicRegression
    from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

    rows = by_subject(small, "calibration_raw_v2")
    n_debiased = 0
    for key, subject in measured(small).items():
        pairs = subject.pairs
        if key[1] == 1 or len({q.y for q in pairs}) < 2:
            continue
        p, y, w = (np.array([getattr(q, name) for q in pairs]) for name in ("p", "y", "w"))
        curve = IsotonicRegression(out_of_bounds="clip").fit(p, y, sample_weight=w).predict(p)
        best = brier_score_loss(y, np.clip(curve, 0, 1), sample_weight=w)
        clipped = np.clip(p, 1e-6, 1 - 1e-6)
        theirs = {
            "auroc": roc_auc_score(y, p, sample_weight=w),
            "brier": brier_score_loss(y, p, sample_weight=w),
            "corp_miscalibration": brier_score_loss(y, p, sample_weight=w) - best,
            "log_loss": log_loss(y, clipped, sample_weight=w),
        }
        if len(set(w)) == 1:
            binned = [[(q.p, q.y) for q in rows] for rows in oracle.equal_width(pairs).values()]
            theirs["calibration_error_square"] = unbiased_square_ce(binned)
            n_debiased += 1
        for name, value in theirs.items():
            assert rows[key][name] == pytest.approx(value, abs=1e-9), (key, name)
    assert n_debiased > 40


def test_row_order_and_other_language_models_change_nothing(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of them alone, their rows backwards: the same keys, so the same curves, and numbers."""
    alone = {lm: SETS[lm] for lm in ("golden_b", "clustered")}
    world = published_world(alone)
    for rows in world.raw.values():
        rows.reverse()
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    path = written(world, tmp_path)
    with writing(path) as con:
        con.execute(f"attach '{small}' as other (read_only)")
        for table in ("run", "calibration_fit", "calibration_fold", "kfold_order", "estimate"):
            con.execute(f"insert or ignore into raw.{table} select * from other.raw.{table}")
    build(path, select=WITH_PARENTS, tests=False)
    for view in VIEWS:
        sql = f"select * from {view} where lm in ('golden_b', 'clustered') order by all"
        ours, theirs = rows_in(path, sql), rows_in(small, sql)
        assert len(ours) == len(theirs) > 0, view
        for row, other in zip(ours, theirs, strict=True):
            for name, value in row.items():
                if isinstance(value, float):
                    assert value == pytest.approx(other[name], abs=1e-12), (view, name)
                else:
                    assert value == other[name], (view, name)


@pytest.mark.parametrize("view", VIEWS)
def test_golden_file(small: Path, view: str) -> None:
    # curves are fitted by iteration: to fewer places than sums have
    check_golden(view, rows_in(small, f"select * from {view} order by all"), abs_tol=1e-6)


# --- a thousand data sets for each metric -------------------------------------------------------

N_SETS = 1000


@dataclass
class Many:
    """Data sets as the oracles have them from raw rows, and as the warehouse has them."""

    expected: dict[tuple[str, int, str], oracle.Subject]
    subjects: dict[tuple[str, int, str], Measured]
    path: Path

    def chosen(self) -> Iterator[tuple[tuple[str, int, str], Measured]]:
        """A thousand data sets of two measures of either version, a quarter of all others."""
        for number, key in enumerate(sorted(self.subjects)):
            if key[2] in ("verbalized", "total_prob") or number % 4 == 0:
                yield key, self.subjects[key]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Many]:
    """One warehouse of a thousand language models, built once for its rows and once with curves."""
    home = tmp_path_factory.mktemp("many")
    world = many_small_sets(20261121, N_SETS)
    path = written(world, home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        build(path, select="staging +int_calibration_pair +int_calibration_subject")
        subjects = measured(path)
        make_up_curves(path, subjects, seed=7)
        build(path, select=f"staging {WITH_PARENTS}")
        yield Many(oracle.subjects(world.raw), subjects, path)


@pytest.mark.long
def test_rows_of_every_data_set(many: Many) -> None:
    """Confidence, logit, label, weight, order, and the reasons of those that are left out."""
    assert set(many.subjects) == set(many.expected)
    for key, subject in many.subjects.items():
        rows = oracle.in_order(many.expected[key].pairs)
        assert len(rows) == len(subject.pairs), key
        found = list(zip(subject.pairs, subject.x, strict=True))
        assert [q.p for q in subject.pairs] == sorted(q.p for q in subject.pairs), key
        if key[2] != "verbalized":  # what is computed may be tied but for the last bit
            rows.sort(key=lambda q: (q.problem, q.y, q.p))
            found.sort(key=lambda pair: (pair[0].problem, pair[0].y, pair[0].p))
        for (ours, x), theirs in zip(found, rows, strict=True):
            assert math.isclose(ours.p, theirs.p, rel_tol=0, abs_tol=1e-12), key
            assert (ours.y, ours.problem) == (theirs.y, theirs.problem), key
            assert math.isclose(ours.w, theirs.w), key
            if key[1] == 1:
                truth = oracle.logit_v1(theirs.p)
            else:  # nothing is known of a bare 0 but that it is small
                truth = oracle.logit_v2(theirs.p or 1e-6, theirs.log_p)
            assert math.isclose(x, truth, rel_tol=1e-9, abs_tol=1e-9), key


def by_subject(path: Path, view: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Index the rows of a view by language model, version, measure and, if any, rescaler."""
    found = {}
    for row in rows_in(path, f"select * from {view}"):
        key = (row["lm_id"], int(view[-1]), row["measure"])
        found[(*key, row["rescaler"]) if "rescaler" in row else key] = row
    return found


def raw_metrics(pairs: list[Pair], version: int) -> dict[str, float | None]:
    """What the raw views measure of a data set, by their columns."""
    found: dict[str, float | None] = {
        "base_rate": oracle.mean_y(pairs) if pairs else None,
        "mean_score": oracle.mean_p(pairs) if pairs else None,
        "brier": oracle.brier(pairs),
        "brier_reference": oracle.brier_reference(pairs),
        "skill_score": oracle.skill_score(pairs),
        "ece": oracle.ece(pairs),
        "auroc": oracle.auroc(pairs),
        "n_bins": len(oracle.equal_width(pairs)) or None,
    }
    if version == 1:
        return found
    murphy = oracle.murphy(pairs) or dict.fromkeys(("rel", "res", "unc", "wbv", "wbc"))
    corp = oracle.corp(pairs) or dict.fromkeys(("mcb", "dsc", "unc"))
    return found | {
        "murphy_reliability": murphy["rel"],
        "murphy_resolution": murphy["res"],
        "murphy_uncertainty": murphy["unc"],
        "murphy_within_variance": murphy["wbv"],
        "murphy_within_covariance": murphy["wbc"],
        "corp_miscalibration": corp["mcb"],
        "corp_discrimination": corp["dsc"],
        "corp_uncertainty": corp["unc"],
        "calibration_error_square": oracle.debiased_square(pairs),
        "ece_debiased_l2": oracle.debiased_l2(pairs),
        "ece_quantile": oracle.quantile_ece(pairs),
        "ece_noise_floor": oracle.noise_floor(pairs),
        "log_loss": oracle.log_loss(pairs),
    }


@pytest.mark.long
def test_raw_metrics_of_a_thousand_data_sets(many: Many) -> None:
    rows = by_subject(many.path, "calibration_raw_v1") | by_subject(many.path, "calibration_raw_v2")
    assert len(rows) == len(many.subjects) + 2 * N_SETS  # and unskilled
    compared: Counter[str] = Counter()
    for key, subject in many.chosen():
        row, truth = rows[key], raw_metrics(subject.pairs, key[1])
        for name, value in truth.items():
            # the square root of next to nothing has half its places
            if name == "ece_debiased_l2" and abs(truth["calibration_error_square"] or 0) < 1e-12:
                continue
            assert same(row[name], value), (key, name, row[name], value)
            compared[name] += value is not None
        right = sum(q.y for q in subject.pairs)
        reason = "single_class" if right in (0, len(subject.pairs)) else None
        assert row["null_reason"] == (reason if subject.pairs else "empty"), key
    assert len(compared) == 21
    assert min(compared.values()) >= N_SETS, compared


@pytest.mark.long
def test_every_row_is_counted_once(many: Many) -> None:
    rows = by_subject(many.path, "calibration_raw_v1") | by_subject(many.path, "calibration_raw_v2")
    for key, truth in many.expected.items():
        row, reasons = rows[key], Counter(truth.reasons)
        assert (row["n_total"], row["n_used"]) == (truth.n_total, len(truth.pairs)), key
        assert row["n_positive"] == sum(q.y for q in truth.pairs)
        assert row["n_clusters"] == len({q.problem for q in truth.pairs})
        counted = {name[7:]: n for name, n in row.items() if name.startswith("n_null_") and n}
        assert counted == dict(reasons), key
        assert row["low_n"] == (len(truth.pairs) < 300)
        assert row["few_clusters"] == (row["n_clusters"] < 20)


@pytest.mark.long
def test_identities_of_every_row(many: Many) -> None:
    for row in by_subject(many.path, "calibration_raw_v2").values():
        if row["measure"] == "unskilled" or not row["n_used"]:
            continue
        parts = {name: row[f"murphy_{name}"] for name in ("reliability", "resolution")}
        within = row["murphy_within_variance"] - 2 * row["murphy_within_covariance"]
        brier = parts["reliability"] - parts["resolution"] + row["murphy_uncertainty"] + within
        assert math.isclose(brier, row["brier"], rel_tol=0, abs_tol=1e-12)
        corp = row["corp_miscalibration"] - row["corp_discrimination"] + row["corp_uncertainty"]
        assert math.isclose(corp, row["brier"], rel_tol=0, abs_tol=1e-12)
        for name in ("ece", "ece_quantile", "brier", "mean_score", "base_rate"):
            assert 0 <= row[name] <= 1, name
        # isotonic regression is the best curve of all: none is better, the base rate not either
        assert row["corp_miscalibration"] >= -1e-12
        assert row["corp_discrimination"] >= -1e-12


@pytest.mark.long
def test_unskilled_is_defined_by_the_base_rate(many: Many) -> None:
    for version in (1, 2):
        for row in by_subject(many.path, f"calibration_raw_v{version}").values():
            if row["measure"] == "unskilled":
                known = [row[name] for name in ("skill_score", "ece", "auroc")]
                assert known == ([0.0, 0.0, 0.5] if row["n_used"] else [None] * 3)
                if row["n_used"]:
                    rate = row["base_rate"]
                    assert same(row["brier"], rate * (1 - rate))


@pytest.mark.long
def test_reliability_bins_of_a_thousand_data_sets(many: Many) -> None:
    found: dict[tuple[Any, ...], dict[int, dict[str, Any]]] = {}
    for version, view in ((1, "bins_v1"), (2, "bins_v2"), (1, "points_v1")):
        for row in rows_in(many.path, f"select * from reliability_{view}"):
            if row.get("rescaler", "none") == "none" and row["n"]:
                kind = "equal_mass" if view == "points_v1" else row.get("kind", "equal_width")
                key = (row["lm_id"], version, row["measure"], kind)
                found.setdefault(key, {})[row["bin"]] = row
    n_compared = 0
    for key, subject in many.chosen():
        for kind, bins in (
            ("equal_width", oracle.equal_width(subject.pairs)),
            ("equal_mass", oracle.quantile_bins(subject.pairs, 5)),
        ):
            rows = found.get((*key, kind), {})
            assert set(rows) == set(bins), (key, kind)
            for place, pairs in bins.items():
                row, right = rows[place], oracle.mean_y(pairs)
                assert row["n"] == len(pairs)
                assert same(row["mean_p"], oracle.mean_p(pairs))
                assert same(row["frac_correct"], right)
                if "wilson_lo" not in row:
                    continue
                size = oracle.effective_size(pairs)
                low, high = oracle.wilson(right * size, size) or (None, None)
                if all(q.y for q in pairs) or not any(q.y for q in pairs):
                    # a share of unequal weights may miss 0 or 1 by a hair: so does its interval
                    assert row["wilson_lo"] == pytest.approx(low, abs=1e-7)
                    assert row["wilson_hi"] == pytest.approx(high, abs=1e-7)
                else:
                    assert same(row["wilson_lo"], low), (key, kind, place)
                    assert same(row["wilson_hi"], high), (key, kind, place)
                assert same(row["gap"], right - oracle.mean_p(pairs))
                n_compared += 1
    assert n_compared > 10 * N_SETS


def scaled_metrics(subject: Measured, rescaler: str) -> tuple[str | None, list[dict[str, Any]]]:
    """What the scaled views measure: why there is nothing, and the metrics under each seed."""
    if not subject.pairs:
        return "empty", []
    mine = {} if subject.state == "stale" else subject.curves
    lines = [
        line for (kind, seed, _), line in mine.items() if kind == rescaler and seed is not None
    ]
    others = [
        line for (kind, seed, _), line in mine.items() if kind == "platt" and seed is not None
    ]
    if Line() in lines:
        return "fit_failed", []
    if not lines:
        return ("n_lt_min" if rescaler == "isotonic" and others else "not_fitted"), []
    found = []
    for seed in (42,) if subject.version == 1 else SEEDS:
        folds = set(subject.fold_of(seed))
        if all((rescaler, seed, fold) in mine for fold in folds):
            pairs = subject.scaled(rescaler, seed)
            collapse = oracle.collapse(pairs)
            assert collapse is not None
            found.append(
                {
                    "mean_score": oracle.mean_p(pairs),
                    "brier": oracle.brier(pairs),
                    "skill_score": oracle.skill_score(pairs),
                    "ece": oracle.ece(pairs),
                    "n_bins": collapse["n_bins"],
                    "largest_bin_share": collapse["largest"],
                    "score_sd": oracle.spread(pairs),
                    "ece_reported": oracle.ece_reported(pairs),
                }
            )
    if not found:
        return "not_fitted", []
    return ("single_class" if len({q.y for q in subject.pairs}) < 2 else None), found


@pytest.mark.long
def test_scaled_metrics_of_a_thousand_data_sets_v1(many: Many) -> None:
    rows = by_subject(many.path, "calibration_scaled_v1")
    reasons: Counter[str | None] = Counter()
    for (lm, version, measure), subject in many.subjects.items():
        if version == 2:
            continue
        row = rows[lm, 1, measure, "platt"]
        reason, found = scaled_metrics(subject, "platt")
        reasons[reason] += 1
        assert row["null_reason"] == reason, (lm, measure)
        names = ("mean_score", "brier", "skill_score", "ece", "ece_reported", "n_bins")
        for name in names:
            value = found[0][name] if found else None
            assert same(row[name], value), (lm, measure, name)
        assert same(row["auroc"], oracle.auroc(subject.pairs)), "of the raw scores"
        assert same(row["brier_reference"], oracle.brier_reference(subject.pairs))
    assert reasons[None] > 2 * N_SETS
    assert min(reasons.values()) > 50, reasons


@pytest.mark.long
def test_scaled_metrics_of_a_thousand_data_sets_v2(many: Many) -> None:
    rows = by_subject(many.path, "calibration_scaled_v2")
    compared: Counter[str] = Counter()
    for (lm, version, measure), subject in many.chosen():
        if version == 1:
            continue
        for rescaler in FITTED:
            row = rows[lm, 2, measure, rescaler]
            reason, found = scaled_metrics(subject, rescaler)
            where = (lm, measure, rescaler, subject.state)
            assert row["null_reason"] == reason, where
            compared[rescaler] += reason is None
            for name in ("mean_score", "brier", "skill_score", "ece", "n_bins", "score_sd"):
                values = [one[name] for one in found if one[name] is not None]
                truth = math.fsum(values) / len(values) if values else None
                # of a variance below 1e-15 rounding is all that is left
                near_by = 5e-8 if name == "score_sd" else 1e-9
                near_truth = None if truth is None else pytest.approx(truth, abs=near_by)
                assert row[name] == near_truth, (where, name)
                if name in ("brier", "ece", "skill_score") and len(values) > 1:
                    sd = statistics.stdev(values)
                    assert row[f"{name}_seed_sd"] == pytest.approx(sd, abs=1e-9), (where, name)
            if found:
                assert row["n_seeds"] == len(found), where
                share = math.fsum(one["largest_bin_share"] for one in found) / len(found)
                skill = row["skill_score"]
                assert row["collapsed"] == (share >= 0.9 or (skill is not None and skill < 0.05))
            assert same(row["auroc"], oracle.auroc(subject.pairs)), "of the raw scores"
    assert compared["platt"] >= 400, compared
    assert compared["isotonic"] >= 300, compared
