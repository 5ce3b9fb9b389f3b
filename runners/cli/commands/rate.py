"""``assay rate``."""

from functools import partial
from typing import Any

import click

from runners.cli.options import as_json, backend_options, given, no_progress, option
from runners.specs import RateSpec

add = partial(option, RateSpec)


@click.command(
    epilog="""\b
Examples:
  assay rate --backend planted --lm critic
  assay rate --backend planted --lm critic --template pair_judge_v2 -o judge_bias=0.5
  assay rate --backend openai --lm tiny --template pair_judge_v2 -o base_url=http://127.0.0.1:8000/v1
  assay rate --backend openai --lm gpt-x --pairs all --dataset humaneval -o api=chat
      -o base_url=https://api.openai.com/v1

\b
Templates: pair_judge_v1 asks once about each pair, at temperature 0. pair_judge_v2 asks six times,
three in each order, at temperature 1; about a program and itself it asks three times.
"""
)
@add("--backend", help="How the language model is reached; planted is a simulated one.")
@add("--lm", help="Name of the language model that rates.")
@add("--template", help="What is asked, how often and in which order: see below.")
@add(
    "--pairs",
    help="neighbours: samples 1 and 2, 3 and 4, ..., and likewise among right samples, as in the "
    "diversity paper. all: every pair, which sim_at_k_v2 needs.",
)
@add("--max-samples", help="Rate only the first N samples of each language model for a problem.")
@add("--dataset", help="Rate only programs that answer this dataset; by default all.")
@add("--answered-by", help="Rate only programs of this language model; by default all.")
@add("--revision", help="Revision or date of the language model that rates; by default empty.")
@add(
    "--max-tokens",
    help="Maximum tokens of a reply; by default 16 (pair_judge_v1) or 256 (pair_judge_v2).",
)
@add(
    "--seed",
    help="Sampling seed of the first vote; the next votes add 1 and 2. Default: none is sent.",
)
@backend_options
@no_progress
@as_json
def command(progress: bool, as_json: bool, **options: Any) -> int:
    """Ask a language model how similar two programs of one problem are, from 1 to 5.

    1 is completely different, 5 an exact copy. Programs are those with a verdict (`assay execute`),
    shown without comments and docstrings. Only pairs without a stored reply are asked about. The
    number of requests is printed before the first is sent. A reply without a level is kept, and is
    not asked for again. `judge_health` says how far replies can be trusted (docs/similarity.md).
    """
    from runners.cli.reports import failed_by_loss, print_reports
    from runners.steps.ratings.rate import rate

    spec = given(RateSpec, options)
    report = rate(spec, progress=progress)
    print_reports([(f"rate {spec.lm}", report)], as_json=as_json, next_step="assay build")
    return failed_by_loss("ratings", vars(report))
