"""A tiny random Llama made on the spot: `python -m tests.vllm.tiny FOLDER`.

Needs the environment that has vLLM. Seeded: the same libraries write the same weights twice. Heads
are 64 wide because attention on a CPU knows few widths; a narrower one starts, and dies at the
first request.
"""

import random
import sys
import sysconfig
from pathlib import Path

VOCABULARY = 2048
HIDDEN = 128
N_FILES = 60
SPECIAL = ["<s>", "</s>", "<pad>", "<fim_prefix>", "<fim_suffix>", "<fim_middle>"]
CHAT_TEMPLATE = (
    "{% for message in messages %}<s>{{ message['role'] }}\n{{ message['content'] }}</s>\n"
    "{% endfor %}{% if add_generation_prompt %}<s>assistant\n{% endif %}"
)


def make_tiny(folder: Path, seed: int = 0) -> Path:
    """Write a tokenizer and random weights (0.9 million parameters); return the folder."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    _tokenizer(seed).save_pretrained(folder)
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=VOCABULARY,
        hidden_size=HIDDEN,
        intermediate_size=2 * HIDDEN,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=64,
        max_position_embeddings=4096,
        initializer_range=0.2,  # wide enough that answers are not one repeated token
        tie_word_embeddings=False,
        bos_token_id=0,
        eos_token_id=1,
        pad_token_id=2,
        dtype="float32",
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def _tokenizer(seed: int):  # type: ignore[no-untyped-def]
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    bare = Tokenizer(models.BPE())
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bare.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=SPECIAL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    chosen = random.Random(seed).sample(files, N_FILES)
    bare.train_from_iterator((path.read_text("utf-8") for path in chosen), trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=bare,
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
        chat_template=CHAT_TEMPLATE,
    )


if __name__ == "__main__":
    make_tiny(Path(sys.argv[1]))
