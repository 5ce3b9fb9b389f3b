"""``assay reflect``."""

from typing import Any

import click

from runners.cli.options import COUNT, SEED, as_json, backend_options, given, no_progress
from runners.drawing.backends import BACKENDS
from runners.specs import ReflectSpec


@click.command(
    epilog="""\b
Examples:
  assay reflect --backend planted --lm coin -o pass_rate=0.5
  assay reflect --backend openai --lm tiny --template ask_tf_v1 -o base_url=http://127.0.0.1:8000/v1

\b
Templates: verbalized_v1 and verbalized_v2 ask for a percentage, and up to three times again while
none can be read; ask_tf_v1 asks for TRUE or FALSE and needs log-probabilities.
"""
)
@click.option("--backend", required=True, type=click.Choice(list(BACKENDS)), help="Who answers.")
@click.option("--lm", required=True, help="Name of the language model whose answers are meant.")
@click.option(
    "--template",
    "template",
    multiple=True,
    metavar="NAME",
    help="What is asked; may be repeated. All three by default.",
)
@click.option("--dataset", help="Only about answers to this dataset.")
@click.option("--revision", default="", help="Revision or date of the language model.")
@click.option("--max-tokens", type=COUNT, help="Longest reply.")
@click.option("--seed", type=SEED, help="Sampling seed.")
@backend_options
@no_progress
@as_json
def command(progress: bool, as_json: bool, **options: Any) -> int:
    """Ask a language model how sure it is of its own answers: only what was not asked yet."""
    from runners.cli.reports import print_reports
    from runners.steps.reflect import reflect

    spec = given(ReflectSpec, options)
    report = reflect(spec, progress=progress)
    print_reports([(f"reflect {spec.lm}", report)], as_json=as_json, next_step="assay calibrate")
    if not report.lost:
        return 0
    n_lost = sum(report.lost.values())
    click.echo(
        f"error: {n_lost:,} replies were not drawn: {report.why_lost}; "
        "run the same command again to retry them",
        err=True,
    )
    return 1
