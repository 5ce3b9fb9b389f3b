"""HumanEval-X: HumanEval by hand in other languages (Zheng et al. 2023, arXiv 2303.17568).

Four of its five languages; Python's problems are those of HumanEval. The tests of a problem are one
module, so a problem has one test.
"""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from ingest.fields import Fields, json_objects
from ingest.problems.dataset import Dataset
from ingest.problems.drafts import ProblemDraft, Source, TestDraft
from ingest.problems.other_languages import FUNCTIONS_IN

COMMIT = "2838420b7b4492cf3d16bce5320e26e65960c9e2"
DEFINED = {
    "javascript": r"const\s+(\w+)\s*=",
    "java": r"(\w+)\s*\([^(){}]*\)[^(){};]*\{\s*\Z",
    "cpp": r"(\w+)\s*\([^{}]*\)\s*\{\s*\Z",
    "rust": r"fn\s+(\w+)",
}
"""How the declaration of a function names it; the last that is found counts."""


def read(path: Path, language: str) -> Iterator[ProblemDraft]:
    """Yield the problems as released; in Rust the declaration is no part of their prompt."""
    for line in json_objects(path):
        prompt, test_code = line.text("prompt"), line.text("test")
        declaration = line.text("declaration")
        if language == "rust":
            prompt += declaration
        yield ProblemDraft(
            task_id=line.text("task_id"),
            entry_point=_name(declaration, language, line),
            prompt=prompt,
            reference=line.text("canonical_solution"),
            test_code=test_code,
            tests=(TestDraft("base", "assert", test_code),),
            row=line.row,
        )


def _name(declaration: str, language: str, line: Fields) -> str:
    found = re.findall(DEFINED[language], declaration)
    if not found:
        raise line.bad("the declaration names no function")
    return str(found[-1])


def _dataset(short: str, language: str, sha256: str) -> Dataset:
    url = "https://raw.githubusercontent.com/THUDM/CodeGeeX/"
    source = Source(
        dataset=f"humaneval_x_{short}",
        version=COMMIT[:7],
        license="Apache-2.0",
        url=f"{url}{COMMIT}/codegeex/benchmark/humaneval-x/{short}/data/humaneval_{short}.jsonl.gz",
        sha256=sha256,
        cpu_s=5.0,
    )
    return Dataset(source, FUNCTIONS_IN[language], partial(read, language=language))


JAVASCRIPT = _dataset(
    "js", "javascript", "fe5d467f2c1a027b3f6f18d3729aca01f6458c1de2e2d1292a019c5aa9bed424"
)
JAVA = _dataset("java", "java", "276f36db2eb7aeb864f36a19a2f4e1bb2460fb6e22ff100f0b5bedabe3799967")
CPP = _dataset("cpp", "cpp", "dcf2e280a1e91bbc3c5f90edb41397e8a9ac1ccc9f5d2b70082f0b0fbfb6dbb0")
RUST = _dataset("rust", "rust", "ae5cabbbfc8fe25244a608b04f09ac3b324c645ac969dfc033756c12f0f9924c")
