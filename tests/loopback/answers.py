"""What the server answers, as three real servers do: a function of the request and a counter."""

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

LIES = ("", "count", "nan", "positive", "rounding", "empty", "missing")
WORDS = (" value", " =", " other", " +", " 1", "\n    ", "if", " not", " value", ":", " pass")
CONTEXT = 64  # tokens until the context is full
DEFAULT_TOKENS = 16


@dataclass(frozen=True)
class Behaviour:
    """How the server behaves; ``faults`` is a share of all requests.

    ``lies``: one of LIES, by the prompt, about the log-probabilities of every answer.
    """

    personality: str = "vllm"
    models: tuple[str, ...] = ("tiny",)
    key: str = ""
    faults: float = 0.0
    lies: bool = False
    delay_s: float = 0.0
    hang_s: float = 30.0
    retry_after: str = "0.01"
    n_tokens: int | None = None
    down: bool = False
    slow_path: str = ""  # what ``delay_s`` holds for; everything where empty
    reply: Callable[[str, int], str] | None = None  # what a chat says, by prompt and place


class RefusedRequest(Exception):
    """An HTTP error to be answered."""

    def __init__(self, status: int, message: str, code: str | None = None):
        super().__init__(message)
        self.status, self.code = status, code


def lie_about(prompt: str) -> str:
    """Return the lie that a lying server tells in answer to a prompt."""
    return LIES[hashlib.sha256(prompt.encode()).digest()[0] % len(LIES)]


def completions(body: dict[str, Any], behaviour: Behaviour, drawn: int) -> dict[str, Any]:
    personality = behaviour.personality
    prompts = body["prompt"]
    if isinstance(prompts, list):
        if personality != "vllm":
            raise RefusedRequest(
                500 if personality == "llama_cpp" else 400, "prompt must be a text"
            )
    else:
        prompts = [prompts]
    echo = bool(body.get("echo"))
    limit = body.get("max_tokens", DEFAULT_TOKENS)
    if limit == 0 and personality == "transformers":
        raise RefusedRequest(500, "`max_new_tokens` must be greater than 0, but is 0.")
    if limit == 0 and personality == "llama_cpp":
        limit = CONTEXT
    n = _n(body, personality)
    choices: list[dict[str, Any]] = []
    n_completion = 0
    for prompt in prompts:
        lie = lie_about(prompt) if behaviour.lies else ""
        for index in range(n):
            tokens, finish = _sample(body, prompt, drawn, index, limit, lie)
            n_completion += len(tokens)
            text = _text(tokens, body)
            told = tokens
            if echo and personality != "transformers":
                scored = _pieces(prompt)[: -1 if personality == "llama_cpp" else None]
                told, text = scored + tokens, prompt + text
            choice: dict[str, Any] = {"index": len(choices), "text": text, "logprobs": None}
            choice["finish_reason"] = finish
            if body.get("logprobs") is not None and personality != "transformers":
                start = len(prompt) if personality == "llama_cpp" and not echo else 0
                choice["logprobs"] = _told(told, body["logprobs"], start, lie, echo)
            choices.append(choice)
    n_prompt = sum(len(_pieces(prompt)) for prompt in prompts)
    return _wrapped(body, choices, n_prompt, n_completion, personality, "text_completion")


def chat(body: dict[str, Any], behaviour: Behaviour, drawn: int) -> dict[str, Any]:
    personality = behaviour.personality
    prompt = "\n".join(message["content"] for message in body["messages"])
    lie = lie_about(prompt) if behaviour.lies else ""
    limit = body.get("max_completion_tokens") or body.get("max_tokens") or DEFAULT_TOKENS
    choices = []
    n_completion = 0
    for index in range(_n(body, personality)):
        tokens, finish = _sample(body, prompt, drawn, index, limit, lie)
        if behaviour.reply:
            tokens, finish = _pieces(behaviour.reply(prompt, drawn + index)), "stop"
        n_completion += len(tokens)
        message = {"role": "assistant", "content": _text(tokens, body)}
        choice: dict[str, Any] = {"index": index, "message": message, "finish_reason": finish}
        choice["logprobs"] = None
        if body.get("logprobs") and personality != "transformers":
            told = _told(tokens, body.get("top_logprobs") or 0, 0, lie, False)
            if told is not None:
                choice["logprobs"] = {"content": _content(told)}
        choices.append(choice)
    n_prompt = len(_pieces(prompt))
    return _wrapped(body, choices, n_prompt, n_completion, personality, "chat.completion")


def _wrapped(
    body: dict[str, Any],
    choices: list[dict[str, Any]],
    n_prompt: int,
    n_completion: int,
    personality: str,
    kind: str,
) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "id": "loopback",
        "object": kind,
        "created": 0,
        "model": body["model"],
        "choices": choices,
        "usage": {
            "prompt_tokens": n_prompt,
            "completion_tokens": n_completion,
            "total_tokens": n_prompt + n_completion,
        },
    }
    if personality == "vllm":
        answer["system_fingerprint"] = "loopback"
    return answer


def _n(body: dict[str, Any], personality: str) -> int:
    n = int(body.get("n") or 1)
    if personality != "vllm":
        return 1
    if n > 1 and body.get("temperature") == 0:
        raise RefusedRequest(400, f"n must be 1 when using greedy sampling, got {n}.")
    return n


def _sample(
    body: dict[str, Any], prompt: str, drawn: int, index: int, limit: int, lie: str
) -> tuple[list[str], str]:
    """Return the tokens drawn for one choice, up to the limit or a stop string."""
    if limit == 0 or lie == "empty":
        return [], "length" if limit == 0 else "stop"
    sampled = body.get("temperature") != 0
    spoken = _spoken(body, prompt, (drawn if "seed" not in body else 0) + index if sampled else 0)
    tokens = spoken[:limit]
    finish = "length" if len(tokens) < len(spoken) else "stop"
    for n in range(len(tokens)):
        text = "".join(tokens[: n + 1])
        if any(stop in text for stop in _stops(body)):
            return tokens[: n + 1], "stop"
    return tokens, finish


def _spoken(body: dict[str, Any], prompt: str, index: int) -> list[str]:
    """Return the answer to the prompt at this place in a seed's row of answers."""
    low = prompt.lower()
    draw = hashlib.sha256(f"{prompt}\0{index} {body.get('seed')}".encode()).digest()
    if "messages" in body and "true" in low and "false" in low:
        return ["True" if draw[0] % 2 else "False"]
    if "messages" in body and "probability" in low:
        return ["Probability", ":", " ", f"0.{draw[0] % 90 + 10}"]
    names = [WORDS[byte % len(WORDS)] for byte in draw[:8]]
    code = ["    ", "return", *names[:1], *([] if index % 2 else [" +", " 1"]), "\n"]
    line = ["    ", "value", " =", f" {draw[9]}", "\n"]
    if "messages" in body:
        return ["```", "python", "\n", "def", " f", "(", "x", ")", ":", "\n", *line, *code, "```"]
    return [*line, *code]


def _text(tokens: list[str], body: dict[str, Any]) -> str:
    text = "".join(tokens)
    cuts = [text.find(stop) for stop in _stops(body) if stop in text]
    return text[: min(cuts)] if cuts else text


def _stops(body: dict[str, Any]) -> list[str]:
    stops = body.get("stop") or []
    return [stops] if isinstance(stops, str) else stops


def _told(
    tokens: list[str], top: int, offset: int, lie: str, echo: bool
) -> dict[str, list[Any]] | None:
    """Return the log-probabilities as /v1/completions tells them, truly or not."""
    if lie == "missing":
        return None
    logprobs: list[float | None] = [_logprob(n, token) for n, token in enumerate(tokens)]
    if lie == "nan" and logprobs:
        logprobs[0] = math.nan
    elif lie == "positive" and logprobs:
        logprobs[-1] = 0.25
    elif lie == "rounding" and logprobs:
        logprobs[-1] = 5e-5
    offsets = []
    for token in tokens:
        offsets.append(offset)
        offset += len(token)
    tops: list[Any] = [
        {token: logprob, **{f"~{k}": -3.0 - k for k in range(1, top)}}
        for token, logprob in zip(tokens, logprobs, strict=True)
    ]
    if echo and logprobs:
        logprobs[0] = tops[0] = None
    if lie == "count":
        logprobs = logprobs[:-1]
    return {
        "tokens": tokens,
        "token_logprobs": logprobs,
        "top_logprobs": tops if top else [],
        "text_offset": offsets,
    }


def _content(told: dict[str, list[Any]]) -> list[dict[str, Any]]:
    content = []
    tops = told["top_logprobs"] or [{}] * len(told["tokens"])
    for token, logprob, top in zip(told["tokens"], told["token_logprobs"], tops, strict=False):
        alternatives = [
            {"token": name, "logprob": value, "bytes": list(name.encode())}
            for name, value in (top or {}).items()
        ]
        entry = {"token": token, "logprob": logprob, "bytes": list(token.encode())}
        content.append({**entry, "top_logprobs": alternatives})
    return content


def _logprob(n: int, token: str) -> float:
    return -((len(token) * 7 + n * 3) % 11) / 10


def _pieces(text: str) -> list[str]:
    """Return tokens of four characters, which spell the text."""
    return [text[start : start + 4] for start in range(0, len(text), 4)]


def served_key(body: dict[str, Any]) -> str:
    asked = body.get("prompt", body.get("messages"))
    return hashlib.sha256(json.dumps([asked, body.get("seed")]).encode()).hexdigest()[:16]


@lru_cache(maxsize=64)
def ready_answer(path: str, n_choices: int, n_tokens: int, top: int) -> bytes:
    """Return an answer made once, for measuring what a client costs."""
    tokens = [WORDS[n % len(WORDS)] for n in range(n_tokens)]
    told = _told(tokens, top, 0, "", False)
    assert told is not None
    choices: list[dict[str, Any]] = []
    for index in range(n_choices):
        choice: dict[str, Any] = {"index": index, "finish_reason": "length"}
        if path == "/v1/completions":
            choice |= {"text": "".join(tokens), "logprobs": told}
        else:
            message = {"role": "assistant", "content": "".join(tokens)}
            choice |= {"message": message, "logprobs": {"content": _content(told)}}
        choices.append(choice)
    body = {"model": "tiny"}
    answer = _wrapped(body, choices, 50, n_tokens * n_choices, "vllm", "text_completion")
    return json.dumps(answer).encode()
