"""How often intervals of bins, curves and rescaled scores hold the truth.

    python -m tests.bench.simulated.fits [--sets 1000] [--problems 20 50 164 974] [--workers 1]
        [--of bins lines rescaled equal rows]

One table for each kind, a row per law, a column per number of problems. A cell is the share of 95 %
intervals that hold the true value, in brackets the share that exists where not all do. A second
table counts the cells within .92 to .98; those count in which 5 % exist.

- bins: the share of right answers in each bin of confidence with at least ten problems.
- lines: slope of the temperature.
- rescaled: statistics of scores that curves of the other folds rescaled, given the curves.
- equal: the same of confidences that are nearly all equal.
- rows: statistics of version 1, where problems have one to ten samples and rows weigh the same.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from runners.measuring.calibration.bootstrap import N_BINS, bin_of, resample
from runners.measuring.calibration.cost import Rescaled
from runners.measuring.calibration.errors.smooth import smooth_ece
from runners.measuring.calibration.estimates import SubjectRows, estimate, of_bins, of_means
from runners.measuring.calibration.fit import (
    MIN_ISOTONIC,
    Curve,
    fit_isotonic,
    fit_lines,
    out_of_fold,
    outside,
    sigmoid,
)
from runners.measuring.calibration.folds import Floats, Ints, grouped_folds
from runners.measuring.calibration.intervals import (
    by_problem,
    degrees_by_kurtosis,
    rate_interval,
    summed,
    t_quantile,
)
from runners.progress import track
from runners.workers import in_processes
from tests.bench.coverage import place_of, print_row, share_of
from tests.support.worlds.calibration.coverage import HEAPS, PlantedScores, worlds

MANY = 100_000
"""Rows of the worlds in which true values are measured."""

Held = Counter[tuple[str, str]]


def logit(p: Floats) -> Floats:
    """Return the logit that version 2 fits curves to."""
    p = np.minimum(p, 1 - 1e-6)
    return np.asarray(np.log(p) - np.log1p(-p))


def count(held: Held, name: str, truth: float, low: float | None, high: float | None) -> None:
    """Count one interval."""
    if low is None or high is None:
        held[name, "none"] += 1
    else:
        held[name, "held" if low - 1e-9 <= truth <= high + 1e-9 else "missed"] += 1


def share_held(held: Held, name: str) -> tuple[float | None, float]:
    """Return the share of intervals that hold the truth, and that of data sets with one."""
    n = held[name, "held"] + held[name, "missed"]
    n_tried = n + held[name, "none"]
    return held[name, "held"] / n if n else None, n / n_tried if n_tried else 0


def shown(held: Held, name: str) -> str:
    """Return the cell of a table."""
    return share_of(*share_held(held, name))


def some_worlds() -> Iterator[PlantedScores]:
    """Yield calibrated and over-confident worlds of every shape, one and ten samples."""
    for n_samples in (1, 10):
        yield from (w for w in worlds(n_samples) if w.error in (0.0, 0.2))


def equal_worlds() -> Iterator[PlantedScores]:
    """Yield worlds of nearly equal confidences, right or too high, one and ten samples."""
    for shape in HEAPS:
        for error in (0.0, 0.2):
            yield from (PlantedScores(shape, "over", error, n_samples) for n_samples in (1, 10))


def drawn(world: PlantedScores, n: int, number: int) -> SubjectRows:
    """Draw a data set in which every problem weighs 1."""
    p, y = world.draw(np.random.Generator(np.random.PCG64(number)), n)
    k = world.n_samples
    return SubjectRows(p.ravel(), y.ravel(), np.full(n * k, 1 / k), np.repeat(np.arange(n), k))


def many(world: PlantedScores) -> tuple[Floats, Floats]:
    """Draw very many confidences, with how often they are right."""
    p, _ = world.draw(np.random.Generator(np.random.PCG64(7)), MANY)
    return p[:, 0], world.rate(p[:, 0])


def of_shares(world: PlantedScores, n: int, n_sets: int) -> Held:
    """Bound the share of right answers in each bin."""
    held: Held = Counter()
    p, rate = many(world)
    sizes = np.bincount(bin_of(p), minlength=N_BINS)
    truth = np.bincount(bin_of(p), rate, N_BINS) / np.maximum(sizes, 1)
    for number in range(n_sets):
        rows = drawn(world, n, number)
        bins = bin_of(rows.p)
        for place in np.unique(bins):
            inside = bins == place
            columns = (rows.w * rows.y, rows.w)
            top, bottom = (summed(rows.cluster[inside], v[inside], n) for v in columns)
            found = rate_interval(top, bottom)
            count(held, "share of a bin", truth[place], found.low, found.high)
    return held


def slope_ends(rows: SubjectRows) -> tuple[float | None, float | None]:
    """Bound the slope of a temperature as calibration_scaled_v2 does, with exact quantiles of t."""
    n = int(rows.cluster.max()) + 1
    held = by_problem(rows.p, rows.y, rows.w, rows.cluster, n)
    x, whole = logit(rows.p), np.ones((1, len(rows.p)), bool)
    (found,) = fit_lines(x, rows.y, rows.w, whole, through_origin=True)
    if held.class_reason() is not None or found.slope is None or found.flag is not None:
        return None, None
    share = sigmoid(found.slope * x)
    bend = (rows.w * share * (1 - share) * x * x).sum()
    terms = np.bincount(rows.cluster, rows.w * (rows.y - share) * x, n) / bend
    degrees, single = degrees_by_kurtosis(terms), held.single_answer_weight()
    several = min(degrees, min(held.effective_problems()) - 1)
    half = single * t_quantile(degrees) + (1 - single) * t_quantile(several)
    half *= float(np.sqrt((terms**2).sum() * n / (n - 1)))
    return found.slope - half, found.slope + half


def of_lines(world: PlantedScores, n: int, n_sets: int) -> Held:
    """Bound the slope of a temperature."""
    held: Held = Counter()
    p, rate = many(world)
    x, every = logit(np.tile(p, 2)), np.ones((1, 2 * MANY), bool)
    labels, weights = np.repeat([True, False], MANY), np.concatenate([rate, 1 - rate])
    (truth,) = fit_lines(x, labels, weights, every, through_origin=True)
    for number in range(n_sets):
        count(held, "slope", truth.slope or 0, *slope_ends(drawn(world, n, number)))
    return held


def rescaled_truth(p: Floats, rate: Floats, curves: list[Curve]) -> dict[str, float]:
    """Return the statistics of very many rows, a fifth under each curve."""
    x = logit(p)
    scores = np.stack([curve.apply(p, x) for curve in curves])
    brier = float(((scores - rate) ** 2 + rate * (1 - rate)).mean())
    base = float(rate.mean())
    gap = np.bincount(bin_of(scores.ravel()), (scores - rate).ravel(), N_BINS)
    return {
        "mean_score": float(scores.mean()),
        "brier": brier,
        "skill_score": 1 - brier / (base * (1 - base)),
        "ece": float(np.abs(gap).sum() / scores.size),
        # the rates themselves as labels: residuals are linear in them
        "smooth_ece": smooth_ece(
            scores.ravel(),
            np.tile(rate, len(curves)),
            np.ones(scores.size),
        )[0],
    }


def of_rescaled(world: PlantedScores, n: int, n_sets: int) -> Held:
    """Bound what curves make of the rows that they did not see."""
    held: Held = Counter()
    p, rate = (values[:20_000] for values in many(world))
    resamples = resample([f"{i:04d}" for i in range(n)], 500)
    for number in range(n_sets):
        rows = drawn(world, n, number)
        tally = np.stack([np.bincount(rows.cluster[rows.y == y], minlength=n) for y in (0, 1)], 1)
        folds = grouped_folds(tally.astype(float), 1)[rows.cluster, 0]
        for rescaler, curves in curves_of(rows, folds):
            scores = out_of_fold(curves, folds, rows.p, logit(rows.p))
            made_by = Rescaled(rescaler, logit(rows.p), stratified=True)
            scaled = SubjectRows(scores, rows.y, rows.w, rows.cluster, made_by)
            truth = rescaled_truth(p, rate, curves)
            for made in estimate(scaled, resamples, version=2, seed=number):
                if made.statistic in truth and made.interval is not None:
                    ends = made.interval.low, made.interval.high
                    name = f"{rescaler}: {made.statistic}"
                    count(held, name, truth[made.statistic], *ends)
    return held


def curves_of(rows: SubjectRows, folds: Ints) -> Iterator[tuple[str, list[Curve]]]:
    """Yield the curves of version 2, fitted to all folds but one, where there are all of them."""
    x, training = logit(rows.p), outside(folds)
    found = {
        "platt": fit_lines(x, rows.y, rows.w, training),
        "temperature": fit_lines(x, rows.y, rows.w, training, through_origin=True),
    }
    if training.sum(axis=1).min() >= MIN_ISOTONIC:
        found["isotonic"] = [fit_isotonic(rows.p[t], rows.y[t], rows.w[t]) for t in training]
    yield from (item for item in found.items() if all(c.null_reason is None for c in item[1]))


def of_rows(world: PlantedScores, n: int, n_sets: int) -> Held:
    """Bound version 1's statistics, where problems have different numbers of rows."""
    held: Held = Counter()
    truth = world.truth()
    resamples = resample([f"{i:04d}" for i in range(n)], 500)
    for number in range(n_sets):
        rng = np.random.Generator(np.random.PCG64(number))
        kept = np.arange(world.n_samples) < rng.integers(1, world.n_samples + 1, (n, 1))
        p, y = world.draw(rng, n)
        cluster = np.broadcast_to(np.arange(n)[:, None], p.shape)[kept]
        rows = SubjectRows(p[kept], y[kept], np.ones(int(kept.sum())), cluster)
        for made in (*of_means(rows, resamples), *of_bins(rows, resamples, number)):
            if made.statistic in truth and made.interval is not None:
                ends = made.interval.low, made.interval.high
                count(held, made.statistic, truth[made.statistic], *ends)
    return held


@dataclass(frozen=True)
class Cell:
    """One world with a number of problems, of which data sets are drawn."""

    kind: str
    world: PlantedScores
    n_problems: int
    n_sets: int


def found_in(cell: Cell) -> tuple[Cell, Held]:
    """Draw the data sets of a cell, in a process."""
    return cell, KINDS[cell.kind](cell.world, cell.n_problems, cell.n_sets)


def tables(kind: str, problems: list[int], n_sets: int, workers: int) -> None:
    """Print the table of a kind, and how many of its cells lie where."""
    chosen = list(equal_worlds() if kind == "equal" else some_worlds())
    chosen = [world for world in chosen if kind != "rows" or world.n_samples > 1]
    cells = [Cell(kind, world, n, n_sets) for world in chosen for n in problems]
    found = dict(track(in_processes(found_in, cells, workers), len(cells), kind, enabled=True))
    print(f"\n{kind}\n")
    print_row("confidences", "error", "samples", "of", *(f"{n} problems" for n in problems))
    print_row(*["---"] * (4 + len(problems)))
    for world in chosen:
        of_world = [found[Cell(kind, world, n, n_sets)] for n in problems]
        error = f"{world.rule} {world.error:g}" if world.error else "none"
        for name in sorted({name for held in of_world for name, _ in held}):
            given = world.shape, error, world.n_samples, name
            print_row(*given, *(shown(held, name) for held in of_world))
    print()
    print_row("of", "cells", "within", "below", "above", "least", "most")
    print_row(*["---"] * 7)
    for name in sorted({name for held in found.values() for name, _ in held}):
        shares = [share_held(held, name) for held in found.values()]
        places = Counter(place_of(*each) for each in shares)
        counted = [
            share for share, part in shares if share is not None and place_of(share, part) != "none"
        ]
        counts = (places[place] for place in ("within", "below", "above"))
        ends = (f"{end:.3f}" for end in (min(counted), max(counted))) if counted else ("", "")
        print_row(name, len(counted), *counts, *ends)


KINDS: dict[str, Callable[[PlantedScores, int, int], Held]] = {
    "bins": of_shares,
    "lines": of_lines,
    "rescaled": of_rescaled,
    "equal": of_rescaled,
    "rows": of_rows,
}


def main() -> None:
    """Simulate and print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=1000)
    parser.add_argument("--problems", type=int, nargs="+", default=[20, 50, 164, 974])
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--of", choices=list(KINDS), nargs="+", default=list(KINDS))
    asked = parser.parse_args()
    for kind in asked.of:
        tables(kind, asked.problems, asked.sets, asked.workers)


if __name__ == "__main__":
    main()
