"""Check a user's own dataset before it is ingested: read every row, and run every reference.

Nothing is written. Each row that would be refused is a line with its place in the file and the
reason. So is each problem whose reference would be rejected.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ingest.loader import DraftChecker, problem_row
from ingest.manifests.manifest import Manifest
from ingest.manifests.own import draft_of, manifest_of, own_dataset, rows_of
from ingest.manifests.requirements import NEEDS
from ingest.problems.dataset import Dataset
from ingest.problems.drafts import ProblemDraft
from models.words import REJECTED
from runners.judging.conditions import PoolAtWork
from runners.judging.environments.locks import partial_lock_of
from runners.judging.languages.pool import PoolOfLanguages
from runners.judging.packages import Environments, packages_of
from runners.judging.policies import Policy
from runners.judging.references import References
from runners.specs import DatasetCheckSpec
from warehouse.errors import AssayError, BadInput
from warehouse.facts.problems import StoredInput, StoredProblem

NAME = "checked"
MOST_LINES = 100
"""How many faults are named; of the others their number."""


@dataclass(frozen=True)
class DatasetCheckReport:
    """What a dataset holds whose references all pass; ``judged`` counts problems by integrity.

    ``never_imported`` are packages that the dataset names, and no program or test imports.
    """

    version: str
    license: str
    n_problems: int
    n_tests: int
    judged: dict[str, int] = field(default_factory=dict)
    without_reference: int = 0
    never_imported: list[str] = field(default_factory=list)


class BadDataset(BadInput):
    """A dataset of which some rows would be refused or rejected, each with the reason."""

    def __init__(self, faults: list[str], n_rows: int):
        left = len(faults) - MOST_LINES
        shown = [*faults[:MOST_LINES], *([f"{left} more"] if left > 0 else [])]
        self._lines = [*shown, f"{len(faults)} of {n_rows} problems would be refused or rejected"]
        super().__init__("; ".join(self._lines))

    @property
    def lines(self) -> list[str]:
        """One line for each fault, and how many there are."""
        return self._lines


def check_dataset(spec: DatasetCheckSpec, *, progress: bool = True) -> DatasetCheckReport:
    """Check a dataset; raises BadDataset with all that is wrong, and writes nothing."""
    manifest = manifest_of(spec.path)
    dataset = own_dataset(spec.path, NAME, trusted=spec.trust_tests)
    named = {*manifest.requirements.values()}
    drafts: list[ProblemDraft] = []
    faults: list[tuple[int, str]] = []
    order: dict[int | str, int] = {}
    for number, draft in enumerate(_read(spec.path, manifest, named)):
        if isinstance(draft, BadInput):
            faults.append((number, str(draft)))
        else:
            drafts.append(draft)
            order[draft.row] = number
    n_rows = len(drafts) + len(faults)
    if not n_rows:
        raise BadInput("no problems found", path=spec.path)
    judged: Counter[str] = Counter()
    with PoolOfLanguages(workers=spec.workers, isolation=spec.isolation) as pool:
        for draft, mode, reason in _admitted(drafts, dataset, PoolAtWork(pool, progress)):
            judged[mode] += 1
            if mode == REJECTED:
                said = f"task {draft.task_id} would be rejected: {reason}"
                place = BadInput(said, path=spec.path, row=draft.row)
                faults.append((order[draft.row], str(place)))
    if faults:
        raise BadDataset([line for _, line in sorted(faults)], n_rows)
    return DatasetCheckReport(
        version=dataset.source.version,
        license=dataset.source.license,
        n_problems=len(drafts),
        n_tests=sum(len(draft.tests) for draft in drafts),
        judged=dict(judged),
        without_reference=sum(not draft.reference.strip() for draft in drafts),
        never_imported=sorted(named - {need for draft in drafts for need in _needs_of(draft)}),
    )


def _read(path: Path, manifest: Manifest, named: set[str]) -> Iterator[ProblemDraft | BadInput]:
    """Yield the problem of each row, or why it gives none; a file that breaks off ends it.

    The packages that rows name are added to ``named``. Raises BadInput where there is no row before
    the break.
    """
    checker = DraftChecker(path)
    rows = rows_of(path, manifest)
    read = 0
    while True:
        try:
            row, file = next(rows)
        except StopIteration:
            return
        except BadInput as error:
            if not read:
                raise
            yield error
            return
        read += 1
        given = row.values.get("requirements")
        if isinstance(given, dict):
            named |= {package for package in given.values() if isinstance(package, str)}
        try:
            yield checker.checked(draft_of(row, file, manifest))
        except BadInput as error:
            yield error


def _admitted(
    drafts: list[ProblemDraft], dataset: Dataset, judging: PoolAtWork
) -> Iterator[tuple[ProblemDraft, str, str]]:
    """Yield each problem with the mode in which it would be judged, and the reason."""
    source = dataset.source
    problems: dict[str, StoredProblem] = {}
    inputs: dict[str, list[StoredInput]] = {}
    by_key: dict[str, ProblemDraft] = {}
    for position, draft in enumerate(drafts):
        row = problem_row(source, "", position, draft, "").model_dump()
        key = row["problem_id"]
        known = {name: row[name] for name in StoredProblem.__dataclass_fields__ if name in row}
        problems[key] = StoredProblem(
            **known,
            cpu_s=source.cpu_s,
            test_cpu_s=source.test_cpu_s,
            memory_mb=source.memory_mb,
            trusted=source.trusted,
        )
        others = [test for test in draft.tests if test.kind != "assert"]
        inputs[key] = [StoredInput(key, test.kind, test.body) for test in others]
        by_key[key] = draft
    environments = _environments(by_key)
    for key, reason in environments.waiting.items():
        del problems[key]
        yield by_key[key], REJECTED, reason
    for found in References(judging, Policy(), problems, inputs, environments).measured():
        yield by_key[found["problem_id"]], found["mode"], found["reason"] or ""


def _environments(drafts: Mapping[str, ProblemDraft]) -> Environments:
    """Return the environment that the problems would be judged in, made now."""
    made = Environments()
    needs = {key: found for key, draft in drafts.items() if (found := _needs_of(draft))}
    try:
        if needs:
            made.add(needs, partial_lock_of(packages_of(needs)))
    except AssayError as error:
        made.wait(needs, error)
    return made


def _needs_of(draft: ProblemDraft) -> set[str]:
    """Return the packages that a problem imports."""
    return {tag.removeprefix(NEEDS) for tag in draft.tags if tag.startswith(NEEDS)}
