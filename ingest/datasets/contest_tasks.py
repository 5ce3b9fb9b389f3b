"""Shared by CodeContests and APPS: rows that give no problem, and code that parses."""

import ast
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from ingest.fields import Fields
from ingest.parsing import UNPARSABLE, parse
from ingest.problems.drafts import ProblemDraft
from warehouse.errors import BadInput


class LeftOut(Exception):
    """A row that is sound and gives no problem; its text is the reason that is counted."""


def problems_of(
    rows: Iterable[Fields], problem: Callable[[Fields], ProblemDraft], path: Path
) -> tuple[list[ProblemDraft], Counter[str]]:
    """Return the problems that rows give, and how many gave none, by reason.

    Raises BadInput where all rows are left out.
    """
    left_out: Counter[str] = Counter()
    drafts = []
    for row in rows:
        try:
            drafts.append(problem(row))
        except LeftOut as reason:
            left_out[str(reason)] += 1
    if not drafts and left_out:
        reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(left_out.items()))
        raise BadInput(f"no problem is left; left out: {reasons}", path=path)
    return drafts, left_out


def program_of(source: str) -> ast.Module | None:
    """Return the syntax tree of a prompt with a solution; None where it is no such program."""
    try:
        tree = parse(source)
    except UNPARSABLE:
        return None
    return tree if ast.get_docstring(tree) is not None and len(tree.body) > 1 else None
