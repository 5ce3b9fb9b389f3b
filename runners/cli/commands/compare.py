"""``assay compare``."""

from functools import partial
from typing import Any

import click

from runners.cli.options import as_json, from_warehouse, given, option
from warehouse.reports.specs import CompareSpec

add = partial(option, CompareSpec)


@click.command(
    epilog="""\b
Examples:
  assay compare CodeLlama StarCoder
  assay compare CodeLlama StarCoder --dataset humaneval --k 1 --flips
  assay compare my-lm my-lm --metric csim --json
  assay compare my-lm other-lm --metric auroc --warehouse
  assay compare CodeLlama StarCoder --claimed --flips
"""
)
@click.argument("a")
@click.argument("b")
@add("--dataset", help="Only this dataset.")
@add(
    "--metric",
    help="pass_at_k (the default), csim, dpass, exact_match, accuracy_drop_ and a mutation, "
    "rtc_pass; or brier_, auroc_, ece_ or skill_ and a measure of confidence, such as "
    "brier_avg_prob. brier, auroc, ece and skill alone ask for every measure.",
)
@add("--k", help="Only this k; every k by default.")
@add(
    "--setting-a",
    metavar="ID",
    help="Take A under this setting (see compared_entries).",
)
@add(
    "--setting-b",
    metavar="ID",
    help="Take B under this setting.",
)
@add(
    "--claimed",
    help="Compare what others claim (see claimed_comparison); --metric is then one of theirs.",
)
@add("--flips", help="List the problems whose values differ, with their generations.")
@add(
    "--replicates",
    help="Resamples of the problems for AUROC, ECE and skill of a pair that comparison_v1 lacks. "
    "Default: 2000.",
)
@from_warehouse
@as_json
def command(as_json: bool, **options: Any) -> None:
    """Compare the language models A and B over the problems of both.

    The difference is A minus B, in points, with a 95% interval over problems. Then come the tests,
    and how many problems one alone solved. p values are corrected for all pairs of the same
    release, metric, k and pairing (of language models, or of settings). Last come the smallest
    difference found with 80% power by a test that is not corrected, and whether A and B are
    equivalent. With several samples they are followed by how much of the variance lies between
    problems, and how much is chance of sampling. A and B are compared under their headline settings
    (see headline_setting), or under those named; the same name twice compares the settings of one.
    The output says how the two settings differ. A pair that comparison_v1 lacks is computed, and
    its p value is not corrected.
    AUROC, ECE and skill of such a pair are resampled from single answers: add --warehouse.
    With --claimed, A and B are compared by claimed verdicts only.
    Name a language model by name, by name and revision, or by key.
    """
    from runners.measuring.calibration.on_demand import REPLICATES, resampled
    from warehouse.reports.comparison import printed
    from warehouse.reports.comparison.rows import compare
    from warehouse.values import to_json

    spec = given(CompareSpec, options)
    found = compare(spec, partial(resampled, replicates=spec.replicates or REPLICATES))
    rows = found.named()
    if as_json:
        click.echo(to_json(rows))
        return
    for row in rows:
        click.echo(printed.title(row))
        for label, words in printed.described(row):
            click.echo(f"  {label:38}  {words}")
        if spec.flips:
            for line in printed.flip_lines(row):
                click.echo(line)
        click.echo()
    click.echo(found.source)
