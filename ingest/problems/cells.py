"""Cells of notebooks: problems without tests, of which only texts are compared."""

from ingest.fields import Fields
from ingest.problems.dataset import ProblemKind
from ingest.problems.drafts import ProblemDraft

BEFORE = "code_before"
"""Kind of a variant that shows the code of the cells before, without the words of the question."""


def check_cell(draft: ProblemDraft, place: Fields) -> None:
    """Raise BadInput for a cell without code."""
    if not draft.reference.strip():
        raise place.bad(f"there is no code in {draft.task_id}")


CELLS = ProblemKind("description", references_run=False, check=check_cell)
"""A cell of a notebook is to be described, and written again from the description."""
