"""What the chance of random splits adds to the error of rescaled scores: a table.

    python -m tests.bench.simulated.splits [--sets 60] [--problems 20 50 164 974]

Platt's curve is fitted in many random splits of each simulated data set. The standard deviation
over splits is divided by the root of how many of them are averaged. That is what they add to the
standard error of the mean. The table has it as a part of the standard deviation over data sets: .1
adds half a per cent to the error. The last column is how many splits would keep that of ECE at a
tenth.
"""

import argparse

import numpy as np

from models.words import MOST_SPLITS
from runners.measuring.calibration.errors.binned import binned
from runners.measuring.calibration.fit import fit_lines, out_of_fold, outside
from runners.measuring.calibration.folds import Floats, grouped_folds
from runners.steps.calibrate import splits_of
from tests.bench.coverage import print_row
from tests.bench.simulated.fits import drawn, logit
from tests.support.worlds.calibration.coverage import PlantedScores

WORLDS = (("spread", "over", 0.0), ("spread", "over", 0.2), ("low", "under", 0.05))
DRAWN = 20
"""So many splits are drawn at least, to see how they vary."""
STATISTICS = ("mean score", "brier", "skill", "ece")


def measured(world: PlantedScores, n: int, number: int) -> Floats:
    """Return the statistics (columns) of one data set under each split (row)."""
    rows = drawn(world, n, number)
    tally = np.stack([np.bincount(rows.cluster[rows.y == y], minlength=n) for y in (0, 1)], 1)
    n_splits = max(DRAWN, splits_of(len(rows.p), MOST_SPLITS))
    folds = grouped_folds(tally.astype(float), n_splits)[rows.cluster]
    x = logit(rows.p)
    train = np.concatenate([outside(folds[:, seed]) for seed in range(n_splits)])
    curves = fit_lines(x, rows.y, rows.w, train)
    found = []
    for seed in range(n_splits):
        five = curves[5 * seed : 5 * seed + 5]
        p = out_of_fold(five, folds[:, seed], rows.p, x)
        rate = np.average(rows.y, weights=rows.w)
        brier = np.average((p - rows.y) ** 2, weights=rows.w)
        ece = binned(p, rows.y, rows.w, rows.cluster, n).ece
        skill = 1 - brier / (rate * (1 - rate)) if 0 < rate < 1 else np.nan
        found.append([np.average(p, weights=rows.w), brier, skill, ece])
    return np.array(found)


def row(world: PlantedScores, n: int, n_sets: int) -> list[str]:
    """Return the cells of a row."""
    found = np.stack([measured(world, n, number) for number in range(n_sets)])
    found = found[~np.isnan(found).any(axis=(1, 2))]
    between_splits = found.var(axis=1, ddof=1).mean(axis=0)
    between_sets = found.mean(axis=1).var(axis=0, ddof=1) - between_splits / found.shape[1]
    n_splits = splits_of(n * world.n_samples, MOST_SPLITS)
    added = np.sqrt(between_splits / n_splits / between_sets)
    needed = int(np.ceil(between_splits[-1] / between_sets[-1] / 0.01))
    error = f"{world.rule} {world.error:g}" if world.error else "none"
    cells = [str(n), str(world.n_samples), world.shape, error, str(n_splits)]
    return [*cells, *(f"{share:.3f}" for share in added), str(max(needed, 1))]


def main() -> None:
    """Simulate and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=60)
    parser.add_argument("--problems", type=int, nargs="+", default=[20, 50, 164, 974])
    asked = parser.parse_args()
    heads = ("problems", "samples", "confidences", "error", "splits", *STATISTICS, "needed for ECE")
    print_row(*heads)
    print_row(*["---"] * len(heads))
    for k in (1, 10):
        for n in asked.problems:
            for shape, rule, error in WORLDS:
                print_row(*row(PlantedScores(shape, rule, error, k), n, asked.sets))


if __name__ == "__main__":
    main()
