"""``assay gc``."""

import click

from runners.cli.options import as_json, bounded
from warehouse.parameters import KEPT
from warehouse.settings import KEPT_SNAPSHOTS


@click.command(
    epilog="""\b
Examples:
  assay gc
  assay gc --keep 3
  assay gc --yes
"""
)
@click.option(
    "--keep",
    type=bounded(KEPT),
    default=KEPT_SNAPSHOTS,
    show_default=True,
    help="Snapshots to keep, the newest; the published one is always kept.",
)
@click.option("--yes", is_flag=True, help="Remove them; without this they are only listed.")
@as_json
def command(keep: int, yes: bool, as_json: bool) -> None:
    """List files that take up disk and are no longer needed, or remove them with --yes.

    These are old snapshots, dbt's own files and the remains of an interrupted publish. So are
    downloads, projects and packages, which are fetched again when they are needed. Rows, exports
    and refused shards stay. A project that was named by a path stays while the warehouse has rows
    of it. A file stays while a process has it open. If interrupted, run the same command again to
    continue.
    """
    from dataclasses import asdict

    from warehouse.places import size
    from warehouse.snapshot.garbage import find_garbage, remove_garbage
    from warehouse.values import to_json

    found = find_garbage(keep=keep)
    gone = remove_garbage(found) if yes else []
    if as_json:
        click.echo(to_json({"found": [asdict(one) for one in found], "removed": len(gone)}))
        return
    for one in found:
        what = "in use, kept" if one.in_use else one.why
        click.echo(f"{size(one.n_bytes):>10}  {one.kind:<10}  {one.path}  ({what})")
    may_go = [one for one in found if not one.in_use]
    total = size(sum(one.n_bytes for one in (gone if yes else may_go)))
    if yes:
        click.echo(f"{total} removed")
    elif may_go:
        named = "" if keep == KEPT_SNAPSHOTS else f" --keep {keep}"
        click.echo(f"{total} may go; nothing is removed without --yes\nnext: assay gc{named} --yes")
    else:
        click.echo("nothing to remove")
