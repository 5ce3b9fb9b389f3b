"""How often published intervals hold the truth: tables of simulated data sets.

    python -m tests.bench.coverage [--sets 1000] [--problems 20 50 164 974] [--samples 1 10]
    python -m tests.bench.coverage --rates [--sets 1000]

One row per law (tests/support/worlds/calibration/coverage.py) and number of problems. It has the
share of 95 % intervals that hold the true value. In brackets is the share of data sets that have
one where not all do. The row also says how often the test of calibration rejects at 5 %.
``--rates``: the same of pass@k, for problems whose pass rates follow Beta distributions.
"""

import argparse
import os
from functools import partial
from math import comb

import numpy as np

from runners.measuring.calibration.intervals import rate_interval
from runners.progress import track
from runners.workers import in_processes
from tests.support.worlds.calibration.coverage import (
    STATISTICS,
    Coverage,
    PlantedScores,
    Sizes,
    cover,
    worlds,
)

RATES = ((0.1, 3), (0.3, 10), (1, 30), (1, 1), (0.5, 0.5), (3, 3), (30, 30), (10, 0.3), (4, 0.2))
"""Beta distributions of a problem's pass rate: means from .03 to .97."""

PASSES = ((1, 1), (5, 3), (10, 1), (10, 5), (10, 10))
"""Samples per problem, and k."""


def main() -> None:
    """Simulate and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rates", action="store_true")
    parser.add_argument("--sets", type=int, default=1000)
    parser.add_argument("--problems", type=int, nargs="+", default=[20, 50, 164, 974])
    parser.add_argument("--samples", type=int, nargs="+", default=[1, 10])
    parser.add_argument("--replicates", type=int, default=500)
    parser.add_argument("--bins-every", type=int, default=1, help="ECE of one in so many data sets")
    parser.add_argument("--points-every", type=int, default=1, help="smooth ECE, a multiple of it")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    if arguments.rates:
        rates(arguments.problems, arguments.sets)
        return
    cells = [
        (world, n) for k in arguments.samples for n in arguments.problems for world in worlds(k)
    ]
    heads = ("problems", "samples", "confidences", "error", "true ECE", *STATISTICS, "rejected")
    print_row(*heads)
    print_row(*["---"] * len(heads))
    sizes = Sizes(
        arguments.sets, arguments.bins_every, arguments.points_every, arguments.replicates
    )
    found = in_processes(partial(simulated, sizes=sizes), cells, arguments.workers)
    for made in track(found, len(cells), "coverage", enabled=True):
        print_row(*cells_of(made))


def rates(problems: list[int], n_sets: int) -> None:
    """Print the coverage of pass@k: a row per law, a column per number of problems."""
    print_row("pass rates", "samples", "k", "true pass@k", *(f"{n} problems" for n in problems))
    print_row(*["---"] * (4 + len(problems)))
    rng = np.random.Generator(np.random.PCG64(0))
    for a, b in RATES:
        for samples, k in PASSES:
            shares = [covered(rng, (a, b), samples, k, n, n_sets) for n in problems]
            cells = (f"Beta({a:g}, {b:g})", samples, k, f"{true_pass_at_k(a, b, k):.4f}")
            print_row(*cells, *(f"{share:.3f}" for share in shares))


def covered(
    rng: np.random.Generator, law: tuple[float, float], samples: int, k: int, n: int, n_sets: int
) -> float:
    """Return the share of data sets whose interval of pass@k holds the truth."""
    a, b = law
    truth = true_pass_at_k(a, b, k)
    passes = [1 - comb(samples - c, k) / comb(samples, k) for c in range(samples + 1)]
    held = 0
    for _ in range(n_sets):
        right = rng.binomial(samples, rng.beta(a, b, n))
        found = rate_interval(np.array(passes)[right], np.ones(n))
        if found.low is not None and found.high is not None:
            held += found.low <= truth <= found.high
    return held / n_sets


def true_pass_at_k(a: float, b: float, k: int) -> float:
    """Return 1 - E (1 - rate)^k, by the moments of a Beta distribution."""
    return 1 - float(np.prod([(b + i) / (a + b + i) for i in range(k)]))


def simulated(cell: tuple[PlantedScores, int], sizes: Sizes) -> Coverage:
    """Simulate one row."""
    return cover(*cell, sizes)


def cells_of(made: Coverage) -> list[str]:
    """Return the cells of a row."""
    world = made.world
    return [
        str(made.n_problems),
        str(world.n_samples),
        world.shape,
        f"{world.rule} {world.error:g}" if world.error else "none",
        f"{made.truth['ece']:.3f}",
        *(share_of(*made.held(statistic)) for statistic in STATISTICS),
        f"{made.rejected():.3f}",
    ]


def share_of(held: float | None, found: float) -> str:
    """Return a cell: the share that holds, and in brackets that of data sets with an interval."""
    if held is None or found < 0.05:
        return "none"
    return f"{held:.3f}" + (f" ({found:.2f})" if found < 1 else "")


def print_row(*cells: object) -> None:
    """Print one row of a Markdown table."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()
