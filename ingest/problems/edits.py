"""Edits of code in any language: the old code, the new code, and what people said of the change.

Both sides come from the lines of a diff without one leading minus or plus. Lines that stay keep
their leading blank, as in the data of Allamanis et al. 2024 (arXiv 2402.08699, section 4.3).
"""

from collections.abc import Iterable

from ingest.fields import Fields
from ingest.problems.dataset import ProblemKind
from ingest.problems.drafts import ProblemDraft

OLD = "[old]"
"""The mark before old code: an answer ends at the next one, so no new code may hold it."""

COMMENT = "comment"
"""Kind of a variant whose text is what a person said of the change."""

NO_NEWLINE = "\\"
"""First character of the line of a diff that says a file has no newline at its end."""


def side(lines: Iterable[str], mark: str) -> str:
    """Return the lines of one side of a diff as code; ``mark`` is its own: minus old, plus new."""
    other = "-" if mark == "+" else "+"
    kept = (line for line in lines if not line.startswith((other, NO_NEWLINE)))
    return "\n".join(line.removeprefix(mark) for line in kept)


def unfit(old: str, new: str) -> str | None:
    """Return why an edit cannot be judged, as a code: no answer matches it, or every copy does."""
    if old == new:
        return "same_code"
    if not new.strip():
        return "no_new_code"
    return "holds_mark" if OLD in new else None


def check_edit(draft: ProblemDraft, place: Fields) -> None:
    """Raise BadInput for an edit that cannot be judged."""
    reason = unfit(draft.prompt, draft.reference)
    if reason is not None:
        raise place.bad(f"the edit {draft.task_id} cannot be judged: {reason}")


EDITS = ProblemKind("edit_description", references_run=False, check=check_edit)
"""A change of code in any language is to be described, and made again from the description."""
