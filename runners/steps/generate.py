"""Draw samples from a language model: only those that are missing, each exactly once."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ingest import keys
from models.keys import content_key
from runners.drawing import stored_answers
from runners.drawing.backends.base import Backend, Request
from runners.drawing.chains import Chains, continued, joined, n_samples, parted
from runners.drawing.generations import (
    Batch,
    DrawCounts,
    LmSetting,
    draw_generations,
    make_lm,
    missing_requests,
)
from runners.problems import newest_problems, stored_problems
from runners.specs import GenerateSpec, fit_backend
from runners.tasks import TASKS
from runners.tasks.base import Pairs, Question, Questions, Task, TaskInput, task_named
from runners.tasks.questions import prompt_named, task_asked_by, task_of, template_of
from runners.tasks.strategies import STRATEGIES
from runners.tasks.templates import ORIGINAL, Template, asked_before, load
from warehouse.errors import known_names
from warehouse.facts.generations import ChainAnswer, chain_answers, newest_block
from warehouse.facts.problems import original_variants
from warehouse.parameters import BadValue
from warehouse.store.connection import reading
from warehouse.store.locks import alone
from warehouse.store.spool import drain_leftovers


@dataclass(frozen=True)
class GenerateReport:
    """What a call drew, what was there already, and what was lost, by reason.

    Where other templates were asked before, ``drawn_before`` counts the answers to them that the
    call drew, by task. ``ended_at`` counts the samples that are not asked for. An earlier answer
    about them holds no text, or it and its repair have another form than is needed. ``repairs``
    counts the repairs that the call drew. What was lost, noticed and paid is then that of all
    requests.
    """

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
    drawn_before: dict[str, int] = field(default_factory=dict)
    repairs: dict[str, int] = field(default_factory=dict)
    ended_at: dict[str, int] = field(default_factory=dict)

    def after(self, task: str, earlier: "GenerateReport", n_ended: int) -> "GenerateReport":
        """Return this report with what was asked before by another task added to it."""
        costs = [cost for cost in (earlier.cost_usd, self.cost_usd) if cost is not None]
        return replace(
            self,
            lost=dict(Counter(earlier.lost) + Counter(self.lost)),
            issues=dict(Counter(earlier.issues) + Counter(self.issues)),
            faults=dict(Counter(earlier.faults) + Counter(self.faults)),
            cost_usd=sum(costs) if costs else None,
            why_lost=earlier.why_lost or self.why_lost,
            drawn_before={task: earlier.n_drawn} | self.drawn_before,
            repairs=earlier.repairs | self.repairs,
            ended_at=({task: n_ended} if n_ended else {}) | self.ended_at,
        )

    def repaired_by(self, task: str, repair: "GenerateReport") -> "GenerateReport":
        """Return this report with what was asked to repair its answers added to it."""
        both = repair.after(task, self, 0)
        return replace(
            both,
            n_drawn=self.n_drawn,
            n_present=self.n_present,
            drawn_before={},
            repairs={task: repair.n_drawn},
        )


def generate(spec: GenerateSpec, *, progress: bool = True) -> GenerateReport:
    """Draw what a spec asks for from its backend.

    Samples that are in the warehouse are not drawn again. Those stored under another rule are
    truncated by the new one, without a request. A sample that is lost has an issue row and is tried
    again by the next call. Where the template shows answers to others, those are asked before, one
    after the other, with the same sampling but without the stop strings. Raises BadInput for what
    ``fit`` refuses and for a dataset that is not there; Locked while another process draws the
    same.
    """
    plan = fit(spec)
    drain_leftovers()
    chains: Chains | None = None
    earlier: list[tuple[str, GenerateReport, int]] = []
    for template in asked_before(plan.template) if plan.template else ():
        task = task_named(task_asked_by(template) or "")
        asking = DrawPlan(plan.source, task, template)
        report, chains, n_ended = _step_drawn(spec, asking, template, chains, progress=progress)
        earlier.append((task.name, report, n_ended))
    found = _drawn(spec, plan, chains, "generate", progress=progress)
    for name, report, n_ended in reversed(earlier):
        found = found.after(name, report, n_ended)
    return found


def _step_drawn(
    spec: GenerateSpec,
    asking: "DrawPlan",
    template: Template,
    chains: Chains | None,
    *,
    progress: bool,
) -> tuple[GenerateReport, Chains, int]:
    """Draw the answers to an earlier template.

    Return the report, the chains that continue, and how many ended. An answer of another form than
    its task needs is asked for once more, by a template that shows it. The repair is its child,
    and takes its place.
    """
    task = asking.task
    step = replace(spec, task=task.name, prompt=template.name, stop=(), truncate=None)
    report = _drawn(step, asking, chains, template.name, progress=progress)
    chains = continued(chains, template.name, _answers(step, asking))
    n_ended = report.n_drawn + report.n_present - n_samples(chains)
    if task.form_fault is None or task.repair is None:
        return report, chains, n_ended
    right, wrong = parted(chains, template.name, task.form_fault)
    if not wrong:
        return report, chains, n_ended
    step = replace(step, prompt=task.repair)
    asking = replace(asking, template=load(task.repair))
    repair = _drawn(step, asking, wrong, task.repair, progress=progress)
    repaired = continued(wrong, template.name, _answers(step, asking))
    chains = joined(right, parted(repaired, template.name, task.form_fault)[0])
    n_ended += n_samples(wrong) - sum(repair.lost.values()) - n_samples(chains) + n_samples(right)
    return report.repaired_by(task.name, repair), chains, n_ended


def _drawn(
    spec: GenerateSpec, plan: "DrawPlan", chains: Chains | None, label: str, *, progress: bool
) -> GenerateReport:
    """Draw the answers to one template, and return what was drawn."""
    source = plan.source
    questions = _questions(spec, plan, chains)
    rule = spec.truncate or questions.rules[0]
    lm = make_lm(source, spec.lm, spec.revision)
    settings = _settings(spec, plan, questions.rules)
    setting = settings.pop(rule)
    if spec.more:
        first = _first_of_block(spec, lm.lm_id, setting.setting_id)
        later = [replace(question, first=question.first + first) for question in questions.found]
        questions = replace(questions, found=later)
    answer_rule = questions.answer_rule(rule, setting.stop)
    template = (plan.template.name, plan.template.key) if plan.template else ()
    lm_setting = LmSetting(lm, setting.row(), spec.backend, *template)

    def wanted() -> Iterator[Request]:
        requests = _requests(plan.task, questions.found, lm.lm_id, setting)
        return missing_requests(requests, lm.lm_id, setting.setting_id)

    drawing = partial(
        draw_generations, kind="generate", settings=spec.settings(), progress=progress
    )
    where = f"{spec.lm} on {spec.dataset}"
    whose = content_key(lm.lm_id, setting.setting_id, spec.dataset)[:16]
    kept, drawn = DrawCounts(), DrawCounts()
    with alone(f"generate-{whose}", f"{label} {where}"):
        n_missing = sum(1 for _ in wanted())
        if n_missing:
            others = [other.setting_id for other in settings.values()]
            stored = stored_answers.stored_keys(wanted(), lm.lm_id, others)
            again = [each for each in wanted() if each.generation_id in stored] if stored else []
            batch = Batch(again, len(stored), f"keep {where}", questions.rows)
            backend = stored_answers.StoredBackend(source, stored)
            kept = drawing(backend, lm_setting, batch, answer_rule)
            batch = Batch(wanted(), n_missing - len(stored), f"{label} {where}", questions.rows)
            drawn = drawing(source, lm_setting, batch, answer_rule)
    return GenerateReport(
        spec.lm,
        spec.dataset,
        drawn.n_drawn,
        sum(question.n for question in questions.found) - n_missing,
        dict(drawn.lost),
        dict(drawn.issues + kept.issues),
        dict(drawn.faults),
        drawn.cost_usd,
        drawn.why_lost,
        kept.n_drawn or None,
    )


def _first_of_block(spec: GenerateSpec, lm_id: str, setting_id: str) -> int:
    """Return the index of the first sample to draw: of a new block, or of one cut off.

    Samples that a run lost are not drawn later: they belong to its night.
    """
    where = {"dataset": spec.dataset, "lm_id": lm_id, "setting_id": setting_id}
    with reading() as con:
        newest = newest_block(con, **where, n=spec.n)
    return 0 if newest is None else (newest.block + newest.is_complete) * spec.n


def _answers(spec: GenerateSpec, plan: "DrawPlan") -> list[ChainAnswer]:
    """Return the stored answers to a template under the setting of a spec."""
    rules = plan.task.keeping_rules(plan.source.style)
    with reading() as con:
        return chain_answers(
            con,
            dataset=spec.dataset,
            lm_id=make_lm(plan.source, spec.lm, spec.revision).lm_id,
            setting_id=_settings(spec, plan, rules)[rules[0]].setting_id,
            n=spec.n,
        )


@dataclass(frozen=True)
class DrawPlan:
    """Who is asked by a spec, for which task, and how."""

    source: Backend
    task: Task
    template: Template | None


def fit(spec: GenerateSpec) -> DrawPlan:
    """Return who is asked, and how; raises BadValue for values that do not go together.

    Whether a rule applies may depend on the problems, where the dataset is ingested.
    """
    source = fit_backend(spec)
    task = task_of(spec.dataset, spec.task)
    needs_problems = spec.prompt in STRATEGIES or spec.truncate is not None
    problems = stored_problems(spec.dataset) if needs_problems else None
    prompt = prompt_named(task, spec.prompt, source.style, problems)
    template = template_of(task, prompt, source.style)
    if spec.truncate is not None:
        rules = task.keeping_rules(source.style, problems)
        if spec.truncate not in rules:
            known = known_names(spec.truncate, rules)
            raise BadValue("truncate", f"the rule {spec.truncate} does not apply here{known}")
    if spec.more and (
        task.of_pairs or task.of_descriptions or (template and asked_before(template))
    ):
        raise BadValue("more", "applies to samples of problems alone, without answers before them")
    if not task.of_pairs:
        for name in ("mutations", "editions", "max_pairs", "pair_seed"):
            if getattr(spec, name) != getattr(GenerateSpec, name):
                names = " or ".join(name for name, kind in TASKS.load_all(TASKS) if kind.of_pairs)
                raise BadValue(name, f"applies to pairs, which need the task {names}")
    if spec.described_by is not None and not task.of_descriptions:
        names = " or ".join(name for name, kind in TASKS.load_all(TASKS) if kind.of_descriptions)
        raise BadValue("described_by", f"applies to descriptions, which need the task {names}")
    return DrawPlan(source, task, template)


def _questions(spec: GenerateSpec, plan: DrawPlan, chains: Chains | None) -> Questions:
    """Return all questions about the newest release of the dataset."""
    with reading() as con:
        problems = newest_problems(con, spec.dataset)
        originals = original_variants(con)
    repeat = spec.temperature != 0
    pairs = Pairs(spec.mutations, spec.editions, spec.max_pairs, spec.pair_seed, repeat)
    style = plan.source.style
    return plan.task.questions(
        TaskInput(
            spec.dataset,
            problems,
            style,
            spec.n,
            pairs,
            plan.template,
            spec.described_by or spec.lm,
            chains,
            originals=originals,
        )
    )


def _settings(
    spec: GenerateSpec, plan: DrawPlan, rules: Sequence[str]
) -> dict[str, keys.SettingValues]:
    """Return the setting of each rule by which answers may be kept; the first has no label."""
    stop = tuple(spec.stop)
    stop += tuple(text for text in plan.task.stop(plan.source.style) if text not in stop)
    first = keys.SettingValues(
        task=plan.task.name,
        style=plan.source.style,
        prompt_kind=plan.template.name if plan.template else ORIGINAL,
        temperature=spec.temperature,
        top_p=spec.top_p,
        max_tokens=spec.max_tokens,
        stop=stop,
        seed=spec.seed,
    )
    return {rules[0]: first} | {rule: replace(first, label=rule) for rule in rules[1:]}


def _requests(
    task: Task, questions: list[Question], lm_id: str, setting: keys.SettingValues
) -> Iterator[Request]:
    kind = setting.prompt_kind if setting.prompt_kind == task.repair else task.name
    for question in questions:
        parent, parent_index = question.parent or (None, None)
        for index in range(question.first, question.first + question.n):
            yield Request(
                generation_id=keys.generation_id(
                    lm_id, question.variant_id, setting.setting_id, index, parent
                ),
                task_id=question.task_id,
                problem_id=question.problem_id,
                variant_id=question.variant_id,
                prompt=question.prompt.text,
                messages=question.prompt.messages,
                reference=question.reference,
                sample_index=index,
                temperature=setting.temperature,
                top_p=setting.top_p,
                max_tokens=setting.max_tokens,
                stop=tuple(setting.stop),
                seed=setting.seed,
                kind=kind,
                planted=task.planted,
                parent_generation_id=parent,
                parent_sample_index=parent_index,
                mutation=question.mutation,
            )
