"""``assay leaderboard``."""

from functools import partial
from typing import Any

import click

from runners.cli.options import NAMES, as_json, from_warehouse, given, option
from warehouse.reports.specs import LeaderboardSpec

add = partial(option, LeaderboardSpec)


@click.command(
    epilog="""\b
Examples:
  assay leaderboard
  assay leaderboard --dataset humaneval --view-version 1
  assay leaderboard --no-simulated --json
  assay leaderboard --k 1,20,50
"""
)
@add("--dataset", help="Only this dataset.")
@add("--view-version", help="Version of the view; by default the newest.")
@add(
    "--simulated/--no-simulated",
    help="Only simulated language models, or only real ones; by default both.",
)
@add("--columns", **NAMES, help="Print these columns of the view.")
@add("--k", **NAMES, help="Show pass@k at these k; by default at those of the view.")
@from_warehouse
@as_json
def command(as_json: bool, **options: Any) -> None:
    """Print the leaderboard: a table per board, and others for simulated language models.

    A board has the entries (language model and setting) that were asked alike: same release, task,
    kind of prompt and temperature. Entries that share a number under "ties" do not differ
    significantly. In brackets beside a rank are the best and the worst that the tests allow. "#
    common" ranks by the problems that all ranked entries of the board have. Percentages, with 95%
    intervals in brackets; the best of a column is bold.
    """
    from runners.cli import show
    from warehouse.reports import board

    spec = given(LeaderboardSpec, options)
    found = board.board_of(spec)
    if as_json:
        show.print_json(found.result)
    else:
        board.show(found, spec.columns, spec.k)
