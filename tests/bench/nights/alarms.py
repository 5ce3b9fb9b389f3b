"""How often nightly alarms are false, how soon a drop of 5 points is found, and what bounds it.

    python -m tests.bench.nights.alarms [--histories 200] [--nights 200]

Pass rates of problems follow Beta distributions and stay, or fall in proportion so that their mean
falls by 5 points. A history has one metric, or ten independent ones that share the error. Beside
them a rule that looks at each night alone: a paired t test at 5 % against the last 14 nights.

The last table bounds what a rule can find within three nights. A paired test of these nights
against those before knows when the fall comes, and looks once. Its level is the whole error of 5 %.
A rule that must look every night, and spends its error evenly over 200 nights, has a part of it.
"""

import argparse
from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr, ndtri

Array = np.ndarray
BETS = (0.3, 1.0, 3.0, 10.0)
WINDOW, HORIZON, ERROR = 14, 30, 0.05
DROP = 0.05
LAWS = ((1, 1), (0.3, 0.3), (4, 0.2), (0.1, 3))
"""Beta distributions of a problem's pass rate: spread evenly, mostly 0 or 1, strong, weak."""

FALLING = ((1, 1), (0.3, 0.3), (2, 1))
CELLS = ((1, 20, 1), (1, 20, 10), (1, 164, 1), (1, 164, 10), (10, 20, 1), (10, 164, 10))
"""Metrics that share the error, problems, and samples per problem, of histories without change."""

SAMPLES = (10, 5, 3, 2, 1)
BEFORE = (3, 7, 14, 28)
SPENT_OVER = 200
CHUNK = 25


def e_values(values: Array) -> Array:
    """Return the e-value of each history and night; values by history, night and problem."""
    n_nights = values.shape[1]
    logs = np.zeros((2 * len(BETS), *values.shape[:2]))
    for number, bet in enumerate((*BETS, *(-bet for bet in BETS))):
        stakes = np.exp(bet * values)
        sums = stakes.cumsum(axis=1)
        for night in range(1, n_nights):
            total, n = sums[:, night].copy(), min(night, WINDOW) + 1
            if night > WINDOW:
                total -= sums[:, night - WINDOW - 1]
            logs[number, :, night] = np.log(n * stakes[:, night] / total).sum(axis=-1)
    products = logs.cumsum(axis=2)
    found = np.ones(values.shape[:2])
    for night in range(1, n_nights):
        wealth = np.full(products.shape[:2], HORIZON / (night + HORIZON))
        for begin in range(max(1, night - WINDOW), night + 1):
            weight = HORIZON / ((begin + HORIZON - 1) * (begin + HORIZON))
            won = products[:, :, night] - products[:, :, begin - 1]
            wealth += weight * np.exp(np.minimum(won, 600))
        found[:, night] = wealth.mean(axis=0)
    return found


def t_rejects(values: Array) -> Array:
    """Return where a paired t test of a night against the mean of the last 14 rejects at 5 %."""
    found = np.zeros(values.shape[:2], dtype=bool)
    for night in range(1, values.shape[1]):
        apart = values[:, night] - values[:, max(0, night - WINDOW) : night].mean(axis=1)
        spread = apart.std(axis=-1, ddof=1) / np.sqrt(values.shape[2])
        found[:, night] = np.abs(apart.mean(axis=-1)) > 1.96 * np.maximum(spread, 1e-12)
    return found


def unchanged(
    rng: np.random.Generator, law: tuple[float, float], shape: tuple[int, int, int], samples: int
) -> Array:
    """Draw histories in which nothing changes."""
    rates = rng.beta(*law, (shape[0], 1, shape[2]))
    return rng.binomial(samples, np.broadcast_to(rates, shape)) / samples


def fallen(
    rng: np.random.Generator,
    law: tuple[float, float],
    before: int,
    shape: tuple[int, int, int],
    samples: int,
) -> Array:
    """Draw histories whose mean rate falls by 5 points after so many nights."""
    n_histories, n_nights, n_problems = shape
    rates = rng.beta(*law, (n_histories, 1, n_problems))
    lower = rates * (1 - DROP / rates.mean(axis=2, keepdims=True))
    nights = np.arange(n_nights)[None, :, None]
    return rng.binomial(samples, np.where(nights < before, rates, lower)) / samples


def false_alarms(
    law: tuple[float, float], n_problems: int, samples: int, n_metrics: int, asked: tuple[int, int]
) -> tuple[float, float, float]:
    """Return shares of histories with an alarm, of nights with one, and of histories by t tests."""
    rng = np.random.Generator(np.random.PCG64(0))
    n_histories, n_nights = asked
    alarms, rejected = [], []
    for _ in range(n_histories // CHUNK):
        alarm = np.zeros((CHUNK, n_nights), dtype=bool)
        rejects = alarm.copy()
        for _ in range(n_metrics):
            values = unchanged(rng, law, (CHUNK, n_nights, n_problems), samples)
            alarm |= e_values(values) >= n_metrics / ERROR
            rejects |= t_rejects(values)
        alarms.append(alarm)
        rejected.append(rejects)
    found = np.concatenate(alarms)
    return (
        float(found.any(axis=1).mean()),
        float(found.mean()),
        float(np.concatenate(rejected).any(axis=1).mean()),
    )


def found_within(
    law: tuple[float, float], before: int, samples: int, n_histories: int, n_problems: int = 164
) -> Iterator[tuple[int, dict[int, float]]]:
    """Yield, by metrics that share the error, how often a fall is found within so many nights."""
    rng = np.random.Generator(np.random.PCG64(1))
    shape = (n_histories, before + 14, n_problems)
    values = e_values(fallen(rng, law, before, shape, samples))[:, before:]
    for n_metrics in (1, 10, 100):
        hits = values >= n_metrics / ERROR
        yield n_metrics, {n: float(hits[:, :n].any(axis=1).mean()) for n in (1, 3, 7, 14)}


def bound(
    law: tuple[float, float],
    before: int,
    samples: int,
    level: float,
    *,
    n_nights: int = 3,
    n_problems: int = 164,
) -> float:
    """Return the power of a test on both sides that knows the night of the fall and looks once.

    It compares means of the nights since the fall and of the last 14 before, problem by problem.
    """
    alpha, beta = law
    mean = alpha / (alpha + beta)
    square = mean * (alpha + 1) / (alpha + beta + 1)
    kept = 1 - DROP / mean
    of_nights = (kept * mean - kept**2 * square) / n_nights + (mean - square) / min(before, WINDOW)
    error = np.sqrt(of_nights / (samples * n_problems))
    return float(ndtr(DROP / error - ndtri(1 - level / 2)))


def main() -> None:
    """Simulate and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=200)
    parser.add_argument("--nights", type=int, default=200)
    asked = parser.parse_args()
    print_row("pass rates", "problems", "samples", "metrics", "any alarm", "nights with one", "t")
    print_row(*["---"] * 7)
    for n_metrics, n_problems, samples in CELLS:
        for law in LAWS:
            shares = false_alarms(
                law, n_problems, samples, n_metrics, (asked.histories, asked.nights)
            )
            cells = (f"Beta{law}", n_problems, samples, n_metrics)
            print_row(*cells, f"{shares[0]:.3f}", f"{shares[1]:.5f}", f"{shares[2]:.3f}")
    print()
    print_falls(asked.histories)


def print_falls(n_histories: int) -> None:
    """Print how often a fall is found, and the bounds of what can be found."""
    print_row("pass rates", "samples", "nights before", "metrics", "1 night", "3", "7", "14")
    print_row(*["---"] * 8)
    for samples in SAMPLES:
        for law in FALLING:
            for before in BEFORE:
                for n_metrics, shares_by in found_within(law, before, samples, n_histories):
                    cells = (f"Beta{law}", samples, before, n_metrics)
                    print_row(*cells, *(f"{share:.3f}" for share in shares_by.values()))
    print()
    heads = [f"{metrics}, {error}" for metrics in (1, 10) for error in ("whole", "even")]
    print_row("pass rates", "samples", "nights before", *heads)
    print_row(*["---"] * 7)
    for samples in SAMPLES:
        for law in FALLING:
            for before in BEFORE:
                levels = [ERROR / n / nights for n in (1, 10) for nights in (1, SPENT_OVER)]
                powers = (bound(law, before, samples, level) for level in levels)
                print_row(f"Beta{law}", samples, before, *(f"{power:.3f}" for power in powers))


def print_row(*cells: object) -> None:
    """Print one row of a Markdown table."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()
