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
    type=click.IntRange(2, 1_000_000_000),
    default=200,
    show_default=True,
    help="Compare this many samples of a problem, the first; pairs grow with its square.",
)
@no_progress
@as_json
def command(max_samples: int, progress: bool, as_json: bool) -> None:
    """Compute the pairwise similarity of the samples of each problem.

    The views derive CSim and DPass from it. Only pairs that are not compared yet are computed.
    """
    from runners.cli.reports import print_work
    from runners.steps.similarity import similarity_pairs

    report = similarity_pairs(max_samples=max_samples, progress=progress)
    print_work("similarity", report, pending=bool(report.pairs), as_json=as_json)
