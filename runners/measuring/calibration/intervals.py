"""Intervals over problems in closed form: of rates and scores, of skill and of AUROC.

Idea: a statistic is nearly a mean over problems of terms, its influence values. They are the
infinitesimal jackknife (Obuchowski 1997, Biometrics 53, for the area under a curve of clustered
rows). Shares are bounded by Wilson's interval, with the trials that the problems are worth
(decision 7). A skill score is bounded where it is nearer to normal: on the logarithm of 1 - skill,
a ratio of two Brier scores; AUROC on its logit. The quantile is Student's t, with as many degrees
of freedom as the terms estimate their variance with. They are fewer where some terms are very large
(kurtosis), and where the answers of a class come from few problems. The latter is Satterthwaite's
rule for AUROC (1946, Biometrics Bulletin 2). With one answer for each problem the rarer class
counts less (``single_answer_weight``): AUROC has more of the normal quantile. Of skill, what
follows the base rate has the base rate's interval, and Student's t is for the rest.

Assumed: problems are independent. Refused: fewer than ten problems, and skill or AUROC where too
few problems have a right answer, or a wrong one.
Proved: tests/runners/measuring/test_calibration_estimates.py, beside an oracle without formulas of
variance, and coverage in docs/measured.md.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit

from models.words import LEAST_CLUSTERS, LEAST_OF_A_CLASS
from runners.measuring.calibration.cost import FREE, Cost
from runners.measuring.calibration.folds import Bools, Floats, Ints

ROUNDING = 1e-12
LEAST_RATIO = 0.1
PROBLEMS_ADDED = 2
FAILURES_ADDED = 0.1
MANY_FAILURES, FADED_OUT = 3.5, 4.0
"""Poisson's limit counts up to the first, then fades. To twice as many the quantile moves."""
LEAST_FREE = 0.5
LEAST_OF_HALF = 0.8
"""No end of skill is nearer than this part of the half width that Student's t of all terms has."""
MOST_FOR_SKEWNESS = 2
"""How many times further out skewness may take an end of the second part of skill."""
FURTHER, FURTHER_STEP = 1.6, 0.15
"""By what an end is further out at five problems of a class, and less for each more."""
LEAST_RATE_VARIANCE = 0.9
"""Of p (1 - p): with less, answers of a problem differ too much to count as one."""
FLAT = 4.0
"""The nearness to an edge that equal values are given: the variance over the squared distance."""

NORMAL = float(ndtri(0.975))
ONE_SIDED = float(ndtri(0.95))


@dataclass(frozen=True)
class Interval:
    """A 95 % interval, or why there is none."""

    low: float | None
    high: float | None
    null_reason: str | None = None


def no_interval(reason: str) -> Interval:
    """Return an interval that is missing for a reason."""
    return Interval(None, None, reason)


def rate_interval(top: Floats, bottom: Floats) -> Interval:
    """Return Wilson's interval of sum(top) / sum(bottom), problems as clusters.

    There are n / s trials for n problems. s is the variance of the problems' rates over that of
    coins, after coins are added for what was not seen. The quantile is the normal one in the
    proportion s, and Student's t in the rest. At the near end, trials and quantile also follow the
    skewness. With at most three failures that end is Poisson's limit, if that is further out; from
    3.5 to 4 it fades. See decision 7; the views' macro is share_bound.
    """
    n = int((bottom > 0).sum())
    if n < LEAST_CLUSTERS:
        return no_interval("problems_lt_min")
    rate, variance = float(top.sum() / bottom.sum()), _rate_variance(top, bottom, n)
    skewness = _skewness(top - rate * bottom, bottom, n)
    return Interval(
        _low_end(n, rate, variance, skewness), 1 - _low_end(n, 1 - rate, variance, -skewness)
    )


def _rate_variance(top: Floats, bottom: Floats, n: int) -> float:
    """Return the variance of the rates of n problems."""
    rate, total = top.sum() / bottom.sum(), bottom.sum()
    spread = float(((top - rate * bottom) ** 2).sum())
    return float(spread * n / (n - 1) / total**2 * n)


def _skewness(residuals: Floats, bottom: Floats, n: int) -> float:
    """Return the skewness of the rates of n problems; 0 where they are equal."""
    terms = residuals * (n / bottom.sum())
    square = float((terms**2).sum() / n)
    if square * n < ROUNDING**1.5 * (n - 1):
        return 0.0
    return float((terms**3).sum() / n / square**1.5)


def _low_end(n: int, rate: float, variance: float, skewness: float) -> float:
    """Return the lower end of the interval of a rate.

    The upper end is 1 less the lower end of 1 - rate with the opposite skewness.
    """
    distance = min(rate, 1 - rate)
    if rate < ROUNDING:
        return 0.0
    if distance < ROUNDING:
        return _wilson_low(rate, n, NORMAL)
    nearness = variance / distance**2 if variance > ROUNDING**1.5 else FLAT
    least = LEAST_RATIO * min(1.0, nearness / FLAT)
    ratio = min(1.0, max(variance / (rate * (1 - rate)), least))
    near, away, hidden = min(2 * rate, 1.0), max(-1.0, min(skewness, 1.0)), min(1.0, nearness)
    unseen = (1 - near) * max(-away, 0.0)
    hidden_problems = min(hidden * (1 + 10 * unseen), 1.0)
    trials, trials_full = (
        _trials(n, n * distance, ratio, hidden_problems, hidden, weight) for weight in (near, 1.0)
    )
    seen = rate * trials
    quantile = n / trials * NORMAL + (1 - n / trials) * t_quantile(n - 1)
    moved = hidden * max(away, 0.0) * (1 - (trials_full / trials) ** 2)
    moved *= max(0.0, min(seen / MANY_FAILURES - 1, 1.0))
    low = _wilson_low(rate, trials, quantile + (ONE_SIDED - quantile) * moved)
    further = max(0.0, low - _fewest_failures(seen) / trials)
    return low - further * max(0.0, min((FADED_OUT - seen) / (FADED_OUT - MANY_FAILURES), 1.0))


def _trials(
    n: int, failures: float, ratio: float, hidden_problems: float, hidden: float, weight: float
) -> float:
    """Return how many trials the problems are worth, where coins of a weight are added.

    These are two problems, or a tenth of a failure where that is more. ``hidden_problems`` and
    ``hidden``, at most 1, say how much of each counts.
    """
    problems, tenth = PROBLEMS_ADDED * weight, FAILURES_ADDED * weight
    return n / max(
        ((n - 1) * ratio + problems * hidden_problems) / (n - 1 + problems),
        (failures * ratio + tenth * hidden) / (failures + tenth),
    )


def _fewest_failures(seen: float) -> float:
    """Return what must be expected for that many failures or more to have a chance of 8 %."""
    return max(0.083 * seen, 0.382 * seen - 0.299, 0.533 * seen - 0.601)


def _wilson_low(rate: float, trials: float, quantile: float) -> float:
    """Return the lower end of Wilson's score interval (E. B. Wilson 1927)."""
    centre = rate + quantile**2 / (2 * trials)
    half = quantile * np.sqrt(rate * (1 - rate) / trials + (quantile / trials) ** 2 / 4)
    return max(0.0, float((centre - half) / (1 + quantile**2 / trials)))


def t_quantile(degrees: float) -> float:
    """Return the 97.5 % quantile of Student's t, of one degree of freedom at least."""
    return float(stdtrit(max(degrees, 1.0), 0.975))


@dataclass(frozen=True)
class Problems:
    """Rows by problem: weight, weight right, squared errors, and rows of each class."""

    weight: Floats
    right: Floats
    squares: Floats
    n_right: Ints
    n_wrong: Ints

    def effective_problems(self) -> tuple[float, float]:
        """Return how many problems with equally many right answers, and wrong ones, say as much."""
        right, wrong = (
            float(part.sum() ** 2 / (part**2).sum())
            for part in (self.right, self.weight - self.right)
        )
        return right, wrong

    def class_reason(self) -> str | None:
        """Say why what needs both classes (skill, AUROC, ECE) has no interval, if it has none."""
        if not self.n_right.any() or not self.n_wrong.any():
            return "single_class"
        if len(self.weight) < LEAST_CLUSTERS:
            return "problems_lt_min"
        if self.n_rarer() < LEAST_OF_A_CLASS:
            return "class_lt_min"
        return None

    def single_answer_weight(self) -> float:
        """Return a weight from 0 to 1: 4 p (1 - p) for the base rate p, times a factor.

        The factor is 1 where each problem has one answer, or equal ones: rates of problems then
        have the variance p (1 - p). It falls to 0 as that variance falls to nine tenths of it.
        """
        rate = float(self.right.sum() / self.weight.sum())
        most = rate * (1 - rate)
        ratio = _rate_variance(self.right, self.weight, len(self.weight)) / most
        above = min(1.0, ratio) - LEAST_RATE_VARIANCE
        return 4 * most * max(0.0, above / (1 - LEAST_RATE_VARIANCE))

    def n_rarer(self) -> int:
        """Return how many problems have an answer of the class that fewer problems have."""
        return int(min((self.n_right > 0).sum(), (self.n_wrong > 0).sum()))


def by_problem(p: Floats, y: Bools, w: Floats, cluster: Ints, n_clusters: int) -> Problems:
    """Add up the rows of each problem."""
    columns = (w, w * y, w * (p - y) ** 2)
    weight, right, squares = (summed(cluster, values, n_clusters) for values in columns)
    n_right, n_wrong = (np.bincount(cluster[rows], minlength=n_clusters) for rows in (y, ~y))
    return Problems(weight, right, squares, n_right, n_wrong)


def summed(cluster: Ints, values: Floats, n_clusters: int) -> Floats:
    """Return the sum of the values of each problem."""
    return np.bincount(cluster, values, n_clusters).astype(float)


def furthest_gap(rows: Problems, gaps: Floats) -> float:
    """Return the upper end of the 95 % interval of the distance of mean confidence and base rate.

    ``gaps``: weight times (confidence - label), added up by problem. Their errors are skewed as
    those of the base rate are: its interval is scaled by the spread of the gaps.
    """
    bounds, total = rate_interval(rows.right, rows.weight), rows.weight.sum()
    rate, gap = rows.right.sum() / total, gaps.sum() / total
    spread = ((rows.right - rate * rows.weight) ** 2).sum()
    if spread < (ROUNDING * total) ** 2 or bounds.low is None or bounds.high is None:
        return abs(float(gap))
    above, below = bounds.high - rate, rate - bounds.low
    half = above if gap < -ROUNDING else below if gap > ROUNDING else max(above, below)
    ratio = np.sqrt(((gaps - gap * rows.weight) ** 2).sum() / spread)
    return float(abs(gap) + ratio * half)


def skill_interval(rows: Problems, cost: Cost = FREE) -> Interval:
    """Return the interval of 1 - brier / (base_rate (1 - base_rate)).

    The error of log (1 - skill) has two parts: one in proportion to the base rate's, and a rest.
    Rescaled scores have a third, the ``cost`` of fitting; their curves are taken as given.
    Distances to the ends of all are put together (Zou and Donner 2008, Statistics in Medicine 27);
    see decision 7.
    """
    reason = rows.class_reason()
    if reason is not None:
        return no_interval(reason)
    total = rows.weight.sum()
    brier, rate = rows.squares.sum() / total, rows.right.sum() / total
    reference = rate * (1 - rate)
    if brier < ROUNDING:
        return no_interval("no_variation")
    of_rate = rows.right - rate * rows.weight
    terms = (rows.squares - brier * rows.weight) / brier - of_rate * (1 - 2 * rate) / reference
    degrees, single = degrees_by_kurtosis(terms), rows.single_answer_weight()
    fewer = min(rows.effective_problems())
    quantile = single * t_quantile(degrees) + (1 - single) * t_quantile(min(degrees, fewer - 1))
    least = LEAST_OF_HALF * quantile * _standard_error(terms / total)
    if least < ROUNDING:
        return no_interval("no_variation")
    varies = _rate_variance(rows.right, rows.weight, len(terms)) > ROUNDING**1.5
    slope = float(terms @ of_rate / (of_rate @ of_rate)) if varies else 0.0
    rest = terms - slope * of_rate
    error, quantiles = _standard_error(rest / total), _rest_quantiles(rest, fewer, single)
    moves = [slope * distance for distance in _rate_distances(rows)]
    down, up = (
        max(least, float(np.hypot(end, quantile * error)))
        for end, quantile in zip((-min(moves), max(moves)), quantiles, strict=True)
    )
    each = _single_answer(rows, reference)
    up, down = math.hypot(up, cost.to_lower_end * each), math.hypot(down, cost.to_upper_end * each)
    ratio = brier / reference
    return Interval(float(1 - ratio * np.exp(up)), float(1 - ratio * np.exp(-down)))


def _rest_quantiles(rest: Floats, fewer: float, single: float) -> tuple[float, float]:
    """Return by how many standard errors the truth may be below what a rest says, and above it.

    ``fewer``: the effective number of problems of the rarer class. ``single``: the weight of single
    answers. They need no wider error, and from one half on less correction for skewness.
    """
    n = len(rest)
    wider = single + (1 - single) * float(np.sqrt(fewer / max(fewer - 1, LEAST_FREE)))
    quantile = wider * t_quantile(min(degrees_by_kurtosis(rest), fewer - 1))
    skewed = min(1.0, 2 * (1 - single)) * _skewness(rest, np.ones(n), n) / float(np.sqrt(n))
    most = MOST_FOR_SKEWNESS * quantile
    below, above = _untransformed(quantile, skewed), -_untransformed(-quantile, skewed)
    return min(below, most), min(above, most)


def _untransformed(quantile: float, skewed: float) -> float:
    """Return the t whose cubic transformation, without skewness, is a quantile (Hall 1992).

    ``skewed``: the skewness of the terms over the root of their number.
    """
    if abs(skewed) < 1e-6:
        return quantile
    return float(3 / skewed * (np.cbrt(1 + skewed * (quantile - skewed / 6)) - 1))


def _single_answer(rows: Problems, reference: float) -> float:
    """Return one over the number of single answers that the problems are worth."""
    n = len(rows.weight)
    return min(1.0, _rate_variance(rows.right, rows.weight, n) / reference) / n


def _rate_distances(rows: Problems) -> tuple[float, float]:
    """Return the signed distances to the lower and the upper end of the base rate's interval.

    Only data with five problems of each class are bounded. Those that just have them mostly have
    more than was likely, so the end towards fewer of the class is further out.
    """
    bounds, rate = rate_interval(rows.right, rows.weight), rows.right.sum() / rows.weight.sum()
    n_right, n_wrong = (int((of_class > 0).sum()) for of_class in (rows.n_right, rows.n_wrong))
    low, high = (float(end - rate) for end in (bounds.low or 0.0, bounds.high or 1.0))
    return low * _further_out(n_right), high * _further_out(n_wrong)


def _further_out(found: int) -> float:
    """Return how many times further out an end is where so many problems have a class."""
    return max(1.0, FURTHER - FURTHER_STEP * (found - LEAST_OF_A_CLASS))


def auroc_interval(p: Floats, y: Bools, w: Floats, cluster: Ints, rows: Problems) -> Interval:
    """Return the interval of the chance that a right row scores above a wrong one, ties half."""
    reason = rows.class_reason()
    if reason is not None:
        return no_interval(reason)
    won = shares_beaten(p, y, w)
    n_clusters = len(rows.weight)
    right, wrong = w[y].sum(), w[~y].sum()
    area = float((w[y] * won[y]).sum() / right)
    each = w * (won - area) / np.where(y, right, wrong)
    of_right, of_wrong = (summed(cluster[rows], each[rows], n_clusters) for rows in (y, ~y))
    effective = rows.effective_problems()
    squares = [float((of**2).sum()) for of in (of_right, of_wrong)]
    free = [max(n - 1, LEAST_FREE) for n in effective]
    least = sum(square**2 / degrees for square, degrees in zip(squares, free, strict=True))
    if least < ROUNDING**2 or not ROUNDING < area < 1 - ROUNDING:
        return no_interval("no_variation")
    terms = of_right + of_wrong
    of_class = t_quantile(min(sum(squares) ** 2 / least, degrees_by_kurtosis(terms)))
    of_class *= float(np.sqrt(min(effective) / min(free)))
    single = rows.single_answer_weight()
    half = _standard_error(terms) * (single * NORMAL + (1 - single) * of_class)
    odds, factor = area / (1 - area), np.exp(half / (area * (1 - area)))
    low, high = odds / factor, odds * factor
    return Interval(float(low / (1 + low)), float(high / (1 + high)))


def shares_beaten(p: Floats, y: Bools, w: Floats) -> Floats:
    """Return, of each right row, the share of wrong rows below it; of each wrong one, above it.

    A tie counts half.
    """
    scores, level = np.unique(p, return_inverse=True)
    at_right, at_wrong = (np.bincount(level, w * rows, len(scores)) for rows in (y, ~y))
    upto_right, upto_wrong = np.cumsum(at_right), np.cumsum(at_wrong)
    above = 1 - (upto_right - at_right / 2) / upto_right[-1]
    below = (upto_wrong - at_wrong / 2) / upto_wrong[-1]
    return np.asarray(np.where(y, below[level], above[level]))


def _standard_error(terms: Floats) -> float:
    """Return the standard error of a statistic with these influence values, over the total."""
    n = len(terms)
    return float(np.sqrt((terms**2).sum() * n / (n - 1)))


def degrees_by_kurtosis(terms: Floats) -> float:
    """Return how many degrees of freedom a normal sample with as uncertain a variance has."""
    n, square = len(terms), (terms**2).mean()
    if square < ROUNDING**2:
        return n - 1
    excess = (terms**4).mean() / square**2 - 1
    return float(n - 1 if 2 * n >= excess * (n - 1) else 2 * n / excess)
