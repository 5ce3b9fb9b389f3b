"""A small BERT on disk, as sentence-transformers saves one; needs the extra `encoder`."""

from pathlib import Path

from tests.runners.measuring.pairs.encoders import WORDS

SPECIAL = ("[PAD]", "[CLS]", "[SEP]", "[MASK]")
MAX_TOKENS = 64


def saved_bert(folder: Path, dimension: int = 16, seed: int = 0) -> Path:
    """Save two layers of random weights and a tokenizer of a few words; return the folder."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast
    from transformers.utils import logging

    logging.disable_progress_bar()
    bare = folder.with_name(f"{folder.name}-bare")
    bare.mkdir(parents=True)
    words = [*SPECIAL, *WORDS]
    (bare / "vocab.txt").write_text("".join(f"{word}\n" for word in words))
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=dimension,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=2 * dimension,
        max_position_embeddings=MAX_TOKENS,
    )
    BertModel(config).save_pretrained(bare)
    BertTokenizerFast(vocab=str(bare / "vocab.txt")).save_pretrained(bare)
    transformer = Transformer(str(bare), max_seq_length=MAX_TOKENS)
    encoder = SentenceTransformer(modules=[transformer, Pooling(dimension)], device="cpu")
    encoder.save(str(folder), create_model_card=False)
    return folder
