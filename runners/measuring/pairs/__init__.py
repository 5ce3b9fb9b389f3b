"""Measures of pairs of programs: those that count shared tokens, and those that give a score."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from warehouse.registry import Registry

if TYPE_CHECKING:
    from runners.measuring.pairs.base import PairMeasure

TOKENIZERS: Registry[Callable[[str], list[str]]] = Registry(
    "measure of similarity",
    {
        "scc_v1": "runners.measuring.pairs.tokenizers:scc_tokens",
        "tokens_v2": "runners.measuring.pairs.tokenizers:python_tokens",
    },
)

PAIR_MEASURES: "Registry[type[PairMeasure]]" = Registry(
    "measure of pairs",
    {
        "tfidf_v1": "runners.measuring.pairs.tfidf:Tfidf",
        "tree_edit_v1": "runners.measuring.pairs.tree_edit:TreeEdit",
        "structure_v1": "runners.measuring.pairs.structure:Structure",
        "embedding_v1": "runners.measuring.pairs.embedding:Embedding",
    },
    group="assay.similarities",
    of="runners.measuring.pairs.base:PairMeasure",
    named="measure",
)
