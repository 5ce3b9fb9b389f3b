"""Results made elsewhere into the warehouse: claims, read whole, checked, appended at once."""

from dataclasses import dataclass

from ingest.catalogue import Catalogue, catalogue_of
from ingest.claims import CLAIM_FORMATS
from ingest.claims.claim_rows import ClaimRows, ClaimsSpec, named
from ingest.claims.layout import Claimed
from ingest.fields import Fields
from ingest.files import files_under, sha256_of
from ingest.samples import Sample
from models.words import Style
from warehouse import settings
from warehouse.errors import BadInput
from warehouse.facts.problems import ingested_datasets
from warehouse.parameters import on_one_line
from warehouse.store.connection import bring_up_to_date, reading
from warehouse.store.runs import recorded


@dataclass(frozen=True)
class ClaimsReport:
    """Results that a file claims, those repeated or passed over, and new rows by table."""

    format: str
    claimant: str
    lm: str
    n_claims: int
    n_repeated: int
    n_skipped: int
    n_tasks: int
    added: dict[str, int]


def import_claims(spec: ClaimsSpec) -> ClaimsReport:
    """Read claimed results and append what is new.

    Raises BadInput, naming file, row and reason, before anything is written.
    """
    path = spec.path
    if not path.exists():
        raise BadInput("no such file or folder", path=path)
    file = CLAIM_FORMATS.load(spec.format).read(path)
    bring_up_to_date()
    lm, claimant, _ = named(spec, file)
    sha256 = sha256_of(path)
    rows = ClaimRows(spec, file, sha256)
    places = _Places(spec)
    n_skipped = 0
    for claimed in file.claims:
        place = places.find(claimed)
        if place is None:
            n_skipped += 1
        else:
            rows.take(claimed, *place)
    rows.refuse_contradictions()
    with recorded(
        "claims",
        settings=spec.settings() | {"sha256": sha256},
        inputs=[path] if path.is_file() else files_under(path),
    ) as run:
        added = run.append_frames(rows.frames(run.run_id))
        run.summary.update(n_claims=rows.n_claims, n_skipped=n_skipped)
    return ClaimsReport(
        format=spec.format,
        claimant=claimant,
        lm=lm,
        n_claims=rows.n_claims,
        n_repeated=rows.n_repeated,
        n_skipped=n_skipped,
        n_tasks=len(rows.tasks),
        added=added,
    )


class _Places:
    """Finds the dataset and the task of each claim."""

    def __init__(self, spec: ClaimsSpec):
        self.spec = spec
        self._catalogues: dict[str, Catalogue | None] = {}

    def find(self, claimed: Claimed) -> tuple[str, str | None] | None:
        """Return dataset and task; None for a task to be passed over."""
        line = Fields({}, self.spec.path, claimed.row)
        dataset = self.spec.dataset or claimed.dataset
        if dataset is None:
            raise line.bad("the file names no dataset: give --dataset")
        if fault := on_one_line(dataset):
            raise line.bad(fault)
        if dataset not in self._catalogues:
            self._catalogues[dataset] = self._catalogue(dataset, line)
        catalogue = self._catalogues[dataset]
        if catalogue is None or claimed.task_id is None:
            return dataset, claimed.task_id
        if self.spec.skip_unknown and not catalogue.has(claimed.task_id):
            return None
        sample = Sample(row=claimed.row, task_id=claimed.task_id, text="", style=Style.SOLUTION)
        return dataset, catalogue.find(sample, "original", line).task_id

    def _catalogue(self, dataset: str, line: Fields) -> Catalogue | None:
        if not self.spec.not_here:
            try:
                return catalogue_of(dataset)
            except BadInput as error:
                hint = "; --not-here keeps its claims unjoined"
                raise line.bad(error.reason + hint) from error
        known: list[str] = []
        if settings.warehouse_path().exists():
            with reading() as con:
                known = ingested_datasets(con)
        if dataset in known:
            raise line.bad(f"dataset {dataset!r} is in the warehouse: leave out --not-here")
        return None
