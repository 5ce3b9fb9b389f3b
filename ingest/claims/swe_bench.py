"""Reports of SWE-bench: one of a whole run, with lists of instances, or ``report.json`` of some.

A run's report lists the ids of resolved and other instances; others map an id to its result.
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
from ingest.files import json_document
from ingest.imports.layout import JSON_DOCUMENT, Field, FileLayout

LAYOUT = FileLayout(
    file=JSON_DOCUMENT,
    fields=(
        Field("resolved_ids", "list of texts", "Instances that pass; also as `resolved`."),
        Field("unresolved_ids", "list of texts", "Instances that fail."),
        Field("error_ids", "list of texts", "Instances whose run broke: they fail."),
        Field("empty_patch_ids", "list of texts", "Instances without a patch: they fail."),
        Field("*.resolved", "true or false", "Of a report of instances: the verdict."),
    ),
    example={
        "total_instances": 2,
        "resolved_ids": ["starter/ski_runs"],
        "unresolved_ids": ["starter/tide_marks"],
        "error_ids": [],
        "empty_patch_ids": [],
    },
    lines=False,
    others="All other fields are kept for exports.",
)

LISTS = {
    "resolved_ids": "resolved",
    "resolved": "resolved",
    "unresolved_ids": "unresolved",
    "error_ids": "error",
    "empty_patch_ids": "empty patch",
}


def read(path: Path) -> ClaimedFile:
    """Return the claims of a report."""
    top = object_at(json_document(path), path, "report")
    lists = [name for name in LISTS if isinstance(top.values.get(name), list)]
    claims = _of_lists(top, lists) if lists else _of_instances(top)
    about = top.values if lists else {}
    return ClaimedFile(claims=claims, claimant="SWE-bench", about=about)


def _of_lists(top: Fields, lists: list[str]) -> Iterator[Claimed]:
    for name in lists:
        for number, instance in enumerate(top.texts(name)):
            yield Claimed(
                row=f"{name}[{number}]",
                task_id=instance,
                sample_index=0,
                metric="resolved",
                passed=LISTS[name] == "resolved",
                status=LISTS[name],
                dataset="swe_bench",
            )


def _of_instances(top: Fields) -> Iterator[Claimed]:
    for instance in top.values:
        result = top.inner(instance)
        if not isinstance(result.required("resolved"), bool):
            raise top.bad(f"the field 'resolved' of {instance!r} is no truth value")
        yield Claimed(
            row=instance,
            task_id=instance,
            sample_index=0,
            metric="resolved",
            passed=result.optional_flag("resolved"),
            record=result.values,
            dataset="swe_bench",
        )


def restored(stored: StoredClaims) -> Files:
    """Return the file."""
    return {stored.name: json_file({**stored.about, **dict(stored.records)})}


FORMAT = ClaimFormat(__doc__, LAYOUT, read, restored)
