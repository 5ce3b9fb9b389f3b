"""Problems as the warehouse returns them, made from drafts that were never ingested."""

from ingest.problems.drafts import ProblemDraft
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
