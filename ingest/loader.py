"""Datasets into the warehouse: read, checked whole, appended at once."""

import ast
import importlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Annotated

from ingest import keys
from ingest.batches import Batches
from ingest.datasets import DATASETS
from ingest.download import dataset_file
from ingest.fields import Fields
from ingest.files import files_under, sha256_of
from ingest.parsing import parse
from ingest.problems.asserts import assert_sources
from ingest.problems.comparisons import STDOUT_COMPARISONS
from ingest.problems.drafts import ProblemDraft, Release, Source
from ingest.problems.repair import BUGGY
from models.base import Row
from models.keys import content_key
from models.tables import DatasetRelease, Problem, Test, Variant
from models.words import SCRIPT
from warehouse.errors import BadInput
from warehouse.frames import Frames, frames_of
from warehouse.parameters import SEED, Choice
from warehouse.store.runs import recorded

MAX_PROBLEM_TEXT_BYTES = 20_000_000
"""Longest single text of a problem: prompts, tests and encoded inputs are ours to bound."""


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


def ingest_dataset(
    name: Annotated[str, Choice(DATASETS)],
    path: Path | None = None,
    *,
    sha256: str | None = None,
    unpinned: bool = False,
    checkouts: Path | None = None,
    seed: Annotated[int | None, SEED] = None,
    compare: Annotated[str | None, Choice(STDOUT_COMPARISONS)] = None,
) -> IngestReport:
    """Read a dataset from ``path``, or find it in ASSAY_DATA or download it; append what is new.

    The file must have the pinned SHA-256, or the one given, or any when ``unpinned``; in the last
    two cases the release's version says so. ``checkouts`` is a folder of working copies from which
    a repair dataset takes the lines around the wrong one, ``seed`` that of the subset it draws.
    ``compare`` replaces how whole programs' outputs are compared, and the version says so. Raises
    BadInput before anything is written.
    """
    module = dataset_module(name)
    source: Source = module.SOURCE
    path = Path(path) if path is not None else _fetched(module, source)
    if path.is_dir() and not source.folder:
        raise BadInput(f"is a folder, not the file of {source.dataset}", path=path)
    found = _checksum(module, path)
    version = _version(source, found, expected=sha256, unpinned=unpinned, path=path)
    release = _read(module, path, checkouts, seed)
    version += release.edition
    drafts = checked(release.drafts, path, source.task)
    if compare is not None:
        drafts, version = _compared(drafts, compare, name), f"{version}, compared by {compare}"
    with recorded(
        "ingest",
        settings={
            "dataset": name,
            "version": version,
            "sha256": found,
            "path": str(path),
            "checkouts": None if checkouts is None else str(checkouts),
            "seed": seed,
            "compare": compare,
        },
        inputs=_inputs(module, path),
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


def _compared(drafts: list[ProblemDraft], compare: str, name: str) -> list[ProblemDraft]:
    if compare not in STDOUT_COMPARISONS:
        raise BadInput(f"no comparison {compare!r}; available: {', '.join(STDOUT_COMPARISONS)}")
    if any(draft.entry_point != SCRIPT for draft in drafts):
        raise BadInput(f"{name} holds functions: comparisons of printed texts do not apply")
    return [replace(draft, compare=compare) for draft in drafts]


def dataset_module(name: str) -> ModuleType:
    """Return the module of a dataset; raises BadInput for a name that is not known."""
    if name not in DATASETS:
        raise BadInput(f"no dataset {name!r}; available: {', '.join(DATASETS)}")
    return importlib.import_module(DATASETS[name])


def checked(
    drafts: Iterable[ProblemDraft], path: Path, task: str = "synthesis"
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
        _check(draft, place, task)
        problems.append(draft)
    if not problems:
        raise BadInput("no problems found", path=path)
    return problems


def frames_for(
    source: Source, version: str, sha256: str, drafts: list[ProblemDraft], run_id: str
) -> Frames:
    """Return the rows of one release: the release, its problems, tests and original variants."""
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
        original = Variant(
            variant_id=keys.variant_id(problem.problem_id, "original", draft.prompt),
            problem_id=problem.problem_id,
            kind="original",
            parent_variant_id=None,
            prompt=draft.prompt,
            seed=None,
            run_id=run_id,
        )
        rows += [problem, original]
        for index, test in enumerate(draft.tests):
            test_id = content_key(problem.problem_id, test.suite, index)
            tests.add(test_id, problem.problem_id, index, test.suite, test.kind, test.body)
    return {**frames_of(rows), Test: tests.table(run_id)}


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
    if draft.test_code is None and draft.entry_point != SCRIPT:
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


def _check(draft: ProblemDraft, place: Fields, task: str) -> None:
    for name in ("task_id", "entry_point", "prompt", "reference", "suffix", "setup_code"):
        place.check_text(getattr(draft, name), name)
    if task == "repair":
        if not draft.reference.strip():
            raise place.bad(f"the right line of {draft.task_id} is blank: no answer matches it")
        if draft.prompt.split("\n").count(BUGGY) != 1:
            raise place.bad(f"{BUGGY} stands more than once in the lines of {draft.task_id}")
        return
    if not draft.tests:
        raise place.bad(f"task {draft.task_id} has no tests")
    for test in draft.tests:
        place.check_text(test.body, "test", limit=MAX_PROBLEM_TEXT_BYTES)
    program = _parsed(draft.prompt + draft.reference + draft.suffix, "reference", draft, place)
    if draft.entry_point not in (SCRIPT, *_defined(program)):
        raise place.bad(f"task {draft.task_id} does not define {draft.entry_point!r}")
    _parsed(draft.setup_code, "setup code", draft, place)
    if draft.test_code is not None:
        _parsed(draft.test_code, "test code", draft, place)
        if assert_sources(draft.test_code) != [test.body for test in draft.tests]:
            raise place.bad(f"task {draft.task_id}: the tests are not the asserts of test_code")


def _parsed(code: str, what: str, draft: ProblemDraft, place: Fields) -> ast.Module:
    try:
        return parse(code)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise place.bad(f"the {what} of task {draft.task_id} does not parse: {error}") from error


def _defined(program: ast.Module) -> set[str]:
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    return {node.name for node in program.body if isinstance(node, functions)}


def _version(
    source: Source, found: str, *, expected: str | None, unpinned: bool, path: Path
) -> str:
    if expected is not None and found != expected.lower():
        raise BadInput(f"sha256 is {found}, not the expected {expected.lower()}", path=path)
    if source.sha256 in (None, found):
        return source.version
    if expected is None and not unpinned:
        raise BadInput(
            f"sha256 is {found}, not {source.sha256} of the release {source.dataset} "
            f"{source.version}; to read another file, pass its checksum with --sha256, "
            "or use --unpinned",
            path=path,
        )
    return f"{source.version} (not the pinned file)"


def _read(module: ModuleType, path: Path, checkouts: Path | None, seed: int | None) -> Release:
    if module.SOURCE.task == "repair":
        found: Release = module.read(path, checkouts, seed)
        return found
    if checkouts is not None or seed is not None:
        raise BadInput(f"--checkouts and --seed do not apply to {module.SOURCE.dataset}")
    problems = module.read(path)
    return problems if isinstance(problems, Release) else Release(problems, left_out={})


def _checksum(module: ModuleType, path: Path) -> str:
    """Return the checksum of what is read; a dataset that comes in several forms has its own."""
    return str(module.checksum(path)) if hasattr(module, "checksum") else sha256_of(path)


def _inputs(module: ModuleType, path: Path) -> list[Path]:
    if hasattr(module, "inputs"):
        return list(module.inputs(path))
    return [path] if path.is_file() else files_under(path)


def _fetched(module: ModuleType, source: Source) -> Path:
    if source.url is None:
        return Path(module.FOLDER)
    if source.local:
        raise BadInput(
            f"Assay does not download {source.dataset}: use --path to name {source.local}"
        )
    return dataset_file(source, source.url)


def _release_id(source: Source, version: str, sha256: str) -> str:
    return content_key(source.dataset, version, sha256)
