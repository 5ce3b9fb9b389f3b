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
  assay similarity --max-samples 20 --workers 4
"""
)
@add(
    "--max-samples",
    help="Compare the first N samples of each language model for a problem; twice as many make "
    "four times the pairs.",
)
@add(
    "--encoder",
    help="Folder of a local sentence-transformers or model2vec encoder. Default: none, and "
    "embedding_v1 is not computed.",
)
@add(
    "--workers",
    help="Number of processes. Several are used for trees from 20,000 pairs on, and for structure "
    "from 1,000 on.",
)
@no_progress
@as_json
def command(progress: bool, as_json: bool, **options: Any) -> None:
    """Compute the similarity of samples, and of round trips to their code.

    Pairs of samples are compared by shared tokens, TF-IDF, syntax trees and structure; --encoder
    adds a text encoder. Run `assay execute` first: it makes programs of samples. `assay build` then
    computes from these pairs how diverse the samples are: Sim, CSim and DPass of the view sim_at_k
    (docs/similarity.md). Programs of round trips are compared with the code that was
    described, by BLEU, chrF and CodeBLEU. Descriptions of edits are compared by BLEU with what a
    person said of them. Only what is not compared yet is computed.
    """
    from runners.cli.reports import print_work
    from runners.steps.similarity import similarity_pairs
    from runners.steps.status import samples_wait

    report = similarity_pairs(given(SimilaritySpec, options), progress=progress)
    pending = bool(report.pairs or report.round_trips)
    before = "assay execute" if not pending and not as_json and samples_wait() else None
    print_work("similarity", report, pending=pending, as_json=as_json, before=before)
