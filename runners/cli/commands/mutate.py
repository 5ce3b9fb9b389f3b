"""``assay mutate``."""

import click

from ingest.mutations import MUTATIONS
from runners.cli.options import WORKERS, as_json, no_progress
from runners.specs import ISOLATIONS


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
@click.option(
    "--mutation",
    "mutations",
    multiple=True,
    type=click.Choice(list(MUTATIONS)),
    help="Only this mutation; may be repeated.",
)
@click.option("--workers", type=WORKERS, default=2, show_default=True, help="Programs at once.")
@click.option(
    "--isolation",
    type=click.Choice(ISOLATIONS),
    default="auto",
    show_default=True,
    help="As execute.",
)
@no_progress
@as_json
def command(
    dataset: str,
    mutations: tuple[str, ...],
    workers: int,
    isolation: str,
    progress: bool,
    as_json: bool,
) -> None:
    """Make counterfactual pairs of a dataset's references and prove them by running both sides.

    References that fail their own tests are left out and counted; places where a mutation cannot
    be shown to be safe are rows that say why. Only what is missing is done.
    """
    from runners.cli.reports import print_reports
    from runners.steps.mutate import mutate
    from warehouse.errors import CheckFailed

    report = mutate(
        dataset=dataset,
        mutations=mutations or tuple(MUTATIONS),
        workers=workers,
        isolation=isolation,
        progress=progress,
    )
    print_reports(
        [(f"mutate {dataset}", report)],
        as_json=as_json,
        next_step=f"assay generate --dataset {dataset} --task counterfactual ...",
    )
    if report.failing_canaries:
        raise CheckFailed("reference solutions failed: " + "; ".join(report.failing_canaries[:5]))
