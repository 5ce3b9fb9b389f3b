"""Ask a language model how similar pairs of programs are; each reply is a generation."""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ingest import keys
from models.keys import content_key
from models.tables import Scorer
from models.words import TASKS_OF_METRICS
from runners.drawing.backends.base import Backend, Request
from runners.drawing.generations import (
    PATIENCE_S,
    Batch,
    LmSetting,
    draw_generations,
    make_lm,
)
from runners.problems import require, require_lm
from runners.specs import NEIGHBOURS, RateSpec, fit_backend
from runners.tasks.judges import JUDGES
from runners.tasks.judges.forms import (
    KIND,
    PLANTED,
    TASK,
    JudgeForm,
    ShownPair,
    answer_rule,
    shown,
)
from runners.tasks.templates import load
from warehouse.errors import BadInput
from warehouse.facts.ratings import (
    RatingDue,
    WhichPairs,
    count_scored,
    due_ratings,
    rateable_pairs,
    sources_of,
)
from warehouse.store.connection import reading
from warehouse.store.locks import alone
from warehouse.store.spool import drain_leftovers

CHUNK = 2_000


@dataclass
class RateReport:
    """How many pairs may be rated, what was asked now, and what was lost and noticed, by reason."""

    lm: str
    template: str
    n_pairs: int
    n_asked: int = 0
    lost: dict[str, int] = field(default_factory=dict)
    issues: dict[str, int] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)
    cost_usd: float | None = None
    why_lost: str | None = None


def rate(spec: RateSpec, *, progress: bool = True) -> RateReport:
    """Ask a language model about every pair of programs that it has not rated; store its levels.

    A reply that cannot be read is kept and not asked for again. Raises BadInput for an unknown
    backend, option, template, dataset or language model, and where no pair can be rated. Raises
    Locked while another process asks the same language model.
    """
    form = JUDGES.load(spec.template)
    source = fit_backend(spec)
    drain_leftovers()
    lm = make_lm(source, spec.lm, spec.revision)
    pairs = _pairs(spec)
    setting = keys.SettingValues(
        task=TASK,
        style=source.style,
        prompt_kind=spec.template,
        temperature=form.temperature,
        max_tokens=spec.max_tokens or form.max_tokens,
        seed=spec.seed,
    ).row()
    asking = LmSetting(lm, setting, spec.backend, spec.template, load(spec.template).key)
    scorer = _scorer(form, asking)
    with alone(f"rate-{lm.lm_id[:16]}", f"rate {spec.lm}"):
        with reading() as con:
            due = due_ratings(con, pairs, scorer.scorer_id, form.n_orders, form.n_votes)
        label = f"rate {spec.template} {spec.lm}"
        if progress and due:
            _announce(label, due)
        asked: dict[str, ShownPair] = {}
        drawn = draw_generations(
            source,
            asking,
            Batch(_requests(due, source, asking, asked), len(due), label, [scorer]),
            answer_rule(form, scorer.scorer_id, asked),
            kind="rate",
            settings=spec.settings(),
            progress=progress,
        )
    return RateReport(
        lm=spec.lm,
        template=spec.template,
        n_pairs=pairs.num_rows,
        n_asked=drawn.n_drawn,
        lost=dict(drawn.lost),
        issues=dict(drawn.issues),
        faults=dict(drawn.faults),
        cost_usd=drawn.cost_usd,
        why_lost=drawn.why_lost,
    )


def _pairs(spec: RateSpec) -> Any:
    """Return the pairs that may be rated; raises BadInput where there is none."""
    which = WhichPairs(
        tasks=TASKS_OF_METRICS["whole_functions"],
        max_samples=spec.max_samples,
        neighbours=spec.pairs == NEIGHBOURS,
        dataset=spec.dataset,
        answered_by=spec.answered_by,
    )
    with reading() as con:
        if spec.dataset is not None:
            require(con, spec.dataset)
        if spec.answered_by is not None:
            require_lm(con, spec.answered_by)
        pairs = rateable_pairs(con, which)
        n_scored = 0 if pairs.num_rows else count_scored(con, which)
    if pairs.num_rows:
        return pairs
    of = f" of {spec.answered_by}" if spec.answered_by else ""
    on = f" on {spec.dataset}" if spec.dataset else ""
    if n_scored:
        raise BadInput(
            f"no pair can be rated: no language model has two samples of a problem{of}{on} with a "
            "verdict; draw more with `assay generate -n 2`, then run `assay execute`"
        )
    raise BadInput(
        f"no pair can be rated: no sample{of}{on} has a verdict; run `assay generate`, then "
        "`assay execute`"
    )


def _scorer(form: JudgeForm, asking: LmSetting) -> Scorer:
    """Return the row of a language model that judges: how it is asked is its identity."""
    lm, setting_id = asking.lm, asking.setting.setting_id
    identity = content_key(lm.lm_id, setting_id, asking.template_key)
    detail = {
        "lm_id": lm.lm_id,
        "revision": lm.revision,
        "setting_id": setting_id,
        "template": asking.template,
        "template_key": asking.template_key,
        "n_orders": form.n_orders,
        "n_votes": form.n_votes,
    }
    return Scorer(
        scorer_id=content_key(form.measure, "", identity),
        measure=form.measure,
        name=lm.lm,
        release_id=None,
        identity=identity,
        detail=json.dumps(detail, sort_keys=True),
        run_id="",
    )


def _announce(label: str, due: Sequence[RatingDue]) -> None:
    """Say on stderr how much will be asked, before anything is paid for."""
    n_pairs = len({frozenset((each.candidate_first, each.candidate_second)) for each in due})
    print(f"{label}: {len(due):,} requests about {n_pairs:,} pairs", file=sys.stderr, flush=True)


def _requests(
    due: Sequence[RatingDue], source: Backend, asking: LmSetting, asked: dict[str, ShownPair]
) -> Iterator[Request]:
    """Yield a request per reply that is due and note its pair; texts are fetched in chunks."""
    for start in range(0, len(due), CHUNK):
        chunk = due[start : start + CHUNK]
        wanted = {key for each in chunk for key in (each.candidate_first, each.candidate_second)}
        with reading(wait_s=PATIENCE_S) as con:
            sources = sources_of(con, sorted(wanted))
        texts = {key: shown(text) for key, text in sources.items()}
        for each in chunk:
            first, second = texts[each.candidate_first], texts[each.candidate_second]
            request = _request(each, first, second, source, asking)
            asked[request.generation_id] = ShownPair(
                each.candidate_first, each.candidate_second, len(first), len(second)
            )
            yield request


def _request(
    due: RatingDue, first: str, second: str, source: Backend, asking: LmSetting
) -> Request:
    setting, template = asking.setting, load(asking.template)
    texts = {"first": first, "second": second}
    pair_key = content_key(due.candidate_first, due.candidate_second)
    return Request(
        generation_id=keys.generation_id(
            asking.lm.lm_id, due.variant_id, setting.setting_id, due.vote, pair_key
        ),
        task_id=due.task_id,
        problem_id=due.problem_id,
        variant_id=due.variant_id,
        prompt=template.render(**texts),
        reference="",
        sample_index=due.vote,
        temperature=setting.temperature,
        top_p=None,
        max_tokens=setting.max_tokens,
        stop=(),
        seed=setting.seed,
        kind=KIND,
        planted=PLANTED,
        messages=template.messages(**texts) if source.style.in_chat else None,
        parent_generation_id=due.generation_id,
        parent_sample_index=None,
    )
