"""Code in chat answers: which block is kept, where it is, and what is noted."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.answers.extract import fenced_cut_v1, fenced_v1, inner_body
from ingest.tokens import kept_tokens

F = "def f(x):\n    return x\n"
G = "def g(x):\n    return -x\n"


def fenced(code: str, label: str = "python", marks: str = "```") -> str:
    return f"{marks}{label}\n{code}{marks}\n"


@pytest.mark.parametrize(
    ("answer", "kept", "codes"),
    [
        (fenced(F), F, []),
        ("Here it is:\n\n" + fenced(F) + "\nDone.", F, []),
        (fenced(F, "Python3"), F, []),
        (fenced(F, " py title=a"), F, []),
        (fenced(F, ""), F, []),
        (fenced(F, "", "~~~~"), F, []),
        (fenced("$ python f.py\n", "sh") + fenced(F), F, []),
        (fenced("1\n", "") + fenced(F), F, []),  # an unlabelled block beside a labelled one
        (fenced(F) + fenced(G), F, ["several_blocks"]),
        (fenced(F) + fenced(F + "# 2\n") + fenced(G), F + "# 2\n", ["several_blocks"]),
        (fenced(G) + fenced("x = 1\n"), "x = 1\n", ["several_blocks"]),
        (fenced("f = abs\n") + fenced(G), "f = abs\n", ["several_blocks"]),
        (fenced("def f(x):\n    return (\n") + fenced(G), "def f(x):\n    return (\n", None),
        (F, F, []),
        ("Sorry", "", ["no_code"]),
        ("I cannot help with that.", "", ["no_code"]),
        ("", "", ["no_code"]),
        (fenced("function f(x) { return x }\n", "javascript"), "", ["wrong_language"]),
        ("```python\n" + F, F, []),  # cut off before the closing fence
        ("```python", "", []),
        ("1. So:\n   ```python\n   def f(x):\n       return x\n   ```\n", F, []),
        (fenced(F.replace("\n", "\r\n")).replace("python\n", "python\r\n"), None, []),
        (fenced("```\n" + F + "```\n", "python", "````"), "```\n" + F + "```\n", []),
    ],
)
def test_which_block_is_kept(answer: str, kept: str | None, codes: list[str] | None) -> None:
    found = fenced_v1(answer, "f")
    assert found.kept.text == (F.replace("\n", "\r\n") if kept is None else kept)
    assert [code for code, _ in found.issues] == (["several_blocks"] if codes is None else codes)


def test_the_detail_says_which_block_was_taken_and_why() -> None:
    (issue,) = fenced_v1(fenced(F) + fenced(G), "f").issues
    assert issue == (
        "several_blocks",
        "2 blocks of Python: took number 1, the last that defines the function",
    )
    (issue,) = fenced_v1(fenced("a=1\n", "java") + fenced("b=1\n", "go"), "f").issues
    assert issue[1] == "only blocks of: go, java"


def test_without_an_entry_point_the_last_block_is_taken() -> None:
    assert fenced_v1(fenced(F) + fenced(G), None).kept.text == G


def test_kept_tokens_are_those_of_the_block() -> None:
    tokens = ["Here", ":\n", "```", "python", "\n", "def f", "(x): ", "return x", "\n```", "\nok"]
    text = "".join(tokens)
    kept = fenced_v1(text, "f").kept
    assert kept.text == "def f(x): return x\n"
    inside = kept_tokens(tokens, text, kept.start, kept.end)
    # the token "\n```" has one character inside the block: its last newline
    assert [token for token, k in zip(tokens, inside, strict=True) if k] == tokens[5:9]


PIECES = st.lists(
    st.sampled_from(
        [
            "```",
            "```python",
            "~~~",
            "````",
            "  ```py",
            "def f(x):",
            "    return x",
            "prose",
            "",
            "\r",
        ]
    ),
    max_size=12,
).map("\n".join)


@given(st.one_of(PIECES, st.text()))
def test_any_answer_has_its_span_and_at_most_one_issue(answer: str) -> None:
    found = fenced_v1(answer, "f")
    kept = found.kept
    assert 0 <= kept.start <= kept.end <= len(answer)
    span = answer[kept.start : kept.end]
    assert [line.lstrip() for line in kept.text.split("\n")] == [
        line.lstrip() for line in span.split("\n")
    ]
    assert len(found.issues) <= 1
    if not kept.text.strip() and not found.issues:
        assert "```" in answer or "~~~" in answer  # a block, but an empty one


GIVEN = "def f(xs):\n    total = 0  \n    for x in xs:\n"
REST = "        total += x\n    return total\n"


@pytest.mark.parametrize(
    ("code", "kept", "codes"),
    [
        (GIVEN + REST, GIVEN + REST, []),
        (GIVEN.replace("  \n", "\n") + REST, GIVEN.replace("  \n", "\n") + REST, []),
        ("import math\n" + GIVEN + REST, "", ["no_code"]),  # another beginning
        (GIVEN.replace("total", "s") + REST.replace("total", "s"), "", ["no_code"]),
        (REST, GIVEN + REST, []),
        (REST + "\n\nprint(f([1]))\n", GIVEN + REST + "\n\n", []),
        ("", "", []),
    ],
)
def test_a_chat_goes_on_from_the_lines_given(code: str, kept: str, codes: list[str]) -> None:
    answer = "Sure:\n" + fenced(code)
    found = fenced_cut_v1(answer, "f", GIVEN)
    assert found.kept.text == kept
    assert [name for name, _ in found.issues] == codes
    assert answer[found.kept.start : found.kept.end] in code


def test_a_whole_program_goes_on_to_its_end() -> None:
    found = fenced_cut_v1(fenced("print(n)\nn = 2\n"), None, "n = 1\n")
    assert found.kept.text == "n = 1\nprint(n)\nn = 2\n"


HELPER = "@functools.cache\ndef g(n):\n    return n\n"


@pytest.mark.parametrize(
    "code",
    [
        f"import functools\n\x0c{HELPER}def f(n):\n    return g(n)\n",
        f"import functools\r{HELPER}def f(n):\n    return g(n)\n",
        f'import functools\ns = """a\rb"""\n{HELPER}def f(n):\n    return g(n)\n',
        "calls, LIMIT = 0, 10\ndef f(n):\n    global calls\n    calls += 1\n    "
        "return min(n, LIMIT)\n",
        "calls = old = 0\ndel old\ndef f(n):\n    global calls, old\n    old = n\n    return old\n",
        "calls = 1\nmatch calls:\n    case 1:\n        big = 3\n"
        "def f(n):\n    global calls\n    return big * calls\n",
        "from __future__ import annotations\nfrom typing import *\n"
        "def f(n: List[int]) -> int:\n    return cast(int, n)\n",
    ],
)
def test_what_is_beside_a_function_is_whole_whatever_ends_its_lines(code: str) -> None:
    body = inner_body(code, "f").replace("\n", "\n    ")
    names: dict[str, Any] = {}
    exec(f"def f(n):\n    {body}", names)
    assert names["f"](3) == 3


def test_a_body_counts_in_a_global_name_of_its_answer() -> None:
    code = "import functools\nN = 0\n@functools.cache\ndef new():\n    return []\n"
    code += "def f():\n    global N\n    N += 1\n    return N, new() is new()\n"
    body = inner_body(code, "f").replace("\n", "\n    ")
    names: dict[str, Any] = {}
    exec(f"def f():\n    {body}", names)
    assert [names["f"](), names["f"]()] == [(1, True), (2, True)]
