"""``assay leaderboard``."""

import click

from runners.cli.options import as_json, from_warehouse


@click.command(
    epilog="""\b
Examples:
  assay leaderboard
  assay leaderboard --dataset humaneval --view-version 1
  assay leaderboard --no-simulated --json
"""
)
@click.option("--dataset", help="Only this dataset.")
@click.option(
    "--view-version",
    type=click.IntRange(min=1),
    help="Version of the view; by default the newest.",
)
@click.option(
    "--simulated/--no-simulated",
    default=None,
    help="Only simulated language models, or only real ones; by default both.",
)
@click.option("--columns", metavar="A,B,...", help="Print these columns of the view.")
@from_warehouse
@as_json
def command(
    dataset: str | None,
    view_version: int | None,
    simulated: bool | None,
    columns: str | None,
    warehouse: bool,
    as_json: bool,
) -> None:
    """Print the leaderboard: a table per dataset, and another for its simulated language models.

    Percentages, with 95% intervals in brackets; the best of a column is bold, and ties share it.
    """
    from runners.cli import show
    from warehouse.reports import board

    names = [name.strip() for name in columns.split(",")] if columns is not None else None
    found = board.read(
        dataset=dataset, view_version=view_version, simulated=simulated, warehouse=warehouse
    )
    if as_json:
        show.print_json(found.result)
    else:
        board.show(found, names)
