"""Regions, lines and functions of real projects as datasets: how their names end, their kinds.

A problem is a file with a hole: prompt, reference and suffix together are the text of the file. The
usable tests of the project's suite judge what is put into the hole. Lines are also those of the
functions of another dataset, such as humaneval-lines; there the tests of the problem judge.
"""

from ingest.fields import Fields
from ingest.problems.dataset import ProblemKind
from ingest.problems.drafts import ProblemDraft

FUNCTION = "function"
"""Kind of a variant that shows the function of a hidden line, from ``def`` up to the line."""

WITHOUT_DOCSTRING = "function_without_docstring"
"""The same without the lines of the function's docstring."""

WITH_IMPORTS = "function_with_imports"
"""Kind of a variant that shows a function up to its docstring, its classes and the imports."""


def check_hole(draft: ProblemDraft, place: Fields) -> None:
    """Raise BadInput for a hole with nothing in it."""
    if not draft.reference.strip():
        raise place.bad(f"nothing is taken out of the file in {draft.task_id}")


REGIONS = ProblemKind("description", references_run=False, check=check_hole)
"""Statements of a project are to be described, and written again."""

LINES = ProblemKind("line_completion", references_run=False, check=check_hole)
"""The next line of a function is to be written."""

FUNCTIONS = ProblemKind("function_completion", references_run=False, check=check_hole)
"""The body of a function is to be written."""

KINDS = {"-regions": REGIONS, "-lines": LINES, "-functions": FUNCTIONS}
"""The kind of such a dataset by the end of its name, behind the name of its project or dataset."""


def project_kind(dataset: str) -> ProblemKind | None:
    """Return the kind of a dataset that its name says is a project's; it need not be there."""
    for ending, kind in KINDS.items():
        if dataset.endswith(ending) and dataset != ending:
            return kind
    return None


def made_of(dataset: str) -> tuple[str, str]:
    """Return what such a dataset is made of, and what it holds: ``("toolz", "lines")``."""
    source, _, holds = dataset.rpartition("-")
    return source, holds
