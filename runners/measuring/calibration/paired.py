"""Differences of two entries in what is no mean over problems: AUROC, ECE and skill score.

Both are taken on the problems of both, and problems are resampled for both at once (a paired
cluster bootstrap). What makes a problem hard for both then cancels. Percentiles are expanded as
elsewhere (``bootstrap.tail_share``), and so are p values.

The plug-in ECE adds up the sizes of chance gaps, in the sample and again in each resample: no
percentiles hold. The interval of a - b comes from each entry's own (``estimates.error_interval``),
and from how alike the errors of both are (MOVER: Zou 2007, Psychological Methods 12). An entry
whose interval begins at 0 is measured from there, not from its ECE. The interval always holds the
observed difference. Standard error and p value are those of the t test with this interval, so p is
below .05 where it leaves out 0. Coverage and level: docs/decisions/0023-comparisons.md.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
from scipy.special import stdtr

from runners.measuring.calibration import bootstrap, replicates
from runners.measuring.calibration.bootstrap import Resamples
from runners.measuring.calibration.errors.binned import binned
from runners.measuring.calibration.errors.chance import by_chance
from runners.measuring.calibration.errors.levels import MISSED
from runners.measuring.calibration.estimates import INVERTED, SubjectRows, error_interval
from runners.measuring.calibration.folds import Bools, Floats, Ints
from runners.measuring.calibration.intervals import (
    ROUNDING,
    Interval,
    no_interval,
    summed,
    t_quantile,
)

METHOD = (
    "paired cluster bootstrap over common problems, p by expanded percentiles, "
    "ECE and its p by MOVER with correlation: "
    f"{INVERTED}"
)
STATISTICS = ("auroc", "ece", "skill_score")


@dataclass(frozen=True)
class Scored:
    """The rows of one subject: scores, labels, weights, and the problem that each is of."""

    problems: Sequence[str]
    problem: Ints
    p: Floats
    y: Bools
    w: Floats


@dataclass(frozen=True)
class PairDue:
    """A pair of subjects to compare."""

    pair_key: str
    input_key: str
    subject_no_a: int
    subject_no_b: int


@dataclass(frozen=True)
class PairsDue:
    """Pairs of subjects that share what they are a measure of, and the rows of each subject."""

    subjects: dict[int, Scored]
    pairs: Sequence[PairDue]
    n_replicates: int


@dataclass(frozen=True)
class MeasuredSubject:
    """Statistics of one subject on some problems, gap of means included: observed and resampled."""

    points: dict[str, float]
    drawn: dict[str, Floats]
    ece: Interval


@dataclass(frozen=True)
class Compared:
    """A statistic of both subjects, their difference with an interval, and a p value."""

    statistic: str
    value_a: float | None
    value_b: float | None
    interval: Interval
    standard_error: float | None
    p_value: float | None

    @property
    def difference(self) -> float | None:
        """A less b, where both have a value."""
        if self.value_a is None or self.value_b is None:
            return None
        return self.value_a - self.value_b


@dataclass(frozen=True)
class PairFound:
    """What was found of a pair."""

    due: PairDue
    n_common: int
    seed: int | None
    compared: Sequence[Compared]


def scored_subjects(answers: Any) -> dict[int, Scored]:
    """Return the rows of each subject of an Arrow table (``subject_no, problem_id, p, y, w``)."""
    names = answers["problem_id"].combine_chunks().dictionary_encode()
    columns = {name: answers[name].to_numpy() for name in ("subject_no", "p", "y", "w")}
    problem_no = names.indices.to_numpy()
    found = {}
    for no in np.unique(columns["subject_no"]):
        rows = columns["subject_no"] == no
        numbers, place = np.unique(problem_no[rows], return_inverse=True)
        problems = [names.dictionary[int(number)].as_py() for number in numbers]
        p, y, w = (np.asarray(columns[name][rows]) for name in ("p", "y", "w"))
        found[int(no)] = Scored(problems, place, p, y, w)
    return found


def work(group: PairsDue) -> list[PairFound]:
    """Compare each pair; a subject is measured once for pairs with the same common problems."""
    known: dict[tuple[int, tuple[str, ...]], MeasuredSubject] = {}
    drawn: dict[tuple[str, ...], Resamples] = {}
    found = []
    for due in group.pairs:
        sides = due.subject_no_a, due.subject_no_b
        a, b = (group.subjects[side] for side in sides)
        common = tuple(sorted(set(a.problems) & set(b.problems)))
        if not common:
            none = no_interval("no_common_problems")
            absent = [Compared(name, None, None, none, None, None) for name in STATISTICS]
            found.append(PairFound(due, 0, None, absent))
            continue
        if common not in drawn:
            drawn[common] = bootstrap.resample(list(common), group.n_replicates)
        for side in sides:
            if (side, common) not in known:
                known[side, common] = measured(group.subjects[side], common, drawn[common])
        one, other = (known[side, common] for side in sides)
        rows = list(compared(one, other, len(common)))
        found.append(PairFound(due, len(common), drawn[common].seed, rows))
    return found


def compared(a: MeasuredSubject, b: MeasuredSubject, n_problems: int) -> Iterator[Compared]:
    """Yield each statistic of a and b with their difference, a less b."""
    for name in STATISTICS:
        one, other = a.points[name], b.points[name]
        if np.isnan(one) or np.isnan(other):
            absent = no_interval("single_class")
            yield Compared(name, None, None, absent, None, None)
            continue
        differences = a.drawn[name] - b.drawn[name]
        found = replicates.percentiles(differences, n_problems)
        if found.low is None:
            yield Compared(name, one, other, found, None, None)
        elif name == "ece":
            yield Compared(name, one, other, *_of_both(a, b, n_problems))
        else:
            known = differences[~np.isnan(differences)]
            error = float(known.std(ddof=1))
            yield Compared(name, one, other, found, error, _p_value(known, n_problems))


def measured(subject: Scored, common: Sequence[str], resamples: Resamples) -> MeasuredSubject:
    """Measure a subject on the common problems; NaN where one class alone is there."""
    place = {name: at for at, name in enumerate(common)}
    places = np.array([place.get(name, -1) for name in subject.problems])[subject.problem]
    kept = places >= 0
    rows = (subject.p[kept], subject.y[kept], subject.w[kept], places[kept])
    points = _statistics(*rows, np.ones((1, len(common))))
    drawn = by_chance(*rows, resamples.seed)
    gaps = partial(binned, *rows, len(common))
    interval = error_interval(gaps, SubjectRows(*rows), resamples, drawn.calibration_p)
    return MeasuredSubject(
        {name: float(values[0]) for name, values in points.items()},
        _statistics(*rows, resamples.counts),
        interval,
    )


def _p_value(replicates_of_difference: Floats, n_problems: int) -> float:
    """Return twice how often an end misses that leaves out the replicates on the rarer side of 0.

    They count plus one. As the percentiles are further out, p is below .05 only where the interval
    leaves out 0.
    """
    below = int((replicates_of_difference <= ROUNDING).sum())
    above = int((replicates_of_difference >= -ROUNDING).sum())
    share = min((1 + min(below, above)) / (1 + len(replicates_of_difference)), 0.5)
    return 2 * bootstrap.missed_share(share, n_problems)


def _of_both(
    a: MeasuredSubject, b: MeasuredSubject, n_problems: int
) -> tuple[Interval, float | None, float | None]:
    """Return the interval of the difference in ECE, or why there is none, its error and p value."""
    (low_a, high_a), (low_b, high_b) = ((side.ece.low, side.ece.high) for side in (a, b))
    if low_a is None or high_a is None or low_b is None or high_b is None:
        return no_interval(min(filter(None, (a.ece.null_reason, b.ece.null_reason)))), None, None
    # an ECE that may be 0 is mostly chance: its interval already allows for that
    one = a.points["ece"] if low_a > 0 else 0.0
    other = b.points["ece"] if low_b > 0 else 0.0
    alike = _error_correlation(a, b)
    middle, observed = one - other, a.points["ece"] - b.points["ece"]
    down = _added(one - low_a, high_b - other, alike)
    up = _added(high_a - one, other - low_b, alike)
    low, high = min(middle - down, observed), max(middle + up, observed)
    degrees = n_problems - 1
    quantile = t_quantile(degrees)
    to_0 = abs(middle) / max(down if middle > 0 else up, ROUNDING)
    p = float(2 * stdtr(degrees, -to_0 * quantile))
    if low <= 0 <= high:
        p = max(p, MISSED)
    return Interval(low, high), (high - low) / (2 * quantile), p


def _added(one: float, other: float, alike: float) -> float:
    """Return the half width of a difference, from those of both sides and their correlation."""
    return sqrt(max(one**2 + other**2 - 2 * alike * one * other, 0.0))


def _error_correlation(a: MeasuredSubject, b: MeasuredSubject) -> float:
    """Return the correlation of the errors of two ECEs, the smaller of two estimates.

    The first is that of the replicates of ECE, which chance gaps weaken. The second is that of the
    replicates of the gap of means. It changes sign where one entry is overconfident and the other
    underconfident. Positive, it counts for less where a direction is uncertain. Where nothing
    varies the correlation is -1, the most cautious.
    """
    of_ece = _correlation(a.drawn["ece"], b.drawn["ece"])
    of_gaps = _correlation(a.drawn["gap"], b.drawn["gap"])
    if of_ece is None or of_gaps is None:
        return -1.0
    one, other = a.points["gap"], b.points["gap"]
    if min(abs(one), abs(other)) < ROUNDING:
        return min(of_ece, -abs(of_gaps))
    turned = of_gaps if one * other > 0 else -of_gaps
    if turned > 0:
        turned *= 2 * _sign_certainty(a.drawn["gap"]) * _sign_certainty(b.drawn["gap"]) - 1
    return min(of_ece, turned)


def _sign_certainty(gaps: Floats) -> float:
    """Return how certain the direction of a gap is: 0 where half of its replicates are opposite."""
    return abs(float((gaps > ROUNDING).mean() - (gaps < -ROUNDING).mean()))


def _correlation(one: Floats, other: Floats) -> float | None:
    """Return the correlation of replicates, if both vary."""
    known = ~np.isnan(one) & ~np.isnan(other)
    if min(one[known].std(), other[known].std()) < ROUNDING:
        return None
    return float(np.corrcoef(one[known], other[known])[0, 1])


def _statistics(p: Floats, y: Bools, w: Floats, cluster: Ints, counts: Floats) -> dict[str, Floats]:
    """Return each statistic of each resample, and the gap of means."""
    rows = (p, y, w, cluster, counts)
    skill, ece = replicates.skill_replicates(*rows), replicates.ece_replicates(*rows)
    ece[np.isnan(skill)] = np.nan
    gaps, weights = (summed(cluster, each, counts.shape[1]) for each in (w * (p - y), w))
    return {
        "auroc": replicates.auroc_replicates(*rows),
        "ece": ece,
        "skill_score": skill,
        "gap": (counts @ gaps) / (counts @ weights),
    }
