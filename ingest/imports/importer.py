"""Generations made elsewhere into the warehouse: streamed, checked whole, appended at once."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ingest import keys
from ingest.catalogue import catalogue_of, kind_of
from ingest.fields import Fields
from ingest.files import files_under, sha256_of
from ingest.imports import FORMATS
from ingest.imports.sample_rows import ImportSpec, SampleRows
from ingest.samples import Sample
from models.tables import LanguageModel
from warehouse.errors import BadInput
from warehouse.facts.generations import is_simulated
from warehouse.store.connection import bring_up_to_date, reading
from warehouse.store.runs import recorded


@dataclass(frozen=True)
class ImportReport:
    """Samples that one import found, and new rows by table.

    ``n_unkept`` counts those whose text no row can hold.
    """

    format: str
    dataset: str
    lm: str
    n_samples: int
    n_repeated: int
    n_unkept: int
    n_skipped: int
    n_problems: int
    added: dict[str, int]


def import_generations(spec: ImportSpec) -> ImportReport:
    """Read generations of a language model for an ingested dataset and append what is new.

    Raises BadInput, naming file, row and reason, before anything is written.
    """
    path = spec.path
    source = FORMATS.load(spec.format)
    spec = replace(spec, resampled=spec.resampled or source.resampled)
    bring_up_to_date()
    catalogue = catalogue_of(spec.dataset)
    if spec.prompts is not None:
        catalogue.join(spec.prompts)
    rows = SampleRows(spec, kind_of(spec.dataset))
    n_skipped = 0
    for sample in _placed(source.read(path), spec.first_position):
        if spec.skip_unknown and not catalogue.has(sample.task_id):
            n_skipped += 1
            continue
        line = Fields({}, path, sample.row)
        rows.take(sample, catalogue.find(sample, spec.format, line), line)
    rows.refuse_conflicts()
    _refuse_other_kind(spec.lm, spec.revision, spec.simulated)
    with recorded(
        "import",
        settings=spec.settings() | {"sha256": sha256_of(path)},
        inputs=[
            *([path] if path.is_file() else files_under(path)),
            *([spec.prompts] if spec.prompts else []),
        ],
    ) as run:
        language_model = LanguageModel(
            lm_id=rows.lm_id,
            lm=spec.lm,
            revision=spec.revision,
            simulated=spec.simulated,
            n_parameters=None,
            planted=None,
            run_id=run.run_id,
        )
        added = run.append_frames(rows.frames(language_model, catalogue.new, run.run_id))
        run.summary.update(
            n_samples=rows.n_samples,
            n_repeated=rows.n_repeated,
            n_unkept=rows.n_unkept,
            n_skipped=n_skipped,
        )
    return ImportReport(
        format=spec.format,
        dataset=spec.dataset,
        lm=spec.lm,
        n_samples=rows.n_samples,
        n_repeated=rows.n_repeated,
        n_unkept=rows.n_unkept,
        n_skipped=n_skipped,
        n_problems=len(rows.problem_ids),
        added=added,
    )


def _refuse_other_kind(lm: str, revision: str, simulated: bool) -> None:
    """Raise BadInput when a simulated language model would pass for a real one, or reversed."""
    with reading() as con:
        is_known_simulated = is_simulated(con, keys.lm_id(lm, revision))
    if is_known_simulated is not None and is_known_simulated != simulated:
        known, given = ("simulated", "real") if is_known_simulated else ("real", "simulated")
        raise BadInput(f"language model {lm!r} is known as {known}, not as {given}")


def _placed(samples: Iterator[Sample], first_position: int) -> Iterator[Sample]:
    if not first_position:
        return samples
    return (
        sample
        if sample.position is None
        else replace(sample, position=sample.position + first_position)
        for sample in samples
    )
