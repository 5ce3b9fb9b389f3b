"""``assay calibrate``."""

from functools import partial
from typing import Any

import click

from runners.cli.options import as_json, given, no_progress, option
from runners.specs import CalibrateSpec

add = partial(option, CalibrateSpec)


@click.command(
    epilog="""\b
Examples:
  assay calibrate
  assay calibrate --lm gpt-x --dataset humaneval --workers 8
  assay calibrate --no-intervals
"""
)
@add("--lm", help="Only this language model.")
@add("--dataset", help="Only generations judged on this dataset.")
@add(
    "--seeds",
    help="At most so many random splits in version 2. Fewer from 73 rows on: 79 for 164 rows, "
    "35 for 974, 4 for 9,740.",
)
@add(
    "--replicates",
    help="Resamples of the problems, for ECE, smooth ECE and pairs. What was estimated before "
    "stays, however many it took.",
)
@add(
    "--intervals/--no-intervals",
    help="--no-intervals fits the curves only; a later call estimates smooth ECE and intervals.",
)
@add("--workers", help="Processes at once.")
@no_progress
@as_json
def command(progress: bool, as_json: bool, **options: Any) -> None:
    """Fit calibration curves and estimate intervals, where they are missing or out of date.

    It makes curves that turn a confidence into a calibrated one, smooth and debiased calibration
    error, a test of calibration, and intervals. It does so for every language model, dataset,
    confidence measure and notion of correctness. Claims get intervals alone. It also compares
    AUROC, ECE and skill of the pairs that the view comparison has. The next build puts all of it
    into the views. If interrupted, run the same command again to continue.
    """
    from runners.cli.reports import print_reports
    from runners.steps.calibrate import calibrate

    report = calibrate(given(CalibrateSpec, options), progress=progress)
    print_reports([("calibrate", report)], as_json=as_json, next_step="assay build")
