"""Where tests find the real data; they skip, and say so, where it is absent."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = {
    "humaneval": "datasets/humaneval/HumanEval.jsonl.gz",
    "mbpp": "datasets/mbpp/mbpp.jsonl",
    "mbpp_sanitized": "datasets/mbpp/sanitized-mbpp.json",
    "humaneval_plus": "datasets/evalplus/HumanEvalPlus.jsonl.gz",
    "mbpp_plus": "datasets/evalplus/MbppPlus.jsonl.gz",
}
CODET = "generations/codet_codegen16B_humaneval.lines1-110.jsonl"
PROMPTS = "generations/codet_HumanEval_for_code_generation.jsonl"


def data_root() -> Path:
    """Return the folder of real data: $ASSAY_DATA, else ``shared/data`` beside the checkout."""
    return Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))


def shared(relative: str) -> Path:
    """Return the path of one real file, or skip the test that asked for it."""
    path = data_root() / relative
    if not path.exists():
        pytest.skip(f"real data not found: {path} (set ASSAY_DATA to its folder)")
    return path
