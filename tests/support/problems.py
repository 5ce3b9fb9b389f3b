"""Problems as the warehouse returns them, made from drafts that were never ingested."""

from collections.abc import Iterator

from ingest.datasets import DATASETS
from ingest.problems.drafts import ProblemDraft, Release
from tests.data import FILES, shared
from warehouse.facts.problems import StoredProblem


def stored_problem(draft: ProblemDraft, tests_key: str) -> StoredProblem:
    """Return a draft as a stored problem, keyed by its tests."""
    return StoredProblem(
        problem_id=tests_key,
        dataset="",
        task_id=draft.task_id,
        entry_point=draft.entry_point,
        prompt=draft.prompt,
        reference=draft.reference,
        suffix=draft.suffix,
        setup_code=draft.setup_code,
        test_code=draft.test_code,
        compare=draft.compare,
        atol=draft.atol,
        tests_key=tests_key,
    )


def real_drafts(name: str) -> Iterator[ProblemDraft]:
    """Yield the problems of a dataset of functions; skips the test where the data is absent."""
    dataset = DATASETS.load(name)
    path = shared(FILES[name]) if name in FILES else dataset.folder
    assert path is not None
    found = dataset.read(path)
    yield from found.drafts if isinstance(found, Release) else found
