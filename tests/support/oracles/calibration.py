"""Calibration once more, slowly: plain Python from the definitions, no code shared with the views.

A data set is a list of pairs. Sums are exact (``math.fsum``), sorts are spelt out, and the area
under the curve counts every pair of a right and a wrong answer.
"""

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

CLIP = 1e-6


@dataclass(frozen=True)
class ScoredPair:
    """A stated confidence, whether the answer was right, its weight and its problem."""

    p: float
    y: bool
    w: float = 1.0
    problem: str = ""
    name: str = ""
    log_p: float | None = None


def pairs_of(
    p: list[float] | tuple[float, ...], y: list[int] | tuple[int, ...], w: list[float] | None = None
) -> list[ScoredPair]:
    """Pair up two lists; the place in the list names row and problem."""
    weights = w or [1.0] * len(p)
    return [
        ScoredPair(a, bool(b), c, f"{i:06d}", f"{i:06d}")
        for i, (a, b, c) in enumerate(zip(p, y, weights, strict=True))
    ]


def weighed_by_problem(pairs: list[ScoredPair]) -> list[ScoredPair]:
    """Give each problem the weight 1, shared equally by its rows."""
    sizes: dict[str, int] = {}
    for pair in pairs:
        sizes[pair.problem] = sizes.get(pair.problem, 0) + 1
    return [
        ScoredPair(q.p, q.y, 1 / sizes[q.problem], q.problem, q.name, q.log_p) for q in pairs
    ]  # fmt: skip


# --- metrics ------------------------------------------------------------------------------------


def total(pairs: list[ScoredPair]) -> float:
    return math.fsum(q.w for q in pairs)


def mean_p(pairs: list[ScoredPair]) -> float:
    return math.fsum(q.w * q.p for q in pairs) / total(pairs)


def mean_y(pairs: list[ScoredPair]) -> float:
    return math.fsum(q.w * q.y for q in pairs) / total(pairs)


def brier(pairs: list[ScoredPair]) -> float | None:
    if not pairs:
        return None
    return math.fsum(q.w * (q.p - q.y) ** 2 for q in pairs) / total(pairs)


def brier_reference(pairs: list[ScoredPair]) -> float | None:
    return mean_y(pairs) * (1 - mean_y(pairs)) if pairs else None


def skill_score(pairs: list[ScoredPair]) -> float | None:
    if len({q.y for q in pairs}) < 2:
        return None
    loss, reference = brier(pairs), brier_reference(pairs)
    assert loss is not None
    assert reference is not None
    return (reference - loss) / reference


def auroc(pairs: list[ScoredPair]) -> float | None:
    if len({q.y for q in pairs}) < 2:
        return None
    won = []
    weights = []
    for right in (q for q in pairs if q.y):
        for wrong in (q for q in pairs if not q.y):
            weight = right.w * wrong.w
            weights.append(weight)
            if right.p > wrong.p:
                won.append(weight)
            elif right.p == wrong.p:
                won.append(weight / 2)
    return math.fsum(won) / math.fsum(weights)


def log_loss(pairs: list[ScoredPair]) -> float | None:
    if not pairs:
        return None
    losses = []
    for q in pairs:
        p = min(1 - CLIP, max(CLIP, q.p))
        losses.append(q.w * -(math.log(p) if q.y else math.log(1 - p)))
    return math.fsum(losses) / total(pairs)


def equal_width(
    pairs: list[ScoredPair],
    n_bins: int = 10,
    *,
    reaches: Callable[[float, float], bool] = operator.le,
) -> dict[int, list[ScoredPair]]:
    """Left-closed bins, the last one closed; confidence rounded to seven places first.

    The other convention is ``operator.lt``; a golden number tells the two apart.
    """
    bins: dict[int, list[ScoredPair]] = {}
    for q in pairs:
        place = sum(1 for k in range(1, n_bins) if reaches(k / n_bins, round(q.p, 7)))
        bins.setdefault(place, []).append(q)
    return bins


def quantile_edges(values: list[float], n_bins: int) -> list[float]:
    """Percentiles with linear interpolation between neighbours."""
    ordered = sorted(values)
    edges = []
    for j in range(n_bins + 1):
        place = (len(ordered) - 1) * j / n_bins
        low = math.floor(place)
        high = min(low + 1, len(ordered) - 1)
        edges.append(ordered[low] + (ordered[high] - ordered[low]) * (place - low))
    return edges


def quantile_bins(pairs: list[ScoredPair], n_bins: int) -> dict[int, list[ScoredPair]]:
    """As many inner edges as are not above it give a row's bin; ties are never split."""
    if not pairs:
        return {}
    inner = quantile_edges([q.p for q in pairs], n_bins)[1:-1]
    bins: dict[int, list[ScoredPair]] = {}
    for q in pairs:
        bins.setdefault(sum(1 for edge in inner if edge <= q.p), []).append(q)
    return bins


def error_over(bins: dict[int, list[ScoredPair]]) -> float | None:
    """Weighted mean gap of the bins."""
    rows = [q for each in bins.values() for q in each]
    if not rows:
        return None
    return math.fsum(total(k) / total(rows) * abs(mean_y(k) - mean_p(k)) for k in bins.values())


def ece(pairs: list[ScoredPair]) -> float | None:
    return error_over(equal_width(pairs))


def quantile_ece(pairs: list[ScoredPair], n_bins: int = 10) -> float | None:
    return error_over(quantile_bins(pairs, n_bins))


def murphy(pairs: list[ScoredPair]) -> dict[str, float] | None:
    """Reliability, resolution, uncertainty and the two terms within bins."""
    if not pairs:
        return None
    everything, rate = total(pairs), mean_y(pairs)
    bins = list(equal_width(pairs).values())
    within_p, within_py = [], []
    for rows in bins:
        p, y = mean_p(rows), mean_y(rows)
        within_p += [q.w * (q.p - p) ** 2 for q in rows]
        within_py += [q.w * (q.y - y) * (q.p - p) for q in rows]
    return {
        "rel": math.fsum(total(k) * (mean_p(k) - mean_y(k)) ** 2 for k in bins) / everything,
        "res": math.fsum(total(k) * (mean_y(k) - rate) ** 2 for k in bins) / everything,
        "unc": rate * (1 - rate),
        "wbv": math.fsum(within_p) / everything,
        "wbc": math.fsum(within_py) / everything,
    }


def isotonic(pairs: list[ScoredPair]) -> list[float]:
    """The closest never-falling curve at each row's confidence, by pooling neighbours."""
    tied: dict[float, list[ScoredPair]] = {}
    for q in pairs:
        tied.setdefault(q.p, []).append(q)
    blocks: list[tuple[float, float, list[float]]] = []  # right ones, weight, confidences
    for p in sorted(tied):
        rows = tied[p]
        blocks.append((math.fsum(q.w * q.y for q in rows), total(rows), [p]))
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] >= blocks[-1][0] * blocks[-2][1]:
            (a, v, left), (b, w, right) = blocks[-2], blocks[-1]
            blocks[-2:] = [(a + b, v + w, left + right)]
    level = {p: right / weight for right, weight, held in blocks for p in held}
    return [level[q.p] for q in pairs]


def corp(pairs: list[ScoredPair]) -> dict[str, float] | None:
    """Miscalibration, discrimination and uncertainty, without bins."""
    loss, reference = brier(pairs), brier_reference(pairs)
    if loss is None or reference is None:
        return None
    best = brier(
        [ScoredPair(c, q.y, q.w) for c, q in zip(isotonic(pairs), pairs, strict=True)],
    )
    assert best is not None
    return {"mcb": loss - best, "dsc": reference - best, "unc": reference}


def effective_size(rows: list[ScoredPair]) -> float:
    """The number of rows, where all weigh the same."""
    return total(rows) ** 2 / math.fsum(q.w**2 for q in rows)


def rate_variance(rows: list[ScoredPair]) -> float | None:
    """Variance of the share of right rows, by how far each problem is off; None below two problems.

    With n problems of one row each it is y (1 - y) / (n - 1).
    """
    problems: dict[str, list[ScoredPair]] = {}
    for q in rows:
        problems.setdefault(q.problem, []).append(q)
    weights = [total(held) for held in problems.values()]
    size = math.fsum(weights) ** 2 / math.fsum(w * w for w in weights)
    if size < 2 - 1e-9:
        return None
    rate = mean_y(rows)
    off = [math.fsum(q.w * (q.y - rate) for q in held) for held in problems.values()]
    return math.fsum(x * x for x in off) / total(rows) ** 2 * size / (size - 1)


def debiased_square(pairs: list[ScoredPair]) -> float | None:
    """Squared calibration error less what chance adds; bins below two problems give nothing."""
    if not pairs:
        return None
    terms = []
    for rows in equal_width(pairs).values():
        variance = rate_variance(rows)
        if variance is not None:
            square = (mean_p(rows) - mean_y(rows)) ** 2
            terms.append(total(rows) / total(pairs) * (square - variance))
    return math.fsum(terms)


def debiased_l2(pairs: list[ScoredPair]) -> float | None:
    square = debiased_square(pairs)
    return None if square is None else math.sqrt(max(0.0, square))


def debiased_l1(pairs: list[ScoredPair]) -> float | None:
    """2 ECE minus the mean ECE of resampled bins: that mean exactly, of folded normals."""
    bins = equal_width(pairs)
    variances = [rate_variance(rows) for rows in bins.values()]
    if not bins or any(variance is None for variance in variances):
        return None
    expected = []
    for rows, variance in zip(bins.values(), variances, strict=True):
        sizes: dict[str, float] = {}
        for q in rows:
            sizes[q.problem] = sizes.get(q.problem, 0) + q.w
        size = total(rows) ** 2 / math.fsum(w * w for w in sizes.values())
        centre = mean_y(rows) - mean_p(rows)
        sd = math.sqrt((variance or 0) * (size - 1) / size)  # of n, not n - 1
        if sd == 0:
            expected.append(total(rows) * abs(centre))
            continue
        tail = math.erf(centre / sd / math.sqrt(2))
        folded = sd * math.sqrt(2 / math.pi) * math.exp(-((centre / sd) ** 2) / 2) + centre * tail
        expected.append(total(rows) * folded)
    found = ece(pairs)
    assert found is not None
    return 2 * found - math.fsum(expected) / total(pairs)


def noise_floor(pairs: list[ScoredPair]) -> float | None:
    """What ECE would be about by chance if every confidence were right, and rows independent."""
    if not pairs:
        return None
    spreads = [
        math.sqrt(2 / math.pi * math.fsum(q.w**2 * q.p * (1 - q.p) for q in rows))
        for rows in equal_width(pairs).values()
    ]
    return math.fsum(spreads) / total(pairs)


def chance_errors(pairs: list[ScoredPair]) -> list[tuple[float, float]]:
    """Every way a few problems of one row each could turn out: its probability and its ECE."""
    found = []
    for labels in product((False, True), repeat=len(pairs)):
        ways = [ScoredPair(q.p, y, q.w, q.problem) for q, y in zip(pairs, labels, strict=True)]
        chance = math.prod(q.p if q.y else 1 - q.p for q in ways)
        found.append((chance, ece(ways) or 0.0))
    return found


def spread(pairs: list[ScoredPair]) -> float | None:
    """Standard deviation of the confidences, with the number of rows below."""
    if not pairs:
        return None
    centre = mean_p(pairs)
    return math.sqrt(math.fsum(q.w * (q.p - centre) ** 2 for q in pairs) / total(pairs))


def collapse(pairs: list[ScoredPair], minimum_skill: float = 0.05) -> dict[str, Any] | None:
    """How many bins are used, how full the fullest is, and whether that is a collapse."""
    if not pairs:
        return None
    bins = equal_width(pairs)
    fullest = max(total(rows) for rows in bins.values()) / total(pairs)
    skill = skill_score(pairs)
    return {
        "n_bins": len(bins),
        "largest": fullest,
        "collapsed": fullest >= 0.9 or (skill is not None and skill < minimum_skill),
    }


def ece_reported(pairs: list[ScoredPair]) -> float | None:
    """ECE is given only where the skill score, unrounded, reaches 0.05."""
    skill = skill_score(pairs)
    return ece(pairs) if skill is not None and skill >= 0.05 else None


def wilson(right: float, size: float) -> tuple[float, float] | None:
    """The two roots of (p - c/n)^2 = z^2 p (1 - p) / n; for any sizes, whole or not."""
    if size == 0:
        return None
    z, rate = 1.959963984540054, right / size
    a, b, c = 1 + z * z / size, 2 * rate + z * z / size, rate * rate
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    low, high = (b - root) / (2 * a), (b + root) / (2 * a)
    return (0.0 if right == 0 else low), (1.0 if right == size else high)
