"""Claims on their way into the warehouse: made into rows, checked against one another."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pyarrow as pa

from ingest import keys
from ingest.batches import Batches
from ingest.claims import CLAIM_FORMATS
from ingest.claims.layout import Claimed, ClaimedFile
from ingest.fields import Fields
from models.keys import content_key, text_key
from models.tables import Claim, ClaimFile, ClaimRecord, ClaimSource
from warehouse import settings
from warehouse.errors import BadInput
from warehouse.facts.claims import first_contradiction
from warehouse.frames import Frames, frames_of
from warehouse.parameters import Choice, Spec, on_one_line, printable
from warehouse.store.connection import reading


@dataclass(frozen=True)
class ClaimsSpec(Spec):
    """A file of claimed results, and what it does not say itself.

    ``not_here``: the dataset is not in the warehouse, and its tasks are not looked up.
    ``skip_unknown`` passes over tasks that the dataset does not have, and counts them.
    """

    path: Path
    format: Annotated[str, Choice(CLAIM_FORMATS)]
    dataset: Annotated[str | None, on_one_line] = None
    lm: Annotated[str | None, printable] = None
    revision: Annotated[str, on_one_line] = ""
    claimant: Annotated[str | None, on_one_line] = None
    claimant_version: Annotated[str | None, on_one_line] = None
    label: Annotated[str, on_one_line] = ""
    not_here: bool = False
    skip_unknown: bool = False

    def conflicts(self) -> Iterator[tuple[str, str]]:
        """Yield that tasks of a dataset that is not here cannot be unknown."""
        if self.not_here and self.skip_unknown:
            yield "skip_unknown", "tasks of a dataset that is not here are not looked up"


class ClaimRows:
    """Rows being made from claims, with all that must hold across a whole file."""

    def __init__(self, spec: ClaimsSpec, file: ClaimedFile, sha256: str):
        self.spec = spec
        self.file = file
        self.sha256 = sha256
        self.n_claims = 0
        self.n_repeated = 0
        self.tasks: set[tuple[str, str | None]] = set()
        self._sources: dict[str, str] = {}
        self._files: dict[str, str] = {}
        self._counts: Counter[tuple[str, str | None, str]] = Counter()
        self._seen: dict[str, int] = {}
        self._facts: list[str] = []
        self._rows: list[int | str] = []
        self._claims = Batches(Claim)
        self._records = Batches(ClaimRecord)

    def take(self, claimed: Claimed, dataset: str, task_id: str | None) -> None:
        """Turn one claim into rows; raises BadInput when it contradicts an earlier one."""
        line = Fields({}, self.spec.path, claimed.row)
        position, self.n_claims = self.n_claims, self.n_claims + 1
        self.tasks.add((dataset, task_id))
        source = self._source_of(dataset)
        index = self._index_of(claimed, dataset, task_id)
        claim_id = content_key(source, task_id, index, claimed.metric)
        key = None if claimed.text is None else text_key(claimed.text)
        facts = content_key(claimed.passed, claimed.confidence, claimed.score, key)
        earlier = self._seen.setdefault(claim_id, len(self._facts))
        if earlier < len(self._facts):
            if self._facts[earlier] != facts:
                raise line.bad(f"contradicts row {self._rows[earlier]}: {_same(claimed, index)}")
            self.n_repeated += 1
            return
        self._facts.append(facts)
        self._rows.append(claimed.row)
        self._claims.add(
            claim_id,
            source,
            self._files[source],
            position,
            str(claimed.row),
            task_id,
            index,
            claimed.metric,
            claimed.passed,
            claimed.confidence,
            claimed.score,
            claimed.status,
            key,
        )
        if claimed.record is not None:
            record = json.dumps(claimed.record, ensure_ascii=False)
            self._records.add(claim_id, record, n_characters=len(record))

    def refuse_contradictions(self) -> None:
        """Raise BadInput when the warehouse holds another claim of this source on a sample."""
        if not self.n_claims:
            raise BadInput("no results found", path=self.spec.path)
        if not settings.warehouse_path().exists():
            return
        claims = self._claims.table("")
        incoming = claims.append_column("n", pa.array(range(claims.num_rows)))
        with reading() as con:
            stored = first_contradiction(con, incoming)
        if stored:
            raise BadInput(
                f"contradicts row {stored.place} of {stored.name}, which is in the warehouse: "
                "a label keeps two sources apart",
                path=self.spec.path,
                row=self._rows[stored.n],
            )

    def frames(self, run_id: str) -> Frames:
        """Return everything as Arrow tables of one run."""
        spec, file = self.spec, self.file
        lm, claimant, version = named(spec, file)
        rows: list[Any] = []
        for dataset, source in self._sources.items():
            rows.append(
                ClaimSource(
                    claim_source_id=source,
                    format=spec.format,
                    claimant=claimant,
                    claimant_version=version,
                    lm_id=keys.lm_id(lm, spec.revision),
                    lm=lm,
                    revision=spec.revision,
                    dataset=dataset,
                    label=spec.label,
                    run_id=run_id,
                )
            )
            rows.append(
                ClaimFile(
                    claim_file_id=self._files[source],
                    claim_source_id=source,
                    name=spec.path.name,
                    sha256=self.sha256,
                    about=json.dumps(file.about, ensure_ascii=False),
                    run_id=run_id,
                )
            )
        bulk: Frames = {Claim: self._claims.table(run_id), ClaimRecord: self._records.table(run_id)}
        return {**frames_of(rows), **{key: frame for key, frame in bulk.items() if frame.num_rows}}

    def _source_of(self, dataset: str) -> str:
        if dataset not in self._sources:
            spec = self.spec
            lm, claimant, version = named(spec, self.file)
            source = content_key(
                *(spec.format, claimant, version),
                *(keys.lm_id(lm, spec.revision), dataset, spec.label),
            )
            self._sources[dataset] = source
            self._files[source] = content_key(source, self.sha256)
        return self._sources[dataset]

    def _index_of(self, claimed: Claimed, dataset: str, task_id: str | None) -> int | None:
        if task_id is None or claimed.sample_index is not None:
            return claimed.sample_index
        counted = dataset, task_id, claimed.metric
        self._counts[counted] += 1
        return self._counts[counted] - 1


def named(spec: ClaimsSpec, file: ClaimedFile) -> tuple[str, str, str]:
    """Return language model, claimant and its version; raises BadInput without the first."""
    lm = spec.lm or file.lm
    if lm is None:
        raise BadInput("the file names no language model: give --lm", path=spec.path)
    version = file.version if spec.claimant_version is None else spec.claimant_version
    claimant = spec.claimant or file.claimant
    if fault := printable(lm) or on_one_line(claimant) or on_one_line(version):
        raise BadInput(fault, path=spec.path)
    return lm, claimant, version


def _same(claimed: Claimed, index: int | None) -> str:
    if claimed.task_id is None:
        return f"both are {claimed.metric!r} of the whole dataset"
    return f"both are {claimed.metric!r} of sample {index} of {claimed.task_id!r}"
