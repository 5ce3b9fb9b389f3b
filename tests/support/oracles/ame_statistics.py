"""Sums, means and correlations, and what planted probabilities give, in plain Python."""

import math
from collections import defaultdict
from typing import Any

import numpy as np

from tests.support.oracles.ame import FAULTS, PairScores, yields
from tests.support.oracles.execution import Raw


def pearson(xs: list[float], ys: list[float]) -> tuple[float | None, str | None]:
    """Return r, or why there is none."""
    if len(xs) < 10:
        return None, "n_lt_min"
    if len(set(xs)) == 1 or len(set(ys)) == 1:
        return None, "zero_variance"
    return float(np.corrcoef(xs, ys)[0, 1]), None


def fisher(r: float | None, n: int) -> tuple[float | None, float | None]:
    if r is None:
        return None, None
    if abs(r) > 1 - 1e-12:
        return r, r
    z, half = 0.5 * math.log((1 + r) / (1 - r)), 1.959963984540054 / math.sqrt(n - 3)
    ends = [(math.exp(2 * e) - 1) / (math.exp(2 * e) + 1) for e in (z - half, z + half)]
    return ends[0], ends[1]


# --- what planted probabilities give ------------------------------------------------------------


def expected_table_rule(p: float, q: float, m: int) -> tuple[float, float]:
    """Return E|a - b| given a > 0, and P(a > 0), for rates of m completions with p and q."""
    kept = 1 - (1 - p) ** m
    return expected_difference(p, q, m, least=1) / kept, kept


def expected_difference(p: float, q: float, m: int, *, least: int = 0) -> float:
    """Return E|a - b| for rates of m completions each; cases where m a is less add nothing."""
    return sum(
        binomial(i, m, p) * binomial(j, m, q) * abs(i - j) / m
        for i in range(least, m + 1)
        for j in range(m + 1)
    )


def expected_text_rule(p: float, q: float) -> float:
    """Return P(one side passes and the other fails | either passes), one completion a side."""
    return (p * (1 - q) + q * (1 - p)) / (1 - (1 - p) * (1 - q))


def binomial(k: int, n: int, p: float) -> float:
    return math.comb(n, k) * p**k * (1 - p) ** (n - k)


def losses(raw: Raw) -> dict[tuple[str, int, str], dict[str, int]]:
    """Return (release, edition, mutation) -> the places lost, in the groups that are printed."""
    unjudged = tuple(f"n_{fault}" for fault in FAULTS)
    return {
        key: {
            "n_found": row["n_found"],
            "n_declined": row["n_declined"],
            "n_invalid": sum(
                n for name, n in row.items() if name.startswith(("n_reference_", "n_mutant_"))
            ),
            "n_unjudged": sum(row[name] for name in unjudged),
            "n_no_cut": row["n_no_cut"],
            "n_kept": row["n_kept"],
        }
        for key, row in yields(raw).items()
    }


def baseline(rows: list[PairScores], version: int) -> tuple[float | None, int, int | None]:
    """Return the pass rate of original sides, over how many, and most completions of a side.

    Version 1 averages over pairs, version 2 over the means of each problem under each mutation.
    """
    used = [row for row in rows if row.original is not None]
    groups: dict[Any, list[float]] = defaultdict(list)
    for number, row in enumerate(used):
        assert row.original is not None
        groups[number if version == 1 else (row.problem, row.mutation)].append(row.original)
    means = [math.fsum(values) / len(values) for values in groups.values()]
    most = max((row.m or 0 for row in used), default=None)
    return (math.fsum(means) / len(means) if means else None), len(means), most
