"""``assay mutate``."""

from functools import partial
from typing import Any

import click

from ingest.mutations import MUTATIONS
from runners.cli.options import as_json, given, no_progress, option
from runners.specs import MutateSpec

add = partial(option, MutateSpec)


@click.command(
    epilog=f"""\b
Examples:
  assay mutate humaneval
  assay mutate mbpp --mutation if_else_flip --mutation names_random
  assay sql "select * from mutation_yield"

\b
Mutations: {", ".join(MUTATIONS)}
"""
)
@click.argument("dataset")
@add("--mutation", "mutations", help="Only this mutation; may be repeated.")
@add("--workers", help="Programs at once.")
@add("--isolation", help="Isolation level, as for `assay execute`.")
@no_progress
@as_json
def command(progress: bool, as_json: bool, **options: Any) -> None:
    """Make counterfactual pairs of a dataset's references and prove them by running both sides.

    References that fail their own tests are left out and counted. Where a mutation cannot be shown
    to be safe, a row of `raw.mutation_site` says why. Pairs that are stored are not made again.
    """
    from runners.cli.reports import print_reports
    from runners.steps.mutate import mutate
    from warehouse.errors import CheckFailed

    spec = given(MutateSpec, options)
    report = mutate(spec, progress=progress)
    print_reports(
        [(f"mutate {spec.dataset}", report)],
        as_json=as_json,
        next_step=f"assay generate --dataset {spec.dataset} --task counterfactual ...",
    )
    if report.failing_canaries:
        raise CheckFailed("reference solutions failed: " + "; ".join(report.failing_canaries[:5]))
