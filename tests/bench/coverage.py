"""How often published intervals hold the truth: tables of simulated data sets.

    python -m tests.bench.coverage [--sets 1000] [--problems 20 50 164 974] [--samples 1 10]
                                   [--found FILE] [--workers 1]
    python -m tests.bench.coverage --rates [--sets 1000]

One row per law (tests/support/worlds/calibration/coverage.py) and number of problems. It has the
share of 95 % intervals that hold the true value. In brackets is the share of data sets that have
one where not all do. More data sets are then drawn, so that about ``--sets`` have one, unless fewer
than 5 % do. The row also says how often the test of calibration rejects at 5 %. A second table
counts the cells within .92 to .98. ``--found``: results go to this file, a line for each block of
data sets. A later run simulates only what the file lacks. Delete the file after a change of the
intervals. ``--rates``: coverage of pass@k, for problems whose pass rates follow Beta distributions.
"""

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil, comb
from pathlib import Path
from tempfile import TemporaryDirectory

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
    truth_of,
    worlds,
)

RATES = ((0.1, 3), (0.3, 10), (1, 30), (1, 1), (0.5, 0.5), (3, 3), (30, 30), (10, 0.3), (4, 0.2))
"""Beta distributions of a problem's pass rate: means from .03 to .97."""

PASSES = ((1, 1), (5, 3), (10, 1), (10, 5), (10, 10))
"""Samples per problem, and k."""


SETS_AT_ONCE = 100
WITHIN = 0.92, 0.98
LEAST_FOUND = 0.05


@dataclass(frozen=True)
class SetBlock:
    """Data sets of one cell that are simulated together; each block has another seed."""

    world: PlantedScores
    n_problems: int
    number: int
    sizes: Sizes

    def simulated(self) -> Coverage:
        """Simulate the data sets."""
        return cover(self.world, self.n_problems, self.sizes, self.number)


def main() -> None:
    """Simulate and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rates", action="store_true")
    parser.add_argument("--sets", type=int, default=1000)
    parser.add_argument("--problems", type=int, nargs="+", default=[20, 50, 164, 974])
    parser.add_argument("--samples", type=int, nargs="+", default=[1, 10])
    parser.add_argument("--replicates", type=int, default=500)
    parser.add_argument("--found", type=Path, help="results by block, kept and read again")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    if arguments.rates:
        rates(arguments.problems, arguments.sets)
        return
    blocks = planned(arguments.samples, arguments.problems, arguments.sets, arguments.replicates)
    with TemporaryDirectory() as folder:
        path = arguments.found or Path(folder) / "found.jsonl"
        rows = simulated(blocks, path, arguments.workers)
        blocks += list(lacking(rows, arguments.sets, arguments.replicates))
        rows = simulated(blocks, path, arguments.workers)
    print_coverage(rows)
    print_counts(rows)


def planned(
    samples: list[int], problems: list[int], n_sets: int, replicates: int
) -> list[SetBlock]:
    """Return the blocks of all cells, those of small cells first."""
    blocks = [
        SetBlock(
            world, n, start // SETS_AT_ONCE, Sizes(min(SETS_AT_ONCE, n_sets - start), replicates)
        )
        for k in samples
        for n in problems
        for world in worlds(k)
        for start in range(0, n_sets, SETS_AT_ONCE)
    ]
    return sorted(blocks, key=lambda block: block.n_problems * block.world.n_samples)


def lacking(rows: list[Coverage], n_sets: int, replicates: int) -> Iterator[SetBlock]:
    """Yield more blocks of cells in which not all data sets have an interval, by their share."""
    for made in rows:
        shares = [share for _, share in map(made.held, STATISTICS) if LEAST_FOUND <= share < 1]
        n_wanted = ceil(n_sets / min(shares, default=1))
        for number in range(ceil(n_sets / SETS_AT_ONCE), ceil(n_wanted / SETS_AT_ONCE)):
            yield SetBlock(made.world, made.n_problems, number, Sizes(SETS_AT_ONCE, replicates))


def simulated(blocks: list[SetBlock], path: Path, workers: int) -> list[Coverage]:
    """Return the coverage of each cell; simulate the blocks that the file lacks, and keep them."""
    found = read(path)
    due = [block for block in blocks if repr(block) not in found]
    made = in_processes(simulated_block, due, workers)
    for block, coverage in track(made, len(due), "coverage", enabled=True):
        found[repr(block)] = coverage.found
        counts = [[*key, n] for key, n in coverage.found.items()]
        with path.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({"block": repr(block), "found": counts}) + "\n")
    cells: dict[tuple[PlantedScores, int], Coverage] = {}
    for block in blocks:
        cell = block.world, block.n_problems
        cells.setdefault(cell, Coverage(*cell, truth_of(block.world)))
        cells[cell].found.update(found[repr(block)])
    by_samples = sorted(cells.items(), key=lambda item: (item[0][0].n_samples, item[0][1]))
    return [coverage for _, coverage in by_samples]


def simulated_block(block: SetBlock) -> tuple[SetBlock, Coverage]:
    """Simulate one block, in a process."""
    return block, block.simulated()


def read(path: Path) -> dict[str, Counter[tuple[str, str]]]:
    """Return what a file has of each block; a line that was cut off is removed from it."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    lines = map(json.loads, whole.splitlines())
    return {
        line["block"]: Counter({(name, end): n for name, end, n in line["found"]}) for line in lines
    }


def print_coverage(rows: Iterable[Coverage]) -> None:
    """Print a row for each cell."""
    heads = ("problems", "samples", "confidences", "error", "true ECE", *STATISTICS, "rejected")
    print_row(*heads)
    print_row(*["---"] * len(heads))
    for made in rows:
        print_row(*cells_of(made))


def print_counts(rows: list[Coverage]) -> None:
    """Print how many cells lie where; a low or rare one counts for its mirror too."""
    print()
    print_row("statistic", "within", "below", "above", "none")
    print_row(*["---"] * 5)
    for statistic in STATISTICS:
        counts: Counter[str] = Counter()
        for made in rows:
            place = place_of(*made.held(statistic))
            counts[place] += 2 if made.world.shape in ("rare", "low") else 1
        print_row(statistic, *(counts[place] for place in ("within", "below", "above", "none")))


def place_of(held: float | None, found: float) -> str:
    """Say where a cell lies."""
    if held is None or found < LEAST_FOUND:
        return "none"
    if held < WITHIN[0]:
        return "below"
    return "above" if held > WITHIN[1] else "within"


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
    if held is None or found < LEAST_FOUND:
        return "none"
    return f"{held:.3f}" + (f" ({found:.2f})" if found < 1 else "")


def print_row(*cells: object) -> None:
    """Print one row of a Markdown table."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()
