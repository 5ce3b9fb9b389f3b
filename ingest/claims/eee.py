"""Records of Every Eval Ever: an aggregate (``.json``), or one line per sample (``.jsonl``).

An aggregate has numbers over whole datasets, which are claims without a task.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.claims.layout import (
    Claimed,
    ClaimedFile,
    ClaimFormat,
    Files,
    StoredClaims,
    json_file,
    json_lines_file,
    lines_restored,
)
from ingest.fields import Fields, json_objects, object_at
from ingest.files import json_document
from ingest.imports.layout import Field, FileLayout
from warehouse.facts.claims import JudgedSample, JudgedSamples

LAYOUT = FileLayout(
    file="A JSON document, or JSON Lines in a file whose name ends with `.jsonl`.",
    fields=(
        Field("model_id", "text", "The language model; `--lm` overrides it.", required=True),
        Field("evaluation_name", "text", "The dataset; `--dataset` overrides it.", True),
        Field("sample_id", "text", "The task.", required=True),
        Field("evaluation.is_correct", "true or false", "The claimed verdict.", required=True),
        Field("evaluation.score", "number", "The claimed number."),
        Field(
            "output.raw", "list of texts", "The answer; a single text finds the same sample here."
        ),
        Field("evaluation_result_id", "text", "The metric; without it, `is_correct`."),
    ),
    example=[
        {
            "schema_version": "0.3.0",
            "evaluation_id": "starter/my-lm/1",
            "model_id": "my-lm",
            "evaluation_name": "starter",
            "sample_id": "starter/ski_runs",
            "interaction_type": "single_turn",
            "input": {"raw": "def ski_runs(heights):\n", "reference": []},
            "output": {"raw": ["    return 0\n"]},
            "answer_attribution": [],
            "evaluation": {"score": 0.0, "is_correct": False},
        }
    ],
    others="The fields below are those of a line. An aggregate has numbers over whole datasets, "
    "which are claims without a task. All other fields are kept for exports. All lines of a file "
    "are about one language model.",
)


def read(path: Path) -> ClaimedFile:
    """Return the claims of a record, or of the lines of samples."""
    if ".jsonl" in path.name:
        lines = list(json_objects(path))
        models = {line.text("model_id"): line for line in lines}
        if len(models) > 1:
            first, second, *_ = models
            raise models[second].bad(f"names another language model than {first!r}")
        claims = (_of_sample(line) for line in lines)
        return ClaimedFile(claims=claims, claimant="Every Eval Ever", lm=next(iter(models)))
    top = object_at(json_document(path), path, "record")
    library = top.values.get("eval_library")
    named = top.inner("eval_library") if library is not None else top.inner("source_metadata")
    claimant = named.optional_text("name") or named.optional_text("source_name")
    return ClaimedFile(
        claims=_totals(top),
        claimant=claimant or "Every Eval Ever",
        version=named.optional_text("version") or "",
        lm=top.inner("model_info").text("id"),
        about={name: value for name, value in top.values.items() if name != RESULTS},
    )


RESULTS = "evaluation_results"


def _totals(top: Fields) -> Iterator[Claimed]:
    for number, values in enumerate(top.entries(RESULTS)):
        result = object_at(values, top.path, f"{RESULTS}[{number}]")
        source = result.values.get("source_data")
        dataset = result.inner("source_data").optional_text("dataset_name") if source else None
        yield Claimed(
            row=result.row,
            task_id=None,
            metric=_metric(result),
            score=result.inner("score_details").optional_number("score"),
            record=result.values,
            dataset=dataset or result.text("evaluation_name"),
        )


def _metric(result: Fields) -> str:
    """Return the name of a metric: its own key, else that of the evaluation and the measure."""
    key = result.optional_text("evaluation_result_id")
    config = result.inner("metric_config")
    of_config = config.optional_text("metric_id") or config.optional_text("metric_name")
    return key or ": ".join([result.text("evaluation_name"), *([of_config] if of_config else [])])


def _of_sample(line: Fields) -> Claimed:
    evaluation = line.inner("evaluation")
    if not isinstance(evaluation.required("is_correct"), bool):
        raise line.bad("the field 'is_correct' is no truth value")
    output: Any = line.values.get("output")
    raw = output.get("raw") if isinstance(output, dict) else None
    text = raw[0] if isinstance(raw, list) and len(raw) == 1 else None
    return Claimed(
        row=line.row,
        task_id=line.text("sample_id"),
        metric=line.optional_text("evaluation_result_id") or "is_correct",
        passed=evaluation.optional_flag("is_correct"),
        score=evaluation.optional_number("score"),
        status=line.optional_text("error"),
        text=text if isinstance(text, str) else None,
        record=line.values,
        dataset=line.text("evaluation_name"),
    )


def restored(stored: StoredClaims) -> Files:
    """Return the record, or the lines of samples."""
    if not stored.about:
        return lines_restored(stored)
    results = [record for _, record in stored.records]
    return {stored.name: json_file({**stored.about, RESULTS: results})}


SCHEMA_VERSION = "0.3.0"
ACCESS = {"deployment_type": "unknown", "model_availability": "unknown"}


def written(judged: JudgedSamples) -> Files:
    """Return our pass@1 as an aggregate record, and our verdicts as lines beside it."""
    model = f"{judged.lm}@{judged.revision}" if judged.revision else judged.lm
    at = str(judged.judged_at.timestamp())
    evaluation_id = f"{judged.dataset}/{model}/{at}"
    aggregate = {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation_id,
        "retrieved_timestamp": at,
        "source_metadata": {
            "source_name": "Assay",
            "source_type": "evaluation_run",
            "source_organization_name": "Assay",
            "evaluator_relationship": "third_party",
        },
        "model_info": {"name": judged.lm, "id": model, "additional_details": ACCESS},
        "eval_library": {"name": "assay", "version": "unknown"},
        RESULTS: [] if judged.pass_at_1 is None else [_pass_at_1(judged)],
    }
    lines = [_line_of(judged.dataset, model, evaluation_id, each) for each in judged.samples]
    return {f"{judged.dataset}.json": json_file(aggregate), "samples.jsonl": json_lines_file(lines)}


def _pass_at_1(judged: JudgedSamples) -> dict[str, Any]:
    interval = {"lower": judged.pass_at_1_lo, "upper": judged.pass_at_1_hi}
    uncertainty: dict[str, Any] = {"num_samples": judged.n_problems}
    if judged.pass_at_1_lo is not None:
        uncertainty["confidence_interval"] = {**interval, "confidence_level": 0.95}
    return {
        "evaluation_name": judged.dataset,
        "source_data": {"dataset_name": judged.dataset, "source_type": "other"},
        "metric_config": {
            "metric_name": "pass@1",
            "evaluation_description": f"pass@1, {judged.setting}",
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0.0,
            "max_score": 1.0,
        },
        "score_details": {"score": judged.pass_at_1, "uncertainty": uncertainty},
    }


def _line_of(dataset: str, model: str, evaluation_id: str, sample: JudgedSample) -> dict[str, Any]:
    passed = sample.verdict == "passed"
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation_id,
        "model_id": model,
        "evaluation_name": dataset,
        "sample_id": sample.task_id,
        "interaction_type": "single_turn",
        "input": {"raw": sample.prompt, "reference": [sample.reference]},
        "output": {"raw": [sample.program]},
        "messages": None,
        "answer_attribution": [],
        "evaluation": {"score": float(passed), "is_correct": passed},
        "error": None if sample.verdict in ("passed", "failed") else sample.verdict,
        "metadata": {"verdict": sample.verdict},
    }


FORMAT = ClaimFormat(__doc__, LAYOUT, read, restored, written)
