"""What a fitted curve has followed of the noise of its gaps.

Idea: a curve goes where the answers go that it is fitted to, noise included. Afterwards the sums of
w (p - y) and of w (p - y) logit p are near 0, whatever the noise was. These are the equations of a
line in logits. In the two directions in which such a line moves scores, nothing of the noise is
left to be found. The true gaps of the curve have it, with the other sign. So in these directions
found gaps less the noise of resamples have the law of the true gaps. Isotonic steps follow noise in
other directions too, so a percentile further out is taken. A temperature moves scores in one
direction alone, and follows too little to need one.

Assumed: each curve is fitted to nearly all rows, so that the held-out scores nearly satisfy the
equations. Refused: nothing; where all scores are equal there is one direction.
Proved: tests/runners/measuring/test_rescaled_error.py; coverage in docs/measured.md.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from runners.measuring.calibration.bootstrap import tail_share
from runners.measuring.calibration.cost import Rescaled
from runners.measuring.calibration.folds import Floats

FROM_EDGE = 1e-6
"""Scores are so far from 0 and 1 before their logit is taken, as where curves are fitted."""
LEVELS = {"platt": 0.1, "isotonic": 0.05}
"""How often the true error may be further away, before Student's t moves that percentile."""


@dataclass(frozen=True)
class Followed:
    """A line in logits: how it moves the gap of each place (column), and its two equations."""

    moves: Floats
    equations: Floats
    level: float

    def noise(self, noise: Floats) -> Floats:
        """Return the part of the noise of gaps (rows) that the line has followed."""
        steps = np.linalg.pinv(self.equations @ self.moves.T, rcond=1e-9)
        return np.asarray(noise @ self.equations.T @ steps.T @ self.moves)

    def furthest(self, gap: Floats, noise: Floats, n_problems: int) -> float:
        """Return the largest error of the true gaps, given those found and the noise followed."""
        errors = np.abs(gap - self.noise(noise)).sum(axis=1)
        return float(np.quantile(errors, 1 - tail_share(n_problems, self.level)))


def followed(
    p: Floats, w: Floats, made: Rescaled | None, added: Callable[[Floats], Floats]
) -> Followed | None:
    """Return what a curve has followed, if it counts; ``added`` adds up values of rows by place."""
    if made is None or made.rescaler not in LEVELS:
        return None
    inside = np.clip(p, FROM_EDGE, 1 - FROM_EDGE)
    logit = np.log(inside) - np.log1p(-inside)
    weights, bend = added(w), w * p * (1 - p)
    middle = added(w * logit) / np.where(weights > 0, weights, 1)
    moves = np.stack([added(bend), added(bend * logit)])
    return Followed(moves, np.stack([np.ones_like(weights), middle]), LEVELS[made.rescaler])
