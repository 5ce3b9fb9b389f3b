"""The protocol of backends: requests in, completions or failures out, in any order."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ingest.tokens import Alternatives
from models.base import Row
from models.keys import content_key
from models.tables import Endpoint, EndpointCapability
from models.words import Style

API_STYLES = {"completions": Style.COMPLETION, "chat": Style.SOLUTION}
"""The endpoints of an OpenAI server, and of vLLM, by name: what the texts of each are."""


@dataclass(frozen=True, slots=True)
class Request:
    """One sample to be drawn.

    ``reference``, ``mutation`` and ``planted``, the form of the answer, are for planted backends
    alone; others never read them.

    ``messages`` are (role, content) pairs for chat; without them ``prompt`` is to be continued.
    ``n_top_logprobs`` alternatives are wanted per token; None leaves that to the backend. A
    reflection names the generation it speaks of, and that generation's sample index.
    """

    generation_id: str
    task_id: str
    problem_id: str
    variant_id: str
    prompt: str
    reference: str
    sample_index: int
    temperature: float | None
    top_p: float | None
    max_tokens: int | None
    stop: tuple[str, ...]
    seed: int | None
    kind: str = "synthesis"
    planted: str = "body"
    messages: tuple[tuple[str, str], ...] | None = None
    n_top_logprobs: int | None = None
    parent_generation_id: str | None = None
    parent_sample_index: int | None = None
    mutation: str | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """What came back for one request, as the server said it: log-probabilities are not checked.

    ``issues`` are (code, detail) pairs that the backend noticed; codes are of
    ``GENERATION_ISSUES``.
    """

    request: Request
    text: str
    finish_reason: str | None = None
    n_prompt_tokens: int | None = None
    n_completion_tokens: int | None = None
    latency_s: float | None = None
    cost_usd: float | None = None
    tokens: Sequence[str] | None = None
    logprobs: Sequence[float | None] | None = None
    top_logprobs: Alternatives | None = None
    cumulative_logprob: float | None = None
    n_attempts: int = 1
    issues: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """A request that got no completion, after all attempts: its issue and why."""

    request: Request
    code: str
    detail: str


@dataclass(frozen=True)
class Seen:
    """One capability of an endpoint: shown, shown to lack, or None where it is unknown."""

    capability: str
    supported: bool | None
    detail: str


class Backend(Protocol):
    """A source of completions.

    ``style`` says what its texts are, and ``simulated`` whether they come from a planted model.
    ``truth`` is what was planted, as JSON values, or None. ``revision`` is what it finds out itself
    of the language model's revision, or nothing. ``endpoint_id`` is the endpoint, if there is one.
    ``faults`` counts transient faults by kind, for the run's summary.
    """

    style: Style
    simulated: bool = False
    truth: Mapping[str, Any] | None = None
    revision: str = ""
    faults: Counter[str]
    endpoint_id: str | None = None

    def __init__(self, lm: str, options: Mapping[str, Any]):
        """Check the options; raises BadInput naming the one that does not fit."""

    def rows(self, run_id: str) -> Sequence[Row]:
        """Return the endpoint's rows that the warehouse lacks; called before ``complete``."""
        return []

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion | Failure]:
        """Answer each request exactly once, in any order, reading no further than is needed."""
        ...


def endpoint_rows(endpoint: Endpoint, seen: Iterable[Seen]) -> list[Row]:
    """Return the rows of an endpoint and of what it was seen to do."""
    return [
        endpoint,
        *(
            EndpointCapability(
                capability_id=content_key(endpoint.endpoint_id, endpoint.run_id, each.capability),
                endpoint_id=endpoint.endpoint_id,
                run_id=endpoint.run_id,
                **vars(each),
            )
            for each in seen
        ),
    ]
