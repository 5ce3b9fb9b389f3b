"""Draw samples from a language model: only those that are missing, each exactly once."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ingest import keys
from models import Generation, GenerationText, LanguageModel, Setting, TokenLogprob
from models.base import Row
from models.keys import text_key
from runners.backends.base import Completion, Request, make_backend
from runners.problems import newest_problems
from runners.progress import track
from warehouse.connection import reading
from warehouse.runs import recorded
from warehouse.spool import Spool, drain_leftovers


@dataclass(frozen=True)
class GenerateReport:
    """What a call drew, and what was there already."""

    lm: str
    dataset: str
    n_drawn: int
    n_present: int


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
    options: Mapping[str, Any] | None = None,
    progress: bool = True,
) -> GenerateReport:
    """Draw ``n`` samples of every problem of a dataset from a backend.

    Samples that are in the warehouse are not drawn again. Raises BadInput for unknown backends and
    options and AssayError for a dataset that is not there.
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
        "options": dict(options or {}),
    }
    drain_leftovers()
    truth = json.dumps(dict(source.truth), sort_keys=True) if source.truth else None
    if truth is not None:
        revision = f"planted {text_key(truth)[:8]}"  # another truth is another model
    lm_id = keys.lm_id(lm, revision)
    setting_values: dict[str, Any] = {
        "task": "synthesis",
        "style": source.style,
        "prompt_kind": "original",
        "temperature": temperature,
        "top_p": top_p,
        "max_tokens": max_tokens,
        "stop": list(stop),
        "seed": seed,
        "resampled": False,
        "label": "",
    }
    setting_id = keys.setting_id(**setting_values)
    setting = Setting(setting_id=setting_id, **{**setting_values, "stop": json.dumps(list(stop))})
    with reading() as con:
        problems = newest_problems(con, dataset)
        variants = dict(
            con.execute(
                "select problem_id, variant_id from raw.variant where kind = 'original'"
            ).fetchall()
        )
        present = {
            key
            for (key,) in con.execute(
                "select generation_id from raw.generation where lm_id = ? and setting_id = ?",
                [lm_id, setting_id],
            ).fetchall()
        }
    wanted = []
    for problem in problems:
        variant_id = variants[problem["problem_id"]]
        for index in range(n):
            if keys.generation_id(lm_id, variant_id, setting_id, index) in present:
                continue
            wanted.append(
                Request(
                    task_id=problem["task_id"],
                    problem_id=problem["problem_id"],
                    variant_id=variant_id,
                    prompt=problem["prompt"],
                    reference=problem["reference"],
                    sample_index=index,
                    temperature=temperature,
                    top_p=top_p,
                    max_tokens=max_tokens,
                    stop=tuple(stop),
                    seed=seed,
                )
            )
    n_present = len(problems) * n - len(wanted)
    if not wanted:
        return GenerateReport(lm, dataset, 0, n_present)
    with recorded("generate", settings=settings) as run, Spool(run) as spool:
        setting.run_id = run.run_id
        spool.add(
            [
                LanguageModel(
                    lm_id=lm_id,
                    lm=lm,
                    revision=revision,
                    simulated=source.simulated,
                    n_parameters=None,
                    planted=truth,
                    run_id=run.run_id,
                ),
                setting,
            ]
        )
        answers = track(
            source.complete(wanted), len(wanted), f"generate {lm} on {dataset}", enabled=progress
        )
        for completion in answers:
            spool.add(_rows(completion, lm_id, setting_id, backend, run.run_id))
        run.summary["n_drawn"] = len(wanted)
    return GenerateReport(lm, dataset, len(wanted), n_present)


def _rows(
    completion: Completion, lm_id: str, setting_id: str, backend: str, run_id: str
) -> Iterator[Row]:
    request = completion.request
    key = keys.generation_id(lm_id, request.variant_id, setting_id, request.sample_index)
    yield Generation(
        generation_id=key,
        lm_id=lm_id,
        problem_id=request.problem_id,
        variant_id=request.variant_id,
        setting_id=setting_id,
        sample_index=request.sample_index,
        parent_generation_id=None,
        source=backend,
        text_key=text_key(completion.text),
        finish_reason=completion.finish_reason,
        n_prompt_tokens=completion.n_prompt_tokens,
        n_completion_tokens=completion.n_completion_tokens,
        latency_s=completion.latency_s,
        cost_usd=completion.cost_usd,
        claimed_pass=None,
        run_id=run_id,
    )
    yield GenerationText(
        generation_id=key,
        raw_text=completion.text,
        kept_text=completion.text,
        kept_rule="whole",
        run_id=run_id,
    )
    if completion.tokens is not None and completion.logprobs is not None:
        yield TokenLogprob(
            generation_id=key,
            tokens=list(completion.tokens),
            logprobs=list(completion.logprobs),
            kept=[True] * len(completion.tokens),
            top_logprobs=completion.top_logprobs,
            cumulative_logprob=completion.cumulative_logprob,
            run_id=run_id,
        )
