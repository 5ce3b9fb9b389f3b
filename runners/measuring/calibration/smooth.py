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

import numpy as np
from scipy.sparse import coo_array

from runners.measuring.calibration.binned import Binned
from runners.measuring.calibration.folds import Bools, Floats, Ints
from runners.measuring.calibration.intervals import ROUNDING

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
    low, width = 0.0, 1.0
    for _ in range(BISECTIONS):
        middle = (width + low) / 2
        if middle < LEAST or middle < smooth_ece_at(middle, p, y, w):
            low = middle
        else:
            width = middle
    return smooth_ece_at(width, p, y, w), width


def smooth_ece_at(width: float, p: Floats, y: Bools, w: Floats) -> float:
    """Return smooth ECE under one width."""
    n_points = max(2 * CELLS, round(20 / width)) // 2 + 1
    at = np.linspace(0, 1, max(round(10 / width), MESH))
    points = np.linspace(0, 1, n_points)
    residual = np.interp(at, points, _blur(_share_out(p, w * (p - y), n_points), width))
    mass = np.interp(at, points, _blur(_share_out(p, w, n_points), width))
    return float(np.abs(residual).sum() / (mass + DENSITY_FLOOR).sum())


def smoothed(
    p: Floats, y: Bools, w: Floats, cluster: Ints, n_clusters: int, width: float
) -> Binned:
    """Return the blurred residuals and weights of each problem (row) at points from 0 to 1.

    Smooth ECE is to these points what ECE is to bins. There are fewer of them than it is summed
    over; gaps are scaled so that they add up to it.
    """
    w = w * (len(w) / w.sum())
    blur = _blur_of_cells(width)
    places, part = _places(p, CELLS + 1)
    rows, cells = np.tile(cluster, 2), np.concatenate([places, places + 1])

    def blurred(values: Floats) -> Floats:
        shared = np.concatenate([(1 - part) * values, part * values])
        return np.asarray(
            coo_array((shared, (rows, cells)), (n_clusters, CELLS + 1)).tocsr() @ blur
        )

    gaps = blurred(w * (p - y))
    found = Binned(gaps, blurred(w))
    if found.ece < ROUNDING:
        return found
    return Binned(gaps * (smooth_ece_at(width, p, y, w) / found.ece), found.weights)


def _gauss(away: Floats, width: float) -> Floats:
    return np.asarray(np.exp(-away * away / (2 * width**2)) / (np.sqrt(2 * np.pi) * width))


def _share_out(p: Floats, values: Floats, n_points: int) -> Floats:
    """Share each value between the two grid points beside its score."""
    place, part = _places(p, n_points)
    shared = np.bincount(place, (1 - part) * values, n_points)
    return np.asarray(shared + np.bincount(place + 1, part * values, n_points))


def _blur_of_cells(width: float) -> Floats:
    """Return what each point of the coarse grid (row) adds to each point of a coarser one."""
    n_points = next((n for n in POINTS if n >= 4 / width), POINTS[-1])
    away = np.arange(2 * CELLS + 1) / CELLS
    kernel = np.where(away <= 0.5, _gauss(away, width), 0)
    at, grid = np.arange(n_points) * (CELLS // (n_points - 1)), np.arange(CELLS + 1)[:, None]
    blur = kernel[abs(at - grid)] + kernel[at + grid] + kernel[2 * CELLS - grid - at]
    blur[[0, -1]] /= 2  # an end is its own image
    return np.asarray(blur)


def _places(p: Floats, n_points: int) -> tuple[Ints, Floats]:
    exact = p * (n_points - 1)
    place = exact.astype(np.int64).clip(0, n_points - 2)
    return place, exact - place


def _blur(values: Floats, width: float) -> Floats:
    """Convolve with the cut-off Gaussian, reflecting at both ends."""
    n_points = len(values)
    around = np.concatenate([values, values[-2:0:-1]])
    kernel = np.zeros(len(around))
    kernel[np.arange(n_points) - n_points // 2] = _kernel(width, n_points)
    blurred = np.fft.irfft(np.fft.rfft(around) * np.fft.rfft(kernel), len(around))
    return np.asarray(blurred[:n_points])


def _kernel(width: float, n_points: int) -> Floats:
    return _gauss(np.linspace(0, 1, n_points) - 0.5, width)
