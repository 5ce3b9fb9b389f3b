"""LiveCodeBench results: ``*_eval_all.json``, one JSON list with an entry per problem.

An entry has lists of programs and of their grades, in the same order.
"""

from collections.abc import Iterator
from pathlib import Path

from ingest.claims.layout import (
    Claimed,
    ClaimedFile,
    ClaimFormat,
    Files,
    StoredClaims,
    json_file,
)
from ingest.fields import Fields, object_at
from ingest.files import json_document, kind_of
from ingest.imports.layout import JSON_DOCUMENT, Field, FileLayout
from warehouse.errors import BadInput

LAYOUT = FileLayout(
    file=JSON_DOCUMENT,
    fields=(
        Field("[].question_id", "text", "The problem.", required=True),
        Field("[].graded_list", "list", "True or false for each sample.", required=True),
        Field("[].code_list", "list of texts", "The programs, which find the same samples here."),
    ),
    example=[
        {
            "question_id": "starter/ski_runs",
            "code_list": ["def ski_runs(heights):\n    return 0\n"],
            "graded_list": [False],
            "pass@1": 0.0,
        }
    ],
    lines=False,
    others="All other fields are kept for exports.",
)


def read(path: Path) -> ClaimedFile:
    """Return the claims of a file."""
    entries = json_document(path)
    if not isinstance(entries, list):
        raise BadInput(f"expected a list, found {kind_of(entries)}", path=path)
    return ClaimedFile(claims=_claims(entries, path), claimant="LiveCodeBench")


def _claims(entries: list[object], path: Path) -> Iterator[Claimed]:
    for number, values in enumerate(entries):
        entry = object_at(values, path, f"[{number}]")
        grades, codes = entry.entries("graded_list"), _codes(entry)
        if codes is not None and len(codes) != len(grades):
            raise entry.bad(f"there are {len(codes)} programs and {len(grades)} grades")
        for index, grade in enumerate(grades):
            if not isinstance(grade, bool):
                raise entry.bad(f"graded_list[{index}] is {kind_of(grade)}, no truth value")
            yield Claimed(
                row=f"[{number}]" if not index else f"[{number}][{index}]",
                task_id=entry.text("question_id"),
                sample_index=index,
                passed=grade,
                text=codes[index] if codes is not None else None,
                record=None if index else entry.values,
                dataset="livecodebench",
            )


def _codes(entry: Fields) -> list[str] | None:
    return None if entry.values.get("code_list") is None else entry.texts("code_list")


def restored(stored: StoredClaims) -> Files:
    """Return the file."""
    return {stored.name: json_file([record for _, record in stored.records])}


FORMAT = ClaimFormat(__doc__, LAYOUT, read, restored)
