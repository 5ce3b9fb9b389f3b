"""A run folder of HELM: ``run_spec.json``, ``scenario_state.json``, ``per_instance_stats.json``.

Statistics of single instances that are verdicts are claims; the others are kept with them.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ingest.claims.layout import (
    Claimed,
    ClaimedFile,
    ClaimFormat,
    Files,
    StoredClaims,
    json_file,
)
from ingest.fields import Fields, object_at
from ingest.files import files_under, json_document, kind_of
from ingest.imports.layout import Field, FileLayout
from warehouse.errors import BadInput

LAYOUT = FileLayout(
    file="A folder with the documents of one run, or its `per_instance_stats.json` alone.",
    fields=(
        Field("per_instance_stats.json: [].instance_id", "text", "The task.", required=True),
        Field("[].train_trial_index", "whole number", "The sample index."),
        Field("[].stats[].name.name", "text", "The metric.", required=True),
        Field("[].stats[].name.perturbation.name", "text", "A perturbation: another metric."),
        Field("[].stats[].mean", "number", "Its value: 0 and 1 are verdicts."),
        Field("[].stats[]: max_prob", "number", "A statistic: the confidence of the verdicts."),
        Field(
            "run_spec.json: adapter_spec.model",
            "text",
            "The language model, unless `--lm` names it.",
        ),
        Field("scenario.json: name", "text", "The dataset, unless `--dataset` names it."),
        Field("scenario_state.json: request_states", "list", "The answers."),
    ),
    example=[
        {
            "instance_id": "starter/ski_runs",
            "train_trial_index": 0,
            "stats": [{"name": {"name": "code_eval_acc", "split": "test"}, "mean": 1.0}],
        }
    ],
    lines=False,
    others="Metrics are `code_eval_acc`, `strict_acc`, `pass`, `chatgpt_pass` and those that end "
    "with `exact_match`. All else is kept for exports.",
)

VERDICTS = ("code_eval_acc", "strict_acc", "pass", "chatgpt_pass")
CONFIDENCE = "max_prob"
STATS, STATE = "per_instance_stats.json", "scenario_state.json"


def read(path: Path) -> ClaimedFile:
    """Return the claims of a run's folder; of its statistics alone, from a file."""
    files = {file.name: file for file in files_under(path)} if path.is_dir() else {STATS: path}
    if STATS not in files:
        raise BadInput(f"the folder has no {STATS}: give the folder of one run", path=path)
    documents = {
        name: json_document(file) for name, file in files.items() if name.endswith(".json")
    }
    about = {name: value for name, value in documents.items() if name != STATS}
    state = documents.get(STATE)
    answers: dict[tuple[Any, Any], Any] = {}
    if isinstance(state, dict):
        requests = Fields(state, path, STATE).entries("request_states")
        answers = {_key_of(request): request for request in requests}
    spec = about.get("run_spec.json", {})
    scenario = about.get("scenario.json", {})
    return ClaimedFile(
        claims=_claims(documents[STATS], answers, _text(scenario, "name"), path),
        claimant="HELM",
        lm=_text(_part(spec, "adapter_spec"), "model"),
        about=about,
    )


def _claims(
    entries: Any, answers: Mapping[Any, Any], dataset: str | None, path: Path
) -> Iterator[Claimed]:
    if not isinstance(entries, list):
        raise BadInput(f"expected a list, found {kind_of(entries)}", path=path, row=STATS)
    for number, values in enumerate(entries):
        entry = object_at(values, path, f"{STATS}[{number}]")
        key = (entry.text("instance_id"), entry.optional_count("train_trial_index") or 0)
        answer = answers.get(key)
        named: dict[str, Any] = {
            "row": entry.row,
            "task_id": key[0],
            "sample_index": key[1],
            "text": _answer_text(answer),
            "dataset": dataset,
        }
        claims = [Claimed(**result, **named) for result in _verdicts(entry)]
        claims = claims or [Claimed(metric="none", status="no verdict", **named)]
        for place, claimed in enumerate(claims):
            yield claimed.with_record(None if place else entry.values)


def _verdicts(entry: Fields) -> Iterator[dict[str, Any]]:
    found = []
    confidences: dict[str | None, float | None] = {}
    for number, values in enumerate(entry.entries("stats")):
        stat = object_at(values, entry.path, f"{entry.row}.stats[{number}]")
        name = stat.inner("name")
        metric, perturbation = name.text("name"), _text(_part(name.values, "perturbation"), "name")
        if metric == CONFIDENCE:
            confidences[perturbation] = stat.optional_share("mean")
        elif metric in VERDICTS or metric.endswith("exact_match"):
            found.append((metric, perturbation, stat.optional_number("mean")))
    for metric, perturbation, score in found:
        yield {
            "metric": f"{metric}/{perturbation}" if perturbation else metric,
            "passed": bool(score) if score in (0, 1) else None,
            "confidence": confidences.get(perturbation),
            "score": score,
            "status": None if score is not None else "no value",
        }


def _key_of(request: Any) -> tuple[Any, Any]:
    instance = _part(request, "instance")
    return instance.get("id"), request.get("train_trial_index", 0) if instance else 0


def _answer_text(request: Any) -> str | None:
    completions = _part(request, "result").get("completions")
    first = completions[0] if isinstance(completions, list) and len(completions) == 1 else None
    return _text(first, "text")


def _part(value: Any, name: str) -> Mapping[str, Any]:
    part = value.get(name) if isinstance(value, dict) else None
    return part if isinstance(part, dict) else {}


def _text(value: Any, name: str) -> str | None:
    text = value.get(name) if isinstance(value, Mapping) else None
    return text if isinstance(text, str) else None


def restored(stored: StoredClaims) -> Files:
    """Return the documents of the run; of its statistics alone, one file."""
    stats = json_file([record for _, record in stored.records])
    if not stored.about:
        return {stored.name: stats}
    documents = {name: json_file(value) for name, value in stored.about.items()}
    return {f"{stored.name}/{name}": data for name, data in {**documents, STATS: stats}.items()}


FORMAT = ClaimFormat(__doc__, LAYOUT, read, restored)
