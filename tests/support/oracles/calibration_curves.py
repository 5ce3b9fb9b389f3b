"""Curves through confidences in plain Python: logits, folds, the fit of a line and its errors."""

import math
import random

from scipy.stats import t

from tests.support.oracles.calibration import CLIP, ScoredPair, mean_y, total


def logit_v1(p: float) -> float:
    p = min(1 - CLIP, max(CLIP, p))
    return math.log(p / (1 - p))


def logit_v2(p: float, log_p: float | None) -> float:
    """From the log-probability where there is one: no lower clip, and nothing is lost near 0."""
    if log_p is None:
        p = min(1 - CLIP, p)
        return math.log(p) - math.log1p(-p)
    log_p = min(math.log(1 - CLIP), log_p)
    return log_p - math.log(-math.expm1(log_p))


def sigmoid(x: float) -> float:
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    return math.exp(x) / (1 + math.exp(x))


def shuffled(n: int, seed: int = 42) -> list[int]:
    """0..n-1 as the legacy generator shuffles them: Mersenne twister, masked rejection."""
    state = [seed]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ (state[-1] >> 30)) + i) & 0xFFFFFFFF)
    twister = random.Random()
    twister.setstate((3, (*state, 624), None))
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        mask = (1 << i.bit_length()) - 1
        while (j := twister.getrandbits(32) & mask) > i:
            pass
        order[i], order[j] = order[j], order[i]
    return order


def folds_v1(n: int) -> list[int]:
    """The fold of each position: five slices of the shuffled rows, the first ones longer."""
    order, fold, start = shuffled(n), [0] * n, 0
    for k in range(5):
        size = n // 5 + (k < n % 5)
        for place in order[start : start + size]:
            fold[place] = k
        start += size
    return fold


def in_order(pairs: list[ScoredPair]) -> list[ScoredPair]:
    return sorted(pairs, key=lambda q: (q.p, q.name))


def logistic(
    x: list[float],
    target: list[float],
    weights: list[float] | None = None,
    *,
    with_intercept: bool = True,
) -> tuple[float, float]:
    """Slope and intercept of greatest likelihood, by Newton's steps, halved when too long."""
    w = weights or [1.0] * len(x)
    a, b = 0.0, 0.0

    def cost(a: float, b: float) -> float:
        terms = []
        for xi, ti, wi in zip(x, target, w, strict=True):
            z = a * xi + b
            terms.append(wi * (max(z, 0.0) + math.log1p(math.exp(-abs(z))) - ti * z))
        return math.fsum(terms)

    now = cost(a, b)
    for _ in range(200):
        rows = [(xi, wi, sigmoid(a * xi + b) - ti) for xi, ti, wi in zip(x, target, w, strict=True)]
        bend = [wi * (sigmoid(a * xi + b) * sigmoid(-a * xi - b)) for xi, wi, _ in rows]
        ga = math.fsum(wi * gap * xi for xi, wi, gap in rows)
        gb = math.fsum(wi * gap for _, wi, gap in rows)
        haa = math.fsum(h * xi * xi for h, (xi, _, _) in zip(bend, rows, strict=True))
        hab = math.fsum(h * xi for h, (xi, _, _) in zip(bend, rows, strict=True))
        hbb = math.fsum(bend)
        if with_intercept:
            size = haa * hbb - hab * hab
            step = ((hbb * ga - hab * gb) / size, (haa * gb - hab * ga) / size)
        else:
            step = (ga / haa, 0.0)
        share = 1.0
        while share > 1e-12 and cost(a - share * step[0], b - share * step[1]) > now:
            share /= 2
        a, b = a - share * step[0], b - share * step[1]
        after = cost(a, b)
        if abs(step[0]) + abs(step[1]) < 1e-13 * (1 + abs(a) + abs(b)) or after == now:
            break
        now = after
    return a, b


def smoothed_targets(pairs: list[ScoredPair]) -> list[float]:
    """Platt's targets: a little away from 0 and 1, so that separated classes end somewhere."""
    right = total([q for q in pairs if q.y])
    wrong = total([q for q in pairs if not q.y])
    return [(right + 1) / (right + 2) if q.y else 1 / (wrong + 2) for q in pairs]


def slope_half_width(pairs: list[ScoredPair], x: list[float], target: list[float]) -> float:
    """Half the width of a temperature slope's interval. Its error has no formula: it comes from how
    the fit moves as one problem after the other weighs a little more or less."""
    problems = sorted({q.problem for q in pairs})
    step = 1e-4

    def moved(problem: str, factor: float) -> float:
        w = [q.w * (factor if q.problem == problem else 1.0) for q in pairs]
        return logistic(x, target, w, with_intercept=False)[0]

    n = len(problems)
    moves = [(moved(one, 1 + step) - moved(one, 1 - step)) / (2 * step) for one in problems]
    square = math.fsum(m**2 for m in moves) / n
    excess = math.fsum(m**4 for m in moves) / n / square**2 - 1
    most = min(n - 1, 2 * n / max(excess, 1e-9))
    whole = {one: math.fsum(q.w for q in pairs if q.problem == one) for one in problems}
    right = {one: math.fsum(q.w * q.y for q in pairs if q.problem == one) for one in problems}
    wrong = {one: whole[one] - right[one] for one in problems}
    telling = min(
        math.fsum(part.values()) ** 2 / math.fsum(v * v for v in part.values())
        for part in (right, wrong)
    )
    rate = math.fsum(right.values()) / math.fsum(whole.values())
    spread = math.fsum((right[one] - rate * whole[one]) ** 2 for one in problems)
    variance = spread * n / (n - 1) * n / math.fsum(whole.values()) ** 2
    most_varied = rate * (1 - rate)
    single = 4 * most_varied * max(0.0, 1 - 10 * (1 - min(1.0, variance / most_varied)))
    quantile = single * _t_between(most) + (1 - single) * _t_between(min(most, telling - 1))
    return quantile * math.sqrt(square * n * n / (n - 1))


def _t_between(degrees: float) -> float:
    """The 97.5 % quantile of Student's t, on a line in 1 / degrees between whole numbers."""
    degrees = max(degrees, 1.0)
    below = math.floor(degrees)
    ends = [float(t(whole).ppf(0.975)) for whole in (below, below + 1)]
    part = (1 / below - 1 / degrees) / (1 / below - 1 / (below + 1))
    return ends[0] + part * (ends[1] - ends[0])


def curve_between(x: list[float], y: list[float], at: float) -> float:
    """Linear between known points, level outside them."""
    if at <= x[0]:
        return y[0]
    for i in range(1, len(x)):
        if at <= x[i]:
            return y[i - 1] + (y[i] - y[i - 1]) * (at - x[i - 1]) / (x[i] - x[i - 1])
    return y[-1]


def platt_v1(pairs: list[ScoredPair]) -> list[ScoredPair] | None:
    """Out-of-fold rows: the way of the paper from beginning to end. None below five rows or where
    a training fold has one class."""
    if len(pairs) < 5:
        return None
    rows = in_order(pairs)
    folds = folds_v1(len(rows))
    scaled = []
    for k in range(5):
        train = [q for q, fold in zip(rows, folds, strict=True) if fold != k]
        if len({q.y for q in train}) < 2:
            return None
        if len({q.p for q in train}) == 1:
            a, b = 0.0, logit_v1(mean_y(train))
        else:
            a, b = logistic([logit_v1(q.p) for q in train], [float(q.y) for q in train])
        scaled += [
            ScoredPair(sigmoid(a * logit_v1(q.p) + b), q.y, q.w, q.problem, q.name)
            for q, fold in zip(rows, folds, strict=True)
            if fold == k
        ]
    return scaled
