"""Results of lm-eval: ``results_*.json``, ``samples_*.jsonl``, or the folder that has both.

Each metric of a document is a claim, named with its filter; each metric of a task is one too.
"""

import re
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
)
from ingest.fields import Fields, json_objects, object_at
from ingest.files import files_under, json_document
from ingest.imports.layout import Field, FileLayout
from warehouse.errors import BadInput
from warehouse.facts.claims import JudgedSamples

LAYOUT = FileLayout(
    file="A JSON document, JSON Lines, or a folder with one document and the lines of its tasks.",
    fields=(
        Field("doc.task_id", "text", "The task, as the dataset names it."),
        Field("doc_id", "whole number", "The task, where there is no `doc.task_id`."),
        Field(
            "metrics", "list of texts", "Names of fields beside it, each a number.", required=True
        ),
        Field(
            "filter",
            "text",
            "Which part of the answer was kept; also in the name of the metric.",
        ),
        Field("filtered_resps", "list", "The answer, which finds the same sample here."),
    ),
    example=[
        {
            "doc_id": 0,
            "doc": {"task_id": "starter/ski_runs"},
            "filtered_resps": ["    return 0\n"],
            "filter": "none",
            "metrics": ["pass@1"],
            "pass@1": 0.0,
        }
    ],
    others="0 and 1 of `acc`, `acc_norm`, `exact_match`, `pass@1` and `pass_at_1` are verdicts "
    "where a document has one answer; other numbers are scores. The dataset is the task in the "
    "name of the file, unless `--dataset` names it. All other fields are kept for exports.",
)

VERDICTS = ("acc", "acc_norm", "exact_match", "pass@1", "pass_at_1")
STAMP = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
SAMPLES = re.compile(rf"samples_(.+?)(?:_{STAMP})?\.jsonl(?:\.gz)?")


def read(path: Path) -> ClaimedFile:
    """Return the claims of a file or folder."""
    files = files_under(path) if path.is_dir() else [path]
    lines = [file for file in files if ".jsonl" in file.name]
    documents = [file for file in files if file.suffix == ".json"]
    if len(documents) > 1:
        raise BadInput("has several results: give one run's folder, or one file", path=path)
    top = Fields({}, path, "results")
    if documents:
        top = object_at(json_document(documents[0]), documents[0], "results")
    return ClaimedFile(
        claims=_claims(top, lines, path),
        claimant="lm-evaluation-harness",
        version=top.optional_text("lm_eval_version") or "",
        lm=top.optional_text("model_name"),
        about={documents[0].name: top.values} if documents else {},
    )


def _claims(top: Fields, lines: list[Path], path: Path) -> Iterator[Claimed]:
    if top.values:
        yield from _totals(top.inner("results"))
    for file in lines:
        named = SAMPLES.fullmatch(file.name)
        prefix = f"{file.name}:" if path.is_dir() else ""
        for line in json_objects(file):
            yield from _of_document(line, prefix, named[1] if named else None)


def _totals(results: Fields) -> Iterator[Claimed]:
    for task in results.values:
        for name, value in results.inner(task).values.items():
            if name != "alias" and isinstance(value, int | float):
                score = results.check_number(value, name)
                yield Claimed(
                    row=f"results.{task}", task_id=None, metric=name, score=score, dataset=task
                )


def _of_document(line: Fields, prefix: str, dataset: str | None) -> Iterator[Claimed]:
    document = line.values.get("doc")
    given = document.get("task_id") if isinstance(document, dict) else None
    answers = line.values.get("filtered_resps")
    is_single = not isinstance(answers, list) or len(answers) == 1
    text = answers[0] if isinstance(answers, list) and is_single else None
    kept = line.optional_text("filter") or "none"
    for number, metric in enumerate(line.texts("metrics")):
        score = line.check_number(line.required(metric), metric)
        is_verdict = is_single and metric in VERDICTS and score in (0, 1)
        yield Claimed(
            row=f"{prefix}{line.row}" if prefix else line.row,
            task_id=str(line.required("doc_id") if given is None else given),
            metric=f"{metric},{kept}",
            passed=bool(score) if is_verdict else None,
            score=score,
            text=text if isinstance(text, str) else None,
            record=None if number else line.values,
            dataset=dataset,
        )


def restored(stored: StoredClaims) -> Files:
    """Return the file, or the files of the folder."""
    lines: dict[str, list[Any]] = {}
    for place, record in stored.records:
        lines.setdefault(place.rpartition(":")[0], []).append(record)
    files = {name: json_lines_file(records) for name, records in lines.items()}
    files |= {name: json_file(value) for name, value in stored.about.items()}
    if len(files) == 1 and ({"", stored.name} & files.keys()):
        return {stored.name: files.popitem()[1]}
    return {f"{stored.name}/{name}": data for name, data in files.items()}


def written(judged: JudgedSamples) -> Files:
    """Return our verdicts as a run of lm-eval with one task: its results and its samples."""
    numbers: dict[str, int] = {}
    lines = [
        {
            "doc_id": numbers.setdefault(sample.task_id, len(numbers)),
            "doc": {"task_id": sample.task_id, "prompt": sample.prompt},
            "target": sample.reference,
            "arguments": {"gen_args_0": {"arg_0": sample.prompt}},
            "resps": [[sample.kept_text]],
            "filtered_resps": [sample.program],
            "filter": "none",
            "metrics": ["pass@1"],
            "pass@1": float(sample.verdict == "passed"),
        }
        for sample in judged.samples
    ]
    results = {
        "results": {judged.dataset: {"alias": judged.dataset}},
        "configs": {judged.dataset: {"task": judged.dataset}},
        "versions": {judged.dataset: judged.dataset_version},
        "model_name": judged.lm,
        "date": judged.judged_at.timestamp(),
    }
    stamp = judged.judged_at.strftime("%Y-%m-%dT%H-%M-%S")
    return {
        f"results_{stamp}.json": json_file(results),
        f"samples_{judged.dataset}_{stamp}.jsonl": json_lines_file(lines),
    }


FORMAT = ClaimFormat(__doc__, LAYOUT, read, restored, written)
