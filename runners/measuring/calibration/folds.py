"""Split rows into five folds: version 1 by position, version 2 by problem.

Idea: version 1 shuffles rows as scikit-learn's ``KFold`` does, which the paper used. Version 2 is
scikit-learn's ``StratifiedGroupKFold`` for all seeds at once. The most lopsided problem is first,
and each goes whole to the fold where the classes stay most evenly spread.

Assumed: rows come in an order that depends on their keys alone, so that folds repeat.
Refused: nothing here; a fold that is too small or has one class is the fit's to refuse.
Proved: tests/runners/measuring/test_calibration_fit.py, against scikit-learn.
"""

import numpy as np
from numpy.typing import NDArray

from models.words import N_FOLDS

KFOLD_SEED = 42

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def kfold_order(n_rows: int) -> Ints:
    """Return the fold of each position under scikit-learn's shuffled ``KFold``."""
    from sklearn.model_selection import KFold

    folds = np.empty(n_rows, np.int64)
    splits = KFold(N_FOLDS, shuffle=True, random_state=KFOLD_SEED).split(np.zeros((n_rows, 1)))
    for fold, (_, held_out) in enumerate(splits):
        folds[held_out] = fold
    return folds


def grouped_folds(tally: Floats, n_seeds: int) -> Ints:
    """Return the fold of each problem (row) under each seed (column).

    ``tally`` has a row per problem, ordered by its name, with its wrong and its right answers.
    All seeds of scikit-learn's ``StratifiedGroupKFold`` at once: the most lopsided problem first,
    each goes where the classes stay most evenly spread. Unlike there, a class of fewer than five
    is no error.
    """
    tally = tally[:, tally.sum(axis=0) > 0]
    n_problems, n_classes = tally.shape
    shuffles = [np.arange(n_problems) for _ in range(n_seeds)]
    for seed, shuffle in enumerate(shuffles):
        np.random.RandomState(seed).shuffle(shuffle)
    lopsided = -np.std(tally, axis=1)
    orders = np.stack(
        [shuffle[np.argsort(lopsided[shuffle], kind="stable")] for shuffle in shuffles]
    )

    folds = np.empty((n_problems, n_seeds), np.int64)
    seeds = np.arange(n_seeds)
    held = np.zeros((n_seeds, N_FOLDS, n_classes))
    totals = tally.sum(axis=0)
    trials = np.eye(N_FOLDS)[None, :, :, None]
    for place in range(n_problems):
        problems = orders[:, place]
        # axes: seed, fold that takes the problem, fold, class
        tried = held[:, None] + trials * tally[problems][:, None, None, :]
        unevenness = np.std(tried / totals, axis=2).mean(axis=2)
        best = _least(unevenness, held.sum(axis=2))
        held[seeds, best] += tally[problems]
        folds[problems, seeds] = best
    return folds


def _least(unevenness: Floats, sizes: Floats) -> Ints:
    """Return the fold of least unevenness for each seed; the smaller one where two are close."""
    seeds = np.arange(len(sizes))
    best = np.zeros(len(sizes), np.int64)
    for fold in range(1, N_FOLDS):
        least, smallest = unevenness[seeds, best], sizes[seeds, best]
        ours = unevenness[:, fold]
        close = np.abs(ours - least) <= 1e-8 + 1e-5 * least  # numpy's isclose
        best[(ours < least) | (close & (sizes[:, fold] < smallest))] = fold
    return best
