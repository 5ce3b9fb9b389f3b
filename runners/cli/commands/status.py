"""``assay status``."""

from typing import Any

import click

from runners.cli.options import as_json

ANOTHER_TRY = (
    "another try: `assay execute --retry-rejected`, and --reference-cpu-limit or --memory-limit "
    "where they need more"
)


@click.command(
    epilog="""\b
Examples:
  assay status
  assay status --json
"""
)
@as_json
def command(as_json: bool) -> None:
    """Say what is under way, in the warehouse, pending and on disk, and how the last runs ended.

    The alarms that the last nightly printed are repeated.

    Samples (generations) and reflections, which are answers about samples, are counted
    apart; ratings of pairs count as reflections.
    """
    from runners.steps.status import status
    from warehouse.values import to_json

    found = status()
    if as_json:
        click.echo(to_json(found))
    else:
        _print(found)


def _print(found: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from runners.cli.show import cell
    from warehouse.places import size

    console = Console(highlight=False)
    if found["under_way"]:
        console.print(Text("under way", style="bold"))
        for step in found["under_way"]:
            share = f", {step['done'] / step['total']:.0%}" if step["total"] else ""
            console.print(
                Text(
                    f"  {step['label']}: {step['done']:,} of {step['total']:,}{share}, since "
                    f"{step['started_at'][11:19]} UTC, process {step['pid']}"
                    + (f"; {step['note']}" if step["note"] else "")
                )
            )
        for table, count in found["spooled"].items():
            console.print(Text(f"  {count:,} rows of {table} are on disk and not appended yet"))
        console.print()
    for title in ("datasets", "rejected", "generations", "runs"):
        rows = found[title]
        if title == "rejected" and not rows:
            continue
        console.print(Text(title, style="bold"))
        if not rows:
            console.print("  none yet\n")
            continue
        table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
        for name, value in rows[0].items():
            is_number = isinstance(value, int | float)
            table.add_column(
                name.removeprefix("n_").replace("_", " "), justify="right" if is_number else "left"
            )
        for row in rows:
            table.add_row(*(cell(value) for value in row.values()))
        console.print(table)
        if title == "rejected":
            console.print(Text(f"  {ANOTHER_TRY}"))
        console.print()
    console.print(Text("to do", style="bold"))
    for line in found["to_do"] or ["nothing"]:
        console.print(Text(f"  {line}"))
    console.print(Text("\nsnapshot", style="bold"))
    console.print(Text(f"  {found['snapshot']['state']}"))
    console.print(Text("\non disk", style="bold"))
    sizes = (f"{name} {size(value)}" for name, value in found["disk"].items() if value)
    console.print(Text(f"  {', '.join(sizes)}"))
    if found["nightly"]:
        console.print(Text("\nlast nightly", style="bold"))
        console.print(Text(f"  {found['nightly']['state']}"))
        for line in found["nightly"]["new_alarms"]:
            console.print(Text(f"  alarm: {line}"))
