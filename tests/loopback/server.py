"""A small OpenAI-compatible server over real HTTP, with the habits and faults of real ones.

``vllm``, ``llama_cpp`` and ``transformers`` behave as those servers were measured to where it
matters. That is ``n``, seeds, lists of prompts, log-probabilities, ``echo`` with ``max_tokens=0``,
and what an error does to the connection. Everything follows from a hash of the request and the
number of times it was seen. So a test sees the same faults every time.

    python -m tests.loopback.server --port 0 --personality vllm --faults 0.3
"""

import argparse
import asyncio
import hashlib
import json
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from http import HTTPStatus
from typing import Any

from tests.loopback.answers import (
    Behaviour,
    RefusedRequest,
    chat,
    completions,
    ready_answer,
    served_key,
)

FAULTS = ("429", "500", "timeout", "cut", "malformed")


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
        """Return the JSON body; raises RefusedRequest."""
        if self.behaviour.key and key != f"Bearer {self.behaviour.key}":
            raise RefusedRequest(401, f"Incorrect API key provided: {key}.", "invalid_api_key")
        if method == "GET" and path == "/v1/models":
            if self.behaviour.personality == "transformers":
                raise RefusedRequest(500, "no hub cache")
            data = [{"id": name, "object": "model"} for name in self.behaviour.models]
            return json.dumps({"object": "list", "data": data}).encode()
        if method != "POST" or path not in ("/v1/completions", "/v1/chat/completions"):
            raise RefusedRequest(404, f"no such path: {path}")
        if self.behaviour.n_tokens is not None:
            return self._at_once(path, raw)
        body = json.loads(raw)
        if self.keep_bodies:
            self.bodies.append(body)
        if body["model"] not in self.behaviour.models:
            raise RefusedRequest(
                404, f"The model `{body['model']}` does not exist.", "model_not_found"
            )
        drawn = self.served[served_key(body)]  # without a seed every answer is another
        speak = completions if "prompt" in body else chat
        answer = speak(body, self.behaviour, drawn)
        self.served[served_key(body)] += len(answer["choices"])
        return json.dumps(answer).encode()

    def _at_once(self, path: str, raw: bytes) -> bytes:
        body = json.loads(raw)
        prompts = body.get("prompt")
        n_prompts = len(prompts) if isinstance(prompts, list) else 1
        n_choices = n_prompts * (body.get("n") or 1)
        self.served["at once"] += n_choices
        top = body.get("top_logprobs") if "messages" in body else body.get("logprobs")
        return ready_answer(path, n_choices, self.behaviour.n_tokens or 0, top or 0)


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
                raise RefusedRequest(503, "down for maintenance")
            self._send(200, self.server.answer(method, path, raw, key))
        except RefusedRequest as refused:
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


async def _listen(server: Loopback, port: int) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    listener = await loop.create_server(lambda: Connection(server), "127.0.0.1", port, backlog=1024)
    port = listener.sockets[0].getsockname()[1]
    server.base_url = f"http://127.0.0.1:{port}/v1"
    return listener


def main() -> None:
    """Serve until interrupted; the first line printed is the address."""
    parser = argparse.ArgumentParser(description="An OpenAI-compatible server for tests.")
    parser.add_argument("--port", type=int, default=0)
    for field in fields(Behaviour):
        if field.name == "reply":
            continue
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
