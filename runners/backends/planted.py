"""A simulated language model whose truth is known: pass rate, diversity and confidence.

Everything it does follows from a hash of its seed, name, task and sample index, so that the same
options give the same generations on every machine.
"""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from models.base import Row
from runners.backends.base import Completion, Request
from warehouse.errors import BadInput

WRONG = "return 'planted wrong answer'\n"
RAISES = "raise RuntimeError('planted error')\n"
ENDLESS = "while True: pass\n"
UNPARSEABLE = "return (\n"


@dataclass(frozen=True)
class Truth:
    """What is planted.

    pass_rate: mean probability that a sample is right; spread: half-width of the uniform spread of
    that probability over problems; n_styles: number of equally likely, mutually dissimilar ways to
    write an answer (two samples are clones with probability 1/n_styles); overconfidence: shift of
    the stated confidence in logits (0 is calibrated); error, endless and unparseable: shares of
    the wrong samples that raise, never end, or do not parse.
    """

    pass_rate: float = 0.5
    spread: float = 0.0
    n_styles: int = 4
    overconfidence: float = 0.0
    error: float = 0.1
    endless: float = 0.0
    unparseable: float = 0.05
    seed: int = 0


class PlantedBackend:
    """Right answers are the reference, wrong ones plainly wrong; both carry a style."""

    style = "completion"
    simulated = True
    endpoint_id = None

    def __init__(self, lm: str, options: Mapping[str, Any]):
        known = {field.name for field in fields(Truth)}
        unknown = sorted(set(options) - known)
        if unknown:
            raise BadInput(
                f"planted backend: no option {unknown[0]!r}: choose from {', '.join(sorted(known))}"
            )
        self.planted = Truth(**options)
        _check(self.planted)
        self.lm = lm
        self.faults: Counter[str] = Counter()
        self.truth: Mapping[str, Any] | None = asdict(self.planted)

    def rows(self, run_id: str) -> list[Row]:
        """A planted model has no endpoint."""
        return []

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Answer each request at once."""
        for request in requests:
            yield self._answer(request)

    def pass_probability(self, task_id: str) -> float:
        """Return the probability that a sample of this task is right."""
        shift = self.planted.spread * (2 * self._uniform(task_id, "difficulty") - 1)
        return min(1.0, max(0.0, self.planted.pass_rate + shift))

    def _answer(self, request: Request) -> Completion:
        planted, task, index = self.planted, request.task_id, request.sample_index
        probability = self.pass_probability(task)
        right = self._uniform(task, index, "right") < probability
        indent = indentation(request.reference)
        body = request.reference if right else indent + self._wrong(task, index)
        style = int(self._uniform(task, index, "style") * planted.n_styles)
        text = styled(body, style, indent)
        confidence = _shift(probability, planted.overconfidence)
        tokens = tuple(re.findall(r"\s+|\w+|[^\w\s]", text))
        logprob = math.log(confidence)
        return Completion(
            request=request,
            text=text,
            finish_reason="stop",
            n_prompt_tokens=len(re.findall(r"\s+|\w+|[^\w\s]", request.prompt)),
            n_completion_tokens=len(tokens),
            latency_s=0.0,
            cost_usd=0.0,
            tokens=tokens,
            logprobs=(logprob,) * len(tokens),
            cumulative_logprob=logprob * len(tokens),
        )

    def _wrong(self, task: str, index: int) -> str:
        kind = self._uniform(task, index, "kind")
        for share, body in (
            (self.planted.error, RAISES),
            (self.planted.endless, ENDLESS),
            (self.planted.unparseable, UNPARSEABLE),
        ):
            if kind < share:
                return body
            kind -= share
        return WRONG

    def _uniform(self, *parts: object) -> float:
        """Return a number in [0, 1) that depends on nothing but the seed, the lm and the parts."""
        text = "\x1f".join(map(str, (self.planted.seed, self.lm, *parts)))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big") / 2**56


def indentation(body: str) -> str:
    """Return the white space before the first line of a function body."""
    found = re.search(r"^([ \t]*)\S", body, re.MULTILINE)
    return found[1] if found else "    "


def styled(body: str, style: int, indent: str) -> str:
    """Return the body behind as many tokens of its own style as it has, so that styles differ.

    Two bodies of one style keep their overlap; two of different styles share at most half of
    their tokens, well under the clone threshold of 0.8.
    """
    n_tokens = 2 * len(re.findall(r"\w+|[^\w\s]", body)) + 40
    names = [f"style_{style}_{number}" for number in range(n_tokens)]
    lines = [
        indent + " = ".join(names[start : start + 8]) + " = None\n"
        for start in range(0, n_tokens, 8)
    ]
    return "".join(lines) + body.lstrip("\r\n")


def _shift(probability: float, logits: float) -> float:
    clipped = min(0.999, max(0.001, probability))
    return 1 / (1 + math.exp(-(math.log(clipped / (1 - clipped)) + logits)))


def _check(truth: Truth) -> None:
    for name in ("pass_rate", "spread", "error", "endless", "unparseable"):
        value = getattr(truth, name)
        if not isinstance(value, int | float) or not 0 <= value <= 1:
            raise BadInput(f"planted backend: {name} must lie in [0, 1], not {value!r}")
    if not isinstance(truth.n_styles, int) or truth.n_styles < 1:
        raise BadInput(f"planted backend: n_styles must be at least 1, not {truth.n_styles!r}")
    if truth.error + truth.endless + truth.unparseable > 1:
        raise BadInput("planted backend: error + endless + unparseable must not exceed 1")
