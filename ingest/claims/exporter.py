"""Results in the files of other harnesses: our verdicts and samples, or claims as they came in."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from ingest.claims import CLAIM_FORMATS
from ingest.claims.layout import Files, StoredClaims
from warehouse import settings
from warehouse.errors import BadInput, known_names
from warehouse.facts.claims import (
    ClaimFileRow,
    JudgedEntry,
    JudgedSamples,
    has_verdicts,
    judged_entries,
    judged_samples,
    stored_claims,
)
from warehouse.parameters import Choice, Spec, printable
from warehouse.reports.export import replacing
from warehouse.store.connection import bring_up_to_date, reading


@dataclass(frozen=True)
class ResultsSpec(Spec):
    """Whose results are written, and how.

    ``claimed`` writes the claims of this format about the language model as their files were; with
    ``dataset``, those on it.
    ``setting`` is the beginning of the key of one way of asking.
    """

    format: Annotated[str, Choice(CLAIM_FORMATS)]
    lm: Annotated[str, printable]
    out: Path
    dataset: str | None = None
    revision: str | None = None
    setting: str = ""
    claimed: bool = False


@dataclass(frozen=True)
class ResultsReport:
    """Where files were written, and how many samples or records they hold."""

    out: str
    files: tuple[str, ...]
    n_results: int


def write_results(spec: ResultsSpec) -> ResultsReport:
    """Write results of a language model below a folder that is empty or new.

    Raises BadInput where there are none, or where the folder holds something.
    """
    if spec.out.exists() and (not spec.out.is_dir() or any(spec.out.iterdir())):
        raise BadInput("is there already: name an empty or a new folder", path=spec.out)
    if not settings.warehouse_path().exists():
        raise BadInput(f"no warehouse at {settings.warehouse_path()}")
    bring_up_to_date()
    files, n_results = _claimed_files(spec) if spec.claimed else _our_files(spec)
    for name, data in files.items():
        path = spec.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary:
            temporary.write_bytes(data)
    return ResultsReport(out=str(spec.out), files=tuple(sorted(files)), n_results=n_results)


def _our_files(spec: ResultsSpec) -> tuple[Files, int]:
    source = CLAIM_FORMATS.load(spec.format)
    if source.written is None:
        able = [name for name, each in CLAIM_FORMATS.load_all(CLAIM_FORMATS) if each.written]
        raise BadInput(f"{spec.format} has no files of our verdicts{known_names('', able)}")
    if spec.dataset is None:
        raise BadInput("name the dataset with --dataset")
    with reading() as con:
        if not has_verdicts(con):
            raise BadInput("the views are not built: run `assay build`")
        found = judged_entries(con, spec.lm, spec.revision, spec.dataset)
        entry = _entry_of(spec, found)
        samples = judged_samples(con, spec.lm, entry)
    judged = JudgedSamples(**vars(entry), lm=spec.lm, dataset=spec.dataset, samples=samples)
    return source.written(judged), len(samples)


def _entry_of(spec: ResultsSpec, found: Sequence[JudgedEntry]) -> JudgedEntry:
    fitting = [entry for entry in found if entry.setting_id.startswith(spec.setting)]
    if not fitting:
        asked = f" under the setting {spec.setting!r}" if spec.setting else ""
        raise BadInput(f"{spec.lm} has no verdicts on {spec.dataset}{asked}")
    if len(fitting) > 1:
        named = "; ".join(
            f"{entry.setting_id[:8]} ({entry.revision} {entry.setting})" for entry in fitting
        )
        raise BadInput(
            f"{spec.lm} was asked in several ways: choose by --revision or --setting: {named}"
        )
    return fitting[0]


def _claimed_files(spec: ResultsSpec) -> tuple[Files, int]:
    source = CLAIM_FORMATS.load(spec.format)
    with reading() as con:
        found = stored_claims(con, spec.format, spec.lm, spec.revision, spec.dataset)
    files: dict[str, bytes] = {}
    n_results = 0
    for sha256, rows in groupby(found, key=lambda row: row.sha256):
        stored = _stored(list(rows))
        n_results += len(stored.records)
        restored = source.restored(stored)
        taken = files.keys() & restored.keys()
        folder = f"{sha256[:12]}/" if taken else ""
        files |= {f"{folder}{name}": data for name, data in restored.items()}
    if not files:
        of = f" on {spec.dataset}" if spec.dataset else ""
        raise BadInput(f"there are no claims about {spec.lm}{of} in the format {spec.format}")
    return files, n_results


def _stored(rows: Sequence[ClaimFileRow]) -> StoredClaims:
    records: list[tuple[str, Any]] = [
        (row.place, json.loads(row.record))
        for row in rows
        if row.place is not None and row.record is not None
    ]
    return StoredClaims(rows[0].name, json.loads(rows[0].about), records)
