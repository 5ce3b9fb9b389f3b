"""Arguments as in a call: the same values as Python's, and nothing that runs."""

import gzip
import json

import pytest

from ingest.manifests.expressions import call_arguments
from tests.data import shared

TEXTS = (
    "",
    "1, 'a', [2.5, None], (1,), {'k': {1, 2}}",
    "[1] * 3 + [2] * 2, -(2 ** 10), 7 // 2, 7 / 2, 10 % 3, 1 + 1e-9",
    "[i for i in reversed(range(1, 5)) if i % 2 == 0], list(range(3)), 'ab'[::-1]",
    "{str(i): i for i in range(3)}, {i * j for i in range(3) for j in range(i)}",
    "float('inf'), complex(1, 2), frozenset([1]), 1 if 2 in [2] else 3",
    "[(a, b) for a, b in [[1, 2]]]",
)


@pytest.mark.parametrize("text", TEXTS)
def test_the_values_are_those_of_python(text):
    assert call_arguments(text) == list(eval(f"({text},)" if text else "()"))


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "open('x')",
        "x",
        "[].append(1)",
        "(lambda: 1)()",
        "f'{1}'",
        "'%9999999999d' % 1",
        "[0] * 10 ** 9",
        "9 ** 9 ** 9",
        "list(range(10 ** 12))",
        "[0 for _ in range(10 ** 6) for _ in range(10 ** 6)]",
        "1 / 0",
        "[1][5]",
        "1)",
        "a := 1",
        "*[1]",
    ],
)
def test_all_else_is_refused(text):
    with pytest.raises(ValueError, match=r"\w"):
        call_arguments(text)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # escapes that are odd in Python too
@pytest.mark.parametrize("variant", ["combine", "creative", "difficult", "tool_use"])
def test_inputs_of_evoeval_are_those_of_python(variant):
    path = shared(f"datasets/evoeval/EvoEval_{variant}.jsonl.gz")
    with gzip.open(path, "rt") as file:
        texts = [text for line in file for text in json.loads(line)["inputs"]]
    assert len(texts) > 4000
    for text in texts:
        assert repr(call_arguments(text)) == repr(list(eval(f"({text},)")))
