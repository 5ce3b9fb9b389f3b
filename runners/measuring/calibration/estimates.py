"""Estimates for one set of scores: smooth and debiased ECE, a test of calibration, intervals.

Idea: what a view cannot compute is estimated once per input and stored. Each statistic has the
words that say how (the constants below). Another method is another row, and old ones stay.

Assumed: the scores are held out, so that they are given and not resampled with the problems.
Refused: intervals for few problems, or without variation; the reason is stored beside the value.
Proved: tests/runners/measuring/test_calibration_estimates.py and test_binned_error.py, by planted
truth; ``python -m tests.bench.coverage`` counts how often intervals hold it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from models.words import LEAST_CLUSTERS
from runners.measuring.calibration import intervals
from runners.measuring.calibration.bootstrap import Resamples
from runners.measuring.calibration.cost import Rescaled, cost_of_fitting
from runners.measuring.calibration.errors import binned, chance, inverted, smooth
from runners.measuring.calibration.errors.followed import Followed, followed
from runners.measuring.calibration.folds import Bools, Floats, Ints
from runners.measuring.calibration.intervals import Interval

INVERTED = (
    "tests inverted over patterns of gaps, at levels by data set, an error of 0 tested by "
    "drawn labels, gap of means as the base rate's, noise that lines and steps followed, 95 %"
)
WILSON = "Wilson, trials and quantile by variance and skewness, up to four failures Poisson's, 95 %"
LOGGED = "log (1 - skill): the base rate's part, the rest by Hall's t, the cost of fitting, 95 %"
LOGIT = "logit AUROC, influence, Satterthwaite and kurtosis, normal for single answers, 95 %"
INTERVALS = (WILSON, LOGGED, LOGIT, INVERTED)
"""How intervals are made today: what has none by one of these is due."""
CLAIMED_INTERVALS = (LOGGED, LOGIT, INVERTED)
"""The same of claims, whose means are bounded by SQL."""
KERNEL = "reflected Gaussian, width by 10 bisections, as relplot"
DEBIASED = "2 ECE - mean ECE of normal resamples of each bin, spread over problems"
BY_CHANCE = "labels drawn from the confidences, answers to a problem correlated, two added"


@dataclass(frozen=True)
class Estimated:
    """One statistic: its value, its interval, or both, or why one of them is missing."""

    statistic: str
    value: float | None
    interval: Interval | None
    null_reason: str | None
    n_replicates: int | None
    seed: int | None
    method: str


@dataclass(frozen=True)
class SubjectRows:
    """Scores, labels, weights and problems (places from 0) of a subject; how scores were made."""

    p: Floats
    y: Bools
    w: Floats
    cluster: Ints
    rescaled: Rescaled | None = None


def estimate(
    rows: SubjectRows, resamples: Resamples, *, version: int, seed: int
) -> list[Estimated]:
    """Estimate what SQL does not: intervals, and in version 2 smooth and debiased ECE.

    ``seed`` is for what is drawn: labels, and the debiased ECE.
    """
    found = [*of_means(rows, resamples), *of_bins(rows, resamples, seed)]
    if version == 1:
        return [made for made in found if made.method != BY_CHANCE]
    value, reason = binned.debiased_l1(rows.p, rows.y, rows.w, rows.cluster, seed)
    debiased = Estimated("ece_debiased_l1", value, None, reason, binned.DRAWS, seed, DEBIASED)
    return [*found, *of_points(rows, resamples, seed), debiased]


def of_claims(rows: SubjectRows, resamples: Resamples) -> list[Estimated]:
    """Bound skill score, ECE and AUROC over claimed verdicts; SQL bounds the means."""
    wanted = ("skill_score", "ece", "auroc")
    found = estimate(rows, resamples, version=1, seed=resamples.seed)
    return [made for made in found if made.statistic in wanted]


def of_means(rows: SubjectRows, resamples: Resamples) -> list[Estimated]:
    """Bound base rate, mean score, Brier score, skill score and AUROC."""
    p, y, w, cluster = rows.p, rows.y, rows.w, rows.cluster
    n_problems = resamples.counts.shape[1]
    held = intervals.by_problem(p, y, w, cluster, n_problems)
    score = intervals.summed(cluster, w * p, n_problems)
    cost = cost_of_fitting(p, w, rows.rescaled)
    return [
        _bounded("base_rate", intervals.rate_interval(held.right, held.weight), WILSON),
        _bounded("mean_score", intervals.rate_interval(score, held.weight), WILSON),
        _bounded("brier", intervals.rate_interval(held.squares, held.weight), WILSON),
        _bounded("skill_score", intervals.skill_interval(held, cost), LOGGED),
        _bounded("auroc", intervals.auroc_interval(p, y, w, cluster, held), LOGIT),
    ]


def of_bins(rows: SubjectRows, resamples: Resamples, seed: int) -> list[Estimated]:
    """Bound ECE, and test whether it could be chance."""
    n_problems = resamples.counts.shape[1]
    drawn = chance.by_chance(rows.p, rows.y, rows.w, rows.cluster, seed)
    few = "problems_lt_min" if n_problems < LEAST_CLUSTERS else None
    gaps = partial(binned.binned, rows.p, rows.y, rows.w, rows.cluster, n_problems)
    curve = followed(rows.p, rows.w, rows.rescaled, partial(binned.by_bin, rows.p))
    return [
        _inverted("ece", gaps, rows, resamples, drawn.calibration_p, curve),
        *(
            Estimated(name, None if few else number, None, few, binned.DRAWS, seed, BY_CHANCE)
            for name, number in vars(drawn).items()
        ),
    ]


def of_points(rows: SubjectRows, resamples: Resamples, seed: int) -> list[Estimated]:
    """Estimate smooth ECE and bound it at the width of the data."""
    p, y, w, cluster = rows.p, rows.y, rows.w, rows.cluster
    value, width = smooth.smooth_ece(p, y, w)
    gaps = partial(smooth.smoothed, p, y, w, cluster, resamples.counts.shape[1], width)
    p_value = smooth.chance_p(p, y, w, cluster, width, seed)
    curve = followed(p, w, rows.rescaled, partial(smooth.by_point, p, width))
    made = _inverted("smooth_ece", gaps, rows, resamples, p_value, curve)
    return [
        replace(made, value=value, method=f"{KERNEL}; {INVERTED}"),
        Estimated("smooth_ece_width", width, None, None, None, None, KERNEL),
    ]


def _bounded(statistic: str, found: Interval, method: str) -> Estimated:
    return Estimated(statistic, None, found, found.null_reason, None, None, method)


def _inverted(
    statistic: str,
    gaps: Callable[[], binned.Binned],
    rows: SubjectRows,
    resamples: Resamples,
    p_value: float,
    curve: Followed | None,
) -> Estimated:
    found = error_interval(gaps, rows, resamples, p_value, curve)
    drawn = len(resamples.counts), resamples.seed
    return Estimated(statistic, None, found, found.null_reason, *drawn, INVERTED)


def error_interval(
    gaps: Callable[[], binned.Binned],
    rows: SubjectRows,
    resamples: Resamples,
    p_value: float,
    curve: Followed | None = None,
) -> Interval:
    """Bound an error by tests; its gaps are only made where there is an interval."""
    n_problems = resamples.counts.shape[1]
    held = intervals.by_problem(rows.p, rows.y, rows.w, rows.cluster, n_problems)
    if (reason := held.class_reason()) is not None:
        return intervals.no_interval(reason)
    between = intervals.summed(rows.cluster, rows.w * (rows.p - rows.y), n_problems)
    furthest = intervals.furthest_gap(held, between)
    known = inverted.Known(p_value, furthest, held.n_rarer(), curve)
    return inverted.ece_interval(gaps(), resamples.counts, known)
