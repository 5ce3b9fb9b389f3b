"""The problems of an ingested dataset, as an import finds them: by task, prompt or position."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ingest import keys
from ingest.datasets import DATASETS
from ingest.fields import Fields
from ingest.files import json_lines
from ingest.samples import Sample
from warehouse import settings
from warehouse.errors import BadInput
from warehouse.facts.problems import TaskVariant, ingested_datasets, newest_variants
from warehouse.store.connection import reading


@dataclass(frozen=True, slots=True)
class KnownVariant:
    """One prompt of a problem; ``is_new`` when the warehouse has not seen it yet."""

    variant_id: str
    problem_id: str
    kind: str
    prompt: str
    is_new: bool


class Catalogue:
    """The newest release of one dataset, with all its prompts."""

    def __init__(self, dataset: str):
        self.dataset = dataset
        self.task_ids: list[str] = []
        self.originals: dict[str, KnownVariant] = {}
        self.by_task: dict[str, str] = {}
        self.by_prompt: dict[str, list[str]] = {}
        self.variants: dict[tuple[str, str, str], KnownVariant] = {}

    def add(self, task_id: str, variant: KnownVariant) -> None:
        """Add one prompt of one task, in the order of the release."""
        if variant.kind == "original":
            self.task_ids.append(task_id)
            self.originals[task_id] = variant
            for name in _names(task_id):
                if self.by_task.setdefault(name, task_id) != task_id:
                    self.by_task[name] = ""  # the short name of several tasks names none
        self._add_variant(task_id, variant)

    def find(self, sample: Sample, kind: str, line: Fields) -> KnownVariant:
        """Return the prompt a sample answers; raises BadInput for an unknown task.

        A sample that brings its prompt has a variant of ``kind``, even where the prompt is the
        original one: all samples of a file were asked in one way, so they share a setting.
        """
        task_id = self._task_of(sample, line)
        original = self.originals[task_id]
        if sample.prompt is None:
            return original
        known = self.variants.get((original.problem_id, kind, sample.prompt))
        if known is None:
            known = KnownVariant(
                keys.variant_id(original.problem_id, kind, sample.prompt),
                original.problem_id,
                kind,
                sample.prompt,
                is_new=True,
            )
            self._add_variant(task_id, known)
        return known

    def has(self, task_id: str | None) -> bool:
        """Say whether a task belongs to the dataset; True for a sample that names none."""
        return task_id is None or bool(self.by_task.get(task_id.strip().casefold()))

    def join(self, prompts: Path) -> None:
        """Learn which task a prompt belongs to from a file of ``task_id`` and ``prompt``."""
        for row, values in json_lines(prompts):
            line = Fields(values, prompts, row)
            task_id = self._known_task(line.text("task_id"), line)
            owners = self.by_prompt.setdefault(line.text("prompt"), [])
            if task_id not in owners:
                owners.append(task_id)

    def _add_variant(self, task_id: str, variant: KnownVariant) -> None:
        self.variants[variant.problem_id, variant.kind, variant.prompt] = variant
        owners = self.by_prompt.setdefault(variant.prompt, [])
        if task_id not in owners:
            owners.append(task_id)

    def _task_of(self, sample: Sample, line: Fields) -> str:
        if sample.task_id is not None:
            return self._known_task(sample.task_id, line)
        if sample.position is not None:
            if not 0 <= sample.position < len(self.task_ids):
                raise line.bad(
                    f"there is no problem {sample.position} in the {len(self.task_ids)} of "
                    f"{self.dataset}"
                )
            return self.task_ids[sample.position]
        owners = self.by_prompt.get(sample.prompt or "", [])
        if len(owners) != 1:
            shown = " ".join((sample.prompt or "").split())[:60]
            reason = "belongs to no task" if not owners else f"belongs to {' and '.join(owners)}"
            raise line.bad(
                f"the prompt {shown!r} {reason} of {self.dataset}; give the file that pairs "
                "task_id with prompt"
            )
        return owners[0]

    def _known_task(self, task_id: str, line: Fields) -> str:
        known = self.by_task.get(task_id.strip().casefold())
        if not known:
            raise line.bad(f"unknown task {task_id!r} in dataset {self.dataset}")
        return known


def catalogue_of(dataset: str) -> Catalogue:
    """Read the newest release of a dataset; raises BadInput when none was ingested."""
    catalogue = Catalogue(dataset)
    variants: list[TaskVariant] = []
    known: list[str] = []
    if settings.warehouse_path().exists():
        with reading() as con:
            known = ingested_datasets(con)
            variants = newest_variants(con, dataset)
    if not variants:
        raise BadInput(absent(dataset, known))
    for each in variants:
        catalogue.add(
            each.task_id,
            KnownVariant(each.variant_id, each.problem_id, each.kind, each.prompt, is_new=False),
        )
    return catalogue


def absent(dataset: str, known: Sequence[str]) -> str:
    """Return what to say of a dataset that was never ingested."""
    have = f"available: {', '.join(known)}" if known else "nothing is ingested yet"
    how = f"; run `assay ingest {dataset}`" if dataset in DATASETS else ""
    return f"dataset {dataset!r} is not in the warehouse; {have}{how}"


def _names(task_id: str) -> set[str]:
    """The spellings of a task: its id, its id as a folder name, and its bare number."""
    folded = task_id.casefold()
    return {folded, folded.replace("/", "_"), folded.rsplit("/", 1)[-1]}
