"""Worlds of known calibration, and how often the intervals made of them hold the truth.

A world has problems with one or ten samples each. Confidences are spread out, low, high or in the
middle. Right answers are as frequent as the confidences say, or differ from that by a known rule.
Samples of a problem are alike in confidence and in luck.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from sklearn.metrics import roc_auc_score

from runners.measuring.calibration import bootstrap
from runners.measuring.calibration.errors.smooth import smooth_ece
from runners.measuring.calibration.estimates import (
    Estimated,
    SubjectRows,
    of_bins,
    of_means,
    of_points,
)
from runners.measuring.calibration.folds import Bools, Floats

Sampled = tuple[Floats, Bools]
SHAPES = {
    "rare": (0.3, 9.7),
    "low": (0.6, 6),
    "spread": (1, 1),
    "middle": (8, 4),
    "high": (6, 0.6),
    "sure": (9.7, 0.3),
}
"""Beta distributions of confidences: means of .03, .09, .5, .67, .91 and .97."""
HEAPS = {
    f"{most}, {share} of them {rest}": (most, rest, share)
    for most, rest in ((0.9, 0.8), (0.9, 0.899), (0.6, 0.5), (0.95, 0.9), (0.99, 0.9))
    for share in (0.03, 0.2, 0.5)
}
"""Nearly equal confidences: that of most problems, that of the rest, and the share of these."""
STATISTICS = ("base_rate", "mean_score", "brier", "skill_score", "auroc", "ece", "smooth_ece")


@dataclass(frozen=True)
class PlantedScores:
    """One law: shape of the confidences, rule of the errors and its size, samples per problem."""

    shape: str
    rule: str
    error: float
    n_samples: int
    spread: float = 0.7
    luck: float = 0.5

    def draw(self, rng: np.random.Generator, n: int) -> Sampled:
        """Return confidences and labels, a row for each of n problems."""
        p = self._confidences(rng, n)
        own, shared = rng.random(p.shape), rng.random((n, 1))
        chance = np.where(rng.random(p.shape) < np.sqrt(self.luck), shared, own)
        return p, chance < self.rate(p)

    def _confidences(self, rng: np.random.Generator, n: int) -> Floats:
        size = (n, self.n_samples)
        if self.shape in HEAPS:
            most, rest, share = HEAPS[self.shape]
            return np.broadcast_to(np.where(rng.random((n, 1)) < share, rest, most), size)
        a, b = SHAPES[self.shape]
        base = np.clip(rng.beta(a, b, (n, 1)), 1e-6, 1 - 1e-6)
        shift = rng.normal(0, self.spread, size) if self.n_samples > 1 else 0.0
        return np.asarray(1 / (1 + (1 - base) / base * np.exp(-shift)))

    def rate(self, p: Floats) -> Floats:
        """Return how often answers of these confidences are right."""
        e = self.error
        if self.rule == "over":
            return np.clip(p - e, 0, 1)
        if self.rule == "under":
            return np.clip(p + e, 0, 1)
        return np.clip(0.5 + (1 - 4 * e) * (p - 0.5), 0, 1)  # too extreme

    def truth(self) -> dict[str, float]:
        """Return each statistic of very many problems, with the rates in place of labels."""
        rng = np.random.Generator(np.random.PCG64(7))
        p, y = (rows[:, 0] for rows in self.draw(rng, 400_000))
        rate = self.rate(p)
        w = np.ones(len(p))
        gap = np.bincount(bootstrap.bin_of(p), p - rate, bootstrap.N_BINS)
        brier = float(np.mean((p - rate) ** 2 + rate * (1 - rate)))
        base = float(rate.mean())
        return {
            "base_rate": base,
            "mean_score": float(p.mean()),
            "brier": brier,
            "skill_score": 1 - brier / (base * (1 - base)),
            "auroc": float(roc_auc_score(y, p)),
            "ece": float(np.abs(gap).sum() / len(p)),
            # the rates themselves as labels: relplot's residuals are linear in them
            "smooth_ece": smooth_ece(p, rate, w)[0],  # type: ignore[arg-type]
        }


def worlds(n_samples: int) -> Iterator[PlantedScores]:
    """Yield the laws of the table of coverage.

    High and sure confidences are low and rare ones mirrored (1 - confidence, wrong for
    right), as are their errors. Every interval is the same, or mirrored.
    """
    for shape in ("rare", "low", "spread", "middle"):
        aside = "under" if shape in ("rare", "low") else "over"
        for rule, error in ((aside, 0.0), (aside, 0.05), ("extreme", 0.05), (aside, 0.2)):
            yield PlantedScores(shape, rule, error, n_samples)


@dataclass
class Coverage:
    """How often each interval held the truth, lay above it or below it, or was missing."""

    world: PlantedScores
    n_problems: int
    truth: dict[str, float]
    found: Counter[tuple[str, str]] = field(default_factory=Counter)

    def held(self, statistic: str) -> tuple[float | None, float]:
        """Return the share of intervals that hold the truth, and that of data sets with one."""
        counts = {end: self.found[statistic, end] for end in ("held", "above", "below")}
        n = sum(counts.values())
        n_tried = n + self.found[statistic, "none"]
        return (counts["held"] / n if n else None), n / n_tried

    def rejected(self) -> float:
        """Return the share of data sets in which the test of calibration rejects at 5 %."""
        n_rejected = self.found["test", "rejected"]
        return n_rejected / (n_rejected + self.found["test", "kept"])

    def add(self, made: Estimated) -> None:
        """Count one interval, or one test of calibration."""
        if made.statistic == "calibration_p" and made.value is not None:
            self.found["test", "rejected" if made.value <= 0.05 else "kept"] += 1
        if made.statistic not in self.truth:
            return
        value = self.truth[made.statistic]
        if made.interval is None or made.interval.low is None or made.interval.high is None:
            end = "none"
        elif value < made.interval.low - 1e-9:
            end = "above"
        else:
            end = "below" if value > made.interval.high + 1e-9 else "held"
        self.found[made.statistic, end] += 1


@dataclass(frozen=True)
class Sizes:
    """How many data sets are drawn, and in one of how many ECE and smooth ECE are bounded too."""

    n_sets: int
    n_replicates: int = 500
    bins_every: int = 1
    points_every: int = 1


@cache
def truth_of(world: PlantedScores) -> dict[str, float]:
    """Return the true statistics of a world, once."""
    return world.truth()


def cover(world: PlantedScores, n_problems: int, sizes: Sizes, block: int = 0) -> Coverage:
    """Draw data sets of a world and count what their intervals hold.

    Each block of data sets has its own seed.
    """
    resamples = bootstrap.resample([f"{i:04d}" for i in range(n_problems)], sizes.n_replicates)
    seed = bootstrap.derived_seed(str(world), str(n_problems), *[str(block)] * (block > 0))
    rng = np.random.Generator(np.random.PCG64(seed))
    cluster = np.repeat(np.arange(n_problems), world.n_samples)
    w = np.full(len(cluster), 1 / world.n_samples)
    made = Coverage(world, n_problems, truth_of(world))
    for number in range(sizes.n_sets):
        scores, labels = world.draw(rng, n_problems)
        rows = SubjectRows(scores.ravel(), labels.ravel(), w, cluster)
        found = of_means(rows, resamples)
        if number % sizes.bins_every == 0:
            found += of_bins(rows, resamples, block * sizes.n_sets + number)
            if number % sizes.points_every == 0:
                found += of_points(rows, resamples, block * sizes.n_sets + number)
        for one in found:
            made.add(one)
    return made
