"""The views of calibration against the oracles: a thousand data sets for each metric."""

import math
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.oracles import calibration as oracle
from tests.support.oracles import calibration_curves as curve_oracle
from tests.support.oracles import calibration_subjects as subject_oracle
from tests.support.oracles.calibration import ScoredPair
from tests.support.oracles.statistics.intervals import Ends, of_ratio
from tests.support.sql import by_subject, rows_in, same
from tests.support.steps import build
from tests.support.worlds.calibration.curves import (
    FITTED,
    SEEDS,
    Line,
    Measured,
    make_up_curves,
    measured,
)
from tests.support.worlds.calibration.sets import many_small_sets
from tests.support.worlds.calibration.subjects import WITH_PARENTS

pytestmark = pytest.mark.long(seconds=60)

N_SETS = 1000


@dataclass
class Many:
    """Data sets as the oracles have them from raw rows, and as the warehouse has them."""

    expected: dict[tuple[str, int, str], subject_oracle.CalibrationCase]
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
    path = world.write(home / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        build(path, select="+calibration_pairs +calibration_subjects")
        subjects = measured(path)
        make_up_curves(path, subjects, seed=7)
        build(path, select=WITH_PARENTS)
        yield Many(subject_oracle.subjects(world.raw), subjects, path)


def test_rows_of_every_data_set(many: Many) -> None:
    """Confidence, logit, label, weight, order, and the reasons of those that are left out."""
    assert set(many.subjects) == set(many.expected)
    for key, subject in many.subjects.items():
        rows = curve_oracle.in_order(many.expected[key].pairs)
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
                truth = curve_oracle.logit_v1(theirs.p)
            else:  # nothing is known of a bare 0 but that it is small
                truth = curve_oracle.logit_v2(theirs.p or 1e-6, theirs.log_p)
            assert math.isclose(x, truth, rel_tol=1e-9, abs_tol=1e-9), key


def raw_metrics(pairs: list[ScoredPair], version: int) -> dict[str, float | None]:
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
        "log_loss": oracle.log_loss(pairs),
    }


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
    assert len(compared) == 20
    assert min(compared.values()) >= N_SETS, compared


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


def test_unskilled_is_defined_by_the_base_rate(many: Many) -> None:
    for version in (1, 2):
        for row in by_subject(many.path, f"calibration_raw_v{version}").values():
            if row["measure"] == "unskilled":
                known = [row[name] for name in ("skill_score", "ece", "auroc")]
                assert known == ([0.0, 0.0, 0.5] if row["n_used"] else [None] * 3)
                if row["n_used"]:
                    rate = row["base_rate"]
                    assert same(row["brier"], rate * (1 - rate))


def test_reliability_bins_of_a_thousand_data_sets(many: Many) -> None:
    found: dict[tuple[Any, ...], dict[int, dict[str, Any]]] = {}
    for version, view in ((1, "bins_v1"), (2, "bins_v2"), (1, "points_v1")):
        for row in rows_in(many.path, f"select * from reliability_{view}"):
            if row.get("rescaler", "none") == "none" and row["n"]:
                kind = "equal_mass" if view == "points_v1" else row.get("kind", "equal_width")
                key = (row["lm_id"], version, row["measure"], kind)
                found.setdefault(key, {})[row["bin"]] = row
    n_compared = 0
    reasons: Counter[str | None] = Counter()
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
                ends, reason = bin_interval(pairs)
                several = len(subject.pairs) > len({q.problem for q in subject.pairs})
                if several and kind == "equal_mass":
                    ends, reason = (None, None), "several_samples"
                assert row["interval_null_reason"] == reason, (key, kind, place)
                # a share of unequal weights may miss 0 or 1 by a hair: so does its interval
                found_ends = row["wilson_lo"], row["wilson_hi"]
                assert found_ends == pytest.approx(ends, abs=1e-7), (key, kind, place)
                reasons[reason] += 1
                assert same(row["gap"], right - oracle.mean_p(pairs))
                n_compared += 1
    assert n_compared > 10 * N_SETS
    assert reasons.keys() == {None, "problems_lt_min", "several_samples"}
    assert reasons[None] > 100


def bin_interval(pairs: list[ScoredPair]) -> tuple[Ends, str | None]:
    """Return the interval of the share of right rows, problems as clusters."""
    parts: dict[str, tuple[float, float]] = {}
    for q in pairs:
        top, bottom = parts.get(q.problem, (0.0, 0.0))
        parts[q.problem] = top + q.w * q.y, bottom + q.w
    return of_ratio(list(parts.values()), "share")


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
