"""A small text encoder on disk, and the scorer of one."""

from pathlib import Path

import numpy as np

from runners.measuring.pairs.base import Material
from runners.measuring.pairs.embedding import Embedding

WORDS = ("def", "return", "f", "a", "b", "+", "-", "(", ")", ":", "=", "[UNK]", "and")


def saved_encoder(folder: Path, dimension: int = 8, seed: int = 0) -> Path:
    """Save an encoder whose vector of a text is the mean of its words' random vectors."""
    from model2vec import StaticModel
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit

    tokenizer = Tokenizer(
        WordLevel({word: row for row, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = WhitespaceSplit()
    vectors = np.random.default_rng(seed).normal(size=(len(WORDS), dimension)).astype(np.float32)
    StaticModel(vectors, tokenizer).save_pretrained(folder)
    return folder


def scorer_of(folder: Path) -> Embedding:
    (scorer,) = Embedding.scorers(Material(encoder=folder))
    return scorer
