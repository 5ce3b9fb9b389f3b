"""Fitted curves: Platt's line in logits, the same through the origin, and isotonic steps.

Idea: Newton's method on the log-likelihood, for all folds and splits at once, with targets that
Platt (1999) moved off 0 and 1 in version 2; version 1 calls the paper's library. Isotonic curves
come from scikit-learn and are kept as the points where their slope changes.

Assumed: the logit of a right answer is linear in that of the score; isotonic assumes order alone.
Refused: fewer than five problems (``n_lt_min``), fewer than 1,000 rows for isotonic, and a fit that
has no optimum or does not reach it (``fit_failed``). One class gives a constant, with a flag.
Proved: tests/runners/measuring/test_calibration_fit.py, against scikit-learn.
"""

import warnings
from dataclasses import dataclass

import numpy as np

from models.words import N_FOLDS
from runners.measuring.calibration.folds import Bools, Floats, Ints

STEEP = 1e3
ROUNDING = 1e-12  # logits no further apart are one
MIN_ISOTONIC = 1000
CELLS_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class Curve:
    """One fitted curve, or why there is none."""

    n_train: int
    n_positive: int
    slope: float | None = None
    intercept: float | None = None
    steps_x: list[float] | None = None
    steps_y: list[float] | None = None
    flag: str | None = None
    null_reason: str | None = None

    def apply(self, p: Floats, x: Floats) -> Floats:
        """Return the rescaled scores; NaN where there is no curve."""
        if self.steps_x is not None and self.steps_y is not None:
            return np.interp(p, self.steps_x, self.steps_y)
        if self.slope is None or self.intercept is None:
            return np.full(len(x), np.nan)
        return sigmoid(self.slope * x + self.intercept)


def sigmoid(z: Floats) -> Floats:
    """Return 1 / (1 + exp(-z)) without overflow."""
    e = np.exp(-np.abs(z))
    return np.asarray(np.where(z >= 0, 1.0, e) / (1 + e))


def fit_platt_v1(x: Floats, y: Bools) -> Curve:
    """Fit unpenalised logistic regression as the paper's library does, to convergence."""
    n_positive = int(y.sum())
    if n_positive in (0, len(y)):
        return Curve(len(y), n_positive, flag="one_class", null_reason="fit_failed")
    if x.max() - x.min() <= ROUNDING:
        return _constant(len(y), n_positive, n_positive / len(y), "constant_score")
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    line = LogisticRegression(C=np.inf, solver="lbfgs", tol=1e-10, max_iter=10_000)
    with warnings.catch_warnings():
        # separated classes have no optimum: whatever slope is reached counts, and is flagged
        warnings.simplefilter("ignore", ConvergenceWarning)
        line.fit(x[:, None], y)
    return _line(len(y), n_positive, float(line.coef_[0, 0]), float(line.intercept_[0]))


def fit_lines(
    x: Floats, y: Bools, w: Floats, train: Bools, *, through_origin: bool = False
) -> list[Curve]:
    """Fit version 2's Platt curves, or temperatures, one for each row of ``train``.

    Platt's curve is fitted to Platt's targets (a little inside 0 and 1, counted in weights), so it
    exists under separation too. The temperature is fitted to the labels as they are, so there it
    has no optimum and the fit fails. One class gives the smoothed base rate.
    """
    curves = []
    step = max(1, CELLS_AT_ONCE // max(1, len(x)))
    for start in range(0, len(train), step):
        curves += _fit_block(x, y, w, train[start : start + step], through_origin)
    return curves


def fit_isotonic(p: Floats, y: Bools, w: Floats) -> Curve:
    """Fit the closest never-falling curve; it is kept as the points where its slope changes."""
    from sklearn.isotonic import IsotonicRegression

    # ranks, because scikit-learn takes scores closer than 1e-15 for tied
    values, ranks = np.unique(p, return_inverse=True)
    steps = IsotonicRegression().fit(ranks.astype(float), y.astype(float), sample_weight=w)
    at = values[steps.X_thresholds_.astype(np.int64)]
    level = np.clip(steps.y_thresholds_, 0.0, 1.0)
    return Curve(len(y), int(y.sum()), steps_x=at.tolist(), steps_y=level.tolist())


def fit_folds_v1(x: Floats, y: Bools, folds: Ints) -> list[Curve]:
    """Fit one curve per fold, on the rows outside it."""
    return [fit_platt_v1(x[folds != fold], y[folds != fold]) for fold in range(N_FOLDS)]


def outside(folds: Ints) -> Bools:
    """Return, for each fold (row), which rows are outside it."""
    return np.asarray(folds[None, :] != np.arange(N_FOLDS)[:, None])


def out_of_fold(curves: list[Curve], folds: Ints, p: Floats, x: Floats) -> Floats:
    """Return each row's score rescaled by the curve that did not see it."""
    scaled = np.empty(len(x))
    for fold, curve in enumerate(curves):
        held_out = folds == fold
        scaled[held_out] = curve.apply(p[held_out], x[held_out])
    return scaled


def _fit_block(x: Floats, y: Bools, w: Floats, train: Bools, through_origin: bool) -> list[Curve]:
    n_train, n_positive = train.sum(axis=1), (train & y).sum(axis=1)
    mass = train * w
    right, wrong = (mass * y).sum(axis=1), (mass * ~y).sum(axis=1)
    above, below = (right + 1) / (right + 2), 1 / (wrong + 2)
    one_class = (n_positive == 0) | (n_positive == n_train)
    low = np.where(train, x, np.inf).min(axis=1, initial=np.inf)
    high = np.where(train, x, -np.inf).max(axis=1, initial=-np.inf)
    constant = high - low <= ROUNDING * np.maximum(1, np.abs(high))
    endless = np.zeros(len(train), bool)
    if through_origin:
        signed = np.where(y, x, -x)
        upward, downward = signed >= -ROUNDING, signed <= ROUNDING
        endless = np.all(~train | upward, axis=1) | np.all(~train | downward, axis=1)
        target = np.broadcast_to(y.astype(float), train.shape)
    else:
        target = np.where(y, above[:, None], below[:, None])
    regular = ~(one_class | constant | endless)
    slopes, intercepts = np.full(len(train), np.nan), np.zeros(len(train))
    if regular.any():
        slopes[regular], intercepts[regular] = newton(
            x, target[regular], mass[regular], through_origin=through_origin
        )
    curves = []
    for i in range(len(train)):
        rows, positive = int(n_train[i]), int(n_positive[i])
        if one_class[i]:
            rate = above[i] if positive else below[i]
            curves.append(_constant(rows, positive, float(rate), "one_class"))
        elif constant[i]:
            rate = right[i] / (right[i] + wrong[i])
            curves.append(_constant(rows, positive, float(rate), "constant_score"))
        elif endless[i]:
            curves.append(Curve(rows, positive, null_reason="fit_failed"))
        else:
            curves.append(_line(rows, positive, float(slopes[i]), float(intercepts[i])))
    return curves


def newton(
    x: Floats, target: Floats, mass: Floats, *, through_origin: bool = False
) -> tuple[Floats, Floats]:
    """Return slopes and intercepts of greatest likelihood, one for each row of ``target``.

    Newton's steps for all fits together, each halved until its own loss falls. Scores are centred
    and scaled by medians first, so that a few at -10,000 cost the others no digits. Raises
    ArithmeticError where 200 steps are not enough.
    """
    centre = 0.0 if through_origin else float(np.median(x))
    distance = np.abs(x - centre)
    scale = max(float(np.median(distance)), 1e-4 * float(distance.max()))
    u = (x - centre) / scale
    total = mass.sum(axis=1)
    a = np.zeros(len(target))
    b = np.zeros(len(target))
    if not through_origin:
        rate = (mass * target).sum(axis=1) / total
        b = np.log(rate / (1 - rate))
    loss, share = _loss(u, target, mass, a, b)
    for _ in range(200):
        gap = mass * (share - target)
        bend = mass * share * (1 - share)
        down_a, down_b = gap @ u, gap.sum(axis=1)
        aa, ab, bb = bend @ (u * u), bend @ u, bend.sum(axis=1)
        if through_origin:
            step_a, step_b = down_a / aa, np.zeros_like(a)
        else:
            size = aa * bb - ab * ab
            step_a = (bb * down_a - ab * down_b) / size
            step_b = (aa * down_b - ab * down_a) / size
        promised = step_a * down_a + step_b * down_b
        part = np.ones(len(a))
        while True:
            found, share = _loss(u, target, mass, a - part * step_a, b - part * step_b)
            # losses cannot tell steps apart that promise less than rounding
            worse = (found > loss) & (promised > 1e-13 * loss)
            if not worse.any():
                break
            part[worse] /= 2
        a, b, loss = a - part * step_a, b - part * step_b, found
        if np.all(promised <= 1e-18 * total):
            return a / scale, b - a * centre / scale
    raise ArithmeticError("logistic regression did not converge in 200 steps")


def _loss(u: Floats, target: Floats, mass: Floats, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return the loss of each fit and the probability it gives each row."""
    z = a[:, None] * u + b[:, None]
    e = np.exp(-np.abs(z))
    loss = np.maximum(z, 0) + np.log1p(e) - target * z
    return (mass * loss).sum(axis=1), np.where(z >= 0, 1.0, e) / (1 + e)


def _line(n_train: int, n_positive: int, slope: float, intercept: float) -> Curve:
    flag = "steep" if abs(slope) > STEEP else None
    return Curve(n_train, n_positive, slope, intercept, flag=flag)


def _constant(n_train: int, n_positive: int, rate: float, flag: str) -> Curve:
    return Curve(n_train, n_positive, 0.0, float(np.log(rate / (1 - rate))), flag=flag)
