"""The error of binned confidences (ECE): its interval, a test of calibration, less biased values.

Idea: chance alone gives bins a gap between confidence and share of right answers. ECE adds up the
sizes of gaps, so it is too large, most of all near 0, and percentiles of resamples are larger
still. The interval here comes from tests instead: it holds each error under which the observed ECE
is no surprise (Carpenter 1999, Statistics in Medicine 18, test inversion). To test an error, gaps
whose sizes add up to it get the noise of resampled problems. Three patterns of gaps are tried: the
observed one, an equal gap in all bins, and gaps as large as their noise. The interval holds each
error that at least one of them does not reject. Its levels follow Student's t (Hesterberg 2015,
expanded percentiles). Resamples of a few right answers lack the skewness of new data. No error is
smaller than the distance of mean confidence and base rate. So the upper end is at least the upper
end of that distance. A small error is hardly ever above the upper end: the lower one may then miss
it in up to 5 % of data sets.

The test of calibration simulates labels from the confidences. Answers to one problem are not
independent. A simulated answer follows a number that its problem's answers share, as often as makes
them as correlated as the observed ones. The mean ECE of such draws is the noise floor.

Assumed: problems are independent. Refused: labels of one class, or nearly so (estimates.py).
Coverage: docs/measured.md.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import coo_array, triu

from models.words import LEAST_CLUSTERS, LEAST_OF_A_CLASS
from runners.measuring.calibration.bootstrap import N_BINS, bin_of, tail_share
from runners.measuring.calibration.folds import Bools, Floats, Ints
from runners.measuring.calibration.intervals import ROUNDING, Interval, no_interval

DRAWS = 1000
DRAWN_ROWS = 1_000
"""Of more rows the gaps of cells are drawn, from a normal law, instead of labels."""
CELLS_AT_ONCE = 50_000
"""As many numbers as stay in a processor's cache."""
ALIKE_ADDED = 2
"""Made-up problems that are added, whose answers all follow one chance."""
TAIL, WHOLE = 0.025, 0.05
"""Levels: of the tests of each end; of one end alone, and of the test of calibration."""
MANY_OF_A_CLASS = 10
"""From this many problems of the rarer class on, the tests of the lower end may be at 5 %."""


@dataclass(frozen=True)
class ByChance:
    """ECE if every confidence were right: its mean, and how often it is at least the observed."""

    ece_noise_floor: float
    calibration_p: float


@dataclass(frozen=True)
class Places:
    """The cell of each row, and which share of its gap a cell (row) adds to each place (column).

    Scores of a lower cell are smaller. Bins are cells that each have one place.
    """

    cells: Ints
    onto: Floats


@dataclass(frozen=True)
class Binned:
    """Rows of a subject by problem (row) and bin (column): sums of w (p - y) and of w."""

    gaps: Floats
    weights: Floats

    @property
    def ece(self) -> float:
        """Return ECE: sizes of the gaps of bins, over the weight of all rows."""
        error = np.abs(self.gaps.sum(axis=0)).sum() / self.weights.sum()
        return min(float(error), 1.0)  # a sum may miss 1 by its rounding


def binned(p: Floats, y: Bools, w: Floats, cluster: Ints, n_clusters: int) -> Binned:
    """Add up the rows of each problem in each bin."""
    place = cluster * N_BINS + bin_of(p)
    return Binned(_by_place(place, w * (p - y), n_clusters), _by_place(place, w, n_clusters))


@dataclass(frozen=True)
class Known:
    """What else is known of an error, beside its bins.

    ``p_value`` is that of a test of calibration by this error. ``furthest`` is the upper end of the
    distance of mean confidence and base rate, or 0. ``n_rarer`` problems have an answer of the
    rarer class.
    """

    p_value: float
    furthest: float = 0.0
    n_rarer: int = MANY_OF_A_CLASS


def ece_interval(rows: Binned, counts: Floats, known: Known) -> Interval:
    """Return the 95 % interval of ECE; ``counts``: problems (columns) in each resample (row).

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
    # rounding does not choose the direction of a gap that is 0
    patterns = [
        gap,
        rows.weights.sum(axis=0) * (-1 if gap.sum() < -ROUNDING else 1),
        np.where(gap < -ROUNDING, -1, 1) * noise.std(axis=0),
    ]
    margin = known.furthest - abs(float(gap.sum()))
    tests = [
        PatternTests(pattern / size, noise, rows.ece, margin)
        for pattern in patterns
        if (size := np.abs(pattern).sum()) > ROUNDING
    ]
    tail, whole = tail_share(n), tail_share(n, WHOLE)
    low = 0.0
    if known.p_value <= WHOLE:
        most = tail_share(n, _lower_tail(known.n_rarer))
        low = min(rows.ece, *(each.low(tail, most) for each in tests))
    low = low if low > ROUNDING else 0.0
    cut_off = tail if low > 0 else whole
    # an ECE smaller than chance alone would leave may reject every error: it is held too
    high = max(rows.ece, known.furthest, *(each.high(cut_off) for each in tests))
    return Interval(low, min(high, 1.0))


def _lower_tail(n_rarer: int) -> float:
    """Return the level of the lower tests where the upper end cannot miss.

    Only data with five problems of each class have an interval. Those that just have them mostly
    have more than was likely, so that their lower tests stay nearer to 2.5 %.
    """
    more = (n_rarer - LEAST_OF_A_CLASS) / (MANY_OF_A_CLASS - LEAST_OF_A_CLASS)
    return TAIL + (WHOLE - TAIL) * min(max(more, 0.0), 1.0)


@dataclass(frozen=True)
class PatternTests:
    """Tests of errors of one pattern: under which of them is the observed one no surprise?

    The sizes of the pattern add up to 1. The gap of means may be further from 0 by ``margin``.
    """

    pattern: Floats
    noise: Floats
    observed: float
    margin: float

    @cached_property
    def largest(self) -> Floats:
        """Return the largest error that leaves at most the observed one, of each resample.

        They are sorted, so not in the order of the noise.
        """
        return _largest_errors(self.pattern, self.noise, self.observed)

    def high(self, cut_off: float) -> float:
        """Return the largest error that the tests at this level do not reject."""
        n = len(self.largest)
        return float(self.largest[min(int((1 - cut_off) * n), n - 1)])

    def low(self, tail: float, most: float) -> float:
        """Return the smallest error that the tests do not reject.

        Their level is ``most`` less the share of resamples in which the upper end would miss the
        error, and at least ``tail``. That share never falls with the error.
        """
        n = len(self.largest)
        places = range(int(tail * n), int(most * n))

        def kept(place: int) -> bool:
            spent = min(self._missed(self.largest[place]), most - tail)
            return place >= int((most - spent) * n)

        return float(self.largest[places.start + bisect_left(places, True, key=kept)])

    def _missed(self, error: float) -> float:
        """Return the share of resamples whose ECE and gap of means both rule out the error."""
        left = error * self.pattern + self.noise
        furthest = np.abs(left.sum(axis=1)) + self.margin
        below = error - ROUNDING
        return float(((np.abs(left).sum(axis=1) < below) & (furthest < below)).mean())


def _largest_errors(pattern: Floats, noise: Floats, observed: float) -> Floats:
    """Return the largest error that leaves at most the observed one, of each resample, sorted.

    What an error leaves is convex in it and made of straight lines, so Newton's steps from above
    never pass the answer. The first is along the last line, of slope 1: the sizes of the pattern
    add up to 1. The answer is 0 or less where there is none.
    """
    errors = observed - noise @ np.sign(pattern) - np.abs(noise[:, pattern == 0]).sum(axis=1)
    open_ = np.flatnonzero(errors > 0)
    while len(open_):
        gaps = errors[open_, None] * pattern + noise[open_]
        excess = np.abs(gaps).sum(axis=1) - observed
        slope = np.sign(gaps) @ pattern
        steep = slope > ROUNDING
        ahead = errors[open_] - excess / np.where(steep, slope, 1)
        moved = np.where(steep, ahead, -1.0)
        going = (excess > ROUNDING) & (errors[open_] > 0)
        errors[open_[going]] = moved[going]
        open_ = open_[going & steep]
    return np.sort(np.maximum(errors, 0))


def by_chance(p: Floats, y: Bools, w: Floats, cluster: Ints, seed: int) -> ByChance:
    """Draw labels from the confidences and compare their ECE with the observed one."""
    bins = Places(bin_of(p), np.eye(N_BINS))
    drawn, observed = drawn_errors(p, y, w, cluster, bins, seed)
    return ByChance(float(drawn.mean()), share_as_large(drawn, observed))


def share_as_large(drawn: Floats, observed: float) -> float:
    """Return a p value: (1 + draws at least as large) / (1 + draws)."""
    return (1 + int((drawn >= observed - ROUNDING).sum())) / (1 + len(drawn))


def drawn_errors(
    p: Floats, y: Bools, w: Floats, cluster: Ints, places: Places, seed: int
) -> tuple[Floats, float]:
    """Return the errors of labels that are drawn from the confidences, and the observed error.

    An error adds up the sizes of the gaps at places, over the weight of all rows.
    """
    order = np.lexsort((p, cluster))
    p, y, w, cluster = p[order], y[order], w[order] * (len(w) / w.sum()), cluster[order]
    cells = places.cells[order]
    observed = np.abs(np.bincount(cells, w * (p - y), len(places.onto)) @ places.onto).sum()
    share = shared_chance(p, y, w, cluster)
    draw = _drawn_labels if len(p) <= DRAWN_ROWS else _drawn_gaps
    rng = np.random.Generator(np.random.PCG64(seed))
    drawn = draw(p, w, cluster, share, Places(cells, places.onto), rng)
    return drawn / w.sum(), float(observed / w.sum())


def shared_chance(p: Floats, y: Bools, w: Floats, cluster: Ints) -> float:
    """Return how often, from 0 to 1, two answers to a problem follow one chance.

    Rows are sorted by problem and score. 1 would make their labels as equal as their confidences
    allow; this is the observed covariance of pairs over the one they would have then. Where few
    problems tell it, it may be far too small: two of 1 are added.
    """
    first = np.flatnonzero(np.diff(cluster, prepend=-1))
    gap = w * (p - y)
    observed = (np.add.reduceat(gap, first) ** 2).sum() - (gap**2).sum()
    largest = np.add.reduceat(_covariances(p, w, cluster, first), first)
    total = largest.sum()
    if total < ROUNDING:
        return 0.0
    n_telling = total**2 / (largest**2).sum()
    share = np.clip(observed / total, 0, 1)
    return float((share * n_telling + ALIKE_ADDED) / (n_telling + ALIKE_ADDED))


def _covariances(p: Floats, w: Floats, cluster: Ints, first: Ints) -> Floats:
    """Return, for each row, twice its covariance with the later rows of its problem.

    That of two labels that follow one chance is min(p, q) - p q, and later rows have larger scores.
    """
    sizes = np.diff(np.append(first, len(p)))
    last = np.repeat(first + sizes - 1, sizes)
    weight, score = np.cumsum(w), np.cumsum(w * p)
    later, later_score = weight[last] - weight, score[last] - score
    return np.asarray(2 * w * p * (later - later_score))


def _drawn_labels(
    p: Floats, w: Floats, cluster: Ints, share: float, places: Places, rng: np.random.Generator
) -> Floats:
    """Return the sizes of gaps, added up, of labels that are drawn row by row."""
    by_cell = np.argsort(places.cells, kind="stable")
    p, w, cluster = p[by_cell], w[by_cell], cluster[by_cell]
    weights = places.onto[places.cells[by_cell]] * w[:, None]
    stated = p @ weights
    found = [
        np.abs(stated - (chance < p).astype(float) @ weights).sum(axis=1)
        for chance in _chances(cluster, share, rng)
    ]
    return np.concatenate(found)


def _chances(cluster: Ints, share: float, rng: np.random.Generator) -> Iterator[Floats]:
    """Yield numbers from 0 to 1: a row for each draw, a column for each answer.

    An answer follows its problem's number with the root of ``share`` as chance: two do with
    ``share``.
    """
    at_once = max(1, CELLS_AT_ONCE // len(cluster))
    blocks = [(start, min(start + at_once, DRAWS)) for start in range(0, DRAWS, at_once)]
    if share == 0 or len(np.unique(cluster)) == len(cluster):
        for start, stop in blocks:
            yield rng.random((stop - start, len(cluster)))
        return
    own = rng.random((DRAWS, len(cluster)))
    follows = rng.random((DRAWS, len(cluster))) < np.sqrt(share)
    shared = rng.random((DRAWS, int(cluster.max()) + 1))
    for start, stop in blocks:
        rows = slice(start, stop)
        yield np.where(follows[rows], shared[rows].take(cluster, axis=1), own[rows])


def _drawn_gaps(
    p: Floats, w: Floats, cluster: Ints, share: float, places: Places, rng: np.random.Generator
) -> Floats:
    """Return the sizes of gaps, added up, that have the covariance such labels would give them."""
    cells, n_cells = places.cells, len(places.onto)
    size = int(cluster.max()) + 1, n_cells
    weight, score = (coo_array((values, (cluster, cells)), size).tocsr() for values in (w, w * p))
    # two cells: the smaller score is that of the lower cell
    between = places.onto.T @ (triu(share * (score.T @ (weight - score)), 1) @ places.onto)
    place = cluster * n_cells + cells
    first = np.flatnonzero(np.diff(place, prepend=-1))
    pairs = np.add.reduceat(share * _covariances(p, w, place, first), first)
    within = np.bincount(cells, w * w * p * (1 - p), n_cells)
    within += np.bincount(cells[first], pairs, n_cells)
    covariance = between + between.T + (places.onto.T * within) @ places.onto
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0))
    return np.asarray(np.abs(rng.standard_normal((DRAWS, len(values))) @ root.T).sum(axis=1))


def debiased_l1(
    p: Floats, y: Bools, w: Floats, cluster: Ints, seed: int
) -> tuple[float | None, str | None]:
    """Return 2 ECE less the mean ECE of normal resamples of each bin's share of right answers.

    Kumar et al. 2019 (arXiv 1909.10155), but the spread of a share comes from problems, not rows.
    NULL with a reason where a bin holds fewer than two problems, counted as (sum w)^2 / sum w^2.
    """
    place = cluster * N_BINS + bin_of(p)
    n_clusters = int(cluster.max()) + 1
    weights, right, score = (_by_place(place, v, n_clusters) for v in (w, w * y, w * p))
    used = weights.sum(axis=0) > 0
    weights, right, score = weights[:, used], right[:, used], score[:, used].sum(axis=0)
    total = weights.sum(axis=0)
    if (total**2 / (weights**2).sum(axis=0) < 2 - 1e-9).any():
        return None, "n_lt_min"
    rate = right.sum(axis=0) / total
    spread = np.sqrt(((right - rate * weights) ** 2).sum(axis=0))
    gap = rate * total - score
    noise = np.random.Generator(np.random.PCG64(seed)).standard_normal((DRAWS, len(rate)))
    drawn = np.abs(gap + spread * noise).sum(axis=1)
    return float((2 * np.abs(gap).sum() - drawn.mean()) / total.sum()), None


def _by_place(place: Ints, values: Floats, n_clusters: int) -> Floats:
    """Add up values by problem (row) and bin (column)."""
    sums = np.bincount(place, values, n_clusters * N_BINS)
    return np.asarray(sums.reshape(n_clusters, N_BINS))
