"""One endpoint over HTTP: every request is sent by one policy of limits, retries and deadlines."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import httpx2
import openai

from runners.drawing.backends.limits import Backoff, Breaker, Bucket, retry_after_s
from runners.drawing.backends.openai.options import Options
from runners.drawing.backends.openai.wire import Malformed, error_text

T = TypeVar("T")

TRANSIENT = {408, 409, 425, 429}
AWAY = {502, 503, 504}  # sent by a proxy whose server is not there
FEW_FAULTS = 3


class GaveUp(Exception):
    """No answer, for good: its issue, and whether asking on makes no sense."""

    def __init__(self, code: str, detail: str, *, hopeless: bool = False, status: int = 0):
        super().__init__(detail)
        self.code, self.detail, self.hopeless, self.status = code, detail, hopeless, status


class Http:
    """The ``openai`` client without its own retries. Made and closed inside one event loop."""

    def __init__(self, options: Options, key: str | None, faults: Counter[str]):
        self.options = options
        self.faults = faults
        self._key = key
        self._client = openai.AsyncOpenAI(
            base_url=options.base_url,
            api_key=key or "none",  # the client insists on one
            max_retries=0,
            timeout=None,  # each attempt as a whole has its limit instead
            http_client=openai.DefaultAsyncHttpxClient(
                timeout=None,
                limits=httpx2.Limits(
                    max_connections=options.concurrency + 1,  # one to ask whether it is there
                    max_keepalive_connections=options.concurrency,
                ),
            ),
        )
        self._backoff = Backoff(chance=random.Random().random)
        self._requests = Bucket(options.requests_per_min) if options.requests_per_min else None
        self._tokens = Bucket(options.tokens_per_min) if options.tokens_per_min else None
        self._quiet_until = 0.0
        self._breaker = Breaker(options.give_up_after_s)
        self._gone = ""
        self._under_way: set[asyncio.Timeout] = set()
        began = time.monotonic()
        self.deadline = began + options.total_deadline_s if options.total_deadline_s else None

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Give up everything under way when the server has been silent for too long."""
        watch = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            watch.cancel()
            with suppress(asyncio.CancelledError):
                await watch

    async def _watch(self) -> None:
        breaker = self._breaker
        while True:
            pause_s = min(1.0, breaker.patience_s / 10)
            began = time.monotonic()
            await asyncio.sleep(pause_s)
            # while the caller is busy with answers, this loop waits
            breaker.excuse(max(0.0, time.monotonic() - began - 2 * pause_s))
            if breaker.left_s > 3 * pause_s:
                continue
            if breaker.n_faults < FEW_FAULTS and await self._is_there(3 * pause_s):
                continue  # slow, not dead
            await asyncio.sleep(max(0.0, breaker.left_s))
            if breaker.left_s <= 0:
                break
        faults = f"; the last fault: {breaker.last_fault}" if breaker.last_fault else ""
        self._gone = (
            f"no answer from {self.options.base_url} for {breaker.patience_s:g} s "
            f"(give_up_after_s){faults}"
        )
        for attempt in self._under_way:
            attempt.reschedule(0)

    async def _is_there(self, within_s: float) -> bool:
        """Return whether the server answers a small question while it owes a large one."""
        try:
            async with asyncio.timeout(within_s):
                await self._once("/models", None)
        except openai.APIStatusError as error:
            return error.status_code not in AWAY
        except (TimeoutError, openai.APIError):
            return False
        return True

    def used_less(self, n_tokens: int) -> None:
        """Give the limit of tokens back what a request did not use."""
        if self._tokens and n_tokens > 0:
            self._tokens.give_back(n_tokens)

    async def send(
        self,
        path: str,
        body: dict[str, Any] | None,
        read: Callable[[bytes], T],
        n_tokens: int = 0,
        max_attempts: int = 0,
    ) -> tuple[T, int]:
        """Return what ``read`` makes of the answer, and the number of attempts; raises GaveUp.

        It is sent until there is an answer, or none is to be hoped for. ``n_tokens`` is the most
        the request may use, for the limit of tokens. An answer that ``read`` calls Malformed counts
        as a failed attempt.
        """
        max_attempts = max_attempts or self.options.max_attempts
        if not self._gone:
            try:
                async with asyncio.timeout(None) as until_gone:
                    self._under_way.add(until_gone)
                    return await self._try(path, body, read, n_tokens, max_attempts)
            except TimeoutError:
                if not self._gone:
                    raise
            finally:
                self._under_way.discard(until_gone)
        raise GaveUp("gave_up", self._gone, hopeless=True)

    async def _try(
        self,
        path: str,
        body: dict[str, Any] | None,
        read: Callable[[bytes], T],
        n_tokens: int,
        max_attempts: int,
    ) -> tuple[T, int]:
        give_up_at = time.monotonic() + self.options.request_deadline_s
        give_up_at = min(give_up_at, self.deadline or give_up_at)
        for attempt in range(1, max_attempts + 1):
            await self._turn(n_tokens, give_up_at)
            asked_s: float | None = None
            self._breaker.tried()
            try:
                left_s = give_up_at - time.monotonic()
                async with asyncio.timeout(min(self.options.timeout_s, left_s)):
                    response = await self._once(path, body)
                answer = read(response.content)
                self._breaker.answered()
                return answer, attempt
            except TimeoutError:
                kind, detail = "timeout", f"no answer within {self.options.timeout_s:g} s"
            except Malformed as error:
                kind, detail = "malformed", str(error)
            except openai.APIConnectionError as error:
                kind = "connection"
                detail = f"{self.options.base_url}: {error.__cause__ or error}"
            except openai.APIStatusError as error:
                try:
                    kind, detail = self._refused(error)
                except GaveUp:
                    self._breaker.answered()
                    raise
                asked_s = retry_after_s(error.response.headers)
            self.faults[kind] += 1
            self._breaker.failed(detail)
            if attempt < max_attempts:
                await self._wait(self._backoff.delay_s(attempt, asked_s), asked_s, give_up_at)
        status = int(kind.removeprefix("http_")) if kind.startswith("http_") else 0
        raise GaveUp("gave_up", f"{max_attempts} attempts; the last: {detail}", status=status)

    async def _once(self, path: str, body: dict[str, Any] | None) -> httpx2.Response:
        response: httpx2.Response
        if body is None:
            response = await self._client.get(path, cast_to=httpx2.Response)
        else:
            response = await self._client.post(path, body=body, cast_to=httpx2.Response)
        return response

    async def _turn(self, n_tokens: int, give_up_at: float) -> None:
        """Wait until the limits let one more request through."""
        wait_s = max(
            self._quiet_until - time.monotonic(),
            self._requests.wait_s_for(1) if self._requests else 0.0,
            self._tokens.wait_s_for(n_tokens) if self._tokens else 0.0,
        )
        if wait_s > 0:
            await self._wait(wait_s, None, give_up_at)

    async def _wait(self, wait_s: float, asked_s: float | None, give_up_at: float) -> None:
        now = time.monotonic()
        if asked_s is not None:
            self._breaker.excuse(max(0.0, now + asked_s - max(now, self._quiet_until)))
            self._quiet_until = max(self._quiet_until, now + asked_s)
        if now + wait_s >= give_up_at:
            total = self.deadline is not None and give_up_at >= self.deadline
            which = "the run's deadline" if total else "the request's deadline"
            raise GaveUp("gave_up", f"{which} would pass while waiting", hopeless=total)
        await asyncio.sleep(wait_s)

    def _refused(self, error: openai.APIStatusError) -> tuple[str, str]:
        """Return kind and detail of a refusal that may pass; raises GaveUp for one that will not.

        What the server says of a key is not repeated: it may quote it.
        """
        status = error.status_code
        code, message = error_text(error.response.content, status)
        if self._key:
            message = message.replace(self._key, "[key]")
        message = " ".join(message.split())[:300]
        detail = f"{status}: {message}"
        if status == 401:
            raise GaveUp("unauthorized", "401: the server refuses the key", hopeless=True)
        if status == 402 or code == "insufficient_quota":
            raise GaveUp("refused", detail, hopeless=True, status=status)
        if status in (400, 404) and ("model_not_found" in code or "does not exist" in message):
            raise GaveUp("unknown_lm", detail, hopeless=True, status=status)
        if status == 404:
            raise GaveUp("bad_request", detail, hopeless=True, status=status)
        if status == 403:
            raise GaveUp("refused", detail, status=status)
        if status in TRANSIENT or status >= 500:
            return f"http_{status}", detail
        raise GaveUp("bad_request", detail, status=status)
