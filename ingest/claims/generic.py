"""The generic format: JSON Lines (packed with gzip or not), one claimed result per line.

``LAYOUT`` has its fields. A line needs one of ``passed``, ``confidence`` and ``score``.
"""

from collections.abc import Iterator
from pathlib import Path

from ingest.claims.layout import (
    Claimed,
    ClaimedFile,
    ClaimFormat,
    Files,
    json_lines_file,
    lines_restored,
)
from ingest.fields import Fields, json_objects
from ingest.imports.layout import JSON_LINES, TASK, Field, FileLayout
from warehouse.facts.claims import JudgedSamples

LAYOUT = FileLayout(
    file=JSON_LINES + " One line per result; null means unknown.",
    fields=(
        TASK,
        Field("passed", "true or false", "The claimed verdict. One of this and the next two."),
        Field("confidence", "number", "How sure the language model was, from 0 to 1."),
        Field("score", "number", "Any other finite number."),
        Field("sample_index", "whole number", "From 0; without it, in the order of the file."),
        Field("metric", "text", "What was measured; `passed` by default."),
        Field("status", "text", "The claimant's own word, such as `timeout`."),
        Field("text", "text", "The sample's text, which finds the same sample here."),
    ),
    example=[
        {"task_id": "starter/ski_runs", "passed": True, "confidence": 0.75},
        {"task_id": "starter/tide_marks", "passed": False, "sample_index": 0, "status": "timeout"},
    ],
    others="Any other field is refused, so that a misspelt name is not lost.",
)

KNOWN = {field.name for field in LAYOUT.fields}
RESULTS = ("passed", "confidence", "score")


def read(path: Path) -> ClaimedFile:
    """Return the claims of a file."""
    return ClaimedFile(claims=_claims(path), claimant="unnamed")


def _claims(path: Path) -> Iterator[Claimed]:
    for line in json_objects(path):
        yield _claimed(line)


def _claimed(line: Fields) -> Claimed:
    unknown = sorted(line.values.keys() - KNOWN)
    if unknown:
        raise line.bad(f"unknown field {unknown[0]!r}")
    if all(line.values.get(name) is None for name in RESULTS):
        raise line.bad("nothing is claimed: give 'passed', 'confidence' or 'score'")
    return Claimed(
        row=line.row,
        task_id=line.text("task_id"),
        sample_index=line.optional_count("sample_index"),
        metric=line.optional_text("metric") or "passed",
        passed=line.optional_flag("passed"),
        confidence=line.optional_share("confidence"),
        score=line.optional_number("score"),
        status=line.optional_text("status"),
        text=line.optional_text("text"),
        record=line.values,
    )


def written(judged: JudgedSamples) -> Files:
    """Return our verdicts, a line for each sample."""
    lines = (
        {
            "task_id": sample.task_id,
            "sample_index": sample.sample_index,
            "passed": sample.verdict == "passed",
            "status": sample.verdict,
            "text": sample.program,
        }
        for sample in judged.samples
    )
    return {"results.jsonl": json_lines_file(lines)}


FORMAT = ClaimFormat(__doc__, LAYOUT, read, lines_restored, written)
