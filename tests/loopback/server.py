"""A small OpenAI-compatible server over real HTTP, with the habits and faults of real ones.

``vllm``, ``llama_cpp`` and ``transformers`` behave as those servers were measured to where it
matters: ``n``, seeds, lists of prompts, log-probabilities, ``echo`` with ``max_tokens=0``, and what
an error does to the connection. Everything follows from a hash of the request and the number of
times it was seen, so that a test sees the same faults every time.

    python -m tests.loopback.server --port 0 --personality vllm --faults 0.3
"""

import argparse
import asyncio
import hashlib
import json
import math
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import lru_cache
from http import HTTPStatus
from typing import Any

FAULTS = ("429", "500", "timeout", "cut", "malformed")
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


class Refused(Exception):
    """An HTTP error to be answered."""

    def __init__(self, status: int, message: str, code: str | None = None):
        super().__init__(message)
        self.status, self.code = status, code


class Loopback:
    """The server's memory: what it saw and what it served."""

    def __init__(self, behaviour: Behaviour):
        self.behaviour = behaviour
        self.attempts: Counter[bytes] = Counter()
        self.served: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.keep_bodies = True
        self.n_now = self.n_most = 0
        self.base_url = ""

    def samples(self) -> int:
        """Return how many choices were sent in whole answers."""
        return self.served.total()

    def plan(self, path: str, raw: bytes) -> str | None:
        """Return the fault this attempt meets, if any."""
        seen = hashlib.sha256(path.encode() + b"\0" + raw).digest()
        self.attempts[seen] += 1
        draw = hashlib.sha256(seen + str(self.attempts[seen]).encode()).digest()
        if int.from_bytes(draw[:6], "big") / 2**48 >= self.behaviour.faults:
            return None
        fault = FAULTS[draw[6] % len(FAULTS)]
        self.faults[fault] += 1
        return fault

    def answer(self, method: str, path: str, raw: bytes, key: str) -> bytes:
        """Return the JSON body; raises Refused."""
        if self.behaviour.key and key != f"Bearer {self.behaviour.key}":
            raise Refused(401, f"Incorrect API key provided: {key}.", "invalid_api_key")
        if method == "GET" and path == "/v1/models":
            if self.behaviour.personality == "transformers":
                raise Refused(500, "no hub cache")
            data = [{"id": name, "object": "model"} for name in self.behaviour.models]
            return json.dumps({"object": "list", "data": data}).encode()
        if method != "POST" or path not in ("/v1/completions", "/v1/chat/completions"):
            raise Refused(404, f"no such path: {path}")
        if self.behaviour.n_tokens is not None:
            return self._at_once(path, raw)
        body = json.loads(raw)
        if self.keep_bodies:
            self.bodies.append(body)
        if body["model"] not in self.behaviour.models:
            raise Refused(404, f"The model `{body['model']}` does not exist.", "model_not_found")
        drawn = self.served[_served_key(body)]  # without a seed every answer is another
        speak = _completions if "prompt" in body else _chat
        answer = speak(body, self.behaviour, drawn)
        self.served[_served_key(body)] += len(answer["choices"])
        return json.dumps(answer).encode()

    def _at_once(self, path: str, raw: bytes) -> bytes:
        body = json.loads(raw)
        prompts = body.get("prompt")
        n_prompts = len(prompts) if isinstance(prompts, list) else 1
        n_choices = n_prompts * (body.get("n") or 1)
        self.served["at once"] += n_choices
        top = body.get("top_logprobs") if "messages" in body else body.get("logprobs")
        return _ready(path, n_choices, self.behaviour.n_tokens or 0, top or 0)


class Connection(asyncio.Protocol):
    """One keep-alive connection, spoken to in HTTP/1.1."""

    def __init__(self, server: Loopback):
        self.server = server
        self.buffer = b""
        self.busy: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        if self.busy:
            self.busy.cancel()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while self.busy is None:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            first, *lines = head.decode("latin-1").split("\r\n")
            headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
            length = int(headers.get("content-length", 0))
            if len(rest) < length:
                return
            self.buffer = rest[length:]
            method, path, _ = first.split(" ", 2)
            self._handle(method, path, rest[:length], headers.get("authorization", ""))

    def _handle(self, method: str, path: str, raw: bytes, key: str) -> None:
        behaviour = self.server.behaviour
        self.server.n_now += 1
        self.server.n_most = max(self.server.n_most, self.server.n_now)
        fault = self.server.plan(path, raw) if behaviour.faults and method == "POST" else None
        delay_s = behaviour.delay_s if path.startswith(behaviour.slow_path) else 0.0
        if fault is None and not delay_s and not behaviour.down:
            self._answer(method, path, raw, key)
            return

        async def later() -> None:
            try:
                if fault:
                    await self._misbehave(fault)
                    return
                await asyncio.sleep(delay_s)
            finally:
                self.busy = None
            self._answer(method, path, raw, key)
            self.data_received(b"")

        self.busy = asyncio.get_running_loop().create_task(later())

    def _answer(self, method: str, path: str, raw: bytes, key: str) -> None:
        self.server.n_now -= 1
        try:
            if self.server.behaviour.down:
                raise Refused(503, "down for maintenance")
            self._send(200, self.server.answer(method, path, raw, key))
        except Refused as refused:
            error = {"message": str(refused), "type": "error", "code": refused.code}
            self._send(refused.status, json.dumps({"error": error}).encode())
            if refused.status == 500 and self.server.behaviour.personality == "transformers":
                self.transport.close()

    async def _misbehave(self, fault: str) -> None:
        self.server.n_now -= 1
        if fault == "429":
            after = f"Retry-After: {self.server.behaviour.retry_after}\r\n"
            self._send(429, b'{"error": {"message": "slow down"}}', after)
        elif fault == "500":
            self._send(500, b"Internal Server Error")
        elif fault == "timeout":
            await asyncio.sleep(self.server.behaviour.hang_s)
            self.transport.close()
        elif fault == "cut":
            head = (
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n"
            )
            self.transport.write(head + b'{"choices": [{"text": "    ret')
            self.transport.close()
        else:
            self._send(200, b'{"choices": [{"text": "    return 1", "index": 0, "logpro')

    def _send(self, status: int, body: bytes, extra: str = "") -> None:
        head = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: application/json\r\n"
            f"{extra}Content-Length: {len(body)}\r\n\r\n"
        )
        self.transport.write(head.encode("latin-1") + body)


@contextmanager
def serving(**behaviour: Any) -> Iterator[Loopback]:
    """Serve from a thread of this process; yields the server, whose base_url is ready."""
    server = Loopback(Behaviour(**behaviour))
    loop = asyncio.new_event_loop()
    ready = threading.Event()

    def run() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(_listen(server, 0))
        ready.set()
        loop.run_forever()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait()
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


def lie_about(prompt: str) -> str:
    """Return the lie that a lying server tells in answer to a prompt."""
    return LIES[hashlib.sha256(prompt.encode()).digest()[0] % len(LIES)]


async def _listen(server: Loopback, port: int) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    listener = await loop.create_server(lambda: Connection(server), "127.0.0.1", port, backlog=1024)
    port = listener.sockets[0].getsockname()[1]
    server.base_url = f"http://127.0.0.1:{port}/v1"
    return listener


def _completions(body: dict[str, Any], behaviour: Behaviour, drawn: int) -> dict[str, Any]:
    personality = behaviour.personality
    prompts = body["prompt"]
    if isinstance(prompts, list):
        if personality != "vllm":
            raise Refused(500 if personality == "llama_cpp" else 400, "prompt must be a text")
    else:
        prompts = [prompts]
    echo = bool(body.get("echo"))
    limit = body.get("max_tokens", DEFAULT_TOKENS)
    if limit == 0 and personality == "transformers":
        raise Refused(500, "`max_new_tokens` must be greater than 0, but is 0.")
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


def _chat(body: dict[str, Any], behaviour: Behaviour, drawn: int) -> dict[str, Any]:
    personality = behaviour.personality
    prompt = "\n".join(message["content"] for message in body["messages"])
    lie = lie_about(prompt) if behaviour.lies else ""
    limit = body.get("max_completion_tokens") or body.get("max_tokens") or DEFAULT_TOKENS
    choices = []
    n_completion = 0
    for index in range(_n(body, personality)):
        tokens, finish = _sample(body, prompt, drawn, index, limit, lie)
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
        raise Refused(400, f"n must be 1 when using greedy sampling, got {n}.")
    return n


def _sample(
    body: dict[str, Any], prompt: str, drawn: int, index: int, limit: int, lie: str
) -> tuple[list[str], str]:
    """Return the tokens drawn for one choice, as far as the limit and the stop strings allow."""
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
    """Return the answer to the prompt that stands at this place in a seed's row of answers."""
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


def _served_key(body: dict[str, Any]) -> str:
    asked = body.get("prompt", body.get("messages"))
    return hashlib.sha256(json.dumps([asked, body.get("seed")]).encode()).hexdigest()[:16]


@lru_cache(maxsize=64)
def _ready(path: str, n_choices: int, n_tokens: int, top: int) -> bytes:
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


def main() -> None:
    """Serve until interrupted; the first line printed is the address."""
    parser = argparse.ArgumentParser(description="An OpenAI-compatible server for tests.")
    parser.add_argument("--port", type=int, default=0)
    for field in fields(Behaviour):
        if field.name == "models":
            parser.add_argument("--models", nargs="+", default=list(field.default))  # type: ignore[arg-type]
        elif field.name == "n_tokens":
            parser.add_argument("--n-tokens", type=int)
        elif field.type is bool:
            parser.add_argument(f"--{field.name}", action="store_true")
        else:
            name = "--" + field.name.replace("_", "-")
            parser.add_argument(name, type=type(field.default), default=field.default)
    given = vars(parser.parse_args())
    port = given.pop("port")
    server = Loopback(Behaviour(**{**given, "models": tuple(given["models"])}))
    server.keep_bodies = False

    async def run() -> None:
        listener = await _listen(server, port)
        print(server.base_url, flush=True)
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        await stop.wait()
        listener.close()

    asyncio.run(run())


if __name__ == "__main__":
    main()
