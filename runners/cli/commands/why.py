"""``assay why``."""

from functools import partial
from typing import Any

import click

from runners.cli.options import as_json, from_warehouse, given, option
from warehouse.reports.specs import WhySpec

add = partial(option, WhySpec)


@click.command(
    epilog="""\b
Examples:
  assay why pass_at_k lm=planted-coin k=10
  assay why pass_at_k "lm = 'planted-coin' and k = 10" --column pass_at_k
  assay why leaderboard rank=1 simulated=true --json
"""
)
@click.argument("view")
@click.argument("row", nargs=-1)
@add("--column", help="Explain this column alone; all by default.")
@add("--generations", help="List every generation; JSON always does.")
@add("--sql", help="Print the SQL of the view too.")
@from_warehouse
@as_json
def command(as_json: bool, **options: Any) -> None:
    """Explain one row of a mart: what its numbers mean, and what they are made of.

    ROW selects the row: words such as k=10, or one condition in SQL, which can read and nothing
    else. Where not exactly one row fits, the message lists keys that tell rows apart.

    Then come the description of the view, the row, why a number is NULL, and what the view reads.
    Next is how many answers, problems and programs are behind it, by verdict and by reason. Last
    come the datasets with their hashes, the runs with their commits and settings, and the
    generations.
    """
    from dataclasses import replace

    from warehouse.reports.why.explain import explain
    from warehouse.reports.why.printed import lines
    from warehouse.values import to_json

    spec = given(WhySpec, options)
    if as_json:
        click.echo(to_json(explain(replace(spec, generations=True)).as_dict()))
        return
    for line in lines(explain(spec), with_sql=spec.sql):
        click.echo(line)
