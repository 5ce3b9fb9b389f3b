"""Draw samples from a language model: only those that are missing, each exactly once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ingest import keys
from ingest.loader import dataset_module
from runners import rekeep, repair, synthesis
from runners.backends.base import Request, make_backend
from runners.draw import Asking, draw, make_lm, make_setting, missing
from runners.problems import newest_problems
from runners.templates import ORIGINAL, Template, load
from warehouse.connection import reading
from warehouse.errors import BadInput
from warehouse.spool import drain_leftovers


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
    options: Mapping[str, Any] | None = None,
    progress: bool = True,
) -> GenerateReport:
    """Draw ``n`` samples of every problem of a dataset from a backend.

    The task follows from the dataset; ``prompt`` names a template, or ``original`` for the bare
    prompt. ``truncate`` names the rule by which answers are kept; another than the first of its
    style (see ``synthesis.KEEP``) is the setting's label. Samples that are in the warehouse are not
    drawn again, and those that are there under another rule are kept anew without being sent. A
    sample that is lost has an issue row and is tried again by the next call. Raises BadInput for
    unknown backends, options, templates and rules, and AssayError for a dataset that is not there.
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
        "options": dict(options or {}),
    }
    drain_leftovers()
    with reading() as con:
        problems = newest_problems(con, dataset)
        variants = dict(
            con.execute(
                "select problem_id, variant_id from raw.variant where kind = 'original'"
            ).fetchall()
        )
    task = dataset_module(dataset).SOURCE.task
    template = _template(task, prompt, source.style)
    if task == "repair" and repair.STOP not in stop:
        stop = [*stop, repair.STOP]
    rules = (repair.RULE,) if task == "repair" else synthesis.KEEP[source.style]
    rule = truncate or rules[0]
    if rule not in rules:
        raise BadInput(f"the rule {rule} does not apply here: choose from {', '.join(rules)}")
    labels = {name: "" if name == rules[0] else name for name in rules}
    language_model = make_lm(source, lm, revision)
    with_label = partial(
        make_setting,
        task=task,
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
        for problem in problems:
            variant_id = variants[problem["problem_id"]]
            asked = _question(problem, task, template, source.style)
            for index in range(n):
                yield Request(
                    generation_id=keys.generation_id(
                        language_model.lm_id, variant_id, setting.setting_id, index
                    ),
                    task_id=problem["task_id"],
                    problem_id=problem["problem_id"],
                    variant_id=variant_id,
                    **asked,
                    reference=problem["reference"],
                    sample_index=index,
                    temperature=temperature,
                    top_p=top_p,
                    max_tokens=max_tokens,
                    stop=tuple(stop),
                    seed=seed,
                    kind=task,
                )

    entry_points = {problem["problem_id"]: problem["entry_point"] for problem in problems}
    read = repair.read if task == "repair" else synthesis.reader(rule, stop, entry_points)

    def wanted() -> Iterator[Request]:
        return missing(requests(), language_model.lm_id, setting.setting_id)

    asking = Asking(
        language_model,
        setting,
        backend,
        *((template.name, template.key) if template is not None else ()),
    )
    drawing = partial(draw, kind="generate", settings=settings, progress=progress)
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
        len(problems) * n - n_missing,
        dict(drawn.lost),
        dict(drawn.issues + kept.issues),
        dict(drawn.faults),
        drawn.cost_usd,
        drawn.why_lost,
        kept.n_drawn or None,
    )


def _template(task: str, prompt: str | None, style: str) -> Template | None:
    """Return the template of a name, None for the bare prompt, the task's own without a name."""
    if prompt is None:
        prompt = repair.TEMPLATE if task == "repair" else ORIGINAL
    if prompt == ORIGINAL:
        return None
    template = load(prompt)
    if not prompt.startswith(task):
        raise BadInput(f"the prompt template {prompt} is not made for {task}")
    if task == "synthesis" and style != "solution":
        raise BadInput(
            f"the prompt template {prompt} asks for a whole program in a chat, and this backend "
            "goes on with a text: choose its chat, or the prompt original"
        )
    return template


def _question(
    problem: dict[str, Any], task: str, template: Template | None, style: str
) -> dict[str, Any]:
    question = repair.question if task == "repair" else synthesis.question
    return question(problem, template, chat=style == "solution")
