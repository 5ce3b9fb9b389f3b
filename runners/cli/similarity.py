"""``assay similarity``."""

import click

from runners.cli.options import as_json, no_progress


@click.command(
    epilog="""\b
Examples:
  assay similarity
"""
)
@click.option(
    "--max-samples",
    type=click.IntRange(min=2),
    default=200,
    show_default=True,
    help="Compare the first so many samples of a problem: pairs grow with the square.",
)
@no_progress
@as_json
def command(max_samples: int, progress: bool, as_json: bool) -> None:
    """Measure how alike the solutions of a problem are: every pair not compared yet."""
    from runners.cli.reports import print_work
    from runners.similarity import similarity_pairs

    report = similarity_pairs(max_samples=max_samples, progress=progress)
    print_work("similarity", report, pending=bool(report.pairs), as_json=as_json)
