"""Ask a language model what it thinks of its own answers: each reply is a generation of its own."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ingest import keys
from ingest.answers.truncate import RULES
from models.keys import content_key
from models.tables import ReflectionReading, Setting
from models.words import VERBALIZED_CALLS
from runners.drawing.backends.base import Backend, Completion, Kind, Request, make_backend
from runners.drawing.draw import Asking, Drawn, Reading, draw, make_lm, make_setting
from runners.problems import require, require_lm
from runners.tasks.readers import READERS
from runners.tasks.templates import Template, load
from warehouse.errors import BadInput
from warehouse.store.connection import reading
from warehouse.store.locks import alone
from warehouse.store.runs import recorded
from warehouse.store.spool import drain_leftovers

CHUNK = 2_000
PATIENCE_S = 300.0  # a build may hold the warehouse while replies are under way


@dataclass(frozen=True)
class Way:
    """How a template is asked: at most ``n_calls`` times, until a reply can be read."""

    kind: Kind
    temperature: float
    max_tokens: int
    n_calls: int
    n_top_logprobs: int | None


WAYS: dict[str, Way] = {
    # Spiess et al. 2024, appendix: temperature 1, and up to 3 more calls while none can be read
    "verbalized_v1": Way("verbalized", 1.0, 64, VERBALIZED_CALLS, None),
    "verbalized_v2": Way("verbalized", 1.0, 256, VERBALIZED_CALLS, None),
    # section 3.1.2: the five likeliest of the first two tokens, and of the model's own choice
    "ask_tf_v1": Way("ask_tf", 0.0, 2, 1, 5),
}
"""Reflections by template."""


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

    def add(self, template: str, drawn: Drawn) -> None:
        """Count what one round drew."""
        if drawn.n_drawn:
            self.n_asked[template] = self.n_asked.get(template, 0) + drawn.n_drawn
        self.lost = dict(Counter(self.lost) + drawn.lost)
        self.issues = dict(Counter(self.issues) + drawn.issues)
        self.faults = dict(Counter(self.faults) + drawn.faults)
        self.why_lost = self.why_lost or drawn.why_lost
        if drawn.cost_usd is not None:
            self.cost_usd = (self.cost_usd or 0.0) + drawn.cost_usd


def reflect(
    *,
    backend: str,
    lm: str,
    template: str | Sequence[str] = tuple(WAYS),
    dataset: str | None = None,
    revision: str = "",
    max_tokens: int | None = None,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    progress: bool = True,
) -> ReflectReport:
    """Ask a language model about every answer of its own that has a text; only what is missing.

    A percentage that cannot be read is asked for again, up to three times; replies that an earlier
    version left unread are read first. ``max_tokens`` overrides the template's own limit, which
    makes another setting of it. Raises BadInput for an unknown backend, option or template, and
    where the language model has no answer, and Locked while another process asks it.
    """
    templates = [template] if isinstance(template, str) else list(template)
    for name in templates:
        if name not in WAYS:
            raise BadInput(f"no reflection {name!r}; available: {', '.join(WAYS)}")
    source = make_backend(backend, lm, options or {})
    settings = {
        "backend": backend,
        "lm": lm,
        "template": templates,
        "dataset": dataset,
        "max_tokens": max_tokens,
        "seed": seed,
        "options": dict(options or {}),
    }
    drain_leftovers()
    lm_id = make_lm(source, lm, revision).lm_id
    with reading() as con:
        require_lm(con, lm)
        if dataset is not None:
            require(con, dataset)
    report = ReflectReport(lm, len(_judged(lm_id, dataset)))
    if not report.n_judged:
        which = f" on {dataset}" if dataset else ""
        raise BadInput(f"{lm} has no generation{which} with a text, under this revision or truth")
    with alone(f"reflect-{lm_id[:16]}", f"reflect {lm}"):
        for name in templates:
            way = WAYS[name]
            setting = make_setting(
                task="reflection",
                style=source.style,
                prompt_kind=name,
                temperature=way.temperature,
                max_tokens=max_tokens or way.max_tokens,
                seed=seed,
            )
            if name in READERS:
                n_read = _read_unread(name, settings)
                report.n_read_anew = (report.n_read_anew or 0) + n_read or None
            for attempt in range(way.n_calls):
                # the faults of the backend count up: each round adds its own
                source.faults.clear()
                ids = _pending(lm_id, setting.setting_id, dataset, name, attempt)
                asking = Asking(
                    make_lm(source, lm, revision), setting, backend, name, load(name).key
                )
                drawn = draw(
                    source,
                    asking,
                    _requests(ids, source, asking, attempt),
                    _reader(name),
                    kind="reflect",
                    settings=settings,
                    total=len(ids),
                    label=f"reflect {name} {lm}, call {attempt + 1}",
                    progress=progress,
                )
                report.add(name, drawn)
    return report


JUDGED = """
    judged as (
        select generation.generation_id
        from raw.generation as generation
        inner join raw.generation_text as generation_text using (generation_id)
        inner join raw.problem as problem using (problem_id)
        where generation.parent_generation_id is null
            and generation.lm_id = $lm_id
            and ($dataset is null or problem.dataset = $dataset)
            and regexp_matches(generation_text.kept_text, '\\S')
    )
"""


def _judged(lm_id: str, dataset: str | None) -> list[str]:
    with reading() as con:
        rows = con.execute(
            f"with {JUDGED} select generation_id from judged", {"lm_id": lm_id, "dataset": dataset}
        ).fetchall()
    return [key for (key,) in rows]


def _pending(
    lm_id: str, setting_id: str, dataset: str | None, reader: str, attempt: int
) -> list[str]:
    """Return the answers of which this call is due: no such reply, and all before unreadable."""
    with reading() as con:
        rows = con.execute(
            f"""
            with {JUDGED},
            asked as (
                select
                    reply.parent_generation_id as generation_id,
                    count(*) filter (reply.sample_index = $attempt) as n_now,
                    count(reflection_reading.null_reason)
                        filter (reply.sample_index < $attempt) as n_unreadable,
                    count(reflection_reading.value) as n_values
                from raw.generation as reply
                left join raw.reflection_reading as reflection_reading
                    on
                        reply.generation_id = reflection_reading.generation_id
                        and reflection_reading.reader = $reader
                where reply.setting_id = $setting_id
                    and reply.lm_id = $lm_id
                    and reply.parent_generation_id is not null
                group by all
            )
            select judged.generation_id
            from judged
            left join asked using (generation_id)
            where coalesce(asked.n_now, 0) = 0
                and coalesce(asked.n_values, 0) = 0
                and coalesce(asked.n_unreadable, 0) = $attempt
            order by 1
            """,
            {
                "lm_id": lm_id,
                "dataset": dataset,
                "setting_id": setting_id,
                "reader": reader,
                "attempt": attempt,
            },
        ).fetchall()
    return [key for (key,) in rows]


def _requests(
    ids: Sequence[str], source: Backend, asking: Asking, attempt: int
) -> Iterator[Request]:
    """Yield a request per answer; texts are fetched in chunks, as they are asked for."""
    for start in range(0, len(ids), CHUNK):
        with reading(wait_s=PATIENCE_S) as con:
            rows = con.execute(
                """
                select
                    generation.generation_id,
                    generation.sample_index,
                    generation.problem_id,
                    generation.variant_id,
                    problem.task_id,
                    problem.reference,
                    variant.prompt,
                    generation_text.kept_text
                from raw.generation as generation
                inner join raw.generation_text as generation_text using (generation_id)
                inner join raw.problem as problem on generation.problem_id = problem.problem_id
                inner join raw.variant as variant on generation.variant_id = variant.variant_id
                where generation.generation_id in (select unnest(?::varchar[]))
                order by 1
                """,
                [list(ids[start : start + CHUNK])],
            ).fetchall()
        for row in rows:
            yield _request(row, source, asking, load(asking.template), attempt)


def _request(
    row: tuple[Any, ...], source: Backend, asking: Asking, template: Template, attempt: int
) -> Request:
    parent, index, problem_id, variant_id, task_id, reference, prompt, answer = row
    setting: Setting = asking.setting
    texts = {"task": prompt.strip("\n"), "answer": answer.strip("\n")}
    return Request(
        generation_id=keys.generation_id(
            asking.lm.lm_id, variant_id, setting.setting_id, attempt, parent
        ),
        task_id=task_id,
        problem_id=problem_id,
        variant_id=variant_id,
        prompt=template.render(**texts),
        reference=reference,
        sample_index=attempt,
        temperature=setting.temperature,
        top_p=None,
        max_tokens=setting.max_tokens,
        stop=(),
        seed=setting.seed,
        kind=WAYS[template.name].kind,
        messages=template.messages(**texts) if source.style == "solution" else None,
        n_top_logprobs=WAYS[template.name].n_top_logprobs,
        parent_generation_id=parent,
        parent_sample_index=index,
    )


def _reader(template: str) -> Callable[[Completion], Reading]:
    def read(completion: Completion) -> Reading:
        kept = RULES["whole"](completion.text, ())
        if template not in READERS:
            return Reading(kept, "whole")
        row = _reading_row(completion.request.generation_id, template, completion.text)
        if row.null_reason is None:
            return Reading(kept, "whole", rows=(row,))
        detail = f"no probability in {completion.text[:200]!r}"
        return Reading(kept, "whole", ((row.null_reason, detail),), (row,))

    return read


def _read_unread(reader: str, settings: Mapping[str, Any]) -> int:
    """Read the replies to this template that have no reading yet; return their number."""
    with reading() as con:
        rows = con.execute(
            """
            select generation.generation_id, generation_text.raw_text
            from raw.generation as generation
            inner join raw.setting as setting using (setting_id)
            inner join raw.generation_text as generation_text using (generation_id)
            anti join (
                select generation_id from raw.reflection_reading where reader = $reader
            ) as known using (generation_id)
            where setting.task = 'reflection' and setting.prompt_kind = $reader
            """,
            {"reader": reader},
        ).fetchall()
    if rows:
        with recorded("reflect", settings=settings) as run:
            run.append(_reading_row(key, reader, text, run.run_id) for key, text in rows)
    return len(rows)


def _reading_row(
    generation_id: str, reader: str, reply: str, run_id: str = ""
) -> ReflectionReading:
    found = READERS[reader](reply)
    return ReflectionReading(
        reading_id=content_key(generation_id, reader),
        generation_id=generation_id,
        reader=reader,
        value=found.value,
        rule=found.rule,
        null_reason=found.null_reason,
        run_id=run_id,
    )
