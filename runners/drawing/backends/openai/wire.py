"""The OpenAI protocol as data: bodies of requests, and what is read from answers."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pydantic_core

from ingest.tokens import Alternatives
from models.words import LOGPROB_TOLERANCE, SENTINEL_LOGPROB
from runners.drawing.backends.base import Request

MOST_TOKENS = 2**31 - 1
"""What a row can hold; a server that counts more is not believed."""

PATHS = {"completions": "/completions", "chat": "/chat/completions"}

Issue = tuple[str, str]
Reported = list[list[list[Any]] | None]  # per token, [token, log-probability] pairs


class Malformed(ValueError):
    """An answer that is not what the protocol says."""


@dataclass(frozen=True, slots=True)
class WireChoice:
    """One sample in an answer."""

    text: str
    finish_reason: str | None
    tokens: Sequence[str] | None
    logprobs: Sequence[float | None] | None
    top_logprobs: Alternatives | None
    issues: tuple[Issue, ...]


@dataclass(frozen=True, slots=True)
class WireAnswer:
    """An answer: its samples in the order asked for, and the tokens it is charged with."""

    choices: list[WireChoice]
    n_prompt_tokens: int | None
    n_completion_tokens: int | None


def request_body(
    api: str,
    served_lm: str,
    requests: Sequence[Request],
    n: int,
    *,
    n_top: int | None,
    token_limit: str = "max_tokens",
) -> dict[str, Any]:
    """Return the body that asks for ``n`` samples of each request's prompt.

    All requests share their sampling. ``n_top`` is the number of alternatives per token, 0 for the
    tokens' own log-probabilities alone, None for none.
    """
    first = requests[0]
    body: dict[str, Any] = {"model": served_lm}
    if api == "chat":
        messages = first.messages or (("user", first.prompt),)
        body["messages"] = [{"role": role, "content": content} for role, content in messages]
    else:
        prompts = [request.prompt for request in requests]
        body["prompt"] = prompts if len(prompts) > 1 else prompts[0]
    optional = {
        "n": n if n > 1 else None,
        token_limit: first.max_tokens,
        "temperature": first.temperature,
        "top_p": first.top_p,
        "stop": list(first.stop) or None,
        "seed": None if first.seed is None else first.seed + first.sample_index,
    }
    if n_top is not None and api == "chat":
        optional |= {"logprobs": True, "top_logprobs": n_top or None}
    elif n_top is not None:
        optional["logprobs"] = max(n_top, 1)  # some servers read 0 as none
    return body | {name: value for name, value in optional.items() if value is not None}


def read_answer(api: str, content: bytes, n_choices: int, *, n_top: int | None) -> WireAnswer:
    """Return what an answer holds; raises Malformed for what is not an answer."""
    try:
        values = pydantic_core.from_json(content)  # half the time of json.loads
    except ValueError as error:
        raise Malformed(f"not JSON: {error}") from error
    found = values.get("choices") if isinstance(values, dict) else None
    if not isinstance(found, list) or not found:
        raise Malformed("no choices")
    if len(found) > n_choices:
        raise Malformed(f"{len(found)} choices where {n_choices} were asked for")
    try:
        ordered = sorted(found, key=lambda choice: choice["index"])
        choices = [_choice(api, choice, n_top) for choice in ordered]
    except (KeyError, TypeError, AttributeError, OverflowError) as error:
        raise Malformed(f"a choice is not one: {error!r}") from error
    usage = values.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return WireAnswer(choices, _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))


def error_text(content: bytes, status: int) -> tuple[str, str]:
    """Return the code and the message of an error answer; either may be missing."""
    try:
        values = json.loads(content)
    except (ValueError, RecursionError):
        return "", content[:200].decode("utf-8", "replace") or f"status {status}"
    error = values.get("error", values) if isinstance(values, dict) else values
    if not isinstance(error, dict):
        return "", _kept(error)
    message = error.get("message") or error.get("detail") or error
    return _kept(error.get("code") or ""), _kept(message)


def _kept(value: Any) -> str:
    """Return a value as text that a row can hold: without halves of surrogate pairs."""
    return str(value).encode("utf-8", "replace").decode()


def _choice(api: str, choice: Mapping[str, Any], n_top: int | None) -> WireChoice:
    issues: list[Issue] = []
    if api == "chat":
        message = choice["message"]
        text = message.get("content") or ""
        if message.get("refusal"):
            issues.append(("refused", str(message["refusal"])))
    else:
        text = choice["text"] or ""
    if not isinstance(text, str):
        raise TypeError("text is not a string")
    finish = choice.get("finish_reason")
    if not isinstance(finish, str | None):
        raise TypeError("finish_reason is not a string")
    if finish == "content_filter":
        issues.append(("refused", "the server's content filter"))
    tokens = logprobs = top = None
    reported = choice.get("logprobs")
    if n_top is not None and reported:
        tokens, logprobs = _reported(reported)
        if n_top and (tops := _reported_tops(reported)) is not None:
            top, problem = _alternatives(tops)
            issues += [problem] if problem else []
    elif n_top is not None:
        issues.append(("logprob_missing", "the answer holds no log-probabilities"))
    return WireChoice(text, finish, tokens, logprobs, top, tuple(issues))


def _reported(reported: Mapping[str, Any]) -> tuple[list[str], list[float | None]]:
    """Return tokens and log-probabilities, from either form of the protocol."""
    if isinstance(content := reported.get("content"), list):
        return [entry["token"] for entry in content], [entry["logprob"] for entry in content]
    return reported.get("tokens") or [], reported.get("token_logprobs") or []


def _reported_tops(reported: Mapping[str, Any]) -> Reported | None:
    """Return each token's alternatives, from either form of the protocol."""
    if isinstance(content := reported.get("content"), list):
        return [
            [[each["token"], each["logprob"]] for each in entry.get("top_logprobs") or ()]
            for entry in content
        ]
    given = reported.get("top_logprobs")
    if not given:
        return None
    return [list(map(list, each.items())) if each else None for each in given]


def _alternatives(
    tops: Reported,
) -> tuple[Alternatives | None, Issue | None]:
    """Return the alternatives, best first, or what is wrong with them."""
    for n, entries in enumerate(tops):
        if not entries:
            continue
        for entry in entries:
            value = entry[1]
            if value is None or value != value:
                return None, ("logprob_nan", f"an alternative of token {n}: {entry[0]!r}")
            if value > 0:
                if value > LOGPROB_TOLERANCE:
                    detail = f"an alternative of token {n}: {entry[0]!r}: {value}"
                    return None, ("logprob_positive", detail)
                entry[1] = 0.0
            elif value == -math.inf:
                entry[1] = SENTINEL_LOGPROB
        entries.sort(key=_rank)
    return [
        None if place is None else [_alternative(*pair) for pair in place] for place in tops
    ], None


def _alternative(token: Any, logprob: Any) -> tuple[str, float]:
    if not isinstance(token, str):
        raise TypeError("the token of an alternative is not a string")
    return token, float(logprob)


def _rank(entry: list[Any]) -> float:
    return -float(entry[1])


def _count(usage: Mapping[str, Any], name: str) -> int | None:
    value = usage.get(name)
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else None
