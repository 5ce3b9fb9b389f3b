"""Ask a language model about its own answers; each reply is stored as a generation."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import duckdb

from ingest import keys
from models.tables import Setting
from models.words import TASKS_OF_METRICS
from runners.drawing.backends.base import Backend, Request
from runners.drawing.generations import (
    PATIENCE_S,
    Batch,
    DrawCounts,
    DrawingRun,
    LmSetting,
    drawing_run,
    make_lm,
)
from runners.problems import require, require_lm
from runners.specs import ReflectSpec, fit_backend
from runners.tasks import REFLECTIONS
from runners.tasks.reflection import TASK, ReflectionForm, answer_rule, reading_row
from runners.tasks.stated_probabilities import StatedProbability
from runners.tasks.templates import Template, load
from warehouse.errors import BadInput
from warehouse.facts.reflections import (
    ReflectableAnswer,
    UnreadReply,
    answers,
    count_reflectable,
    due_reflections,
    unread_replies,
)
from warehouse.store.connection import reading
from warehouse.store.locks import alone
from warehouse.store.runs import recorded
from warehouse.store.spool import drain_leftovers

CHUNK = 2_000


@dataclass
class ReflectReport:
    """What was asked of how many answers, by template; what was lost and noticed, by reason."""

    lm: str
    n_judged: int
    n_asked: dict[str, int] = field(default_factory=dict)
    n_read_anew: int | None = None
    lost: dict[str, int] = field(default_factory=dict)
    issues: dict[str, int] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)
    cost_usd: float | None = None
    why_lost: str | None = None


@dataclass(frozen=True)
class CallDue:
    """One call, counted from 0: the ids of the answers that are due, by template.

    An answer is due for a later call while the replies about it cannot be read.
    """

    attempt: int
    by_template: list[tuple[LmSetting, list[str]]]


def reflect(spec: ReflectSpec, *, progress: bool = True) -> ReflectReport:
    """Ask a language model about each of its answers that has a text; only what is missing.

    A percentage that cannot be read is asked for again, up to three times. Each of these calls is
    one run for all templates. Replies that an earlier version left unread are read first. Raises
    BadInput for an unknown backend, option or template, and where the language model has no answer,
    and Locked while another process asks it.
    """
    named = [spec.template] if isinstance(spec.template, str) else list(spec.template)
    templates = named or list(REFLECTIONS)
    forms = {name: REFLECTIONS.load(name) for name in templates}
    source = fit_backend(spec)
    drain_leftovers()
    lm_id = make_lm(source, spec.lm, spec.revision).lm_id
    stated = {name: form.stated for name, form in forms.items() if form.stated is not None}
    asked = [_lm_setting(name, form, spec, source) for name, form in forms.items()]
    settings = spec.settings() | {"template": templates}
    with alone(f"reflect-{lm_id[:16]}", f"reflect {spec.lm}"):
        with reading() as con:  # most nights nothing is due: then this is the only look
            n_judged = _count_judged(con, spec, lm_id)
            unread = {template: unread_replies(con, template) for template in stated}
            call = _next_call(con, asked, spec.dataset)
        n_unread = sum(map(len, unread.values()))
        if n_unread:
            _read_unread(unread, stated, settings)
            with reading() as con:
                call = _next_call(con, asked, spec.dataset)
        n_asked: Counter[str] = Counter()
        drawn = DrawCounts()
        while call is not None:
            with drawing_run("reflect", settings) as drawing:
                n_asked.update(_ask(call, source, drawing, progress=progress))
            drawn.add(drawing.counts)
            with reading() as con:
                call = _next_call(con, asked, spec.dataset, call.attempt + 1)
    return ReflectReport(
        lm=spec.lm,
        n_judged=n_judged,
        n_asked=dict(+n_asked),
        n_read_anew=n_unread or None,
        lost=dict(drawn.lost),
        issues=dict(drawn.issues),
        faults=dict(drawn.faults),
        cost_usd=drawn.cost_usd,
        why_lost=drawn.why_lost,
    )


def _count_judged(con: duckdb.DuckDBPyConnection, spec: ReflectSpec, lm_id: str) -> int:
    """Return how many answers can be asked about; raises BadInput where there is none."""
    require_lm(con, spec.lm)
    if spec.dataset is not None:
        require(con, spec.dataset)
    n_judged = count_reflectable(con, lm_id, spec.dataset, TASKS_OF_METRICS["confidence"])
    if not n_judged:
        which = f" on {spec.dataset}" if spec.dataset else ""
        raise BadInput(
            f"{spec.lm} has no generation{which} with a text, under this revision or truth"
        )
    return n_judged


def _lm_setting(name: str, form: ReflectionForm, spec: ReflectSpec, source: Backend) -> LmSetting:
    """Return the language model and the setting of a template."""
    setting = keys.SettingValues(
        task=TASK,
        style=source.style,
        prompt_kind=name,
        temperature=form.temperature,
        max_tokens=spec.max_tokens or form.max_tokens,
        seed=spec.seed,
    ).row()
    lm = make_lm(source, spec.lm, spec.revision)
    return LmSetting(lm, setting, spec.backend, name, load(name).key)


def _next_call(
    con: duckdb.DuckDBPyConnection,
    asked: Sequence[LmSetting],
    dataset: str | None,
    from_call: int = 0,
) -> CallDue | None:
    """Return the first call, from one on, that an answer is due for; None without one."""
    n_calls = {each.template: REFLECTIONS.load(each.template).n_calls for each in asked}
    for attempt in range(from_call, max(n_calls.values())):
        by_template = []
        for each in asked:
            if attempt >= n_calls[each.template]:
                continue
            ids = due_reflections(
                con,
                lm_id=each.lm.lm_id,
                setting_id=each.setting.setting_id,
                dataset=dataset,
                tasks=TASKS_OF_METRICS["confidence"],
                reader=each.template,
                attempt=attempt,
            )
            if ids:
                by_template.append((each, ids))
        if by_template:
            return CallDue(attempt, by_template)
    return None


def _ask(call: CallDue, source: Backend, drawing: DrawingRun, *, progress: bool) -> dict[str, int]:
    """Ask by one template after the other; return how many replies came, by template."""
    n_drawn = {}
    for asked, ids in call.by_template:
        label = f"reflect {asked.template} {asked.lm.lm}, call {call.attempt + 1}"
        batch = Batch(_requests(ids, source, asked, call.attempt), len(ids), label)
        rule = answer_rule(asked.template)
        drawn = drawing.draw_batch(source, asked, batch, rule, progress=progress)
        n_drawn[asked.template] = drawn.n_drawn
    return n_drawn


def _requests(
    ids: Sequence[str], source: Backend, lm_setting: LmSetting, attempt: int
) -> Iterator[Request]:
    """Yield a request per answer; texts are fetched in chunks, as they are asked for."""
    for start in range(0, len(ids), CHUNK):
        with reading(wait_s=PATIENCE_S) as con:
            answered = answers(con, ids[start : start + CHUNK])
        for answer in answered:
            yield _request(answer, source, lm_setting, load(lm_setting.template), attempt)


def _request(
    answer: ReflectableAnswer,
    source: Backend,
    lm_setting: LmSetting,
    template: Template,
    attempt: int,
) -> Request:
    setting: Setting = lm_setting.setting
    form = REFLECTIONS.load(template.name)
    texts = {"task": answer.prompt.strip("\n"), "answer": answer.kept_text.strip("\n")}
    return Request(
        generation_id=keys.generation_id(
            lm_setting.lm.lm_id,
            answer.variant_id,
            setting.setting_id,
            attempt,
            answer.generation_id,
        ),
        task_id=answer.task_id,
        problem_id=answer.problem_id,
        variant_id=answer.variant_id,
        prompt=template.render(**texts),
        reference=answer.reference,
        sample_index=attempt,
        temperature=setting.temperature,
        top_p=None,
        max_tokens=setting.max_tokens,
        stop=(),
        seed=setting.seed,
        kind=form.kind,
        planted=form.planted,
        messages=template.messages(**texts) if source.style.in_chat else None,
        n_top_logprobs=form.n_top_logprobs,
        parent_generation_id=answer.generation_id,
        parent_sample_index=answer.sample_index,
    )


def _read_unread(
    unread: Mapping[str, Sequence[UnreadReply]],
    stated: Mapping[str, Callable[[str], StatedProbability]],
    settings: Mapping[str, Any],
) -> None:
    """Read the replies that have no reading yet, by template."""
    with recorded("reflect", settings=settings) as run:
        run.append(
            reading_row(reply.generation_id, template, stated[template](reply.raw_text), run.run_id)
            for template, replies in unread.items()
            for reply in replies
        )
