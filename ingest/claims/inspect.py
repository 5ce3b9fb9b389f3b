"""Logs of Inspect: ``.eval`` archives, or the same log as one JSON document.

Each scorer of a sample is a metric; epochs of a sample are its indices.
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
from ingest.claims.packed import archive_of, json_members
from ingest.fields import Fields, object_at
from ingest.files import json_document, opened
from ingest.imports.layout import Field, FileLayout
from warehouse.errors import BadInput
from warehouse.facts.claims import JudgedSample, JudgedSamples

LAYOUT = FileLayout(
    file="A log of Inspect, version 2: a zip archive with `header.json` and `samples/`, or a JSON "
    "document.",
    fields=(
        Field("eval.model", "text", "The language model, unless `--lm` names it."),
        Field("eval.task", "text", "The dataset, unless `--dataset` names it."),
        Field("samples[].id", "text", "The task; a whole number too.", required=True),
        Field("samples[].epoch", "whole number", "From 1: the sample index is one less."),
        Field("samples[].scores", "object", "Each scorer with its `value`."),
        Field(
            "samples[].output.completion", "text", "The answer, which finds the same sample here."
        ),
    ),
    example={
        "version": 2,
        "status": "success",
        "eval": {"model": "openai/my-lm", "task": "starter", "packages": {"inspect_ai": "0.3"}},
        "samples": [
            {
                "id": "starter/ski_runs",
                "epoch": 1,
                "output": {"completion": "    return 0\n"},
                "scores": {"verify": {"value": "C", "answer": "    return 0\n"}},
            }
        ],
    },
    lines=False,
    others="The values `C` and `true` pass; `I`, `N` and `false` fail. `P` and numbers are scores. "
    "A sample without a score is a claim without a result. All other fields are kept.",
)

VALUES: Mapping[str, tuple[bool | None, float]] = {
    "C": (True, 1.0),
    "P": (None, 0.5),
    "I": (False, 0.0),
    "N": (False, 0.0),
}
SAMPLES, HEADER = "samples/", "header.json"


def read(path: Path) -> ClaimedFile:
    """Return the claims of a log."""
    if _is_archive(path):
        members = json_members(path)
        if HEADER not in members:
            raise BadInput(f"the log has no {HEADER}: it was not finished", path=path)
        header = object_at(members[HEADER], path, HEADER)
        samples = {name: value for name, value in members.items() if name.startswith(SAMPLES)}
        about = {name: value for name, value in members.items() if name not in samples}
    else:
        header = object_at(json_document(path), path, "log")
        found = header.entries("samples")
        samples = {f"samples[{n}]": value for n, value in enumerate(found)}
        about = {name: value for name, value in header.values.items() if name != "samples"}
    evaluated = header.inner("eval")
    packages = evaluated.values.get("packages")
    version = packages.get("inspect_ai", "") if isinstance(packages, dict) else ""
    return ClaimedFile(
        claims=_claims(samples, evaluated.optional_text("task"), path),
        claimant="Inspect",
        version=str(version),
        lm=evaluated.optional_text("model"),
        about=about,
    )


def _is_archive(path: Path) -> bool:
    with opened(path, unpack=False) as file:
        return file.read(2) == b"PK"


def _claims(samples: Mapping[str, Any], dataset: str | None, path: Path) -> Iterator[Claimed]:
    for place, values in samples.items():
        sample = object_at(values, path, place)
        task_id = sample.required("id")
        named: dict[str, Any] = {
            "row": place,
            "task_id": str(task_id) if type(task_id) is int else sample.text("id"),
            "sample_index": max(0, (sample.optional_count("epoch") or 1) - 1),
            "text": _completion(sample),
            "dataset": dataset,
        }
        claims = [
            Claimed(metric=metric, **result, **named) for metric, result in _results(sample).items()
        ] or [Claimed(metric="score", status="not scored", **named)]
        for number, claimed in enumerate(claims):
            yield claimed.with_record(None if number else sample.values)


def _results(sample: Fields) -> dict[str, dict[str, Any]]:
    """Return what each scorer says; a scorer of several values is several metrics."""
    found: dict[str, dict[str, Any]] = {}
    for scorer in sample.values.get("scores") or {}:
        value = sample.inner("scores").inner(scorer).required("value")
        parts = value if isinstance(value, dict) else {"": value}
        for part, each in parts.items():
            found[f"{scorer}/{part}" if part else scorer] = _result(sample, scorer, each)
    return found


def _result(sample: Fields, scorer: str, value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"passed": value, "score": float(value)}
    if isinstance(value, str):
        passed, score = VALUES.get(value, (None, None))
        return {"passed": passed, "score": score, "status": value[:200]}
    if isinstance(value, int | float):
        return {"score": sample.check_number(value, scorer)}
    return {"status": "several values"}


def _completion(sample: Fields) -> str | None:
    output = sample.values.get("output")
    if not isinstance(output, dict):
        return None
    choices = output.get("choices")
    content = None
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        message = choices[0].get("message")
        content = message.get("content") if isinstance(message, dict) else None
    text = output.get("completion", content)
    return text if isinstance(text, str) else None


def restored(stored: StoredClaims) -> Files:
    """Return the log, packed if it was."""
    if HEADER in stored.about:
        return {stored.name: archive_of({**stored.about, **dict(stored.records)})}
    samples = [record for _, record in stored.records]
    return {stored.name: json_file({**stored.about, "samples": samples})}


def written(judged: JudgedSamples) -> Files:
    """Return our verdicts as a log of one task with one scorer."""
    at = judged.judged_at.isoformat()
    n_samples = len(judged.samples)
    log = {
        "version": 2,
        "status": "success",
        "eval": {
            "run_id": "assay",
            "created": at,
            "task": judged.dataset,
            "task_id": judged.dataset,
            "task_version": 0,
            "task_attribs": {},
            "task_args": {},
            "dataset": {"name": judged.dataset, "samples": n_samples},
            "model": judged.lm,
            "model_args": {},
            "config": {},
            "packages": {},
            "metadata": {"dataset_version": judged.dataset_version, "setting": judged.setting},
        },
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": {"total_samples": n_samples, "completed_samples": n_samples, "scores": []},
        "stats": {"started_at": at, "completed_at": at, "model_usage": {}},
        "samples": [_sample_of(judged.lm, sample) for sample in judged.samples],
    }
    return {f"{judged.dataset}.json": json_file(log)}


def _sample_of(lm: str, sample: JudgedSample) -> dict[str, Any]:
    answer = {"role": "assistant", "content": sample.program, "source": "generate"}
    return {
        "id": sample.task_id,
        "epoch": sample.sample_index + 1,
        "input": sample.prompt,
        "target": sample.reference,
        "messages": [{"role": "user", "content": sample.prompt}, answer],
        "output": {"model": lm, "choices": [{"message": answer, "stop_reason": "unknown"}]},
        "scores": {
            "assay": {
                "value": "C" if sample.verdict == "passed" else "I",
                "answer": sample.kept_text,
                "explanation": sample.verdict,
            }
        },
        "metadata": {},
        "store": {},
        "model_usage": {},
    }


FORMAT = ClaimFormat(__doc__, LAYOUT, read, restored, written)
