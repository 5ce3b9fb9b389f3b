"""Datasets into the warehouse: read, checked whole, appended at once."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, ClassVar

from ingest import keys
from ingest.batches import Batches
from ingest.datasets import DATASETS
from ingest.download import dataset_file, dataset_folder
from ingest.fields import Fields
from ingest.manifests.own import NAME as OWN_NAME
from ingest.manifests.own import own_dataset
from ingest.problems.dataset import Dataset, ProblemKind
from ingest.problems.drafts import ProblemDraft, Release, Source
from ingest.problems.programs import PROGRAMS
from ingest.problems.project_kinds import made_of, project_kind
from models.base import Row
from models.keys import content_key
from models.tables import DatasetRelease, OwnRelease, Problem, Test, Variant
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


_LISTED = Choice(DATASETS, "dataset")
MOST_OF_A_LICENSE = 200


@dataclass(frozen=True)
class IngestSpec(Spec):
    """Which dataset is read, and how.

    A name that is not listed is that of a user's own dataset, in the file or folder ``path``. Its
    ``license`` may be given where the file does not say it. Code of its tests runs in the sandbox,
    beside the program, unless ``trust_tests`` lets the judge run it: there no program forges a
    verdict.

    Without ``path`` it is found in ASSAY_DATA or downloaded. The file must have the pinned SHA-256,
    or the one given, or any when ``unpinned``; in the last two cases the release's version says so.
    ``checkouts`` is a folder of working copies from which a repair dataset takes the lines around
    the wrong one. ``seed`` is that of the subset it draws. ``compare`` replaces how whole programs'
    outputs are compared, and the version says so.
    """

    unstored: ClassVar = ("name", "unpinned")

    name: Annotated[str, lambda value: _no_name(value)]
    path: Path | None = None
    sha256: Annotated[str | None, lambda value: _no_sha256(value)] = None
    unpinned: bool = False
    checkouts: Path | None = None
    seed: Annotated[int | None, SEED] = None
    compare: Annotated[str | None, Choice(STDOUT_COMPARISONS)] = None
    license: Annotated[str | None, lambda value: _no_license(value)] = None
    trust_tests: bool = False

    def conflicts(self) -> Iterator[tuple[str, str]]:
        """Yield a name that is not listed without a file, and a licence of a listed one."""
        if self.name not in DATASETS and self.path is None:
            yield "name", _LISTED(self.name) + "; one of your own needs its file"
        for option in ("license", "trust_tests"):
            if self.name in DATASETS and getattr(self, option):
                yield option, f"{self.name} is a listed dataset: only one of your own takes it"


def ingest_dataset(spec: IngestSpec) -> IngestReport:
    """Read a dataset and append what is new; raises BadInput before anything is written."""
    fit(spec)
    name, compare = spec.name, spec.compare
    dataset = dataset_of(spec)
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
    if spec.name not in DATASETS:
        _fit_own(spec)
        return
    dataset = DATASETS.load(spec.name)
    source = dataset.source
    if spec.path is None and dataset.folder is None and (source.local or source.url is None):
        raise BadValue("path", f"Assay does not download {spec.name}: name {source.local}")
    if spec.path is not None and spec.path.is_dir() and not source.may_be_folder:
        raise BadValue("path", f"{spec.path} is a folder, not the file of {spec.name}")
    for option in ("checkouts", "seed"):
        if getattr(spec, option) is not None and option not in dataset.options:
            raise BadValue(option, f"does not apply to {spec.name}")


def dataset_of(spec: IngestSpec) -> Dataset:
    """Return the dataset that is read: a listed one, or that of the user's file."""
    if spec.name in DATASETS:
        return DATASETS.load(spec.name)
    assert spec.path is not None  # the spec refuses a name that is not listed without a file
    return own_dataset(spec.path, spec.name, stated_license=spec.license, trusted=spec.trust_tests)


def _fit_own(spec: IngestSpec) -> None:
    """Raise BadValue for what does not go with a dataset of the user's own."""
    for option in ("checkouts", "seed"):
        if getattr(spec, option) is not None:
            raise BadValue(option, "does not apply to a dataset of your own")


def _no_name(value: str) -> str:
    """Return what is wrong with the name of a dataset: one of the list, or a user's own."""
    if value in DATASETS or OWN_NAME.fullmatch(value):
        return ""
    if project_kind(value):
        return f"{value} is made of a project: `assay ingest {made_of(value)[1]} --help`"
    return f"{value!r} is no name for a dataset: small letters, digits and _, a letter first"


def _no_license(value: str) -> str:
    fits = value.strip() and value.isprintable() and len(value) <= MOST_OF_A_LICENSE
    return "" if fits else "must be the name of a licence on one line, such as MIT"


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
    checker = DraftChecker(path, kind)
    problems = [checker.checked(draft) for draft in drafts]
    if not problems:
        raise BadInput("no problems found", path=path)
    return problems


@dataclass
class DraftChecker:
    """Holds the problems of a release against their kind and against each other, one by one."""

    path: Path
    kind: ProblemKind = PROGRAMS
    first_row: dict[str, int | str] = field(default_factory=dict)

    def checked(self, draft: ProblemDraft) -> ProblemDraft:
        """Return a problem; raises BadInput for one that could not be judged."""
        place = Fields({}, self.path, draft.row)
        folded = draft.task_id.casefold()
        if folded in self.first_row:
            raise place.bad(f"task {draft.task_id} is already in row {self.first_row[folded]}")
        self.first_row[folded] = draft.row
        for name in ("task_id", "entry_point", "prompt", "reference", "suffix", "setup_code"):
            place.check_text(getattr(draft, name), name)
        self.kind.check(draft, place)
        return draft


def frames_for(
    source: Source, version: str, sha256: str, drafts: list[ProblemDraft], run_id: str
) -> Frames:
    """Return the rows of one release: the release, its problems, tests and variants."""
    release_id = _release_id(source, version, sha256)
    listed = source.dataset in DATASETS and source.dataset not in DATASETS.plugins
    own = [] if listed else [_terms(source, release_id, run_id)]
    rows: list[Row] = [
        *own,
        DatasetRelease(
            release_id=release_id,
            dataset=source.dataset,
            version=version,
            source=source.url or "written for this project",
            license=source.license,
            sha256=sha256,
            n_problems=len(drafts),
            run_id=run_id,
        ),
    ]
    tests = Batches(Test)  # HumanEval+ alone has 124,253
    for position, draft in enumerate(drafts):
        problem = problem_row(source, release_id, position, draft, run_id)
        original = _variant(problem, "original", draft.prompt, None)
        others = [
            _variant(problem, kind, text, original.variant_id) for kind, text in draft.variants
        ]
        rows += [problem, original, *others]
        for index, test in enumerate(draft.tests):
            test_id = content_key(problem.problem_id, test.suite, index)
            tests.add(test_id, problem.problem_id, index, test.suite, test.kind, test.body)
    return {**frames_of(rows), Test: tests.table(run_id)}


def _terms(source: Source, release_id: str, run_id: str) -> OwnRelease:
    return OwnRelease(
        release_id=release_id,
        cpu_s=source.cpu_s,
        test_cpu_s=source.test_cpu_s,
        memory_mb=source.memory_mb,
        requirements=json.dumps(dict(source.requirements), sort_keys=True),
        trusted=source.trusted,
        run_id=run_id,
    )


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


def problem_row(
    source: Source, release_id: str, position: int, draft: ProblemDraft, run_id: str
) -> Problem:
    """Return the row of a problem, keyed by all that defines it."""
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
    if dataset.parts:
        return dataset_folder(source, dataset.parts)
    assert source.url is not None  # fit refuses a dataset that is neither here nor downloaded
    return dataset_file(source, source.url)


def _release_id(source: Source, version: str, sha256: str) -> str:
    return content_key(source.dataset, version, sha256)
