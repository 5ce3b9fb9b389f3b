"""``assay cite``."""

from functools import partial
from typing import Any

import click

from runners.cli.options import PATH, as_json, given, option
from warehouse.reports.specs import CiteSpec

add = partial(option, CiteSpec)


@click.command(
    epilog="""\b
Examples:
  assay cite
  assay cite leaderboard_v2.csv
  assay cite --view pass_at_k --view calibration_raw_v2 --dataset humaneval > references.bib
"""
)
@click.argument("export", required=False, type=PATH)
@add("--view", metavar="NAME", help="Cite the works behind this view; may be repeated.")
@add("--dataset", metavar="NAME", help="Cite the works behind this dataset; may be repeated.")
@as_json
def command(as_json: bool, **options: Any) -> None:
    """Print BibTeX of the metrics and datasets of EXPORT, a file that `assay export` wrote.

    The record beside the file names its views and datasets. Views and datasets can be named too,
    or instead. The first entry is Assay itself; without anything else it is the only one.
    """
    from warehouse.reports.citations.cite import cite
    from warehouse.values import to_json

    found = cite(given(CiteSpec, options))
    click.echo(to_json(found.as_dict()) if as_json else found.bibtex())
