"""Datasets into the warehouse: read, checked whole, appended at once."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, ClassVar

from ingest import keys
from ingest.batches import Batches
from ingest.datasets import DATASETS
from ingest.download import dataset_file
from ingest.fields import Fields
from ingest.problems.dataset import Dataset, ProblemKind
from ingest.problems.drafts import ProblemDraft, Release, Source
from ingest.problems.programs import PROGRAMS
from models.base import Row
from models.keys import content_key
from models.tables import DatasetRelease, Problem, Test, Variant
from models.words import GIVEN_KINDS, SCRIPT, STDOUT_COMPARISONS
from warehouse.errors import BadInput
from warehouse.frames import Frames, frames_of
from warehouse.parameters import SEED, BadValue, Choice, Spec
from warehouse.store.runs import recorded


@dataclass(frozen=True)
class IngestReport:
    """What one ingest found, and what of it was new, by table."""

    dataset: str
    version: str
    sha256: str
    release_id: str
    n_problems: int
    n_tests: int
    added: dict[str, int]
    left_out: dict[str, int]


@dataclass(frozen=True)
class IngestSpec(Spec):
    """Which dataset is read, and how.

    Without ``path`` it is found in ASSAY_DATA or downloaded. The file must have the pinned SHA-256,
    or the one given, or any when ``unpinned``; in the last two cases the release's version says so.
    ``checkouts`` is a folder of working copies from which a repair dataset takes the lines around
    the wrong one. ``seed`` is that of the subset it draws. ``compare`` replaces how whole programs'
    outputs are compared, and the version says so.
    """

    unstored: ClassVar = ("name", "unpinned")

    name: Annotated[str, Choice(DATASETS, "dataset")]
    path: Path | None = None
    sha256: Annotated[str | None, lambda value: _no_sha256(value)] = None
    unpinned: bool = False
    checkouts: Path | None = None
    seed: Annotated[int | None, SEED] = None
    compare: Annotated[str | None, Choice(STDOUT_COMPARISONS)] = None


def ingest_dataset(spec: IngestSpec) -> IngestReport:
    """Read a dataset and append what is new; raises BadInput before anything is written."""
    fit(spec)
    name, compare = spec.name, spec.compare
    dataset = DATASETS.load(name)
    source = dataset.source
    path = spec.path if spec.path is not None else _fetched(dataset)
    found = dataset.checksum(path)
    version = _version(spec, dataset, found, path)
    release = _read(dataset, path, checkouts=spec.checkouts, seed=spec.seed)
    version += release.version_suffix
    drafts = checked(release.drafts, path, dataset.kind)
    if compare is not None:
        drafts, version = _compared(drafts, compare, name), f"{version}, compared by {compare}"
    with recorded(
        "ingest",
        settings=spec.settings()
        | {"dataset": name, "version": version, "sha256": found, "path": path},
        inputs=dataset.inputs(path),
    ) as run:
        added = run.append_frames(frames_for(source, version, found, drafts, run.run_id))
        left_out = dict(release.left_out)
        run.summary.update(dataset=name, version=version, n_problems=len(drafts), left_out=left_out)
    return IngestReport(
        dataset=name,
        version=version,
        sha256=found,
        release_id=_release_id(source, version, found),
        n_problems=len(drafts),
        n_tests=sum(len(draft.tests) for draft in drafts),
        added=added,
        left_out=left_out,
    )


def fit(spec: IngestSpec) -> None:
    """Raise BadValue for what does not go with the dataset, before its file is read."""
    dataset = DATASETS.load(spec.name)
    source = dataset.source
    if spec.path is None and dataset.folder is None and (source.local or source.url is None):
        raise BadValue("path", f"Assay does not download {spec.name}: name {source.local}")
    if spec.path is not None and spec.path.is_dir() and not source.may_be_folder:
        raise BadValue("path", f"{spec.path} is a folder, not the file of {spec.name}")
    for option in ("checkouts", "seed"):
        if getattr(spec, option) is not None and option not in dataset.options:
            raise BadValue(option, f"does not apply to {spec.name}")


def _no_sha256(value: str) -> str:
    return "" if re.fullmatch("[0-9a-fA-F]{64}", value) else "must be 64 hexadecimal digits"


def _compared(drafts: list[ProblemDraft], compare: str, name: str) -> list[ProblemDraft]:
    if any(draft.entry_point != SCRIPT for draft in drafts):
        raise BadInput(f"{name} holds functions: comparisons of printed texts do not apply")
    return [replace(draft, compare=compare) for draft in drafts]


def checked(
    drafts: Iterable[ProblemDraft], path: Path, kind: ProblemKind = PROGRAMS
) -> list[ProblemDraft]:
    """Return the problems, or raise BadInput at the first that could not be judged."""
    problems: list[ProblemDraft] = []
    first_row: dict[str, int | str] = {}
    for draft in drafts:
        place = Fields({}, path, draft.row)
        folded = draft.task_id.casefold()
        if folded in first_row:
            raise place.bad(f"task {draft.task_id} is already in row {first_row[folded]}")
        first_row[folded] = draft.row
        for name in ("task_id", "entry_point", "prompt", "reference", "suffix", "setup_code"):
            place.check_text(getattr(draft, name), name)
        kind.check(draft, place)
        problems.append(draft)
    if not problems:
        raise BadInput("no problems found", path=path)
    return problems


def frames_for(
    source: Source, version: str, sha256: str, drafts: list[ProblemDraft], run_id: str
) -> Frames:
    """Return the rows of one release: the release, its problems, tests and variants."""
    release_id = _release_id(source, version, sha256)
    rows: list[Row] = [
        DatasetRelease(
            release_id=release_id,
            dataset=source.dataset,
            version=version,
            source=source.url or "written for this project",
            license=source.license,
            sha256=sha256,
            n_problems=len(drafts),
            run_id=run_id,
        )
    ]
    tests = Batches(Test)  # HumanEval+ alone has 124,253
    for position, draft in enumerate(drafts):
        problem = _problem(source, release_id, position, draft, run_id)
        original = _variant(problem, "original", draft.prompt, None)
        others = [
            _variant(problem, kind, text, original.variant_id) for kind, text in draft.variants
        ]
        rows += [problem, original, *others]
        for index, test in enumerate(draft.tests):
            test_id = content_key(problem.problem_id, test.suite, index)
            tests.add(test_id, problem.problem_id, index, test.suite, test.kind, test.body)
    return {**frames_of(rows), Test: tests.table(run_id)}


def _variant(problem: Problem, kind: str, text: str, parent: str | None) -> Variant:
    return Variant(
        variant_id=keys.variant_id(problem.problem_id, kind, text),
        problem_id=problem.problem_id,
        kind=kind,
        parent_variant_id=parent,
        prompt=text,
        seed=None,
        run_id=problem.run_id,
    )


def _problem(
    source: Source, release_id: str, position: int, draft: ProblemDraft, run_id: str
) -> Problem:
    judged_by: list[object] = [
        draft.entry_point,
        draft.setup_code,
        draft.test_code,
        draft.compare,
        draft.atol,
    ]
    given = bool(draft.tests) and all(test.kind in GIVEN_KINDS for test in draft.tests)
    if draft.test_code is None and not given:
        # outputs are compared with the reference's, so it is part of the tests
        judged_by += [draft.prompt + draft.reference + draft.suffix]
    judged_by += [[test.suite, test.kind, test.body] for test in draft.tests]
    tests_key = content_key(*judged_by)
    tags = json.dumps(sorted(draft.tags))
    text = [draft.prompt, draft.reference, draft.suffix]
    problem_id = content_key(
        release_id, draft.task_id, position, *text, tests_key, draft.difficulty, tags
    )
    return Problem(
        problem_id=problem_id,
        release_id=release_id,
        dataset=source.dataset,
        task_id=draft.task_id,
        position=position,
        entry_point=draft.entry_point,
        prompt=draft.prompt,
        reference=draft.reference,
        suffix=draft.suffix,
        setup_code=draft.setup_code,
        test_code=draft.test_code,
        compare=draft.compare,
        atol=draft.atol,
        difficulty=draft.difficulty,
        tags=tags,
        tests_key=tests_key,
        run_id=run_id,
    )


def _version(spec: IngestSpec, dataset: Dataset, found: str, path: Path) -> str:
    source, pinned = dataset.source, dataset.source.sha256
    if pinned is None and dataset.folder is not None:
        pinned = dataset.checksum(dataset.folder)
    if spec.sha256 is not None and found != spec.sha256.lower():
        raise BadInput(f"sha256 is {found}, not the expected {spec.sha256.lower()}", path=path)
    if pinned in (None, found):
        return source.version
    if spec.sha256 is None and not spec.unpinned:
        raise BadInput(
            f"sha256 is {found}, not {pinned} of the release {source.dataset} "
            f"{source.version}; to read another file, pass its checksum with --sha256, "
            "or use --unpinned",
            path=path,
        )
    return f"{source.version} (not the pinned file)"


def _read(dataset: Dataset, path: Path, **options: object) -> Release:
    given = {name: value for name, value in options.items() if value is not None}
    problems = dataset.read(path, **given)
    return problems if isinstance(problems, Release) else Release(problems, left_out={})


def _fetched(dataset: Dataset) -> Path:
    source = dataset.source
    if dataset.folder is not None:
        return dataset.folder
    assert source.url is not None  # fit refuses a dataset that is neither here nor downloaded
    return dataset_file(source, source.url)


def _release_id(source: Source, version: str, sha256: str) -> str:
    return content_key(source.dataset, version, sha256)
