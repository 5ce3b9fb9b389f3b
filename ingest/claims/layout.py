"""What a format of claims hands to the importer: a file, and the results it claims."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ingest.imports.layout import FileLayout
from warehouse.facts.claims import JudgedSamples


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """One claimed result; None is unknown.

    ``row`` is its place in the file. Without ``task_id`` it is a number over the whole dataset.
    Without ``sample_index`` the claims of a task and metric count up in the order of the file.
    ``record`` is what the file has of it, for exports; of several claims of one record the first
    carries it. ``dataset`` is the file's own name, which an option overrides.
    """

    row: int | str
    task_id: str | None
    sample_index: int | None = None
    metric: str = "passed"
    passed: bool | None = None
    confidence: float | None = None
    score: float | None = None
    status: str | None = None
    text: str | None = None
    record: Any = None
    dataset: str | None = None

    def with_record(self, record: Any) -> "Claimed":
        """Return the claim with what its file has of it."""
        return replace(self, record=record)


@dataclass(frozen=True, kw_only=True)
class ClaimedFile:
    """What a file claims: its results, and who claims them about which language model.

    ``about`` is what the file says beside its results. Options override claimant, version, language
    model and dataset.
    """

    claims: Iterable[Claimed]
    claimant: str
    version: str = ""
    lm: str | None = None
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class StoredClaims:
    """A file of claims as the warehouse keeps it: its name, and each record with its place."""

    name: str
    about: Mapping[str, Any]
    records: Sequence[tuple[str, Any]]


Files = Mapping[str, bytes]
"""Contents of files, by their paths below a folder."""


@dataclass(frozen=True)
class ClaimFormat:
    """One format: what it is, its files, and what reads a path of it.

    ``restored`` makes the files of stored claims again. ``written`` makes files of our verdicts, or
    of our samples where the harness judges these itself; without it, the format has none.
    """

    about: str | None
    layout: FileLayout
    read: Callable[[Path], ClaimedFile]
    restored: Callable[[StoredClaims], Files]
    written: Callable[[JudgedSamples], Files] | None = None


def json_file(value: Any) -> bytes:
    """Return a value as a JSON document."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def json_lines_file(values: Iterable[Any]) -> bytes:
    """Return values as JSON Lines."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()


def lines_restored(stored: StoredClaims) -> Files:
    """Return the one file whose lines are the records."""
    return {stored.name: json_lines_file(record for _, record in stored.records)}


def by_task(stored: StoredClaims) -> dict[str, list[Any]]:
    """Return the records of each task, whose places are ``TASK[NUMBER]``."""
    found: dict[str, list[Any]] = {}
    for place, record in stored.records:
        found.setdefault(place.rpartition("[")[0], []).append(record)
    return found
