"""``assay build``."""

import click

from runners.cli.options import as_json


@click.command(
    epilog="""\b
Examples:
  assay build
  assay build --force
  assay build --select +leaderboard
"""
)
@click.option("--select", metavar="SELECTION", help="Build a part, in dbt's own words.")
@click.option("--force", is_flag=True, help="Build even when nothing changed.")
@as_json
def command(select: str | None, force: bool, as_json: bool) -> None:
    """Build the views from the rows and test them; nothing happens when nothing changed."""
    from runners.cli.reports import print_reports
    from warehouse import settings
    from warehouse.store.connection import no_warehouse
    from warehouse.views.build import build

    if not settings.warehouse_path().exists():
        raise no_warehouse(settings.warehouse_path())
    report = build(select=select, force=force)
    for warning in report.warnings:
        click.echo(f"warning: {warning}", err=True)
    print_reports([("build", report)], as_json=as_json, next_step="assay publish")
