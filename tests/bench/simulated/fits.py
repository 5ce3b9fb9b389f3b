"""How often intervals of bins, curves, rescaled scores and correlations hold the truth.

    python -m tests.bench.simulated.fits [--sets 1000] [--problems 20 50 164 974]
        [--of bins lines rescaled equal rows correlations fisher]

One table for each kind, a row per law, a column per number of problems. A cell is the share of 95 %
intervals that hold the true value, in brackets the share that exists where not all do.

- bins: the share of right answers in each bin of confidence with at least ten problems.
- lines: slope of the temperature.
- rescaled: statistics of scores that curves of the other folds rescaled, given the curves.
- equal: the same of confidences that are nearly all equal.
- rows: statistics of version 1, where problems have one to ten samples and rows weigh the same.
- correlations: Pearson's r of five pairs a problem, and of one pair of drops.
- fisher: Fisher's interval of r, of normal values and of shares of ten regions.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import duckdb
import numpy as np
import pandas as pd

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
from tests.bench.coverage import print_row, share_of
from tests.support.sql import macro
from tests.support.worlds.calibration.coverage import HEAPS, PlantedScores, worlds

MANY = 100_000
"""Rows of the worlds in which true values are measured."""

Held = Counter[tuple[str, str]]
Draw = Callable[[np.random.Generator, int], tuple[Floats, Floats]]
"""Two values for each pair (column) of each problem (row)."""


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


def shown(held: Held, name: str) -> str:
    """Return the cell of a table."""
    n = held[name, "held"] + held[name, "missed"]
    n_tried = n + held[name, "none"]
    return share_of(held[name, "held"] / n if n else None, n / n_tried if n_tried else 0)


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


def tables(kind: str, problems: list[int], n_sets: int) -> None:
    """Print the table of a kind that worlds of calibration are drawn for."""
    find: Callable[[PlantedScores, int, int], Held] = KINDS[kind]
    print(f"\n{kind}\n")
    print_row("confidences", "error", "samples", "of", *(f"{n} problems" for n in problems))
    print_row(*["---"] * (4 + len(problems)))
    for world in equal_worlds() if kind == "equal" else some_worlds():
        if kind == "rows" and world.n_samples == 1:
            continue
        cells = [find(world, n, n_sets) for n in problems]
        error = f"{world.rule} {world.error:g}" if world.error else "none"
        for name in sorted({name for held in cells for name, _ in held}):
            given = world.shape, error, world.n_samples, name
            print_row(*given, *(shown(held, name) for held in cells))


KINDS = {
    "bins": of_shares,
    "lines": of_lines,
    "rescaled": of_rescaled,
    "equal": of_rescaled,
    "rows": of_rows,
}


def correlations(problems: list[int], n_sets: int) -> None:
    """Print how often the views' interval holds Pearson's r."""
    print("\ncorrelations\n")
    print_row("values", "true r", *(f"{n} problems" for n in problems))
    print_row(*["---"] * (2 + len(problems)))
    laws: dict[str, Draw] = {}
    for between, within in ((0.0, 0.0), (0.5, 0.3), (0.9, 0.7)):
        for bent in (False, True):
            name = f"five pairs, {between:g} between problems, {within:g} within"
            laws[name + (", long tail" if bent else "")] = partial(
                pairs_of, between=between, within=within, bent=bent
            )
    for k, share, alike in ((10, 0.3, 0.5), (10, 0.1, 0.9), (1, 0.3, 0.8), (1, 0.1, 0.5)):
        name = f"drops of {k} samples, {share:g} of problems affected, {alike:g} of them by both"
        laws[name] = partial(drops_of, k=k, share=share, alike=alike)
    for name, draw in laws.items():
        a, b = draw(np.random.Generator(np.random.PCG64(1)), 400_000)
        truth = float(np.corrcoef(a.ravel(), b.ravel())[0, 1])
        cells = [shown(correlated(draw, truth, n, n_sets), "r") for n in problems]
        print_row(name, f"{truth:.2f}", *cells)


def pairs_of(
    rng: np.random.Generator, n: int, between: float, within: float, bent: bool
) -> tuple[Floats, Floats]:
    """Draw five pairs a problem: half of their variance lies between problems."""
    found = []
    for size, r in (((n, 1), between), ((n, 5), within)):
        a, e = rng.standard_normal(size), rng.standard_normal(size)
        found.append((a, r * a + np.sqrt(1 - r * r) * e))
    (a0, b0), (a1, b1) = found
    a, b = a0 + a1, b0 + b1
    return (np.exp(a / 2), np.exp(b / 2)) if bent else (a, b)


def drops_of(
    rng: np.random.Generator, n: int, k: int, share: float, alike: float
) -> tuple[Floats, Floats]:
    """Draw two drops a problem; a mutation makes six in ten right answers of some problems wrong.

    What affects a problem in one drop affects it in the other as often as ``alike``, else by luck.
    """
    rate, hit = rng.beta(0.5, 0.5, n), rng.random(n) < share
    found = []
    for affected in (hit, np.where(rng.random(n) < alike, hit, rng.random(n) < share)):
        before, after = (
            rng.binomial(k, part * rate) / k for part in (1, np.where(affected, 0.4, 1))
        )
        found.append((before - after)[:, None])
    return found[0], found[1]


def correlated(draw: Draw, truth: float, n: int, n_sets: int) -> Held:
    """Count for one law, by the SQL of the views."""
    sets = [draw(np.random.Generator(np.random.PCG64(number)), n) for number in range(n_sets)]
    a, b = (np.stack(side) for side in zip(*sets, strict=True))
    numbers, places, _ = np.indices(a.shape)
    values = pd.DataFrame(
        {
            "number": numbers.ravel(),
            "problem_index": places.ravel(),
            "a": a.ravel(),
            "b": b.ravel(),
        }
    )
    interval = macro(
        "correlation.sql",
        "correlation_interval('drawn', ['number'])",
        "listed.sql",
        "student_t.sql",
    )
    with duckdb.connect() as con:
        con.register("drawn", values)
        found = con.execute(f"with {interval} select low, high from intervals").fetchall()
    held: Held = Counter({("r", "none"): n_sets - len(found)})
    for low, high in found:
        count(held, "r", truth, low, high)
    return held


def fisher(n_sets: int) -> None:
    """Print how often Fisher's interval holds r, for few pairs."""
    sizes = (4, 5, 8, 10, 20, 50)
    print("\nfisher\n")
    print_row("values", "true r", *(f"{n} pairs" for n in sizes))
    print_row(*["---"] * (2 + len(sizes)))
    for r in (0.0, 0.5, 0.9):
        for shares in (False, True):
            rng = np.random.Generator(np.random.PCG64(3))

            def pairs(n: int, r: float = r, shares: bool = shares) -> tuple[Floats, Floats]:
                a = rng.standard_normal((n_sets, n))  # noqa: B023
                b = r * a + np.sqrt(1 - r * r) * rng.standard_normal((n_sets, n))  # noqa: B023
                if not shares:
                    return a, b
                return tuple(rng.binomial(100, sigmoid(v)) / 100 for v in (a, b))  # type: ignore[return-value]  # noqa: B023

            a, b = pairs(1000)
            truth = float(np.corrcoef(a.ravel(), b.ravel())[0, 1])
            cells = []
            for n in sizes:
                a, b = pairs(n)
                a, b = (v - v.mean(axis=1, keepdims=True) for v in (a, b))
                found = (a * b).sum(1) / np.sqrt((a * a).sum(1) * (b * b).sum(1))
                half = 1.959963984540054 / np.sqrt(n - 3)
                inside = np.abs(np.arctanh(found) - np.arctanh(truth)) <= half
                cells.append(f"{inside.mean():.3f}")
            print_row("shares of 100" if shares else "normal", f"{truth:.2f}", *cells)


def main() -> None:
    """Simulate and print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=1000)
    parser.add_argument("--problems", type=int, nargs="+", default=[20, 50, 164, 974])
    every = [*KINDS, "correlations", "fisher"]
    parser.add_argument("--of", choices=every, nargs="+", default=every)
    asked = parser.parse_args()
    for kind in asked.of:
        if kind in KINDS:
            tables(kind, asked.problems, asked.sets)
    if "correlations" in asked.of:
        correlations(asked.problems, asked.sets)
    if "fisher" in asked.of:
        fisher(asked.sets)


if __name__ == "__main__":
    main()
