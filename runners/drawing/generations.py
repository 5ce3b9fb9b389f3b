"""Drawing: requests go to a backend, and what comes back goes to the warehouse as rows.

Generation, repair and reflection all draw through here, so that keys, texts, log-probabilities,
accounting and issues are the same for all of them.
"""

import itertools
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from ingest import keys
from ingest.answers.truncate import Kept
from ingest.tokens import kept_tokens, top_columns
from models.base import Row
from models.keys import content_key, text_key
from models.tables import (
    Generation,
    GenerationIssue,
    GenerationRequest,
    GenerationText,
    LanguageModel,
    Setting,
    TokenLogprob,
)
from models.words import LOGPROB_TOLERANCE, SENTINEL_LOGPROB
from runners.drawing.backends.base import Backend, Completion, Failure, Request
from runners.progress import duration, tracking
from warehouse.facts.generations import generation_ids
from warehouse.frames import values_of
from warehouse.store.connection import reading
from warehouse.store.runs import RunHandle, recorded
from warehouse.store.spool import Spool

SILENCE_S = 10.0

PATIENCE_S = 300.0
"""How long requests under way wait for the warehouse: a build may hold it."""


@dataclass(frozen=True)
class LmSetting:
    """Who is asked and how; the rows' ``run_id`` is filled in when something is drawn."""

    lm: LanguageModel
    setting: Setting
    source: str
    template: str = "original"
    template_key: str = text_key("")


@dataclass(frozen=True)
class KeptAnswer:
    """What is kept of a completion's text, by which rule, and what was noticed on the way.

    ``issues`` are (code, detail) pairs; ``rows`` are stored along, their ``run_id`` filled in.
    """

    kept: Kept
    rule: str
    issues: tuple[tuple[str, str], ...] = ()
    rows: tuple[Row, ...] = ()


AnswerRule = Callable[[Completion], KeptAnswer]


@dataclass
class DrawCounts:
    """What was drawn; ``issues`` counts all issue rows, ``lost`` those without a completion."""

    n_drawn: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    issues: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    cost_usd: float | None = None
    why_lost: str | None = None

    def add(self, other: "DrawCounts") -> None:
        """Add the counts of another draw."""
        self.n_drawn += other.n_drawn
        for name in ("lost", "issues", "faults"):
            getattr(self, name).update(getattr(other, name))
        self.why_lost = self.why_lost or other.why_lost
        if other.cost_usd is not None:
            self.cost_usd = (self.cost_usd or 0.0) + other.cost_usd


@dataclass(frozen=True)
class Batch:
    """Requests to be sent: their number, and what the progress bar calls them.

    ``rows`` are what the requests refer to, stored before them; their ``run_id`` is filled in.
    """

    requests: Iterable[Request]
    total: int
    label: str
    rows: Sequence[Row] = ()


class DrawingRun:
    """One run that draws: what comes back reaches the warehouse when it ends."""

    def __init__(self, run: RunHandle, spool: Spool):
        self.run = run
        self.spool = spool
        self.counts = DrawCounts()

    def draw_batch(
        self,
        backend: Backend,
        lm_setting: LmSetting,
        batch: Batch,
        answer_rule: AnswerRule,
        *,
        progress: bool = True,
    ) -> DrawCounts:
        """Draw every request of a batch, and return what this batch alone drew.

        A request that fails for good leaves an issue row; the others are still sent. The requests
        may be a generator: it is read as the backend asks for more.
        """
        counts = DrawCounts()
        run_id = self.run.run_id
        backend.faults.clear()
        lm_setting.lm.run_id = lm_setting.setting.run_id = run_id
        for row in batch.rows:
            row.run_id = run_id
        self.spool.add([lm_setting.lm, lm_setting.setting, *backend.rows(run_id), *batch.rows])
        note = _trouble_note(counts, backend)
        with tracking(batch.total, batch.label, enabled=progress, note=note) as advance:
            try:
                for answer in backend.complete(batch.requests):
                    rows = _answer_rows(
                        answer, lm_setting, backend.endpoint_id, answer_rule, run_id, counts
                    )
                    self.spool.put(rows)
                    advance()
            finally:
                counts.faults = Counter(backend.faults)
                self.counts.add(counts)
                self.run.summary.update(_run_summary(self.counts))
        return counts


@contextmanager
def drawing_run(kind: str, settings: Mapping[str, Any]) -> Iterator[DrawingRun]:
    """Open a run that draws; at its end all rows are appended together."""
    with recorded(kind, settings=settings) as run, Spool(run, journal=True) as spool:
        yield DrawingRun(run, spool)


def draw_generations(
    backend: Backend,
    lm_setting: LmSetting,
    batch: Batch,
    answer_rule: AnswerRule,
    *,
    kind: str,
    settings: Mapping[str, Any],
    progress: bool = True,
) -> DrawCounts:
    """Draw every request into the warehouse, as one run; no request, no run.

    ``missing_requests`` finds those due.
    """
    wanted = iter(batch.requests)
    first = next(wanted, None)
    if first is None:
        return DrawCounts()
    whole = replace(batch, requests=itertools.chain([first], wanted))
    with drawing_run(kind, settings) as drawing:
        return drawing.draw_batch(backend, lm_setting, whole, answer_rule, progress=progress)


def missing_requests(requests: Iterable[Request], lm_id: str, setting_id: str) -> Iterator[Request]:
    """Yield the requests whose generation is not in the warehouse."""
    with reading() as con:
        present = {bytes.fromhex(key) for key in generation_ids(con, lm_id, setting_id)}
    return (request for request in requests if bytes.fromhex(request.generation_id) not in present)


def make_lm(backend: Backend, lm: str, revision: str) -> LanguageModel:
    """Return the language model's row; another planted truth is another model.

    A revision that is named goes before the one that the backend finds.
    """
    truth = json.dumps(dict(backend.truth), sort_keys=True) if backend.truth else None
    if truth is not None:
        revision = f"planted {text_key(truth)[:8]}"
    revision = revision or backend.revision
    return LanguageModel(
        lm_id=keys.lm_id(lm, revision),
        lm=lm,
        revision=revision,
        simulated=backend.simulated,
        n_parameters=None,
        planted=truth,
        run_id="",
    )


def _answer_rows(
    answer: Completion | Failure,
    lm_setting: LmSetting,
    endpoint_id: str | None,
    answer_rule: AnswerRule,
    run_id: str,
    counts: DrawCounts,
) -> Iterator[tuple[type[Row], Mapping[str, Any]]]:
    """Yield the rows of one answer as table and values: a row object costs more than a request."""
    request = answer.request
    if isinstance(answer, Failure):
        counts.lost[answer.code] += 1
        counts.issues[answer.code] += 1
        counts.why_lost = counts.why_lost or f"{answer.code}: {answer.detail}"
        yield _issue(request, lm_setting, answer.code, answer.detail, run_id, lost=True)
        return
    counts.n_drawn += 1
    if answer.cost_usd is not None:
        counts.cost_usd = (counts.cost_usd or 0.0) + answer.cost_usd
    found = answer_rule(answer)
    problems = dict(answer.issues)
    tokens = None
    if answer.tokens is not None or answer.logprobs is not None:
        tokens, problem = _token_values(answer, found.kept)
        problems.update([problem] if problem else [])
    problems.update(found.issues)
    if not answer.text:
        problems["empty_completion"] = f"finish reason {answer.finish_reason}"
    key = {"generation_id": request.generation_id, "run_id": run_id}
    yield Generation, {**key, **_generation_values(answer, lm_setting)}
    text = {"raw_text": answer.text, "kept_text": found.kept.text, "kept_rule": found.rule}
    yield GenerationText, {**key, **text}
    sent = {
        "template": lm_setting.template,
        "template_key": lm_setting.template_key,
        "prompt_key": prompt_key(request),
        "endpoint_id": endpoint_id,
        "n_attempts": answer.n_attempts,
    }
    yield GenerationRequest, {**key, **sent}
    if tokens is not None:
        yield TokenLogprob, {**key, **tokens}
    for row in found.rows:
        row.run_id = run_id
        yield type(row), values_of(row)
    for code, detail in problems.items():
        counts.issues[code] += 1
        yield _issue(request, lm_setting, code, detail, run_id)


def _issue(
    request: Request,
    lm_setting: LmSetting,
    code: str,
    detail: str,
    run_id: str,
    *,
    lost: bool = False,
) -> tuple[type[Row], Mapping[str, Any]]:
    """Return the row that says what is wrong with a generation."""
    return GenerationIssue, {
        "issue_id": content_key(request.generation_id, code, run_id),
        "generation_id": request.generation_id,
        "lm_id": lm_setting.lm.lm_id,
        "setting_id": lm_setting.setting.setting_id,
        "problem_id": request.problem_id,
        "sample_index": request.sample_index,
        "code": code,
        "detail": " ".join(detail.split())[:500],
        "lost": lost,
        "run_id": run_id,
    }


def _generation_values(answer: Completion, lm_setting: LmSetting) -> dict[str, Any]:
    request = answer.request
    return {
        "lm_id": lm_setting.lm.lm_id,
        "problem_id": request.problem_id,
        "variant_id": request.variant_id,
        "setting_id": lm_setting.setting.setting_id,
        "sample_index": request.sample_index,
        "parent_generation_id": request.parent_generation_id,
        "source": lm_setting.source,
        "text_key": text_key(answer.text),
        "finish_reason": answer.finish_reason,
        "n_prompt_tokens": answer.n_prompt_tokens,
        "n_completion_tokens": answer.n_completion_tokens,
        "latency_s": answer.latency_s,
        "cost_usd": answer.cost_usd,
        "claimed_pass": None,
    }


def prompt_key(request: Request) -> str:
    """Return the key of the prompt or the messages as they are sent."""
    if request.messages is None:
        return text_key(request.prompt)
    return text_key(json.dumps(request.messages, ensure_ascii=False))


def _token_values(
    answer: Completion, kept: Kept
) -> tuple[dict[str, Any] | None, tuple[str, str] | None]:
    """Return the columns of the log-probabilities, or what is wrong with them."""
    tokens, values = answer.tokens, answer.logprobs
    if tokens is None or values is None or len(tokens) != len(values):
        counts = [len(each) if each is not None else 0 for each in (tokens, values)]
        return None, ("logprob_count", f"{counts[0]} tokens, {counts[1]} log-probabilities")
    if not tokens:
        return None, ("logprob_missing", "no token has a log-probability") if answer.text else None
    logprobs: list[Any] = list(values)
    if not _all_finite(logprobs):
        for n, value in enumerate(logprobs):
            name = f"token {n} ({tokens[n]!r})"
            if value is None:
                return None, ("logprob_missing", f"{name} has none")
            if type(value) not in (float, int) or math.isnan(value):
                return None, ("logprob_nan", f"{name}: {value!r}")
            if value > LOGPROB_TOLERANCE:
                return None, ("logprob_positive", f"{name}: {value}")
            logprobs[n] = SENTINEL_LOGPROB if value == -math.inf else float(min(value, 0.0))
    try:
        inside = kept_tokens(tokens, answer.text, kept.start, kept.end)
    except ValueError as error:
        return None, ("logprob_count", str(error))
    top_tokens, top_logprobs = top_columns(answer.top_logprobs)
    columns = {
        "tokens": list(tokens),
        "logprobs": logprobs,
        "kept": inside,
        "top_tokens": top_tokens,
        "top_logprobs": top_logprobs,
        "cumulative_logprob": answer.cumulative_logprob,
    }
    return columns, None


def _all_finite(values: list[Any]) -> bool:
    """Return whether all are finite numbers, none above 0; a NaN compares with nothing."""
    if set(map(type, values)) != {float}:
        return False
    return bool(max(values) <= 0 and sum(values) > -math.inf)


def _trouble_note(counts: DrawCounts, backend: Backend) -> Callable[[], str]:
    """Return what says, while answers are awaited, what was lost, tried again, and since when."""
    seen = (0, time.monotonic())

    def note_text() -> str:
        nonlocal seen
        if counts.n_drawn != seen[0]:
            seen = (counts.n_drawn, time.monotonic())
        faults = ", ".join(f"{kind} {count:,}" for kind, count in list(backend.faults.items()))
        silent_s = time.monotonic() - seen[1]
        return "; ".join(
            part
            for part in (
                f"{counts.lost.total():,} lost" if counts.lost else "",
                f"faults, tried again: {faults}" if faults else "",
                f"no answer for {duration(silent_s)}" if silent_s > SILENCE_S else "",
            )
            if part
        )

    return note_text


def _run_summary(counts: DrawCounts) -> dict[str, Any]:
    return {
        "n_drawn": counts.n_drawn,
        "n_lost": counts.lost.total(),
        **{
            name: dict(getattr(counts, name))
            for name in ("lost", "issues", "faults")
            if getattr(counts, name)
        },
        **({"cost_usd": counts.cost_usd} if counts.cost_usd else {}),
    }
