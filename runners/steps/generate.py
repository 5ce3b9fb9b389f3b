"""Draw samples from a language model: only those that are missing, each exactly once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ingest import keys
from ingest.mutations import EDITIONS
from models.keys import content_key
from runners.drawing import rekeep
from runners.drawing.backends.base import Request, make_backend
from runners.drawing.draw import Asking, draw, make_lm, make_setting, missing
from runners.tasks import repair
from runners.tasks.asks import asks_of
from runners.tasks.counterfactual import MAX_PAIRS, TASK, Pairs
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


def generate(
    *,
    backend: str,
    lm: str,
    dataset: str,
    n: int,
    revision: str = "",
    temperature: float | None = None,
    top_p: float | None = None,
    max_tokens: int | None = None,
    stop: Sequence[str] = (),
    seed: int | None = None,
    prompt: str | None = None,
    truncate: str | None = None,
    task: str | None = None,
    mutations: Sequence[str] = (),
    editions: Sequence[int] = EDITIONS,
    max_pairs: int = MAX_PAIRS,
    pair_seed: int = 0,
    options: Mapping[str, Any] | None = None,
    progress: bool = True,
) -> GenerateReport:
    """Draw ``n`` samples of every problem of a dataset from a backend.

    The task follows from the dataset, or is counterfactual: both sides of its valid pairs, of all
    mutations unless some are named, at most ``max_pairs`` per mutation and edition, drawn by
    ``pair_seed``. ``prompt`` names a template, or ``original`` for the bare prompt. ``truncate``
    names the rule by which answers are kept; another than the first of its style and task is the
    setting's label. Samples that are in the warehouse are not drawn again. Those stored under
    another rule are truncated by the new one, without a request. A
    sample that is lost has an issue row and is tried again by the next call. Raises BadInput for
    unknown backends, options, templates and rules, for choices of pairs without the task
    counterfactual, and for a dataset that is not there; Locked while another process draws the
    same.
    """
    source = make_backend(backend, lm, options or {})
    settings = {
        "backend": backend,
        "lm": lm,
        "dataset": dataset,
        "n": n,
        "temperature": temperature,
        "top_p": top_p,
        "max_tokens": max_tokens,
        "seed": seed,
        "prompt": prompt,
        "truncate": truncate,
        "task": task,
        "mutations": list(mutations),
        "editions": list(editions),
        "max_pairs": max_pairs,
        "pair_seed": pair_seed,
        "options": dict(options or {}),
    }
    drain_leftovers()
    pairs = Pairs(tuple(mutations), tuple(editions), max_pairs, pair_seed, temperature != 0)
    if task != TASK and replace(pairs, repeat=True) != Pairs():
        raise BadInput(f"--mutation, --edition, --max-pairs and --pair-seed need --task {TASK}")
    asks = asks_of(task, dataset, prompt, source.style, n, pairs)
    template = asks.template
    if asks.task == "repair" and repair.STOP not in stop:
        stop = [*stop, repair.STOP]
    rule = truncate or asks.rules[0]
    if rule not in asks.rules:
        raise BadInput(f"the rule {rule} does not apply here; available: {', '.join(asks.rules)}")
    labels = {name: "" if name == asks.rules[0] else name for name in asks.rules}
    language_model = make_lm(source, lm, revision)
    with_label = partial(
        make_setting,
        task=asks.task,
        style=source.style,
        prompt_kind=template.name if template else ORIGINAL,
        temperature=temperature,
        top_p=top_p,
        max_tokens=max_tokens,
        stop=stop,
        seed=seed,
    )
    setting = with_label(label=labels.pop(rule))

    def requests() -> Iterator[Request]:
        for ask in asks.found:
            for index in range(ask.n):
                yield Request(
                    generation_id=keys.generation_id(
                        language_model.lm_id, ask.variant_id, setting.setting_id, index
                    ),
                    task_id=ask.task_id,
                    problem_id=ask.problem_id,
                    variant_id=ask.variant_id,
                    **ask.question,
                    reference=ask.reference,
                    sample_index=index,
                    temperature=temperature,
                    top_p=top_p,
                    max_tokens=max_tokens,
                    stop=tuple(stop),
                    seed=seed,
                    kind=asks.task,
                    mutation=ask.mutation,
                )

    read = asks.reader(rule, stop)

    def wanted() -> Iterator[Request]:
        return missing(requests(), language_model.lm_id, setting.setting_id)

    asking = Asking(
        language_model,
        setting,
        backend,
        *((template.name, template.key) if template is not None else ()),
    )
    drawing = partial(draw, kind="generate", settings=settings, progress=progress)
    whose = content_key(language_model.lm_id, setting.setting_id, dataset)[:16]
    with alone(f"generate-{whose}", f"generate {lm} on {dataset}"):
        n_missing = sum(1 for _ in wanted())
        others = [with_label(label=label).setting_id for label in labels.values()]
        stored = rekeep.stored_keys(wanted(), language_model.lm_id, others)
        kept = drawing(
            rekeep.StoredBackend(source, stored),
            asking,
            [request for request in wanted() if request.generation_id in stored] if stored else [],
            read,
            total=len(stored),
            label=f"keep {lm} on {dataset}",
        )
        drawn = drawing(
            source,
            asking,
            wanted(),
            read,
            total=n_missing - len(stored),
            label=f"generate {lm} on {dataset}",
        )
    return GenerateReport(
        lm,
        dataset,
        drawn.n_drawn,
        sum(ask.n for ask in asks.found) - n_missing,
        dict(drawn.lost),
        dict(drawn.issues + kept.issues),
        dict(drawn.faults),
        drawn.cost_usd,
        drawn.why_lost,
        kept.n_drawn or None,
    )
