"""The error that chance alone leaves: labels drawn from the confidences, and a test by them.

Answers to one problem are not independent. A simulated answer follows a number that its problem's
answers share, as often as makes them as correlated as the observed ones. The mean ECE of such draws
is the noise floor. How many of them have an error at least as large as the observed one gives the p
value of a test of calibration.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, triu

from runners.measuring.calibration.bootstrap import N_BINS, bin_of
from runners.measuring.calibration.errors.binned import DRAWS
from runners.measuring.calibration.folds import Bools, Floats, Ints
from runners.measuring.calibration.intervals import ROUNDING

DRAWN_ROWS = 1_000
"""Of more rows the gaps of cells are drawn, from a normal law, instead of labels."""
CELLS_AT_ONCE = 50_000
"""As many numbers as stay in a processor's cache."""
ALIKE_ADDED = 2
"""Made-up problems that are added, whose answers all follow one chance."""


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
    effective_problems = total**2 / (largest**2).sum()
    share = np.clip(observed / total, 0, 1)
    return float((share * effective_problems + ALIKE_ADDED) / (effective_problems + ALIKE_ADDED))


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
