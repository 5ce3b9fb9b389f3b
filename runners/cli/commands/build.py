"""``assay build``."""

from typing import Any

import click

from runners.cli.options import as_json, given


@click.command(
    epilog="""\b
Examples:
  assay build
  assay build --force
  assay build --select +leaderboard
"""
)
@click.option(
    "--select",
    metavar="VIEWS",
    help="Build only these views, such as 'pass_at_k +leaderboard'. +view adds what it reads, "
    "view+ what reads it.",
)
@click.option("--force", is_flag=True, help="Build even when nothing changed.")
@as_json
def command(as_json: bool, **options: Any) -> None:
    """Build the views from the rows and test them; nothing happens when nothing changed."""
    from runners.cli.reports import print_reports
    from warehouse.store.connection import require_warehouse
    from warehouse.views.build import BuildSpec, build

    require_warehouse()
    report = build(given(BuildSpec, options))
    for warning in report.warnings:
        click.echo(f"warning: {warning}", err=True)
    print_reports([("build", report)], as_json=as_json, next_step="assay publish")
