"""``assay reflect``."""

from functools import partial
from typing import Any

import click

from runners.cli.options import as_json, backend_options, given, no_progress, option
from runners.specs import ReflectSpec

add = partial(option, ReflectSpec)


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
@add("--backend", help="How the language model is reached (docs/backends.md).")
@add("--lm", help="Name of the language model whose answers are meant.")
@add(
    "--template",
    "template",
    metavar="NAME",
    help="What is asked; may be repeated. All three by default.",
)
@add("--dataset", help="Only about answers to this dataset.")
@add("--revision", help="Revision or date of the language model.")
@add("--max-tokens", help="Longest reply.")
@add("--seed", help="Sampling seed.")
@backend_options
@no_progress
@as_json
def command(progress: bool, as_json: bool, **options: Any) -> int:
    """Ask a language model how sure it is of its answers; asks only what was not asked yet."""
    from runners.cli.reports import failed_by_loss, print_reports
    from runners.steps.reflect import reflect

    spec = given(ReflectSpec, options)
    report = reflect(spec, progress=progress)
    print_reports([(f"reflect {spec.lm}", report)], as_json=as_json, next_step="assay calibrate")
    return failed_by_loss("replies", vars(report))
