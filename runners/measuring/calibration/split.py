"""All that is fitted and estimated for the subjects that share one split: plain values, no rows."""

from dataclasses import dataclass, field, replace

import numpy as np

from models.words import DIAGRAM_SEED, N_FOLDS
from runners.measuring.calibration.bootstrap import Resamples, derived_seed, resample
from runners.measuring.calibration.cost import Rescaled
from runners.measuring.calibration.estimates import Estimated, SubjectRows, estimate
from runners.measuring.calibration.fit import (
    MIN_ISOTONIC,
    Curve,
    fit_folds_v1,
    fit_isotonic,
    fit_lines,
    out_of_fold,
    outside,
)
from runners.measuring.calibration.folds import (
    KFOLD_SEED,
    Bools,
    Floats,
    Ints,
    grouped_folds,
    kfold_order,
)

V1_SEEDS = (KFOLD_SEED,)
OF_RAW_SCORES = ("base_rate", "auroc")
"""Statistics that the views have of raw scores alone."""


@dataclass(frozen=True)
class Subject:
    """Scores and labels of one calibration subject, and what of it is wanted.

    ``problem`` holds places in the sorted names of the split's problems.
    """

    subject_key: str
    input_key: str
    version: int
    problem: Ints
    p: Floats
    x: Floats
    y: Bools
    w: Floats
    seeds: tuple[int, ...]
    full: bool
    estimates: bool


@dataclass(frozen=True)
class Split:
    """Subjects whose rows fall on the same problems with the same labels."""

    split_key: str
    problems: list[str]
    subjects: list[Subject]
    n_replicates: int
    n_seeds: int


@dataclass(frozen=True)
class Fitted:
    """One curve, and which part of the rows it did not see."""

    rescaler: str
    fold_seed: int | None
    fold: int | None
    curve: Curve


@dataclass
class Found:
    """The result of one subject."""

    subject_key: str
    input_key: str
    version: int
    fits: list[Fitted] = field(default_factory=list)
    estimates: list[tuple[str, Estimated]] = field(default_factory=list)


@dataclass
class SplitFound:
    """The result of one split; ``folds`` has a row per problem, in version 2 only."""

    split_key: str
    problems: list[str]
    folds: list[list[int]]
    found: list[Found]


def work(split: Split) -> SplitFound:
    """Fit and estimate all subjects of a split."""
    resamples = resample(split.problems, split.n_replicates)
    folds: Ints | None = None
    found = []
    for subject in split.subjects:
        if subject.version == 1:
            found.append(_subject_v1(subject, resamples))
            continue
        if folds is None and len(split.problems) >= N_FOLDS:
            folds = grouped_folds(_tally(subject, len(split.problems)), split.n_seeds)
        found.append(_subject_v2(subject, folds, resamples))
    rows = folds.tolist() if folds is not None else []
    return SplitFound(split.split_key, split.problems, rows, found)


def _subject_v1(subject: Subject, resamples: Resamples) -> Found:
    found = Found(subject.subject_key, subject.input_key, subject.version)
    scaled: dict[str, Floats] = {}
    if len(subject.y) < N_FOLDS:
        if subject.seeds:
            found.fits.append(Fitted("platt", KFOLD_SEED, None, _too_few(subject)))
    else:
        folds = kfold_order(len(subject.y))
        curves = fit_folds_v1(subject.x, subject.y, folds)
        scaled["platt"] = out_of_fold(curves, folds, subject.p, subject.x)
        if subject.seeds:
            found.fits += _by_fold("platt", KFOLD_SEED, curves)
    if subject.estimates:
        found.estimates = _estimates(subject, scaled, resamples)
    return found


def _subject_v2(subject: Subject, folds: Ints | None, resamples: Resamples) -> Found:
    found = Found(subject.subject_key, subject.input_key, subject.version)
    p, x, y, w = subject.p, subject.x, subject.y, subject.w
    everything = np.ones((1, len(y)), bool)
    scaled: dict[str, Floats] = {}
    if subject.full:
        found.fits.append(Fitted("isotonic", None, None, fit_isotonic(p, y, w)))
    for rescaler, through_origin in (("platt", False), ("temperature", True)):
        if folds is None:
            if subject.full:
                found.fits.append(Fitted(rescaler, None, None, _too_few(subject)))
            continue
        if subject.full:
            (curve,) = fit_lines(x, y, w, everything, through_origin=through_origin)
            found.fits.append(Fitted(rescaler, None, None, curve))
        seeds = _seeds(subject)
        if seeds:
            held_out = folds[subject.problem]
            train = np.concatenate([outside(held_out[:, seed]) for seed in seeds])
            curves = fit_lines(x, y, w, train, through_origin=through_origin)
            _keep(found, scaled, subject, rescaler, curves, held_out)
    if folds is not None and _seeds(subject):
        held_out = folds[subject.problem]
        if _enough_for_isotonic(held_out):
            trains = [held_out[:, s] != fold for s in _seeds(subject) for fold in range(N_FOLDS)]
            curves = [fit_isotonic(p[train], y[train], w[train]) for train in trains]
            _keep(found, scaled, subject, "isotonic", curves, held_out)
    if subject.estimates:
        found.estimates = _estimates(subject, scaled, resamples)
    return found


def _keep(
    found: Found,
    scaled: dict[str, Floats],
    subject: Subject,
    rescaler: str,
    curves: list[Curve],
    held_out: Ints,
) -> None:
    """Sort curves, five for each seed, into those that are wanted and those to estimate with."""
    for place, seed in enumerate(_seeds(subject)):
        five = curves[place * N_FOLDS : (place + 1) * N_FOLDS]
        if seed in subject.seeds:
            found.fits += _by_fold(rescaler, seed, five)
        if seed == DIAGRAM_SEED:
            scaled[rescaler] = out_of_fold(five, held_out[:, seed], subject.p, subject.x)


def _seeds(subject: Subject) -> list[int]:
    """Return the seeds to fit: those wanted, and the one estimates are made with."""
    return sorted({*subject.seeds, *([DIAGRAM_SEED] if subject.estimates else [])})


def _estimates(
    subject: Subject, scaled: dict[str, Floats], resamples: Resamples
) -> list[tuple[str, Estimated]]:
    p, y, w, cluster = subject.p, subject.y, subject.w, subject.problem
    seed = KFOLD_SEED if subject.version == 1 else DIAGRAM_SEED
    rows = []
    for rescaler, scores in {"none": p, **scaled}.items():
        if np.isnan(scores).any():
            continue  # a fold has no curve: there is nothing to estimate
        chance = derived_seed("debiased ECE", subject.subject_key, rescaler)
        raw = rescaler == "none"
        made_by = None if raw else Rescaled(rescaler, subject.x, subject.version == 2)
        made = estimate(
            SubjectRows(scores, y, w, cluster, made_by),
            resamples,
            version=subject.version,
            seed=chance,
        )
        if not raw:
            made = [row for row in made if row.statistic not in OF_RAW_SCORES]
            held = f"; given the out-of-fold predictions of fold seed {seed}"
            made = [replace(row, method=row.method + held) for row in made]
        rows += [(rescaler, row) for row in made]
    return rows


def _by_fold(rescaler: str, seed: int, curves: list[Curve]) -> list[Fitted]:
    return [Fitted(rescaler, seed, fold, curve) for fold, curve in enumerate(curves)]


def _too_few(subject: Subject) -> Curve:
    return Curve(len(subject.y), int(subject.y.sum()), null_reason="n_lt_min")


def _tally(subject: Subject, n_problems: int) -> Floats:
    """Return how many wrong and right answers each problem has."""
    return np.stack(
        [np.bincount(subject.problem, subject.y == label, n_problems) for label in (False, True)],
        axis=1,
    )


def _enough_for_isotonic(held_out: Ints) -> bool:
    """Whether every training fold of every seed has the rows that isotonic regression needs."""
    largest = max(np.bincount(folds, minlength=N_FOLDS).max() for folds in held_out.T)
    return bool(len(held_out) - largest >= MIN_ISOTONIC)
