"""Answers of servers that hold what no row can: they are refused, or stored without it."""

import json
from typing import Any

import pytest

from runners.drawing.backends.openai.wire import Malformed, error_text, read_answer

CHOICE = {"index": 0, "text": "pass", "finish_reason": "stop"}


def answer(usage: Any = None, **changed: Any) -> bytes:
    return json.dumps({"choices": [CHOICE | changed], "usage": usage}).encode()


@pytest.mark.parametrize("count", [3_000_000_000, 10**22, -1, 1.5, True, "7"])
def test_a_count_of_tokens_that_no_row_holds_is_unknown(count: Any) -> None:
    found = read_answer("completions", answer({"prompt_tokens": count}), 1, n_top=None)
    assert found.n_prompt_tokens is None


@pytest.mark.parametrize("reason", [5, {"a": 1}, ["stop"]])
def test_a_reason_that_is_no_text_is_no_answer(reason: Any) -> None:
    with pytest.raises(Malformed, match="finish_reason is not a string"):
        read_answer("completions", answer(finish_reason=reason), 1, n_top=None)


@pytest.mark.parametrize(
    "alternative", [(None, -1.0), (5, -1.0), ("a", "-1"), ("a", []), ("a", -(10**400))]
)
def test_an_alternative_that_no_row_holds_is_no_answer(alternative: tuple[Any, Any]) -> None:
    token, logprob = alternative
    entry = {"token": "pass", "logprob": -0.5}
    tops = [{"token": token, "logprob": logprob}]
    reported = {"content": [{**entry, "top_logprobs": tops}]}
    with pytest.raises(Malformed, match="a choice is not one"):
        read_answer("completions", answer(logprobs=reported), 1, n_top=1)


def test_an_error_is_told_without_half_a_character() -> None:
    assert error_text(b'{"error": {"message": "bad \\ud800", "code": 5}}', 400) == ("5", "bad ?")
    assert error_text(b"[" * 100_000, 400)[1].startswith("[[[")
