"""The interval of an error of calibration, by tests inverted.

Idea: chance alone gives bins a gap between confidence and share of right answers. ECE adds up the
sizes of gaps, so it is too large, most of all near 0, and percentiles of resamples are larger
still. The interval here comes from tests instead: it holds each error under which the observed ECE
is no surprise (Carpenter 1999, Statistics in Medicine 18, test inversion). To test an error, gaps
whose sizes add up to it get the noise of resampled problems. Four patterns of gaps are tried: the
observed one, gaps in proportion to weights, gaps like their noise, and one gap alone. (Smooth ECE
has the first three.) The interval holds each error that at least one of them does not reject. That
is often too cautious, so the data choose the level of the tests (``levels.py``). Percentiles are
then moved further out by Student's t (Hesterberg 2015). Resamples of a few right answers lack the
skewness of new data. No error is smaller than the distance of mean confidence and base rate. So the
upper end is at least the upper end of that distance.

Assumed: problems are independent. Refused: labels of one class, or nearly so (estimates.py).
Coverage: docs/measured.md.
"""

from dataclasses import dataclass

import numpy as np

from models.words import LEAST_CLUSTERS, LEAST_OF_A_CLASS
from runners.measuring.calibration.bootstrap import N_BINS, tail_share
from runners.measuring.calibration.errors.binned import Binned
from runners.measuring.calibration.errors.followed import Followed
from runners.measuring.calibration.errors.levels import LEAST, MISSED, MOST, chosen_level
from runners.measuring.calibration.errors.patterns import PatternTests, patterns
from runners.measuring.calibration.folds import Floats
from runners.measuring.calibration.intervals import ROUNDING, Interval, no_interval

MOST_OF_BINS = 0.075
"""Lower tests of bins have no higher level: where one bin alone is wrong, they would miss more."""
MANY_OF_A_CLASS = 10
"""From so many problems of the rarer class on, their number limits no level of lower tests."""


@dataclass(frozen=True)
class Known:
    """What else is known of an error, beside its bins.

    ``p_value`` is that of a test of calibration by this error. ``furthest`` is the upper end of the
    distance of mean confidence and base rate, or 0. ``n_rarer`` problems have an answer of the
    rarer class. ``curve`` is what gave the scores, if they are rescaled.
    """

    p_value: float
    furthest: float = 0.0
    n_rarer: int = MANY_OF_A_CLASS
    curve: Followed | None = None


def ece_interval(rows: Binned, counts: Floats, known: Known) -> Interval:
    """Return the 95 % interval of ECE or smooth ECE.

    ``counts``: problems (columns) in each resample (row).

    Its lower end is 0 unless the test of calibration rejects an error of 0. Labels of both classes
    are needed: without, resamples say nothing about those that were not seen. Levels: decision 7.
    """
    n = len(rows.gaps)
    if n < LEAST_CLUSTERS:
        return no_interval("problems_lt_min")
    total = rows.weights.sum()
    gap = rows.gaps.sum(axis=0) / total
    noise = counts @ rows.gaps / (counts @ rows.weights.sum(axis=1))[:, None] - gap
    if np.abs(noise).max() < ROUNDING:
        return no_interval("no_variation")
    weights, spread = rows.weights.sum(axis=0), noise.std(axis=0)
    margin = known.furthest - abs(float(gap.sum()))
    tests = [
        PatternTests(pattern[0], noise, rows.ece)
        for pattern in patterns(gap[None], weights, spread)
        if pattern.any()
    ]
    taken_for_true = gap * (tests[0].middle / rows.ece) if rows.ece > ROUNDING else gap
    level = chosen_level(taken_for_true, weights, noise, margin)
    low = 0.0
    if known.p_value <= MISSED:
        most = MOST_OF_BINS if len(gap) <= N_BINS else MOST
        tail = tail_share(n, min(level, _most_for_few(known.n_rarer, most)))
        low = min(rows.ece, *(each.low(tail) for each in tests))
    low = low if low > ROUNDING else 0.0
    above = level if low > 0 else max(level, MISSED)
    high = max(rows.ece, known.furthest)
    if known.curve is not None:
        above = min(above, MISSED)
        high = max(high, known.curve.furthest(gap, noise, n))
    # an ECE smaller than chance alone would leave may reject every error: it is held too
    cut_off = tail_share(n, above)
    high = max(high, *(each.high(cut_off) for each in tests))
    return Interval(low, min(high, 1.0))


def _most_for_few(n_rarer: int, most: float) -> float:
    """Return the highest level of the lower tests: less where few problems have the rarer class.

    Only data with five problems of each class have an interval. Those that just have them mostly
    have more than was likely.
    """
    more = (n_rarer - LEAST_OF_A_CLASS) / (MANY_OF_A_CLASS - LEAST_OF_A_CLASS)
    return LEAST + (most - LEAST) * min(max(more, 0.0), 1.0)
