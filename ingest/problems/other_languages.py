"""Functions in languages other than Python: nothing is parsed here, a compiler says what fits."""

import re

from ingest.fields import Fields
from ingest.problems.dataset import ProblemKind
from ingest.problems.drafts import ProblemDraft
from ingest.problems.programs import MAX_PROBLEM_TEXT_BYTES, PROGRAMS
from models.words import LANGUAGES, PYTHON


def check_function(draft: ProblemDraft, place: Fields) -> None:
    """Raise BadInput unless there are tests, and a reference that names the entry point."""
    if draft.test_code is None or not draft.test_code.strip():
        raise place.bad(f"task {draft.task_id} has no tests")
    place.check_text(draft.test_code, "test", limit=MAX_PROBLEM_TEXT_BYTES)
    if not draft.reference.strip():
        raise place.bad(f"task {draft.task_id} has no reference: its tests need one")
    if not re.search(rf"\b{re.escape(draft.entry_point)}\b", draft.prompt + draft.reference):
        raise place.bad(f"task {draft.task_id} does not define {draft.entry_point!r}")


FUNCTIONS_IN = {
    language: ProblemKind(PROGRAMS.task, True, check_function, language)
    for language in LANGUAGES
    if language != PYTHON
}
"""The kind of a dataset of functions, by its language."""
