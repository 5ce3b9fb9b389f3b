"""``assay ingest``."""

from pathlib import Path

import click

from ingest.datasets import DATASETS
from runners.cli.options import as_json


@click.command(
    epilog=f"""\b
Examples:
  assay ingest starter
  assay ingest humaneval mbpp
  assay ingest humaneval --path HumanEval.jsonl.gz

\b
Datasets: {", ".join(DATASETS)}
"""
)
@click.argument(
    "names", metavar="NAME...", nargs=-1, required=True, type=click.Choice(list(DATASETS))
)
@click.option(
    "--path", type=click.Path(path_type=Path), help="Read this file instead of downloading."
)
@click.option(
    "--sha256", metavar="HEX", help="Checksum the file must have; else the release's own."
)
@click.option("--unpinned", is_flag=True, help="Accept a file of any checksum; it is recorded.")
@as_json
def command(
    names: tuple[str, ...], path: Path | None, sha256: str | None, unpinned: bool, as_json: bool
) -> None:
    """Bring in the problems of one or more datasets.

    A file is downloaded once, checked against the checksum of its release and kept in the cache.
    Ingesting again adds nothing.
    """
    if len(names) > 1 and (path is not None or sha256 is not None):
        raise click.UsageError("--path and --sha256 go with one NAME")
    from ingest.loader import ingest_dataset
    from runners.cli.reports import print_reports

    print_reports(
        (
            (f"ingest {name}", ingest_dataset(name, path, sha256=sha256, unpinned=unpinned))
            for name in names
        ),
        as_json=as_json,
    )
