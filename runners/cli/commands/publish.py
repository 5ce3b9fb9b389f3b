"""``assay publish``."""

from typing import Any

import click

from runners.cli.options import as_json, bounded, given
from warehouse.parameters import KEPT
from warehouse.settings import KEPT_SNAPSHOTS


@click.command(
    epilog="""\b
Examples:
  assay publish
  assay publish --keep 30 --with-texts
"""
)
@click.option(
    "--keep",
    type=bounded(KEPT),
    default=KEPT_SNAPSHOTS,
    show_default=True,
    help="Snapshots to keep, the new one among them.",
)
@click.option(
    "--with-texts",
    is_flag=True,
    help="Include prompts, solutions and token log-probabilities: a much larger file.",
)
@click.option("--force", is_flag=True, help="Publish even when nothing changed.")
@as_json
def command(as_json: bool, **options: Any) -> None:
    """Write a read-only snapshot of the warehouse and swap it in.

    The snapshot is a DuckDB file that DuckDB 1.x, 2.x and duckdb-wasm open, one Parquet file per
    view and table, and a manifest with checksums. Readers of the old one are not disturbed.
    """
    from warehouse.snapshot.publish import PublishSpec, publish

    report = publish(given(PublishSpec, options))
    if as_json:
        from warehouse.values import to_json

        click.echo(to_json(report.as_dict()))
        return
    verb = "published" if report.fresh else "nothing changed since"
    shared = f", {report.n_bytes_shared / 1e6:.1f} MB of them shared with the snapshot before"
    click.echo(
        f"{verb} {report.snapshot_id}: {report.n_relations} tables, {report.n_rows:,} rows, "
        f"{report.n_bytes / 1e6:.1f} MB{shared * (report.n_bytes_shared > 0)}, "
        f"{report.seconds:.1f} s"
    )
    click.echo(report.folder)
    for name in report.removed:
        click.echo(f"removed {name}")
    click.echo("next: assay leaderboard")
