"""``assay plot``."""

from functools import partial
from typing import Any

import click

from runners.cli.options import NAMES, as_json, from_warehouse, given, option
from warehouse.reports.plots import PLOTS
from warehouse.reports.plots.spec import PlotSpec

add = partial(option, PlotSpec)


@click.command(
    epilog="""\b
Examples:
  assay plot reliability --lm planted-coin --dataset starter
  assay plot roc --dataset humaneval --measures avg_prob,verbalized
  assay plot auc-vs-ece --format pdf --out figures
  assay plot ame --dataset humaneval --version 1
  assay plot diversity --measures tree_edit_v1
  assay plot pass-at-k --dataset humaneval --k 1,10,100
  assay plot comparison --dataset humaneval --lm CodeLlama
  assay plot comparison --metric dpass --k 10
  assay plot problems --lm CodeLlama --other StarCoder
  assay plot rtc-projects --format png
  assay plot rtc-pairs --lm planted-clear
"""
)
@click.argument("kind", type=click.Choice(list(PLOTS)))
@add("--lm", help="This language model; comparison, problems: the one set against others.")
@add("--other", help="problems: the language model that --lm is set against.")
@add("--dataset", help="This dataset only.")
@add(
    "--setting",
    "setting_id",
    metavar="ID",
    help="This setting, not for comparison; by default headline_setting's.",
)
@add("--notion", help="What counts as right; by default all_pass where tests were run.")
@add("--measures", **NAMES, help="These measures of confidence, or these similarities, only.")
@add("--metric", help="comparison, problems: what is compared, as in assay compare.")
@add(
    "--k",
    **NAMES,
    help="pass-at-k: the k to draw; by default all. comparison, problems: one, by default 1.",
)
@add("--version", help="Version of the views; by default the newest. 1 is faithful to a paper.")
@add("--format", help="One format; by default all three.")
@add("--out", help="Folder; by default one of today's date under the home's exports.")
@from_warehouse
@as_json
def command(as_json: bool, **options: Any) -> None:
    """Draw figures of pass@k, comparisons, calibration, mutation effects, diversity, round trips.

    reliability: share of right answers per bin of confidence. A panel per measure, a figure per
    language model and dataset.

    roc: a line per measure. A figure per language model and dataset.

    auc-vs-ece: a point per language model and measure. A panel per dataset.

    ame: effect and interval per language model and mutation, and size beside effect where sizes
    are known. A figure per dataset. Version 1 draws the paper's absolute effect, version 2 the
    signed drop.

    diversity: pass@1, pass@10, Sim@10, CSim@10 and DPass@10 per language model. A figure per
    dataset and similarity. --measures names similarities: by default overlap_ratio, in version 1
    scc_clone_80.

    pass-at-k: pass@k with its band over every k up to the number of samples, or over those of
    --k. A line per language model, a figure per dataset.

    comparison: difference in pass@1, or in --metric, and its interval. Each entry less the best of
    its board, or --lm less each other language model. A figure per board or dataset. With --metric
    csim or dpass it needs --k 10.

    problems: pass@1, or --metric, of --lm less that of --other. A bar per problem, a figure per
    dataset.

    rtc-projects: round-trip correctness and lift per project and language model, all regions below.

    rtc-pairs: a point per project that two language models share. A figure per pair; with --lm the
    pairs of one.

    Simulated language models never share a figure with real ones. The name of a file holds what was
    asked for: setting, notion, measures. The same rows give the same bytes; beside each file lies
    FILE.provenance.json with the query and where its rows came from.
    """
    from warehouse.reports.plots.canvas import quiet
    from warehouse.reports.plots.plot import plot
    from warehouse.values import to_json

    with quiet() as lacking:
        reports = plot(given(PlotSpec, options))
    if lacking:
        characters = "".join(sorted(lacking))
        click.echo(f"note: the font lacks {characters}: boxes are drawn for them", err=True)
    if as_json:
        click.echo(to_json([report.as_dict() for report in reports]))
        return
    for report in reports:
        click.echo(report.path)
