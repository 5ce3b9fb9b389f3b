"""One-line repairs: a line that is wrong, what it should be, and the lines around it.

The question is the one of Spiess et al. 2024 (arXiv 2402.02047, section 3.2): ten lines before and
nine after, the wrong line between tags. Where fewer lines are known, fewer are shown, and the tags
of the problem say how many.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingest.fields import Fields
from ingest.problems.dataset import ProblemKind
from ingest.problems.drafts import ProblemDraft
from ingest.problems.patches import Hunk

N_BEFORE = 10
N_AFTER = 9
BUGGY = "<buggy>"
END = "</buggy>"


@dataclass(frozen=True)
class OneLine:
    """A change of one line of a file; ``known`` are numbered lines of the file before the fix."""

    path: str
    line_no: int
    buggy: str
    fixed: str
    known: tuple[tuple[int, str], ...]
    whole_file: bool = False

    def within(self, file: bytes) -> "OneLine":
        """Return the change with the lines of the whole file before the fix.

        Raises ValueError where the file is not the one the change speaks of, and
        UnicodeDecodeError where a line that would be shown is not UTF-8.
        """
        lines = file.split(b"\n")
        first = max(1, min(self.line_no - N_BEFORE, self.known[0][0]))
        last = max(self.line_no + N_AFTER, self.known[-1][0])
        found = tuple(
            (first + n, line.decode("utf-8").removesuffix("\r"))
            for n, line in enumerate(lines[first - 1 : last])
        )
        if not set(self.known) <= set(found):
            raise ValueError(f"lines {self.known[0][0]} to {self.known[-1][0]} are others there")
        if lines[-1] == b"" and last >= len(lines):
            found = found[:-1]  # the newline at the end begins no line
        return replace(self, known=found, whole_file=True)


def one_line_change(hunk: Hunk, buggy: str) -> OneLine | None:
    """Return the change of a hunk that has one line for one; ``buggy`` is the mark of the wrong."""
    right = "+" if buggy == "-" else "-"
    wrong_lines, right_lines = hunk.changed(buggy), hunk.changed(right)
    if len(wrong_lines) != 1 or len(right_lines) != 1:
        return None
    (line_no, wrong), (_, fixed) = wrong_lines[0], right_lines[0]
    path = hunk.old_path if buggy == "-" else hunk.new_path
    return OneLine(path, line_no, wrong, fixed, tuple(hunk.side(buggy)))


def draft(task_id: str, change: OneLine, tags: Sequence[str], row: int | str) -> ProblemDraft:
    """Return the problem that asks for the right line."""
    before = [text for n, text in change.known if change.line_no - N_BEFORE <= n < change.line_no]
    after = [text for n, text in change.known if change.line_no < n <= change.line_no + N_AFTER]
    shown = [*before, BUGGY, change.buggy, END, *after]
    return ProblemDraft(
        task_id=task_id,
        entry_point=f"{change.path}:{change.line_no}",
        prompt="".join(f"{line}\n" for line in shown),
        reference=change.fixed,
        tests=(),
        row=row,
        tags=(
            *tags,
            "context:file" if change.whole_file else "context:patch",
            f"lines_before:{len(before)}",
            f"lines_after:{len(after)}",
        ),
    )


def check_repair(draft: ProblemDraft, place: Fields) -> None:
    """Raise BadInput for a right line that no answer can match, or a wrong line that is unclear."""
    if not draft.reference.strip():
        raise place.bad(f"the right line of {draft.task_id} is blank: no answer matches it")
    if draft.prompt.split("\n").count(BUGGY) != 1:
        raise place.bad(f"{BUGGY} is more than once in the lines of {draft.task_id}")


REPAIRS = ProblemKind("repair", references_run=False, check=check_repair)
"""One line of a program in any language is to be replaced."""


def question_parts(prompt: str) -> dict[str, str]:
    """Return the lines ``before``, ``buggy`` and ``after`` of a problem's prompt."""
    lines = prompt.removesuffix("\n").split("\n")
    place = lines.index(BUGGY)
    return {
        "before": "\n".join(lines[:place]),
        "buggy": lines[place + 1],
        "after": "\n".join(lines[place + 3 :]),
    }
