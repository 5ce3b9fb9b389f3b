"""Curves, estimates and views of a small world, against the oracles and other libraries."""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from models.words import MOST_SPLITS
from runners.steps.calibrate import splits_of
from tests.support.goldens import check_golden
from tests.support.oracles import calibration as oracle
from tests.support.oracles import calibration_curves as curve_oracle
from tests.support.oracles.calibration import ScoredPair, pairs_of
from tests.support.oracles.calibration_goldens import DEBIASED, GOLDEN_A, GOLDEN_B, near
from tests.support.oracles.statistics import scores as score_oracle
from tests.support.oracles.statistics.intervals import Ends, of_ratio
from tests.support.sql import by_subject, rows_in
from tests.support.steps import build, calibrate
from tests.support.worlds.calibration.curves import measured
from tests.support.worlds.calibration.subjects import INPUTS, VIEWS, published_world
from warehouse.store.connection import writing

pytestmark = pytest.mark.long


def clustered(n: int, seed: int) -> list[ScoredPair]:
    """Answers to fourteen problems, some to one, some to many; confidence means something."""
    rng = random.Random(seed)
    pairs = []
    for _ in range(n):
        p = rng.choice([rng.random(), rng.randint(0, 10) / 10])
        problem = f"toy1.{min(13, int(rng.expovariate(0.2)))}"
        pairs.append(ScoredPair(p, rng.random() < 0.15 + 0.6 * p, 1.0, problem))
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
SEEDS = 3

Bounded = tuple[Ends, str | None]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("small")
    path = published_world(SETS).write(home / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        calibrate(seeds=SEEDS, replicates=REPLICATES, progress=False)
        build(path)
        yield path


def stored(path: Path, table: str, *names: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return what is stored of the subjects as they are, by these columns."""
    rows = rows_in(
        path,
        f"""
        select subject.lm_id, subject.version, subject.measure, stored.*
        from raw.{table} as stored
        inner join calibration_subjects_v1 as subject using (subject_key, input_key)
        """,
    )
    names = ("lm_id", "version", "measure", *names)
    return {tuple(row[name] for name in names): row for row in rows}


def fits_of(path: Path) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return the stored curves by language model, version, measure, rescaler, seed and fold."""
    return stored(path, "calibration_fit", "rescaler", "fold_seed", "fold")


def estimates_of(path: Path) -> dict[tuple[Any, ...], dict[str, Any]]:
    return stored(path, "estimate", "rescaler", "statistic")


def test_stored_folds_are_those_of_the_oracle(small: Path) -> None:
    rows = rows_in(small, "select n_rows, folds from raw.kfold_order")
    assert {row["n_rows"] for row in rows} >= {10, 20, 90}
    for row in rows:
        assert row["folds"] == curve_oracle.folds_v1(row["n_rows"])


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
            assert curve_oracle.sigmoid(fit["intercept"]) == pytest.approx(rate, abs=1e-9)
            continue
        right, wrong = [a for q, a in train if q.y], [a for q, a in train if not q.y]
        separated = max(wrong) <= min(right) or max(right) <= min(wrong)
        weights = [q.w for q in pairs]
        if version == 2 and rescaler == "platt":
            truth = curve_oracle.logistic(x, curve_oracle.smoothed_targets(pairs), weights)
        elif separated:  # the slope is where the solver stopped, or there is none
            continue
        else:
            truth = curve_oracle.logistic(
                x, [float(q.y) for q in pairs], weights, with_intercept=rescaler == "platt"
            )
        found = fit["slope"], fit["intercept"]
        exact = 1e-4 if version == 1 else 1e-7
        assert found == pytest.approx(truth, abs=exact, rel=exact), (lm, version, measure, rescaler)
        n_compared += 1
    assert n_compared > 150


def test_intervals_of_temperatures_follow_the_weight_of_each_problem(small: Path) -> None:
    rows, subjects, n_compared = by_subject(small, "calibration_scaled_v2"), measured(small), 0
    reasons: Counter[str | None] = Counter()
    for (lm, version, measure, rescaler), row in rows.items():
        reasons[row["slope_interval_null_reason"]] += 1
        if row["slope_lo"] is None:
            assert (row["slope"] is None) == (row["slope_interval_null_reason"] is None)
            assert row["slope_hi"] is None
            continue
        assert rescaler == "temperature"
        subject = subjects[lm, version, measure]
        if lm not in ("golden_a", "golden_b", "clustered") or row["is_steep"]:
            continue
        targets = [float(q.y) for q in subject.pairs]
        half = curve_oracle.slope_half_width(subject.pairs, subject.x, targets)
        found, ends = (row["slope_lo"], row["slope_hi"]), (row["slope"] - half, row["slope"] + half)
        assert found == pytest.approx(ends, rel=0, abs=1e-3 * half), (lm, measure)
        n_compared += 1
    assert n_compared >= 10
    assert reasons.keys() >= {None, "smoothed_targets", "problems_lt_min"}


def test_a_constant_curve_has_no_interval(small: Path) -> None:
    rows = by_subject(small, "calibration_scaled_v2").values()
    flat = [row for row in rows if row["slope"] == 0 and row["rescaler"] == "temperature"]
    assert flat
    assert {row["slope_interval_null_reason"] for row in flat} == {"constant_curve"}


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
    n_splits = splits_of(len(subject.pairs), MOST_SPLITS)
    assert all(len(folds) == n_splits for folds in subject.folds.values())
    for seed in range(n_splits):
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
            at = curve_oracle.curve_between(fit["steps_x"], fit["steps_y"], q.p)
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


def test_intervals_are_those_of_plain_python(small: Path) -> None:
    """Raw scores of every subject; each view says why an interval is missing."""
    found, subjects = estimates_of(small), measured(small)
    views = {version: by_subject(small, f"calibration_raw_v{version}") for version in (1, 2)}
    reasons: Counter[str | None] = Counter()
    for (lm, version, measure), subject in subjects.items():
        if not subject.pairs:
            continue
        expected = {
            "base_rate": share_of(subject.pairs, lambda q: float(q.y)),
            "mean_score": share_of(subject.pairs, lambda q: q.p),
            "brier": share_of(subject.pairs, lambda q: (q.p - q.y) ** 2),
            "skill_score": score_oracle.of_skill(subject.pairs),
            "auroc": score_oracle.of_auroc(subject.pairs),
        }
        shown = views[version][lm, version, measure]
        for name, (ends, reason) in expected.items():
            row = found[lm, version, measure, "none", name]
            where = (lm, version, measure, name)
            assert row["null_reason"] == reason, where
            assert (row["low"], row["high"]) == pytest.approx(ends, abs=1e-6), where
            assert (shown[f"{name}_lo"], shown[f"{name}_hi"]) == (row["low"], row["high"])
            if shown[name] is not None:
                assert shown[f"{name}_interval_null_reason"] == reason, where
            reasons[reason] += 1
    assert reasons.keys() >= {None, "problems_lt_min", "single_class", "class_lt_min"}


def share_of(pairs: list[ScoredPair], value: Callable[[ScoredPair], float]) -> Bounded:
    """Return the interval of a weighted mean of values between 0 and 1, problems as clusters."""
    parts: dict[str, tuple[float, float]] = {}
    for q in pairs:
        top, bottom = parts.get(q.problem, (0.0, 0.0))
        parts[q.problem] = top + q.w * value(q), bottom + q.w
    return of_ratio(list(parts.values()), "share")


def test_a_view_says_why_a_number_of_few_problems_is_missing(small: Path) -> None:
    views = by_subject(small, "calibration_raw_v2") | by_subject(small, "calibration_scaled_v2")
    n_few = 0
    for (lm, _, measure, *_), row in views.items():
        if measure == "unskilled":
            assert row["brier_interval_null_reason"] in (None, "not_applicable")
        elif row["n_used"] and row["brier"] is not None:
            few = row["n_clusters"] < 10
            n_few += few
            assert (row["calibration_p"] is None) == few, lm
            assert row["calibration_p_null_reason"] == ("problems_lt_min" if few else None)
            assert (row["ece_noise_floor"] is None) == few
            assert (row["brier_lo"] is None) == (row["brier_interval_null_reason"] is not None)
            assert (row["smooth_ece_lo"] is None) == (
                row["smooth_ece_interval_null_reason"] is not None
            )
    assert n_few > 20


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
    path = world.write(tmp_path / "warehouse.duckdb")
    with writing(path) as con:
        con.execute(f"attach '{small}' as other (read_only)")
        for table in ("run", "calibration_fit", "calibration_fold", "kfold_order", "estimate"):
            con.execute(f"insert or ignore into raw.{table} select * from other.raw.{table}")
    build(path)
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


@pytest.mark.parametrize("view", INPUTS)
def test_golden_file_of_what_is_fitted(small: Path, view: str) -> None:
    check_golden(view, rows_in(small, INPUTS[view].format(view=view)))
