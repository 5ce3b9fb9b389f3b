"""``assay calibrate``."""

import click

from runners.cli.options import COUNT, WORKERS, as_json, no_progress


@click.command(
    epilog="""\b
Examples:
  assay calibrate
  assay calibrate --lm gpt-x --dataset humaneval --workers 8
  assay calibrate --no-intervals
"""
)
@click.option("--lm", help="Only this language model.")
@click.option("--dataset", help="Only generations judged on this dataset.")
@click.option(
    "--seeds",
    type=click.IntRange(1, 20),
    default=20,
    show_default=True,
    help="Fold seeds of version 2, from 0; its views need all 20.",
)
@click.option(
    "--replicates",
    type=COUNT,
    default=2000,
    show_default=True,
    help="Resamples of the problems for intervals.",
)
@click.option(
    "--intervals/--no-intervals",
    default=True,
    help="Without: fit the curves and leave smooth ECE and intervals for another call.",
)
@click.option("--workers", type=WORKERS, default=2, show_default=True, help="Processes at once.")
@no_progress
@as_json
def command(
    lm: str | None,
    dataset: str | None,
    seeds: int,
    replicates: int,
    intervals: bool,
    workers: int,
    progress: bool,
    as_json: bool,
) -> None:
    """Fit calibration curves and estimate intervals: what is missing, and what changed.

    Curves that turn a stated confidence into a calibrated one, smooth and debiased calibration
    error, and bootstrap intervals, for every language model, dataset, confidence measure and
    notion of correctness. The views apply them at the next build. If interrupted, run the same
    command again to continue.
    """
    from runners.cli.reports import print_reports
    from runners.steps.calibrate import calibrate

    report = calibrate(
        lm=lm,
        dataset=dataset,
        seeds=seeds,
        replicates=replicates,
        intervals=intervals,
        workers=workers,
        progress=progress,
    )
    print_reports([("calibrate", report)], as_json=as_json, next_step="assay build")
