"""The problems of an ingested dataset, as an import finds them: by task, prompt or position."""

from collections.abc import Sequence
from pathlib import Path

from ingest import keys
from ingest.datasets import DATASETS
from ingest.fields import Fields, json_objects
from ingest.problems.dataset import ProblemKind
from ingest.problems.drafts import Source
from ingest.problems.programs import PROGRAMS
from ingest.problems.project_kinds import made_of, project_kind
from ingest.samples import Sample
from warehouse import settings
from warehouse.errors import BadInput, known_names
from warehouse.facts.problems import StoredProblem, TaskVariant, ingested_datasets, newest_variants
from warehouse.store.connection import reading


class Catalogue:
    """The newest release of one dataset, with all its prompts; ``new`` ones are not stored yet."""

    def __init__(self, dataset: str):
        self.dataset = dataset
        self.task_ids: list[str] = []
        self.originals: dict[str, TaskVariant] = {}
        self.by_id: dict[str, str] = {}
        self.by_short_name: dict[str, str] = {}
        self.by_prompt: dict[str, list[str]] = {}
        self.variants: dict[tuple[str, str, str], TaskVariant] = {}
        self.new: list[TaskVariant] = []

    def add(self, variant: TaskVariant) -> None:
        """Add one prompt of one task, in the order of the release."""
        task_id = variant.task_id
        if variant.kind == "original":
            self.task_ids.append(task_id)
            self.originals[task_id] = variant
            folded = task_id.casefold()
            self.by_id[folded] = task_id
            for name in (folded.replace("/", "_"), folded.rsplit("/", 1)[-1]):
                if self.by_short_name.setdefault(name, task_id) != task_id:
                    self.by_short_name[name] = ""  # that of several tasks names none
        self.variants[variant.problem_id, variant.kind, variant.prompt] = variant
        self._own(task_id, variant.prompt)

    def find(self, sample: Sample, kind: str, line: Fields) -> TaskVariant:
        """Return the prompt a sample answers; raises BadInput for an unknown task.

        A sample that brings its prompt has a variant of ``kind``, even where the prompt is the
        original one. All samples of a file were asked in one way, so they share a setting.
        """
        task_id = self._task_of(sample, line)
        original = self.originals[task_id]
        if sample.prompt is None:
            return original
        problem_id, prompt = original.problem_id, sample.prompt
        known = self.variants.get((problem_id, kind, prompt))
        if known is None:
            key = keys.variant_id(problem_id, kind, prompt)
            known = TaskVariant(task_id, key, problem_id, kind, prompt)
            self.new.append(known)
            self.add(known)
        return known

    def has(self, task_id: str | None) -> bool:
        """Say whether a task belongs to the dataset; True for a sample that names none."""
        return task_id is None or bool(self._named(task_id))

    def join(self, prompts: Path) -> None:
        """Learn which task a prompt belongs to from a file of ``task_id`` and ``prompt``."""
        for line in json_objects(prompts):
            self._own(self._known_task(line.text("task_id"), line), line.text("prompt"))

    def _own(self, task_id: str, prompt: str) -> None:
        owners = self.by_prompt.setdefault(prompt, [])
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
        known = self._named(task_id)
        if not known:
            where = f"in dataset {self.dataset}"
            raise line.bad(f"unknown task {task_id!r} {where}; --skip-unknown passes over such")
        return known

    def _named(self, task_id: str) -> str | None:
        """Return the task of this id; else that of it as a folder name, or as a bare number."""
        folded = task_id.strip().casefold()
        return self.by_id.get(folded) or self.by_short_name.get(folded)


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
        catalogue.add(each)
    return catalogue


def kind_of(dataset: str) -> ProblemKind:
    """Return the kind of a dataset's problems; a name that is not listed is a user's own."""
    listed = DATASETS.load(dataset).kind if dataset in DATASETS else PROGRAMS
    return project_kind(dataset) or listed


def source_of(problem: StoredProblem) -> Source:
    """Return the source of a problem: that of its dataset, or what is stored of a user's own.

    For lines of functions, that of the functions.
    """
    name = problem.dataset
    functions = made_of(name)[0] if project_kind(name) else name
    if problem.cpu_s is None:
        return DATASETS.load(functions).source
    return Source(
        *(name, "", "", None, None),
        cpu_s=problem.cpu_s,
        test_cpu_s=problem.test_cpu_s,
        memory_mb=problem.memory_mb,
    )


def absent(dataset: str, known: Sequence[str]) -> str:
    """Return what to say of a dataset that was never ingested."""
    have = known_names(dataset, known) if known else "; nothing is ingested yet"
    how = f"; run `assay ingest {dataset}`" if dataset in DATASETS else ""
    if project_kind(dataset):
        source, holds = made_of(dataset)
        how = f"; run `assay ingest {holds} {source}`"
    return f"dataset {dataset!r} is not in the warehouse{have}{how}"
