"""How often intervals of means over problems hold the truth: a table of simulated data sets.

    python -m tests.bench.means [--sets 1000] [--problems 20 50 164 974]
    python -m tests.bench.means --two

One row per law of a problem's value, a column per number of problems. A cell is the share of data
sets whose 95 % interval holds the true mean, of those that have one. The intervals are those of the
macro of the views, for its three kinds: shares, differences and skewed means.

``--two``: problems with one of two values, exact, without drawing, by ``rate_interval``. A row per
number of problems counts the laws by coverage. They are 88 pairs of values times 99 shares of the
higher one. ``--sets`` and ``--problems`` do not matter then.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import duckdb
import numpy as np
import pyarrow as pa
from scipy import stats

from runners.measuring.calibration.intervals import rate_interval
from tests.support.sql import macro

Drawn = tuple[np.ndarray, np.ndarray]
BETAS = ((0.3, 10), (0.5, 0.5), (3, 3), (10, 0.3))
"""Pass rates of problems: means of .03, .5, .5 and .97."""


@dataclass(frozen=True)
class Law:
    """How the value of a problem is drawn: top over bottom; ``truth`` is the mean of all."""

    name: str
    kind: str
    truth: float
    draw: Callable[[np.random.Generator, tuple[int, int]], Drawn]


def laws() -> Iterator[Law]:
    """Yield rates, fractions, ratios, differences and skewed means."""
    for a, b in BETAS:
        for k in (1, 10):
            name = f"rate, Beta({a:g}, {b:g}), {k} samples"
            yield Law(name, "share", a / (a + b), rates(a, b, k))
    for mean, size in ((0.03, 5), (0.1, 20), (0.3, 5), (0.5, 100), (0.8, 20), (0.97, 5)):
        name = f"fraction, Beta({mean * size:g}, {(1 - mean) * size:g})"
        yield Law(name, "share", mean, fractions(mean * size, (1 - mean) * size, 1.0))
    for share, a, b in ((0.1, 4, 6), (0.5, 4, 6)):
        name = f"fraction, {1 - share:g} zeros, else Beta({a}, {b})"
        yield Law(name, "share", share * a / (a + b), fractions(a, b, share))
    for low, high, share in ((0, 0.05, 0.86), (0, 0.3, 0.83), (0.9, 1, 0.3)):
        name = f"fraction, {high:g} in {share:g} of problems, else {low:g}"
        yield Law(name, "share", low + (high - low) * share, either(low, high, share))
    yield Law(
        "fraction, 0.3 times Beta(2, 0.3)", "share", 0.3 * 2 / 2.3, fractions(2, 0.3, 1.0, 0.3)
    )
    for a, b in BETAS[1:3]:
        for loss in (0.1, 0.9):
            for k in (1, 5):
                square = a * (a + 1) / ((a + b) * (a + b + 1))
                truth = 1 - (1 - loss) * square / (a / (a + b))
                name = f"conditional loss, Beta({a:g}, {b:g}), {loss:g} lost, {k} samples"
                yield Law(name, "share", truth, lost(a, b, loss, k))
    for a, b in BETAS:
        for drop in (0.0, 0.1, 0.5):
            for k in (1, 10):
                name = f"drop, Beta({a:g}, {b:g}), {drop:g} of it, {k} samples"
                yield Law(name, "difference", drop * a / (a + b), dropped(a, b, drop, k))
    for k in (3, 10):
        name = f"variance of {k} similarities"
        yield Law(name, "skewed", 0.01 * np.exp(0.125), spreads(k))
    for share in (0.05, 0.2, 0.5):
        name = f"solutions, {share:g} new each"
        yield Law(name, "skewed", 1 + 9 * share, solutions(share))


def rates(a: float, b: float, k: int) -> Callable[..., Drawn]:
    """Draw shares of right samples."""
    return lambda rng, shape: (rng.binomial(k, rng.beta(a, b, shape)) / k, np.ones(shape))


def fractions(a: float, b: float, share: float, most: float = 1.0) -> Callable[..., Drawn]:
    """Draw fractions of the largest value, and zeros instead of some."""
    return lambda rng, shape: (
        most * rng.beta(a, b, shape) * (rng.random(shape) < share),
        np.ones(shape),
    )


def either(low: float, high: float, share: float) -> Callable[..., Drawn]:
    """Draw one of two values, the higher one with a chance."""
    return lambda rng, shape: (np.where(rng.random(shape) < share, high, low), np.ones(shape))


def lost(a: float, b: float, loss: float, k: int) -> Callable[..., Drawn]:
    """Draw what passed and then no longer passes, over what passed."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Drawn:
        p = rng.beta(a, b, shape)
        before = rng.binomial(k, p) / k
        return before * (1 - rng.binomial(k, p * (1 - loss)) / k), before

    return draw


def dropped(a: float, b: float, drop: float, k: int) -> Callable[..., Drawn]:
    """Draw differences of two shares of right samples."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Drawn:
        p = rng.beta(a, b, shape)
        after = rng.binomial(k, p * (1 - drop))
        return (rng.binomial(k, p) - after) / k, np.ones(shape)

    return draw


def spreads(k: int) -> Callable[..., Drawn]:
    """Draw squared deviations over degrees of freedom; problems spread differently."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Drawn:
        variance = 0.01 * np.exp(0.5 * rng.normal(size=shape))
        return variance * rng.chisquare(k - 1, shape), np.full(shape, k - 1.0)

    return draw


def solutions(share: float) -> Callable[..., Drawn]:
    """Draw distinct solutions of ten right samples, the rate of new ones differing by problem."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Drawn:
        return 1 + rng.binomial(9, rng.beta(share, 1 - share, shape)), np.ones(shape)

    return draw


def covered(law: Law, n_problems: int, n_sets: int, seed: int = 0) -> tuple[float, float]:
    """Return the share of intervals that hold the truth, and of data sets that have one."""
    rng = np.random.Generator(np.random.PCG64(seed))
    top, bottom = law.draw(rng, (n_sets, n_problems))
    others = ("student_t.sql", "wilson_interval.sql", "listed.sql")
    call = f"ratio_interval('drawn', ['key'], {{'x': '{law.kind}'}})"
    ctes = macro("mean_interval.sql", call, *others)
    con = duckdb.connect()
    con.register(
        "drawn",
        pa.table(
            {
                "key": np.repeat(np.arange(n_sets), n_problems),
                "problem_index": np.tile(np.arange(n_problems), n_sets),
                "x_top": top.ravel().astype(float),
                "x_bottom": bottom.ravel().astype(float),
            }
        ),
    )
    held = "count(*) filter (? between x_lo and x_hi)"
    ((n_held, n_found),) = con.execute(
        f"with {ctes} select {held}, count(x_lo) from interval_found", [law.truth]
    ).fetchall()
    return (n_held / n_found if n_found else float("nan")), n_found / n_sets


SIZES = (10, 12, 14, 17, 20, 25, 30, 40, 50, 70, 100, 130, 164, 250, 400, 974)
LOWER = (0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3)
STEPS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
BOUNDS = (0.9, 0.92, 0.98)
"""Numbers of problems; lower values, and how far the other is above; classes of coverage."""


def of_two_values(n: int, low: float, step: float) -> np.ndarray:
    """Return the coverage at n problems, for shares .01 to .99 of problems with low + step."""
    places = np.arange(n)
    found = [
        rate_interval(low + step * (places < k).astype(float), np.ones(n)) for k in range(n + 1)
    ]
    ends = np.array([(one.low, one.high) for one in found], float)
    shares = np.arange(1, 100)[:, None] / 100
    truth = low + step * shares
    holds = (ends[:, 0] <= truth + 1e-12) & (truth <= ends[:, 1] + 1e-12)
    return np.asarray((holds * stats.binom.pmf(np.arange(n + 1), n, shares)).sum(axis=1))


def print_two_values() -> None:
    """Print how many laws of two values are held how often, for each number of problems."""
    heads = ("problems", "below .9", ".9 to .92", ".92 to .98", "above", "least")
    print("| " + " | ".join(heads) + " |\n|" + " --- |" * len(heads))
    for n in SIZES:
        pairs = [(low, step) for low in LOWER for step in STEPS if low + step <= 1]
        held = np.concatenate([of_two_values(n, *pair) for pair in pairs])
        counts = Counter(int(np.searchsorted(BOUNDS, share, side="right")) for share in held)
        cells = [n, *(counts[place] for place in range(4)), f"{held.min():.3f}"]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def main() -> None:
    """Simulate and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=1000)
    parser.add_argument("--problems", type=int, nargs="+", default=[20, 50, 164, 974])
    parser.add_argument("--two", action="store_true", help="laws of two values, exact")
    asked = parser.parse_args()
    if asked.two:
        print_two_values()
        return
    heads = ("value of a problem", "kind", "true mean", *(f"{n} problems" for n in asked.problems))
    print("| " + " | ".join(heads) + " |\n|" + " --- |" * len(heads))
    for law in laws():
        cells = [covered(law, n, asked.sets) for n in asked.problems]
        shown = [
            "none" if found < 0.05 else f"{held:.3f}" + (f" ({found:.2f})" if found < 1 else "")
            for held, found in cells
        ]
        print(f"| {law.name} | {law.kind} | {law.truth:.4f} | {' | '.join(shown)} |", flush=True)


if __name__ == "__main__":
    main()
