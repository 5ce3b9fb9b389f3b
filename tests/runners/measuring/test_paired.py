"""Paired differences of AUROC, ECE and skill: recomputed, without one, and how often they hold."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t as student
from sklearn.metrics import roc_auc_score

from runners.measuring.calibration import bootstrap, paired
from runners.measuring.calibration.intervals import Interval
from runners.measuring.calibration.paired import PairDue, PairsDue, Scored
from tests.support.worlds.calibration.coverage import PlantedScores

NAMES = [f"problem{at:02}" for at in range(24)]


def scored(seed: int, names: list[str], n_samples: int, shift: float = 0.0) -> Scored:
    """Draw answers of shared difficulty; ``shift``: by how many logits they are over-confident."""
    ease = np.random.default_rng(7).normal(0, 1, len(NAMES))
    rng = np.random.default_rng(seed)
    problem = np.repeat(np.arange(len(names)), n_samples)
    logit = ease[[NAMES.index(name) for name in names]][problem] + rng.normal(0, 1, len(problem))
    p, q = (1 / (1 + np.exp(-each)) for each in (logit, logit - shift))
    y = rng.random(len(problem)) < q
    return Scored(names, problem, p, y, np.full(len(problem), 1 / n_samples))


def found(a: Scored, b: Scored, n_replicates: int = 200) -> paired.PairFound:
    (one,) = paired.work(PairsDue({1: a, 2: b}, [PairDue("k", "i", 1, 2)], n_replicates))
    return one


def plain(subject: Scored, drawn: list[str]) -> dict[str, float]:
    """Measure the answers to the drawn problems, one as often as it is drawn."""
    rows = [
        (subject.p[at], subject.y[at], subject.w[at])
        for name in drawn
        for at in np.flatnonzero(subject.problem == list(subject.problems).index(name))
    ]
    p, y, w = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    cell = np.minimum((p * 10).astype(int), 9)
    gaps = [abs((w * (p - y))[cell == at].sum()) for at in range(10)]
    rate, brier = np.average(y, weights=w), np.average((p - y) ** 2, weights=w)
    return {
        "auroc": roc_auc_score(y, p, sample_weight=w),
        "ece": sum(gaps) / w.sum(),
        "skill_score": 1 - brier / (rate * (1 - rate)),
    }


def test_replicates_are_those_of_repeated_rows() -> None:
    a, b = scored(1, NAMES[:20], 3), scored(2, NAMES[2:], 5, 1.0)
    one = found(a, b)
    common = NAMES[2:20]
    assert one.n_common == len(common)
    counts = bootstrap.resample(common, 200).counts
    for each in one.compared:
        name = each.statistic
        assert each.value_a == pytest.approx(plain(a, common)[name], abs=1e-12)
        assert each.value_b == pytest.approx(plain(b, common)[name], abs=1e-12)
        differences = []
        for row in counts:
            drawn = [n for n, times in zip(common, row, strict=True) for _ in range(int(times))]
            differences.append(plain(a, drawn)[name] - plain(b, drawn)[name])
        if name != "ece":
            assert each.standard_error == pytest.approx(np.std(differences, ddof=1), abs=1e-10)
            tail = bootstrap.tail_share(len(common))
            ends = np.quantile(differences, [tail, 1 - tail])
            assert (each.interval.low, each.interval.high) == pytest.approx(tuple(ends), abs=1e-10)
            least = min(np.sum(np.array(differences) <= 0), np.sum(np.array(differences) >= 0))
            at_p = bootstrap.tail_share(len(common), each.p_value / 2)
            assert at_p == pytest.approx(min(0.5, (1 + least) / 201))


def test_what_cannot_be_compared_says_why() -> None:
    a = scored(1, NAMES[:12], 2)
    apart = found(a, scored(2, NAMES[12:], 2))
    assert (apart.n_common, apart.seed) == (0, None)
    assert {each.interval.null_reason for each in apart.compared} == {"no_common_problems"}
    few = found(a, scored(2, NAMES[4:], 2))
    assert {each.interval.null_reason for each in few.compared} == {"problems_lt_min"}
    assert all(each.value_a is not None and each.p_value is None for each in few.compared)
    right = Scored(a.problems, a.problem, a.p, np.ones_like(a.y), a.w)
    one_class = found(a, right)
    assert {each.interval.null_reason for each in one_class.compared} == {"single_class"}
    assert {each.value_a for each in one_class.compared} == {None}


def test_errors_of_few_wrong_answers_have_a_difference_without_an_interval() -> None:
    a, b = scored(1, NAMES, 1), scored(2, NAMES, 1)
    wrong = np.isin(np.arange(len(NAMES)), (1, 6, 11, 16))
    few = Scored(a.problems, a.problem, a.p, ~wrong, a.w)
    exact = Scored(a.problems, a.problem, b.y.astype(float), b.y, a.w)
    for sides in ((few, b), (b, few), (few, exact), (exact, few)):
        ece = found(*sides).compared[1]
        assert (ece.statistic, ece.interval.null_reason) == ("ece", "class_lt_min")
        assert (ece.value_a is None, ece.standard_error, ece.p_value) == (False, None, None)


def test_a_difference_of_errors_reaches_as_far_as_the_gap_of_means() -> None:
    """Rare right answers: without that gap the upper end missed in one of ten data sets."""
    world = PlantedScores("rare", "extreme", 0.05, 10)
    calibrated = PlantedScores("middle", "over", 0.0, 10)
    truth = world.truth()["ece"]
    rng = np.random.Generator(np.random.PCG64(3))
    held = n = 0
    for _ in range(150):
        sides = []
        for law in (world, calibrated):
            p, y = law.draw(rng, 20)
            problem = np.repeat(np.arange(20), 10)
            sides.append(Scored(NAMES[:20], problem, p.ravel(), y.ravel(), np.full(200, 0.1)))
        bounds = found(sides[0], sides[1], 300).compared[1].interval
        if bounds.low is not None and bounds.high is not None:
            n += 1
            held += bounds.low <= truth <= bounds.high
    assert n > 120
    assert held / n > 0.92


def test_ends_of_a_difference_in_ece_add_up_as_variances_do() -> None:
    """Each entry lies at its ECE, or at 0 where its interval begins there."""
    resamples = bootstrap.resample(NAMES, 200)
    seen = set()
    for seed in range(30):
        sides = [scored(2 * seed, NAMES, 2), scored(2 * seed + 1, NAMES, 2, 1.0 * (seed % 3))]
        ece = found(*sides).compared[1]
        assert ece.difference is not None
        ends, places, errors, gaps = [], [], [], []
        for side in sides:
            own = paired.measured(side, NAMES, resamples)
            assert own.ece.low is not None
            ends.append((own.ece.low, own.ece.high))
            places.append(plain(side, NAMES)["ece"] * (own.ece.low > 0))
            errors.append(own.drawn["ece"])
            by_problem = np.bincount(side.problem, side.p - side.y) / 2
            gaps.append(np.append(resamples.counts @ by_problem, by_problem.sum()))
        known = ~np.isnan(errors).any(axis=0)
        of_ece = np.corrcoef(np.array(errors)[:, known])[0, 1]
        of_gaps = np.corrcoef(np.array(gaps)[:, :-1])[0, 1] * np.sign(gaps[0][-1] * gaps[1][-1])
        if of_gaps > 0:  # it counts for less where a direction is uncertain
            directions = np.sign(np.array(gaps)[:, :-1]).mean(axis=1)
            of_gaps *= 2 * abs(np.prod(directions)) - 1
        covariance = np.array([[1, -1], [-1, 1]]) * min(of_ece, of_gaps)
        np.fill_diagonal(covariance, 1)
        a, b = np.abs(np.array(ends) - np.array(places)[:, None])
        down, up = (np.sqrt(one @ covariance @ one) for one in ((a[0], b[1]), (a[1], b[0])))
        middle = places[0] - places[1]
        low, high = ece.interval.low, ece.interval.high
        assert low == pytest.approx(min(middle - down, ece.difference), abs=1e-9)
        assert high == pytest.approx(max(middle + up, ece.difference), abs=1e-9)
        mirrored = found(*sides[::-1]).compared[1]
        assert (mirrored.interval.low, mirrored.interval.high) == pytest.approx((-high, -low))
        # as far from 0 as in a t test whose interval has these ends
        law = student(len(NAMES) - 1)
        p_value = 2 * law.sf(abs(middle) / (down if middle > 0 else up) * law.ppf(0.975))
        assert ece.p_value == pytest.approx(p_value)
        assert ece.standard_error == pytest.approx((high - low) / 2 / law.ppf(0.975))
        assert mirrored.p_value == pytest.approx(ece.p_value)
        assert (ece.p_value < 0.05) == (not low <= 0 <= high)
        seen.add((*(place > 0 for place in places), ece.p_value < 0.05))
    assert {True, False} == {rejected for *_, rejected in seen}
    assert len(seen) > 3


@pytest.mark.parametrize(
    ("law", "one", "other", "width"),
    [
        ("spread", ("over", 0.1), ("under", 0.1), 0.26),
        ("spread", ("over", 0.2), ("over", 0.1), 0.12),
        ("middle", ("over", 0.05), ("under", 0.05), 0.25),
    ],
)
def test_a_difference_knows_whether_shared_problems_move_both_alike(
    law: str, one: tuple[str, float], other: tuple[str, float], width: float
) -> None:
    """A lucky problem lowers the ECE of who is not sure enough, and raises that of who is too sure.

    As if errors were independent, opposite ones were held in .85, and alike ones had .21. Small
    opposite ones were held in .83, where the observed gaps were taken for the true directions. The
    p value finds a difference where the interval leaves out 0.
    """
    laws = [PlantedScores(law, rule, error, 10) for rule, error in (one, other)]
    truth = laws[0].truth()["ece"] - laws[1].truth()["ece"]
    names, problem = [f"{i:02d}" for i in range(50)], np.repeat(np.arange(50), 10)
    held, widths = 0, []
    for seed in range(80):
        drawn = [each.draw(np.random.Generator(np.random.PCG64(seed)), 50) for each in laws]
        sides = [Scored(names, problem, p.ravel(), y.ravel(), np.full(500, 0.1)) for p, y in drawn]
        ece = found(*sides, 300).compared[1]
        bounds = ece.interval
        assert bounds.low is not None
        assert bounds.high is not None
        held += bounds.low <= truth <= bounds.high
        assert (ece.p_value < 0.05) == (not bounds.low <= 0 <= bounds.high)
        widths.append(bounds.high - bounds.low)
    assert held > 0.91 * 80
    assert np.mean(widths) == pytest.approx(width, abs=0.02)


def measured(gap: float, *, varies: bool, low: float = 0.1) -> paired.MeasuredSubject:
    """An ECE of .2 in [low, .4] whose replicates follow those of the gap, where it varies."""
    moves = np.random.default_rng(3).normal(0, 0.05, 200)
    drawn = {"ece": 0.2 + moves, "gap": gap + moves * varies}
    others = dict.fromkeys(("auroc", "skill_score"), np.full(200, 0.5))
    points = {"ece": 0.2, "gap": gap, "auroc": 0.5, "skill_score": 0.5}
    return paired.MeasuredSubject(points, {**drawn, **others}, Interval(low, 0.4))


def ends_of_ece(a: paired.MeasuredSubject, b: paired.MeasuredSubject) -> tuple[float, float]:
    """Return the ends of the difference of two that were measured, where replicates differ."""
    b.drawn["ece"] = b.drawn["ece"] + np.linspace(0, 0.01, 200)
    ece = list(paired.compared(a, b, 50))[1].interval
    assert ece.low is not None
    assert ece.high is not None
    return ece.low, ece.high


@pytest.mark.parametrize(("one", "other"), [(0.2, 0.2), (0.2, -0.2), (-0.2, 0.2)])
def test_without_variation_a_difference_reaches_as_far_as_both_allow(
    one: float, other: float
) -> None:
    ends = ends_of_ece(measured(one, varies=False), measured(other, varies=True))
    assert ends == pytest.approx((-0.3, 0.3), abs=1e-9)


def test_a_gap_that_is_0_but_for_rounding_has_no_direction() -> None:
    found = [
        ends_of_ece(measured(gap, varies=True), measured(0.2, varies=True))
        for gap in (0.0, 1e-17, -1e-17)
    ]
    for ends in found:
        assert ends == pytest.approx((-0.3, 0.3), abs=1e-3)
    alike = ends_of_ece(measured(0.2, varies=True), measured(0.2, varies=True))
    assert alike[1] < 0.12


def test_a_difference_holds_the_observed_one_however_alike_the_errors_are() -> None:
    """Two equal errors, one of which may be 0: from there the other is .2 larger."""
    a, b = measured(0.2, varies=True), measured(0.2, varies=True, low=0.0)
    low, high = ends_of_ece(a, b)
    assert low <= 0 <= high


def test_p_finds_no_difference_where_the_interval_holds_0_to_hold_the_observed_one() -> None:
    """The larger error may be 0, so that the smaller one counts as larger."""
    a, b = (
        replace(one, points=one.points | {"ece": ece}, ece=ends)
        for one, ece, ends in (
            (measured(0.2, varies=True), 0.10, Interval(0.04, 0.16)),
            (measured(0.2, varies=True), 0.11, Interval(0.0, 0.14)),
        )
    )
    assert ends_of_ece(a, b) == pytest.approx((-0.01, 0.16), abs=0.01)
    for one, other, sign in ((a, b, 1), (b, a, -1)):
        ece = list(paired.compared(one, other, 50))[1]
        assert (ece.difference, ece.p_value) == (pytest.approx(-0.01 * sign), 0.05)
        assert sign * (ece.interval.low if sign > 0 else ece.interval.high) == pytest.approx(-0.01)


def test_one_row_that_differs_has_the_same_p_value_in_any_order() -> None:
    rng = np.random.default_rng(5)
    problem = np.repeat(np.arange(20), 5)
    p = rng.random(100)
    y, w = rng.random(100) < p, np.full(100, 0.2)
    turned = p.copy()
    turned[3] = 1 - turned[3]
    values = set()
    for _ in range(4):
        orders = rng.permutation(100), rng.permutation(100)
        sides = [
            Scored(NAMES[:20], problem[at], scores[at], y[at], w[at])
            for at, scores in zip(orders, (p, turned), strict=True)
        ]
        values.add(found(*sides).compared[2].p_value)
    assert len(values) == 1


@pytest.mark.parametrize("seed", [98, 150, 258, 362])
def test_the_scale_of_weights_moves_no_end_of_certain_confidences(seed: int) -> None:
    """Confidences of 0 and 1 tie in many resamples: rounding chose which of them missed."""
    rng = np.random.default_rng(seed)
    names, problem = [f"{at:02}" for at in range(20)], np.repeat(np.arange(20), 2)
    y = rng.random((2, 40)) < 0.5
    p = np.where(rng.random((2, 40)) < 0.7, y, ~y).astype(float)
    ends = []
    for scale in (1, 3.7):
        weights = np.full(40, scale / 2)
        sides = [Scored(names, problem, p[at], y[at], weights) for at in (0, 1)]
        ece = found(*sides).compared[1]
        ends.append((ece.interval.low, ece.interval.high, ece.p_value))
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_a_subject_beside_itself_does_not_differ() -> None:
    a = scored(1, NAMES, 2)
    for each in found(a, a).compared:
        assert each.value_a == each.value_b
        assert each.interval.null_reason == "no_variation"


N_SETS = 120


@pytest.mark.long(seconds=60)
@pytest.mark.parametrize(("n_samples", "shifts"), [(1, (0.0, 1.0)), (5, (0.5, 0.5))])
def test_intervals_hold_and_tests_are_rarely_wrong(
    n_samples: int, shifts: tuple[float, float]
) -> None:
    """Of 24 problems; the truth is that of 4,000 answers to each."""
    big = [plain_of_many(shift) for shift in shifts]
    held = dict.fromkeys(paired.STATISTICS, 0)
    known = dict.fromkeys(paired.STATISTICS, 0)
    rejected = dict.fromkeys(paired.STATISTICS, 0)
    for seed in range(N_SETS):
        sides = [
            scored(1000 * at + seed + 50, NAMES, n_samples, s) for at, s in enumerate(shifts, 1)
        ]
        for each in found(*sides).compared:
            truth = big[0][each.statistic] - big[1][each.statistic]
            if each.interval.low is None or each.interval.high is None or each.p_value is None:
                continue
            known[each.statistic] += 1
            held[each.statistic] += each.interval.low <= truth <= each.interval.high
            assert each.p_value >= 0.05 or not each.interval.low <= 0 <= each.interval.high
            rejected[each.statistic] += each.p_value < 0.05
    least = 0.95 - 3 * math.sqrt(0.95 * 0.05 / N_SETS)
    assert min(known.values()) > 0.75 * N_SETS, "few have fewer than five problems of a class"
    assert all(held[name] >= least * known[name] for name in held), held
    if shifts[0] == shifts[1]:
        most = 0.05 + 3 * math.sqrt(0.05 * 0.95 / N_SETS)
        assert max(rejected.values()) <= most * N_SETS, rejected


def plain_of_many(shift: float) -> dict[str, float]:
    return plain(scored(99, NAMES, 4000, shift), NAMES)
