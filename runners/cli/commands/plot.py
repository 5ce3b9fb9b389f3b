"""``assay plot``."""

from pathlib import Path
from typing import Any

import click

from runners.cli.options import PATH, as_json, from_warehouse


@click.command(
    epilog="""\b
Examples:
  assay plot reliability --lm planted_over --dataset starter
  assay plot roc --dataset humaneval --measures avg_prob,verbalized
  assay plot auc-vs-ece --format pdf --out figures
  assay plot ame --dataset humaneval --version 2
"""
)
@click.argument("kind", type=click.Choice(["reliability", "roc", "auc-vs-ece", "ame"]))
@click.option("--lm", help="This language model only.")
@click.option("--dataset", help="This dataset only.")
@click.option(
    "--setting", "setting_id", metavar="ID", help="This setting; by default the least random one."
)
@click.option(
    "--notion",
    type=click.Choice(["all_pass", "exact_match"]),
    help="What counts as right; by default all_pass where tests were run.",
)
@click.option("--measures", metavar="A,B,...", help="These confidence measures only.")
@click.option(
    "--version",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Version of the views; 1 is faithful to the paper.",
)
@click.option(
    "--format",
    type=click.Choice(["pdf", "svg", "png"]),
    help="One format; by default all three.",
)
@click.option(
    "--out",
    type=PATH,
    help="Folder; by default one of today's date under the home's exports.",
)
@from_warehouse
@as_json
def command(
    kind: str,
    measures: str | None,
    format: str | None,
    out: Path | None,
    warehouse: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Draw figures of calibration and of mutation effects as PDF, SVG and PNG.

    reliability: share of right answers per bin of confidence, a panel per measure, a figure per
    language model and dataset. roc: a line per measure, a figure per language model and dataset.
    auc-vs-ece: a point per language model and measure, a panel per dataset. ame: effect and
    interval per language model and mutation, and size beside effect where sizes are known, a figure
    per dataset; version 1 draws the paper's absolute effect, version 2 the signed drop.

    Simulated language models never share a figure with real ones. The same rows give the same
    bytes; beside each file lies FILE.provenance.json with the query and where its rows came from.
    """
    from warehouse.reports.plots.canvas import FORMATS, quiet
    from warehouse.reports.plots.plot import plot
    from warehouse.reports.plots.select import Selection
    from warehouse.values import to_json

    named = tuple(name.strip() for name in measures.split(",")) if measures is not None else ()
    wanted = Selection(measures=named, **options)
    formats = (format,) if format else FORMATS
    with quiet() as lacking:
        reports = plot(kind, wanted, formats=formats, out=out, warehouse=warehouse)
    if lacking:
        characters = "".join(sorted(lacking))
        click.echo(f"note: the font lacks {characters}: boxes are drawn for them", err=True)
    if as_json:
        click.echo(to_json([report.as_dict() for report in reports]))
        return
    for report in reports:
        click.echo(report.path)
