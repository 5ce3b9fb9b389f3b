"""Records of Every Eval Ever: an aggregate (``.json``), or one line per sample (``.jsonl``).

An aggregate has numbers over whole datasets, which are claims without a task.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.claims.layout import Claimed, ClaimedFile, ClaimFormat
from ingest.fields import Fields, json_objects, object_at
from ingest.files import json_document
from ingest.imports.layout import Field, FileLayout

LAYOUT = FileLayout(
    file="A JSON document, or JSON Lines in a file whose name ends with `.jsonl`.",
    fields=(
        Field("model_id", "text", "The language model, unless `--lm` names it.", required=True),
        Field("evaluation_name", "text", "The dataset, unless `--dataset` names it.", True),
        Field("sample_id", "text", "The task.", required=True),
        Field("evaluation.is_correct", "true or false", "The claimed verdict.", required=True),
        Field("evaluation.score", "number", "The claimed number.", required=True),
        Field("output.raw", "list of texts", "The answer: one text finds the same sample here."),
        Field("evaluation_result_id", "text", "The metric, where it is there."),
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
    others="All other fields are kept for exports. Lines of one file speak of one language model.",
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


FORMAT = ClaimFormat(__doc__, LAYOUT, read)
