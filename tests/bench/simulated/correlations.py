"""How often intervals of Pearson's r hold the truth.

    python -m tests.bench.simulated.correlations [--sets 1000] [--problems 20 50 164 974]
        [--of jackknife fisher]

A row per law, a column per number of problems or pairs. A cell is the share of 95 % intervals that
hold the true value, in brackets the share that exists where not all do.

- jackknife: the views' interval, of five pairs a problem, and of one pair of drops.
- fisher: Fisher's interval of r, of normal values and of shares of a hundred regions.
"""

import argparse
from collections import Counter
from collections.abc import Callable
from functools import partial

import duckdb
import numpy as np
import pandas as pd

from runners.measuring.calibration.fit import sigmoid
from runners.measuring.calibration.folds import Floats
from tests.bench.coverage import print_row
from tests.bench.simulated.fits import Held, count, shown
from tests.support.sql import macro

Draw = Callable[[np.random.Generator, int], tuple[Floats, Floats]]
"""Two values for each pair (column) of each problem (row)."""


def jackknife(problems: list[int], n_sets: int) -> None:
    """Print how often the views' interval holds Pearson's r."""
    print("\njackknife\n")
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
    every = ["jackknife", "fisher"]
    parser.add_argument("--of", choices=every, nargs="+", default=every)
    asked = parser.parse_args()
    if "jackknife" in asked.of:
        jackknife(asked.problems, asked.sets)
    if "fisher" in asked.of:
        fisher(asked.sets)


if __name__ == "__main__":
    main()
