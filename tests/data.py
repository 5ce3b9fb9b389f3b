"""Where tests find the real data; they skip, and say so, where it is absent."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = {
    "humaneval": "datasets/humaneval/HumanEval.jsonl.gz",
    "mbpp": "datasets/mbpp/mbpp.jsonl",
    "mbpp_sanitized": "datasets/mbpp/sanitized-mbpp.json",
    "humaneval_plus": "datasets/evalplus/HumanEvalPlus.jsonl.gz",
    "mbpp_plus": "datasets/evalplus/MbppPlus.jsonl.gz",
    "cruxeval_input": "datasets/cruxeval/cruxeval.jsonl",
    "cruxeval_output": "datasets/cruxeval/cruxeval.jsonl",
    "evoeval": "datasets/evoeval",
    "classeval": "datasets/classeval/ClassEval_data.json",
}
CODET = "generations/codet_codegen16B_humaneval.lines1-110.jsonl"
PROMPTS = "generations/codet_HumanEval_for_code_generation.jsonl"
LABELS = "labels/codet_codegen16B_verified.jsonl"


def data_root() -> Path:
    """Return the folder of real data: $ASSAY_DATA, else ``shared/data`` beside the checkout."""
    return Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))


def shared(relative: str) -> Path:
    """Return the path of one real file, or skip the test that asked for it."""
    path = data_root() / relative
    if not path.exists():
        pytest.skip(f"real data not found: {path} (set ASSAY_DATA to its folder)")
    return path


def json_rows(relative: str) -> list[dict[str, Any]]:
    """Return the objects of one real file of JSON lines, packed or not."""
    data = shared(relative).read_bytes()
    text = gzip.decompress(data) if relative.endswith(".gz") else data
    return [json.loads(line) for line in text.splitlines()]


def humaneval_by_task() -> dict[str, dict[str, Any]]:
    """Return the problems of HumanEval as they were released."""
    return {problem["task_id"]: problem for problem in json_rows(FILES["humaneval"])}


def tasks_by_prompt() -> dict[str, str]:
    """Return the HumanEval task of each prompt in CodeT's files."""
    return {row["prompt"]: row["task_id"] for row in json_rows(PROMPTS)}


def published_verdicts() -> dict[tuple[str, int], str]:
    """Return what another harness said of each of CodeGen-16B's samples, by task and number."""
    return {(row["task_id"], row["sample"]): row["status_raw"] for row in json_rows(LABELS)}
