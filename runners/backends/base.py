"""What every backend answers: requests in, completions out, in any order."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from runners.backends import BACKENDS
from warehouse.errors import BadInput


@dataclass(frozen=True)
class Request:
    """One sample to be drawn. ``reference`` is for planted backends alone; others never read it."""

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


@dataclass(frozen=True)
class Completion:
    """What came back for one request."""

    request: Request
    text: str
    finish_reason: str | None = None
    n_prompt_tokens: int | None = None
    n_completion_tokens: int | None = None
    latency_s: float | None = None
    cost_usd: float | None = None
    tokens: tuple[str, ...] | None = None
    logprobs: tuple[float, ...] | None = None
    top_logprobs: str | None = None
    cumulative_logprob: float | None = None


class Backend(Protocol):
    """A source of completions.

    ``style`` says whether texts continue the prompt (completion) or stand alone (solution);
    ``simulated`` whether they come from a planted model; ``truth`` is what was planted, as JSON
    values, or None.
    """

    style: str
    simulated: bool
    truth: Mapping[str, Any] | None

    def __init__(self, lm: str, options: Mapping[str, Any]):
        """Check the options; raises BadInput naming the one that does not fit."""

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Answer each request exactly once, in any order."""
        ...


def make_backend(name: str, lm: str, options: Mapping[str, Any]) -> Backend:
    """Return the named backend; raises BadInput for an unknown name or option."""
    if name not in BACKENDS:
        raise BadInput(f"no backend {name!r}: choose from {', '.join(sorted(BACKENDS))}")
    module, _, attribute = BACKENDS[name].partition(":")
    backend: Backend = getattr(import_module(module), attribute)(lm, options)
    return backend
