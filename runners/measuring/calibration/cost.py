"""What fitting costs the skill of rescaled scores, beside what the influence of problems tells.

Idea: each fitted parameter follows the noise of the answers, so log (1 - skill) rises. It rises by
about a chi-squared variable of one degree of freedom, over the number of single answers that the
problems are worth. By how much is known neither to the curve nor to the held-out rows. Where skill
is near 0 that is most of the error. So distances to the ends of skill get a percentile of it.

A temperature has one parameter, which moves each score by the logit of the raw one. Where all these
logits are equal that is a fitted constant, and costs as much. Where they lie on both sides of 0,
simulations needed no cost. What counts is the share of what the parameter moves that a constant
would move too.

Proved: tests/runners/measuring/test_rescaled_error.py; coverage in docs/measured.md, decision 7.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtri, ndtri

from runners.measuring.calibration.fit import ROUNDING
from runners.measuring.calibration.folds import Floats

CONSTANT = float(chdtri(1, 0.05))
"""The 95th percentile of chi-squared with one degree of freedom."""
LINE = float(chdtri(2, 0.1))
"""The 90th with two. Isotonic steps cost about as much."""
TO_UPPER_END = float(ndtri(0.975)) * 2**0.5
"""1.96 standard deviations of chi-squared with one degree of freedom."""


@dataclass(frozen=True)
class Rescaled:
    """How scores were made of raw ones, whose logits are ``x``, by curves of the other folds.

    Folds that are not ``stratified`` differ in their shares of right answers. Then held-out scores
    look worse than they are, and the upper end of skill needs as much as the lower one.
    """

    rescaler: str
    x: Floats
    stratified: bool


@dataclass(frozen=True)
class Cost:
    """Distances to the ends of skill, as log (1 - skill), in one over single answers."""

    to_lower_end: float
    to_upper_end: float


FREE = Cost(0.0, 0.0)


def cost_of_fitting(p: Floats, w: Floats, made: Rescaled | None) -> Cost:
    """Return what scores have cost, given their weights; raw ones nothing."""
    if made is None:
        return FREE
    if made.rescaler == "temperature":
        share = shared_with_a_constant(p, w, made.x)
        return Cost(CONSTANT * share, TO_UPPER_END * share)
    return Cost(LINE, TO_UPPER_END if made.stratified else LINE)


def shared_with_a_constant(p: Floats, w: Floats, x: Floats) -> float:
    """Return the squared cosine, from 0 to 1, between moves of a temperature and of a constant.

    ``p`` are rescaled scores, ``x`` the logits of the raw ones.
    """
    bend = w * p * (1 - p)
    length = bend.sum() * (bend * x * x).sum()
    if np.ptp(x) <= ROUNDING or length <= 0:  # a constant is fitted
        return 1.0
    return float((bend * x).sum() ** 2 / length)
