"""Probe an endpoint: small requests show which capabilities it has."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from models.words import CAPABILITIES
from runners.drawing.backends.base import Seen
from runners.drawing.backends.openai.http import GaveUp, Http
from runners.drawing.backends.openai.wire import PATHS, Malformed

PROMPT = "def add(first, second):\n"
N_TOKENS = 8
ATTEMPTS = 3  # a server that answers 500 to what it cannot do is asked no oftener


async def probe(http: Http, api: str, served_lm: str, token_limit: str) -> list[Seen]:
    """Return what the endpoint can do; raises GaveUp when it answers nothing at all."""
    prober = _Prober(http, api, served_lm, token_limit)
    plain = await prober.choices(temperature=0)
    checks: list[Callable[[], Awaitable[Seen]]] = [
        prober.models,
        prober.n,
        prober.seed,
        lambda: prober.stop(plain),
        prober.logprobs,
        prober.top_logprobs,
        prober.prompt_list,
        prober.echo,
    ]
    return [await _reported(name, check) for name, check in zip(CAPABILITIES, checks, strict=True)]


async def _reported(name: str, check: Callable[[], Awaitable[Seen]]) -> Seen:
    try:
        return await check()
    except GaveUp as error:
        if error.hopeless and error.code in ("unauthorized", "unknown_lm"):
            raise
        supported = False if error.status else None  # an HTTP answer is an answer
        return Seen(name, supported, error.detail[:300])


class _Prober:
    def __init__(self, http: Http, api: str, served_lm: str, token_limit: str):
        self.http, self.api, self.served_lm, self.token_limit = http, api, served_lm, token_limit

    async def choices(self, n_tokens: int = N_TOKENS, **asked: Any) -> list[dict[str, Any]]:
        prompt: dict[str, Any] = {"prompt": PROMPT}
        if self.api == "chat":
            prompt = {"messages": [{"role": "user", "content": PROMPT}]}
        body = {"model": self.served_lm, **prompt, self.token_limit: n_tokens, **asked}
        found, _ = await self.http.send(
            PATHS[self.api], body, _choices, len(PROMPT) + n_tokens, ATTEMPTS
        )
        return list(found)

    async def models(self) -> Seen:
        try:
            content, _ = await self.http.send("/models", None, bytes, max_attempts=ATTEMPTS)
            names = [str(model["id"]) for model in json.loads(content)["data"]]
        except (GaveUp, ValueError, KeyError, TypeError) as error:
            return Seen("models", None, f"no list of models: {error}"[:300])
        listed = self.served_lm in names
        return Seen("models", listed, f"lists {', '.join(names[:10]) or 'nothing'}")

    async def n(self) -> Seen:
        found = await self.choices(n=2, temperature=0.8)
        return Seen("n", len(found) == 2, f"n=2 gave {len(found)}")

    async def seed(self) -> Seen:
        first, again, other = [
            _text(await self.choices(seed=seed, temperature=1.0)) for seed in (1, 1, 2)
        ]
        if first != again:
            return Seen("seed", False, "one seed gave two texts")
        if first == other:
            return Seen("seed", None, "two seeds gave one text")
        return Seen("seed", True, "one seed gave one text, another seed another")

    async def stop(self, plain: list[dict[str, Any]]) -> Seen:
        text = _text(plain)
        mark = text[len(text) // 2 :][:1]
        if not mark or text != _text(await self.choices(temperature=0)):
            return Seen("stop", None, "the plain answer is empty or does not repeat")
        stopped = _text(await self.choices(temperature=0, stop=[mark]))
        shown = f"{stopped!r} of {text!r} with stop {mark!r}"
        if stopped == text:
            return Seen("stop", False, shown)
        return Seen("stop", stopped == text.partition(mark)[0] or None, shown)

    async def logprobs(self) -> Seen:
        tokens, _ = await self._tokens(1)
        return Seen("logprobs", tokens > 0, f"{tokens} tokens with log-probabilities")

    async def top_logprobs(self) -> Seen:
        _, alternatives = await self._tokens(5)
        return Seen("top_logprobs", alternatives > 1, f"5 asked for, {alternatives} given")

    async def prompt_list(self) -> Seen:
        if self.api == "chat":
            return Seen("prompt_list", None, "a chat takes one prompt")
        found = await self.choices(prompt=[PROMPT, PROMPT])
        return Seen("prompt_list", len(found) == 2, f"2 prompts gave {len(found)}")

    async def echo(self) -> Seen:
        """Prompt scoring: the prompt's own log-probabilities and nothing drawn."""
        if self.api == "chat":
            return Seen("echo", None, "a chat does not echo")
        scored = await self.choices(0, echo=True, logprobs=1, stop=["\n"])
        text = _text(scored)
        reported = bool((scored[0].get("logprobs") or {}).get("token_logprobs"))
        if text != PROMPT:
            return Seen("echo", False, f"max_tokens=0 gave {text[:80]!r}")
        return Seen(
            "echo", reported, "the prompt alone, " + ("scored" if reported else "not scored")
        )

    async def _tokens(self, top: int) -> tuple[int, int]:
        """Return the numbers of tokens with log-probabilities and of the first's alternatives."""
        chat = self.api == "chat"
        asked: dict[str, Any] = {"logprobs": True, "top_logprobs": top} if chat else {}
        (choice, *_) = await self.choices(**(asked or {"logprobs": top}))
        reported = choice.get("logprobs") or {}
        if "content" in reported:
            content = reported["content"] or []
            first = content[0].get("top_logprobs") or [] if content else []
            return len(content), len(first)
        tops = reported.get("top_logprobs") or []
        return len(reported.get("token_logprobs") or []), len(tops[0] or {}) if tops else 0


def _choices(content: bytes) -> list[dict[str, Any]]:
    try:
        found = json.loads(content)["choices"]
        if not found or not all(isinstance(choice, dict) for choice in found):
            raise Malformed("no choices")
    except (ValueError, KeyError, TypeError) as error:
        raise Malformed(f"not an answer: {error}") from error
    return list(found)


def _text(choices: list[dict[str, Any]]) -> str:
    first = choices[0]
    return str(first.get("text") or (first.get("message") or {}).get("content") or "")
