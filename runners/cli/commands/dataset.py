"""``assay dataset``."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from runners.cli.options import Place, as_json, given, no_progress, option
from runners.specs import DatasetCheckSpec

add = partial(option, DatasetCheckSpec)


@click.group(
    epilog="""\b
Examples:
  assay dataset check mybench.jsonl
"""
)
def command() -> None:
    """Check a dataset of your own before it is ingested."""


@command.command(
    epilog="""\b
Examples:
  assay dataset check mybench.jsonl
  assay dataset check mybench --trust-tests (a folder with dataset.toml)
"""
)
@click.argument("path", type=Place(path_type=Path))
@add(
    "--trust-tests",
    help="Let the judge run the code of the tests, outside the sandbox, as `assay ingest` would.",
)
@add("--workers", help="Programs at once.")
@add("--isolation", help="Isolation level, as for `assay execute`.")
@no_progress
@as_json
def check(progress: bool, as_json: bool, **options: Any) -> None:
    """Read every row of PATH, run every reference, and say line by line what would fail.

    PATH is JSON Lines, JSON, CSV, Parquet or a folder with dataset.toml. Nothing is written. The
    keys of a row are in docs/own_datasets.md.
    """
    from runners.cli.reports import print_reports
    from runners.steps.datasets.check import check_dataset

    spec = given(DatasetCheckSpec, options)
    report = check_dataset(spec, progress=progress)
    print_reports(
        [(f"check {spec.path.name}", report)],
        as_json=as_json,
        next_step=f"assay ingest {spec.path} --as NAME",
    )
