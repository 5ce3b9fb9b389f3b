"""What a format of claims hands to the importer: a file, and the results it claims."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ingest.imports.layout import FileLayout


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
class ClaimFormat:
    """One format: what it is, its files, and what reads a path of it."""

    about: str | None
    layout: FileLayout
    read: Callable[[Path], ClaimedFile]
