"""Any server that speaks the OpenAI protocol: completions and chat, with log-probabilities.

What the endpoint can do is probed once and kept as rows. Requests go out concurrently within the
limits, and are sent again while that may help. Each is answered once: by a completion, or by a
failure that says why. The event loop runs only while the caller waits for the next answer, so no
more is held than what is under way.
"""

import asyncio
import itertools
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from models.base import Row
from models.keys import content_key
from models.tables import Endpoint
from runners.drawing.backends.base import (
    API_STYLES,
    Backend,
    Completion,
    Failure,
    Request,
    Seen,
    endpoint_rows,
)
from runners.drawing.backends.limits import CeilingReached, Ledger
from runners.drawing.backends.openai.http import GaveUp, Http
from runners.drawing.backends.openai.options import read_key, read_options
from runners.drawing.backends.openai.probe import probe
from runners.drawing.backends.openai.wire import (
    PATHS,
    Malformed,
    WireAnswer,
    read_answer,
    request_body,
)
from warehouse.errors import AssayError
from warehouse.facts.generations import endpoint_capabilities
from warehouse.store.connection import reading

N_PER_CALL = 8
FAILURES_IN_A_ROW = 64
CHARACTERS_PER_TOKEN = 3  # few, so that what a prompt costs is not underestimated

Answered = Completion | Failure


@dataclass(frozen=True, slots=True)
class Call:
    """One HTTP request: ``n`` samples of each of its prompts, prompt by prompt."""

    requests: list[Request]
    n: int

    @property
    def prompts(self) -> list[Request]:
        """One request for each prompt."""
        return self.requests[:: self.n]

    def without(self, n_answered: int) -> "Call":
        """Return what is left of a call for one prompt after its first samples came."""
        rest = self.requests[n_answered:]
        return Call(rest, len(rest))


class OpenAIBackend(Backend):
    """Asks one endpoint; see ``options.Options`` for what can be set."""

    endpoint_id: str

    def __init__(self, lm: str, options: Mapping[str, Any]):
        self.options = read_options(options)
        self.lm = lm
        self.served_lm = self.options.served_lm or lm
        self.style = API_STYLES[self.options.api]
        self.faults: Counter[str] = Counter()
        self.base_url = self.options.base_url.rstrip("/")
        self.endpoint_id = content_key(self.base_url, self.options.api, self.served_lm)
        self._key, self._no_key = read_key(self.options)
        self._can: dict[str, bool | None] | None = None
        self._hopeless: tuple[str, str] | None = None
        self._n_failed_in_a_row = 0
        self._ledger = Ledger(
            self.options.usd_per_million_prompt_tokens,
            self.options.usd_per_million_completion_tokens,
            self.options.max_cost_usd,
        )

    def rows(self, run_id: str) -> list[Row]:
        """Return the endpoint and, where it had to be probed now, what it can do.

        Raises AssayError when it lacks what the options ask for.
        """
        endpoint = Endpoint(
            endpoint_id=self.endpoint_id,
            base_url=self.base_url,
            api=self.options.api,
            served_lm=self.served_lm,
            run_id=run_id,
        )
        probed: list[Seen] = []
        if self._can is None and not self.options.probe:
            self._can = self._known()
        if self._can is None:
            probed = self._probe()
            self._can = {seen.capability: seen.supported for seen in probed}
        self._insist(self._can)
        return endpoint_rows(
            endpoint, [replace(seen, detail=" ".join(seen.detail.split())) for seen in probed]
        )

    def complete(self, requests: Iterable[Request]) -> Iterator[Answered]:
        """Answer each request; what is under way is at most ``concurrency`` HTTP requests."""
        calls = self._calls(requests)
        loop = asyncio.new_event_loop()
        try:
            yield from self._answers(loop, calls)
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
        # nothing more is sent: the rest is accounted for
        for call in calls:
            yield from self._unsent(call)

    def _answers(
        self, loop: asyncio.AbstractEventLoop, calls: Iterator[Call]
    ) -> Iterator[Answered]:
        answered: deque[Answered] = deque()
        some = asyncio.Event()
        http = Http(self.options, self._key, self.faults)

        async def work() -> None:
            while not self._hopeless:
                call = next(calls, None)
                if call is None:
                    return
                answered.extend(await self._ask(http, call))
                some.set()

        async def work_all() -> None:
            try:
                async with http.watched(), asyncio.TaskGroup() as group:
                    for _ in range(self.options.concurrency):
                        group.create_task(work())
            finally:
                some.set()

        everything = loop.create_task(work_all())
        try:
            while not everything.done():
                loop.run_until_complete(some.wait())
                some.clear()
                while answered:
                    yield answered.popleft()
            try:
                everything.result()
            except ExceptionGroup as group:
                raise group.exceptions[0] from None
            yield from answered
        finally:
            everything.cancel()
            loop.run_until_complete(asyncio.gather(everything, return_exceptions=True))
            loop.run_until_complete(http.close())

    async def _ask(self, http: Http, call: Call) -> list[Answered]:
        """Send one call, again for samples that the server left out, and return all answers."""
        answered: list[Answered] = []
        while call.requests:
            if self._hopeless:
                return [*answered, *self._unsent(call)]
            try:
                found = await self._ask_once(http, call)
            except CeilingReached:
                self._hopeless = (
                    "cost_ceiling",
                    (
                        f"the next request may pass max_cost_usd={self.options.max_cost_usd:g}; "
                        f"spent {self._ledger.spent_usd:.4f}"
                    ),
                )
                return [*answered, *self._unsent(call)]
            except GaveUp as error:
                self._note_failure(error)
                failed = (Failure(each, error.code, error.detail) for each in call.requests)
                return [*answered, *failed]
            self._n_failed_in_a_row = 0
            answered += found
            call = call.without(len(found))
        return answered

    async def _ask_once(self, http: Http, call: Call) -> list[Completion]:
        first, n_samples = call.requests[0], len(call.requests)
        if problem := self._cannot(first):
            raise GaveUp("bad_request", problem, hopeless=True)
        max_tokens = first.max_tokens or 0
        n_top, issues = self._n_top(first)
        body = request_body(
            self.options.api,
            self.served_lm,
            call.prompts,
            call.n,
            n_top=n_top,
            token_limit=self.options.token_limit,
        )
        n_prompt = sum(map(_prompt_tokens, call.prompts))
        n_most = n_prompt + max_tokens * n_samples
        most_usd = self._ledger.price(n_prompt, max_tokens * n_samples) or 0.0

        def whole_answer(content: bytes) -> WireAnswer:
            answer = read_answer(self.options.api, content, n_samples, n_top=n_top)
            if len(call.prompts) > 1 and len(answer.choices) != n_samples:
                raise Malformed(f"{len(answer.choices)} choices for {n_samples} samples")
            return answer

        await self._ledger.reserve(most_usd)
        spent_usd: float | None = 0.0
        began = time.monotonic()
        try:
            answer, n_attempts = await http.send(
                PATHS[self.options.api], body, whole_answer, n_most
            )
            spent_usd = self._ledger.price(answer.n_prompt_tokens, answer.n_completion_tokens)
        finally:
            # an answer that does not say what it used is taken to have used all it might
            self._ledger.settle(most_usd, most_usd if spent_usd is None else spent_usd)
        http.used_less(n_most - (answer.n_prompt_tokens or 0) - (answer.n_completion_tokens or 0))
        return _completions(call, answer, time.monotonic() - began, spent_usd, n_attempts, issues)

    def _calls(self, requests: Iterable[Request]) -> Iterator[Call]:
        """Group requests that one HTTP request can carry, in their order."""
        can = self._can or {}
        n_most = self.options.n_per_call or (N_PER_CALL if can.get("n") else 1)
        for _, alike in itertools.groupby(requests, key=_sampling):
            groups: list[list[Request]] = []  # of one prompt each
            for request in alike:
                # a seed belongs to one sample, and servers refuse n samples of a greedy choice
                n = 1 if request.seed is not None or request.temperature == 0 else n_most
                size = 1 if request.seed is not None else self.options.prompts_per_call
                if groups and len(groups[-1]) < n and _asked(groups[-1][0]) == _asked(request):
                    groups[-1].append(request)
                    continue
                if len(groups) >= size:
                    yield from _joined(groups)
                    groups = []
                groups.append([request])
            yield from _joined(groups)

    def _n_top(self, request: Request) -> tuple[int | None, tuple[tuple[str, str], ...]]:
        """Return how many alternatives to ask for, None for no log-probabilities, and issues."""
        can = self._can or {}
        wanted = request.n_top_logprobs
        if wanted is None:
            if self.options.logprobs is False:
                return None, ()
            wanted = self.options.top_logprobs
        if can.get("logprobs") is False:
            return None, (("logprob_missing", "the endpoint gives no log-probabilities"),)
        if wanted and can.get("top_logprobs") is False:
            return 0, (("logprob_missing", "the endpoint gives no alternatives"),)
        return wanted, ()

    def _cannot(self, request: Request) -> str | None:
        """Return what of a request this endpoint cannot do."""
        can = self._can or {}
        if request.messages is not None and self.options.api != "chat":
            return "messages need api=chat"
        if request.max_tokens is None:
            return "say max_tokens: servers' own defaults differ, and some stop at 16"
        if request.seed is not None and can.get("seed") is False:
            return "the endpoint ignores the seed"
        if request.stop and can.get("stop") is False:
            return "the endpoint ignores stop strings"
        return None

    def _insist(self, can: Mapping[str, bool | None]) -> None:
        """Raise AssayError where the options ask for what the endpoint lacks."""
        options = self.options
        for capability, wanted, what in (
            ("n", (options.n_per_call or 1) > 1, f"n_per_call={options.n_per_call}"),
            ("prompt_list", options.prompts_per_call > 1, "prompts_per_call"),
            ("logprobs", options.logprobs is True, "logprobs=true"),
            ("top_logprobs", options.top_logprobs > 0, f"top_logprobs={options.top_logprobs}"),
        ):
            if wanted and can.get(capability) is False:
                raise AssayError(
                    f"{self.base_url} cannot do {what}, as its probe shows: leave it out, or "
                    "probe again with -o probe=true"
                )

    def _known(self) -> dict[str, bool | None] | None:
        """Return what an earlier run found out about this endpoint."""
        with reading() as con:
            return endpoint_capabilities(con, self.endpoint_id) or None

    def _probe(self) -> list[Seen]:
        """Ask the endpoint what it can do; where it answers nothing, nothing more is asked."""
        if self._no_key:
            self._hopeless = "unauthorized", self._no_key
            return []

        async def ask() -> list[Seen]:
            http = Http(self.options, self._key, self.faults)
            try:
                async with http.watched():
                    return await probe(
                        http, self.options.api, self.served_lm, self.options.token_limit
                    )
            finally:
                await http.close()

        try:
            return asyncio.run(ask())
        except GaveUp as error:
            self._hopeless = error.code, error.detail
            return []

    def _note_failure(self, error: GaveUp) -> None:
        self._n_failed_in_a_row += 1
        if error.hopeless:
            self._hopeless = error.code, error.detail
        elif self._n_failed_in_a_row >= FAILURES_IN_A_ROW:
            self._hopeless = error.code, f"{FAILURES_IN_A_ROW} failed in a row: {error.detail}"

    def _unsent(self, call: Call) -> Iterator[Failure]:
        code, detail = self._hopeless or ("gave_up", "")
        return (Failure(request, code, f"not sent: {detail}") for request in call.requests)


def _completions(
    call: Call,
    answer: WireAnswer,
    latency_s: float,
    spent_usd: float | None,
    n_attempts: int,
    issues: tuple[tuple[str, str], ...],
) -> list[Completion]:
    n_choices = len(answer.choices)
    n_prompt = answer.n_prompt_tokens if len(call.prompts) == 1 else None  # known in sum only
    found = []
    for request, choice in zip(call.requests, answer.choices, strict=False):
        n_tokens = None if choice.tokens is None else len(choice.tokens)
        found.append(
            Completion(
                request=request,
                text=choice.text,
                finish_reason=choice.finish_reason,
                n_prompt_tokens=n_prompt,
                n_completion_tokens=answer.n_completion_tokens if n_choices == 1 else n_tokens,
                latency_s=latency_s,
                cost_usd=None if spent_usd is None else spent_usd / n_choices,
                tokens=choice.tokens,
                logprobs=choice.logprobs,
                top_logprobs=choice.top_logprobs,
                n_attempts=n_attempts,
                issues=issues + choice.issues,
            )
        )
    return found


def _joined(groups: list[list[Request]]) -> Iterator[Call]:
    """Yield calls of groups that ask for equally many samples."""
    for n, equal in itertools.groupby(groups, key=len):
        yield Call(list(itertools.chain.from_iterable(equal)), n)


def _sampling(request: Request) -> tuple[Any, ...]:
    return (
        *(request.temperature, request.top_p, request.max_tokens, request.stop),
        *(request.n_top_logprobs, request.seed is None),
    )


def _asked(request: Request) -> Any:
    return request.messages or request.prompt


def _prompt_tokens(request: Request) -> int:
    texts = [text for _, text in request.messages or ()] or [request.prompt]
    return sum(map(len, texts)) // CHARACTERS_PER_TOKEN + 8 * len(texts)
