"""Limits on a client: request rates, back-off, and money."""

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


class Bucket:
    """A token bucket: in any span of s seconds it lets through at most rate * s plus its burst.

    An amount above the burst goes through when the bucket is full and leaves a debt. So it waits
    like the same amount in small pieces.
    """

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic):
        self.rate_per_s = per_minute / 60
        self.burst = max(1.0, self.rate_per_s)
        self._clock = clock
        self._level = self.burst
        self._at = clock()

    def wait_s_for(self, amount: float) -> float:
        """Take an amount and return for how many seconds to wait before using it."""
        now = self._clock()
        self._level = min(self.burst, self._level + (now - self._at) * self.rate_per_s)
        self._at = now
        wait_s = max(0.0, (min(amount, self.burst) - self._level) / self.rate_per_s)
        self._level -= amount
        return wait_s

    def give_back(self, amount: float) -> None:
        """Return what was taken and not used."""
        self._level = min(self.burst, self._level + amount)


@dataclass(frozen=True)
class Backoff:
    """Exponential back-off with full jitter; never sooner than the server asked for."""

    base_s: float = 0.5
    cap_s: float = 30.0
    chance: Callable[[], float] = random.random

    def delay_s(self, n_failed: int, retry_after_s: float | None = None) -> float:
        """Return how long to wait after the n-th failed attempt, from 1."""
        jitter = self.chance() * min(self.cap_s, self.base_s * 2.0 ** (n_failed - 1))
        return jitter if retry_after_s is None else retry_after_s + min(jitter, 1.0)


@dataclass
class Breaker:
    """Says when a server has given no answer for so long that asking on makes no sense.

    The clock starts with the first attempt after the last answer. What the server itself asked to
    wait does not count.
    """

    patience_s: float
    clock: Callable[[], float] = time.monotonic
    n_faults: int = 0
    last_fault: str = ""
    _since: float | None = None

    def tried(self) -> None:
        """Note that an attempt goes out."""
        if self._since is None:
            self._since = self.clock()

    def answered(self) -> None:
        """Note an answer, whatever it says: the server is there."""
        self._since, self.n_faults = None, 0

    def failed(self, fault: str) -> None:
        """Note an attempt without an answer."""
        self.n_faults += 1
        self.last_fault = fault

    def excuse(self, seconds: float) -> None:
        """Note for how much longer the server asked to be left alone."""
        if self._since is not None:
            self._since += seconds

    @property
    def waited_s(self) -> float:
        """For how long there was no answer."""
        return 0.0 if self._since is None else self.clock() - self._since

    @property
    def left_s(self) -> float:
        """Return the seconds left to wait."""
        return self.patience_s - self.waited_s


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return what Retry-After (seconds or a date) or its millisecond form asks for."""
    for name, scale in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) * scale
        except ValueError:
            try:
                when = parsedate_to_datetime(value)
            except ValueError:
                continue
            seconds = (when.astimezone(UTC) - datetime.now(UTC)).total_seconds()
        if seconds == seconds:  # a NaN asks for nothing
            return max(0.0, seconds)
    return None


class CeilingReached(Exception):
    """The next request might cost more than is left."""


@dataclass
class Ledger:
    """What was spent, and what requests under way may still cost; USD.

    A request is let go only when everything spent and possible stays under the ceiling. So the
    ceiling holds while the server keeps to ``max_tokens``.
    """

    usd_per_million_prompt_tokens: float | None = None
    usd_per_million_completion_tokens: float | None = None
    ceiling_usd: float | None = None
    spent_usd: float = 0.0
    _reserved_usd: float = 0.0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def price(self, n_prompt: int | None, n_completion: int | None) -> float | None:
        """Return the price of an answer; None where a count or a price is unknown."""
        total = 0.0
        for count, usd in (
            (n_prompt, self.usd_per_million_prompt_tokens),
            (n_completion, self.usd_per_million_completion_tokens),
        ):
            if count is None or usd is None:
                return None
            total += count * usd / 1e6
        return total

    async def reserve(self, most_usd: float) -> None:
        """Wait until the amount is free; raises CeilingReached when it never will be."""
        if self.ceiling_usd is None:
            return
        while self.spent_usd + self._reserved_usd + most_usd > self.ceiling_usd:
            if self._reserved_usd <= 1e-12:
                raise CeilingReached
            await self._changed.wait()
        self._reserved_usd += most_usd

    def settle(self, most_usd: float, spent_usd: float) -> None:
        """Turn a reservation into what was really spent."""
        self.spent_usd += spent_usd
        if self.ceiling_usd is not None:
            self._reserved_usd -= most_usd
            self._changed.set()  # for all who wait now; who comes later waits for the next
            self._changed = asyncio.Event()
