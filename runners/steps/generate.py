"""Draw samples from a language model: only those that are missing, each exactly once."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from ingest import keys
from models.keys import content_key
from runners.drawing import rekeep
from runners.drawing.backends.base import Request, make_backend
from runners.drawing.draw import Asking, Batch, draw, make_lm, missing
from runners.specs import GenerateSpec
from runners.tasks import TASKS
from runners.tasks.asks import asks_of
from runners.tasks.base import Asks, Pairs, task_named
from runners.tasks.templates import ORIGINAL
from warehouse.errors import BadInput
from warehouse.store.locks import alone
from warehouse.store.spool import drain_leftovers


@dataclass(frozen=True)
class GenerateReport:
    """What a call drew, what was there already, and what was lost, by reason."""

    lm: str
    dataset: str
    n_drawn: int
    n_present: int
    lost: dict[str, int] = field(default_factory=dict)
    issues: dict[str, int] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)
    cost_usd: float | None = None
    why_lost: str | None = None
    n_kept_anew: int | None = None


def generate(spec: GenerateSpec, *, progress: bool = True) -> GenerateReport:
    """Draw what a spec asks for from its backend.

    Samples that are in the warehouse are not drawn again. Those stored under another rule are
    truncated by the new one, without a request. A sample that is lost has an issue row and is tried
    again by the next call. Raises BadInput for unknown backends, options, templates and rules, for
    choices of pairs without the task counterfactual, and for a dataset that is not there; Locked
    while another process draws the same.
    """
    source = make_backend(spec.backend, spec.lm, spec.options)
    drain_leftovers()
    asks = asks_of(spec.task, spec.dataset, spec.prompt, source.style, spec.n, _pairs(spec))
    rule = spec.truncate or asks.rules[0]
    if rule not in asks.rules:
        raise BadInput(f"the rule {rule} does not apply here; available: {', '.join(asks.rules)}")
    lm = make_lm(source, spec.lm, spec.revision)
    settings = _settings(spec, asks, source.style)
    setting = settings.pop(rule)
    read = asks.reader(rule, setting.stop)
    asking = Asking(
        lm,
        setting.row(),
        spec.backend,
        *((asks.template.name, asks.template.key) if asks.template is not None else ()),
    )

    def wanted() -> Iterator[Request]:
        requests = _requests(asks, lm.lm_id, setting)
        return missing(requests, lm.lm_id, setting.setting_id)

    drawing = partial(draw, kind="generate", settings=spec.settings(), progress=progress)
    where = f"{spec.lm} on {spec.dataset}"
    whose = content_key(lm.lm_id, setting.setting_id, spec.dataset)[:16]
    with alone(f"generate-{whose}", f"generate {where}"):
        n_missing = sum(1 for _ in wanted())
        others = [other.setting_id for other in settings.values()]
        stored = rekeep.stored_keys(wanted(), lm.lm_id, others)
        again = [each for each in wanted() if each.generation_id in stored] if stored else []
        batch = Batch(again, len(stored), f"keep {where}")
        kept = drawing(rekeep.StoredBackend(source, stored), asking, batch, read)
        batch = Batch(wanted(), n_missing - len(stored), f"generate {where}")
        drawn = drawing(source, asking, batch, read)
    return GenerateReport(
        spec.lm,
        spec.dataset,
        drawn.n_drawn,
        sum(ask.n for ask in asks.found) - n_missing,
        dict(drawn.lost),
        dict(drawn.issues + kept.issues),
        dict(drawn.faults),
        drawn.cost_usd,
        drawn.why_lost,
        kept.n_drawn or None,
    )


def _pairs(spec: GenerateSpec) -> Pairs:
    """Return which pairs are asked; raises BadInput where the task has none."""
    mutations, editions = tuple(spec.mutations), tuple(spec.editions)
    pairs = Pairs(mutations, editions, spec.max_pairs, spec.pair_seed, spec.temperature != 0)
    has_pairs = spec.task in TASKS and task_named(spec.task).of_pairs
    if not has_pairs and replace(pairs, repeat=True) != Pairs():
        names = " or ".join(name for name in TASKS if task_named(name).of_pairs)
        raise BadInput(f"--mutation, --edition, --max-pairs and --pair-seed need --task {names}")
    return pairs


def _settings(spec: GenerateSpec, asks: Asks, style: str) -> dict[str, keys.SettingValues]:
    """Return the setting of each rule by which answers may be kept; the first has no label."""
    stop = tuple(spec.stop)
    stop += tuple(text for text in asks.task.stop if text not in stop)
    first = keys.SettingValues(
        task=asks.task.name,
        style=style,
        prompt_kind=asks.template.name if asks.template else ORIGINAL,
        temperature=spec.temperature,
        top_p=spec.top_p,
        max_tokens=spec.max_tokens,
        stop=stop,
        seed=spec.seed,
    )
    return {asks.rules[0]: first} | {rule: replace(first, label=rule) for rule in asks.rules[1:]}


def _requests(asks: Asks, lm_id: str, setting: keys.SettingValues) -> Iterator[Request]:
    for ask in asks.found:
        for index in range(ask.n):
            yield Request(
                generation_id=keys.generation_id(lm_id, ask.variant_id, setting.setting_id, index),
                task_id=ask.task_id,
                problem_id=ask.problem_id,
                variant_id=ask.variant_id,
                **ask.question,
                reference=ask.reference,
                sample_index=index,
                temperature=setting.temperature,
                top_p=setting.top_p,
                max_tokens=setting.max_tokens,
                stop=tuple(setting.stop),
                seed=setting.seed,
                kind=asks.task.name,
                planted=asks.task.planted,
                mutation=ask.mutation,
            )
