"""``assay similarity``."""

from functools import partial
from typing import Any

import click

from runners.cli.options import as_json, given, no_progress, option
from runners.specs import SimilaritySpec

add = partial(option, SimilaritySpec)


@click.command(
    epilog="""\b
Examples:
  assay similarity
  assay similarity --encoder ~/encoders/st-codesearch-distilroberta-base
"""
)
@add(
    "--max-samples",
    help="Compare this many samples of a problem, the first; pairs grow with its square.",
)
@add(
    "--encoder",
    help="Folder of a text encoder, of sentence-transformers or model2vec: nothing is downloaded.",
)
@add("--workers", help="Processes that compare.")
@no_progress
@as_json
def command(progress: bool, as_json: bool, **options: Any) -> None:
    """Compute the similarity of samples, and of round trips to their code.

    Samples of each problem are compared in pairs, by shared tokens, TF-IDF, syntax trees, structure
    and, where one is named, a text encoder: views compute CSim and DPass from it. Programs
    of round trips are compared with the code that was described, by BLEU, chrF and CodeBLEU, and
    descriptions of edits with what a person said of them, by BLEU. Only what is not compared yet is
    computed.
    """
    from runners.cli.reports import print_work
    from runners.steps.similarity import similarity_pairs

    report = similarity_pairs(given(SimilaritySpec, options), progress=progress)
    print_work(
        "similarity", report, pending=bool(report.pairs or report.round_trips), as_json=as_json
    )
