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
    help="Most random splits in version 2; subjects of many rows have fewer.",
)
@add("--replicates", help="Resamples of the problems for intervals.")
@add(
    "--intervals/--no-intervals",
    help="Without: fit the curves and leave smooth ECE and intervals for another call.",
)
@add("--workers", help="Processes at once.")
@no_progress
@as_json
def command(progress: bool, as_json: bool, **options: Any) -> None:
    """Fit calibration curves and estimate intervals: what is missing, and what changed.

    It makes curves that turn a confidence into a calibrated one, smooth and debiased calibration
    error, a test of calibration, and intervals. It does so for every language model, dataset,
    confidence measure and notion of correctness. The views apply them at the next build. If
    interrupted, run the same command again to continue.
    """
    from runners.cli.reports import print_reports
    from runners.steps.calibrate import calibrate

    report = calibrate(given(CalibrateSpec, options), progress=progress)
    print_reports([("calibrate", report)], as_json=as_json, next_step="assay build")
