"""Generations made elsewhere into the warehouse: streamed, checked whole, appended at once."""

import importlib
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

from ingest import keys
from ingest.answers.truncate import CANONICAL_IMPORTS, RULES
from ingest.catalogue import catalogue_of
from ingest.fields import Fields
from ingest.files import files_under, sha256_of
from ingest.imports import FORMATS
from ingest.imports.intake import ImportSpec, Intake
from ingest.loader import dataset_module
from ingest.samples import Sample
from models.tables import LanguageModel
from warehouse.errors import BadInput
from warehouse.facts.generations import is_simulated
from warehouse.store.connection import bring_up_to_date, reading
from warehouse.store.runs import recorded


@dataclass(frozen=True)
class ImportReport:
    """Samples that one import found, and new rows by table."""

    format: str
    dataset: str
    lm: str
    n_samples: int
    n_repeated: int
    n_skipped: int
    n_problems: int
    added: dict[str, int]


def import_generations(spec: ImportSpec) -> ImportReport:
    """Read generations of a language model for an ingested dataset and append what is new.

    Raises BadInput, naming file, row and reason, before anything is written.
    """
    path = Path(spec.path)
    module = _format_module(spec.format)
    resampled = spec.resampled or bool(getattr(module, "RESAMPLED", False))
    spec = replace(spec, path=path, resampled=resampled)
    _check_options(spec)
    bring_up_to_date()
    catalogue = catalogue_of(spec.dataset)
    if spec.prompts is not None:
        catalogue.join(Path(spec.prompts))
    intake = Intake(spec, dataset_module(spec.dataset).SOURCE.task)
    n_skipped = 0
    for sample in _placed(module.read(path), spec.first_position):
        if spec.skip_unknown and not catalogue.has(sample.task_id):
            n_skipped += 1
            continue
        line = Fields({}, path, sample.row)
        intake.take(sample, catalogue.find(sample, spec.format, line), line)
    intake.refuse_conflicts()
    _refuse_other_kind(spec.lm, spec.revision, spec.simulated)
    with recorded(
        "import",
        settings=spec.settings() | {"sha256": sha256_of(path)},
        inputs=[
            *([path] if path.is_file() else files_under(path)),
            *([Path(spec.prompts)] if spec.prompts else []),
        ],
    ) as run:
        language_model = LanguageModel(
            lm_id=intake.lm_id,
            lm=spec.lm,
            revision=spec.revision,
            simulated=spec.simulated,
            n_parameters=None,
            planted=None,
            run_id=run.run_id,
        )
        added = run.append_frames(intake.frames(language_model, run.run_id))
        run.summary.update(
            n_samples=intake.n_samples, n_repeated=intake.n_repeated, n_skipped=n_skipped
        )
    return ImportReport(
        format=spec.format,
        dataset=spec.dataset,
        lm=spec.lm,
        n_samples=intake.n_samples,
        n_repeated=intake.n_repeated,
        n_skipped=n_skipped,
        n_problems=len(intake.problem_ids),
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


def _format_module(format: str) -> ModuleType:
    if format not in FORMATS:
        raise BadInput(f"no import format {format!r}; available: {', '.join(FORMATS)}")
    return importlib.import_module(FORMATS[format])


def check_name(lm: str) -> None:
    """Raise BadInput for a name that cannot be printed in a table."""
    if not lm.strip() or not lm.isprintable():
        raise BadInput(f"{lm!r} is not a name for a language model")


def _check_options(spec: ImportSpec) -> None:
    rules = (*RULES, CANONICAL_IMPORTS)
    if spec.truncate not in rules:
        raise BadInput(f"no truncation rule {spec.truncate!r}; available: {', '.join(rules)}")
    if spec.truncate == "stop" and not any(spec.stop):
        raise BadInput("truncation at stop strings needs at least one stop string")
    check_name(spec.lm)
    if spec.first_position < 0:
        raise BadInput(f"first position {spec.first_position} is below 0")
    for name, low, high in (
        ("temperature", 0, math.inf),
        ("top_p", 0, 1),
        ("max_tokens", 1, math.inf),
    ):
        value = getattr(spec, name)
        if value is not None and not low <= value <= high:
            raise BadInput(f"{name} {value} is not in {low}..{high}")
