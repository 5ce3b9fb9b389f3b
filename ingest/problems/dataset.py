"""What every dataset says of itself: its source, its reader, and the kind of its problems."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ingest.fields import Fields
from ingest.files import files_under, sha256_of
from ingest.problems.drafts import ProblemDraft, Release, Source
from models.words import PYTHON


@dataclass(frozen=True)
class ProblemKind:
    """What problems ask for. ``task`` names the task that is asked where none is named.

    ``references_run``: a reference in its problem is a program that runs here. ``check`` raises
    BadInput for a problem that could not be judged. ``language`` is that of the programs.
    """

    task: str
    references_run: bool
    check: Callable[[ProblemDraft, Fields], None]
    language: str = PYTHON


def files_read(path: Path) -> list[Path]:
    """Return a file, or the files of a folder."""
    return [path] if path.is_file() else files_under(path)


@dataclass(frozen=True)
class Dataset:
    """One dataset.

    ``read`` takes a path and, by name, those ``options`` that were given. ``checksum`` and
    ``inputs`` are for datasets that come in several forms. ``folder`` is where a dataset is that
    comes with Assay. ``parts`` are the
    addresses of the files of one that has several, each with its SHA-256.
    """

    source: Source
    kind: ProblemKind
    read: Callable[..., Iterable[ProblemDraft] | Release]
    options: tuple[str, ...] = ()
    checksum: Callable[[Path], str] = sha256_of
    inputs: Callable[[Path], list[Path]] = files_read
    folder: Path | None = None
    parts: tuple[tuple[str, str], ...] = ()
