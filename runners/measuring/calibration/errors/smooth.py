"""Smooth ECE: the error that is left when predictions are blurred by as much as the error itself.

Błasiok and Nakkiran (arXiv 2309.12236), in the discretisation of their package relplot, which the
definition names. Residuals are shared between the points of a grid and blurred by a Gaussian cut
off half a unit away, reflected at 0 and 1. A grid point at an end is reflected onto itself, so what
lies exactly at 0 or 1 counts half. Version 2 keeps that, so that its numbers are relplot's.

Idea: the width of the blur is found by bisection, where the error that is left equals the width.
Assumed: scores are in [0, 1]. Weights count by their ratios.
Refused: nothing here; the views leave out subjects without rows.
Proved: tests/runners/measuring/test_calibration_estimates.py, against relplot.
"""

from collections.abc import Callable
from functools import cache, lru_cache, partial

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from scipy.sparse import coo_array

from runners.measuring.calibration.errors.binned import Binned
from runners.measuring.calibration.errors.chance import Places, drawn_errors, share_as_large
from runners.measuring.calibration.folds import Bools, Floats, Ints
from runners.measuring.calibration.intervals import ROUNDING

Spectrum = NDArray[np.complex128]
BISECTIONS = 10
LEAST = 0.001
DENSITY_FLOOR = 1e-4
CELLS = 1000
MESH = 200
POINTS = (101, 126, 201, 251, 501)
"""Numbers of points that all lie on the grid of 1,000 cells."""


def smooth_ece(p: Floats, y: Bools, w: Floats) -> tuple[float, float]:
    """Return smooth ECE and the width at which it was taken.

    Only the ratios of weights matter: relplot's density floor is for rows of weight 1 on average.
    """
    w = w * (len(w) / w.sum())
    spectrum = cache(partial(_spectrum, p, np.stack([w * (p - y), w])))
    low, width = 0.0, 1.0
    for _ in range(BISECTIONS):
        middle = (width + low) / 2
        if middle < LEAST or middle < _left_at(middle, spectrum):
            low = middle
        else:
            width = middle
    return _left_at(width, spectrum), width


def smooth_ece_at(width: float, p: Floats, y: Bools, w: Floats) -> float:
    """Return smooth ECE under one width."""
    return _left_at(width, partial(_spectrum, p, np.stack([w * (p - y), w])))


def _left_at(width: float, spectrum: Callable[[int], Spectrum]) -> float:
    """Return the error that is left; ``spectrum``: of residuals and weights on so many points."""
    n_points = max(2 * CELLS, round(20 / width)) // 2 + 1
    at = np.linspace(0, 1, max(round(10 / width), MESH))
    points = np.linspace(0, 1, n_points)
    blurred = _blur(spectrum(n_points), width, n_points)
    residual, mass = (np.interp(at, points, values) for values in blurred)
    return float(np.abs(residual).sum() / (mass + DENSITY_FLOOR).sum())


def smoothed(
    p: Floats, y: Bools, w: Floats, cluster: Ints, n_clusters: int, width: float
) -> Binned:
    """Return the blurred residuals and weights of each problem (row) at points from 0 to 1.

    Smooth ECE is to these points what ECE is to bins. There are fewer of them than it is summed
    over; gaps are scaled so that they add up to it.
    """
    w = w * (len(w) / w.sum())
    gaps, weights = (_blurred(p, width, values, cluster, n_clusters) for values in (w * (p - y), w))
    found = Binned(gaps, weights)
    if found.ece < ROUNDING:
        return found
    return Binned(gaps * (smooth_ece_at(width, p, y, w) / found.ece), found.weights)


def by_point(p: Floats, width: float, values: Floats) -> Floats:
    """Add up blurred values of rows at the same points."""
    return _blurred(p, width, values, np.zeros(len(p), np.int64), 1).ravel()


def chance_p(p: Floats, y: Bools, w: Floats, cluster: Ints, width: float, seed: int) -> float:
    """Return how often labels drawn from the confidences have a smooth ECE as large as observed.

    A wider blur leaves less error. So the smooth ECE of a draw is larger than the observed one
    exactly where it leaves a larger error under the observed width. No other width is sought.
    """
    points = Places(np.rint(p * CELLS).astype(np.int64), _blur_of_cells(width))
    return share_as_large(*drawn_errors(p, y, w, cluster, points, seed))


def _gauss(away: Floats, width: float) -> Floats:
    return np.asarray(np.exp(-away * away / (2 * width**2)) / (np.sqrt(2 * np.pi) * width))


def _spectrum(p: Floats, values: Floats, n_points: int) -> Spectrum:
    """Share rows of values between the two grid points beside each score, mirror, transform."""
    place, part = _places(p, n_points)
    shared = [
        np.bincount(place, (1 - part) * one, n_points)
        + np.bincount(place + 1, part * one, n_points)
        for one in values
    ]
    around = np.stack(shared)
    return np.asarray(np.fft.rfft(np.concatenate([around, around[:, -2:0:-1]], axis=1)))


@lru_cache(maxsize=1)
def _blur_of_cells(width: float) -> Floats:
    """Return what each point of the coarse grid (row) adds to each point of a coarser one.

    Gaps, weights and drawn labels of a subject have one width.
    """
    n_points = next((n for n in POINTS if n >= 4 / width), POINTS[-1])
    away = np.arange(2 * CELLS + 1) / CELLS
    kernel = np.where(away <= 0.5, _gauss(away, width), 0)
    step = CELLS // (n_points - 1)
    direct = np.concatenate([kernel[CELLS:0:-1], kernel[: CELLS + 1]])
    images = kernel, kernel[::-1]  # in the ends 0 and 1
    blur = _windows(direct, step)[::-1] + _windows(images[0], step) + _windows(images[1], step)
    blur[[0, -1]] /= 2  # an end is its own image
    return np.asarray(blur)


def _places(p: Floats, n_points: int) -> tuple[Ints, Floats]:
    exact = p * (n_points - 1)
    place = exact.astype(np.int64).clip(0, n_points - 2)
    return place, exact - place


def _blurred(p: Floats, width: float, values: Floats, cluster: Ints, n_clusters: int) -> Floats:
    """Return blurred values of each cluster (row) at points (columns)."""
    places, part = _places(p, CELLS + 1)
    rows, cells = np.tile(cluster, 2), np.concatenate([places, places + 1])
    shared = np.concatenate([(1 - part) * values, part * values])
    by_cell = coo_array((shared, (rows, cells)), (n_clusters, CELLS + 1)).tocsr()
    return np.asarray(by_cell @ _blur_of_cells(width))


def _windows(values: Floats, step: int) -> Floats:
    """Return values[row + step * column], for each cell (row) and coarser point (column)."""
    return sliding_window_view(values, CELLS + 1)[:, ::step]


def _blur(spectrum: Spectrum, width: float, n_points: int) -> Floats:
    """Convolve mirrored rows with the cut-off Gaussian."""
    blurred = np.fft.irfft(spectrum * _kernel_spectrum(width, n_points), 2 * (n_points - 1))
    return np.asarray(blurred[:, :n_points])


@lru_cache(maxsize=256)
def _kernel_spectrum(width: float, n_points: int) -> Spectrum:
    """Return the transform of the Gaussian. Bisections come to the same widths again."""
    kernel = np.zeros(2 * (n_points - 1))
    kernel[np.arange(n_points) - n_points // 2] = _kernel(width, n_points)
    return np.asarray(np.fft.rfft(kernel))


def _kernel(width: float, n_points: int) -> Floats:
    return _gauss(np.linspace(0, 1, n_points) - 0.5, width)
