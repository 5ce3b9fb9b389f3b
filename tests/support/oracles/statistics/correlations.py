"""Correlations of a few pairs, their p values and intervals, in plain Python and scipy."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from operator import mul

from scipy import stats

MOST_ORDERED = 8


@dataclass(frozen=True)
class Correlations:
    """What the view has of one group; None where it has NULL."""

    n: int
    null_reason: str | None = None
    pearson: float | None = None
    pearson_lo: float | None = None
    pearson_hi: float | None = None
    pearson_p: float | None = None
    spearman: float | None = None
    spearman_p: float | None = None
    spearman_p_exact: float | None = None


def correlate(xs: Sequence[float], ys: Sequence[float]) -> Correlations:
    """Correlate the pairs; fewer than four, or a side that is constant, give a reason."""
    n = len(xs)
    if n < 4:
        return Correlations(n, "n_lt_min" if n else "not_applicable")
    if len(set(xs)) == 1 or len(set(ys)) == 1:
        return Correlations(n, "zero_variance")
    linear = stats.pearsonr(xs, ys)
    low, high = linear.confidence_interval(0.95)
    rank_x, rank_y = mid_ranks(xs), mid_ranks(ys)
    by_rank = stats.spearmanr(xs, ys)
    return Correlations(
        n,
        None,
        float(linear.statistic),
        float(low),
        float(high),
        _unless_whole(linear.statistic, linear.pvalue),
        float(by_rank.statistic),
        _unless_whole(by_rank.statistic, by_rank.pvalue),
        exact_p(rank_x, rank_y) if n <= MOST_ORDERED else None,
    )


def _unless_whole(r: float, p: float) -> float | None:
    """Student's t has no value where r is 1 or -1."""
    return None if math.isclose(abs(r), 1, abs_tol=1e-12) else float(p)


def mid_ranks(values: Sequence[float]) -> list[Fraction]:
    """Return each value's rank from 1, ties at their mean."""
    return [
        Fraction(2 * sum(v < value for v in values) + sum(v == value for v in values) + 1, 2)
        for value in values
    ]


def exact_p(ranks_x: Sequence[Fraction], ranks_y: Sequence[Fraction]) -> float:
    """Return the share of orders of y whose covariance with x is at least as far from 0."""
    xs, ys = ([int(2 * rank) for rank in ranks] for ranks in (ranks_x, ranks_y))
    n, shift = len(xs), sum(xs) * sum(ys)
    observed = abs(n * sum(map(mul, xs, ys)) - shift)
    drawn = [abs(n * sum(map(mul, xs, order)) - shift) >= observed for order in permutations(ys)]
    return sum(drawn) / len(drawn)
