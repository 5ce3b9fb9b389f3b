"""CodeReviewer: changes of code from reviews on GitHub (Li et al. 2022, arXiv 2203.09095).

Two layouts of JSON Lines are read. That of CRScore has one hunk of a unified diff in
``code_change`` (Naik et al. 2024, arXiv 2409.19801). CodeReviewer's own for refinement has both
sides in ``old`` and ``new``, and the reviewer's words in ``comment``. Of more than 1,000 edits a
subset is drawn (Allamanis et al. 2024, section 4.3, drew as many); its ids are those stored.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ingest.fields import Fields, json_objects
from ingest.problems.dataset import Dataset
from ingest.problems.drafts import ProblemDraft, Release, Source
from ingest.problems.edits import COMMENT, EDITS, side, unfit
from ingest.problems.subsets import seeded_subset

SOURCE = Source(
    dataset="codereviewer",
    version="crscore a5c843f",
    license="MIT",
    url="https://github.com/atharva-naik/CRScore/tree/a5c843fafa79c1dd11cbcaf572c9ccc3bfce8ee8/"
    "experiments/GPT_code_change_summ_labels",
    sha256="79e799e2598beca6fd5c51e4a5fba82188db7dbaa6d1538cda757ae63a0f75b2",
    local="gpt-4-0613.jsonl of CRScore, or a file of CodeReviewer's refinement data (--unpinned)",
)

N_DRAWN = 1000
"""Edits that Allamanis et al. 2024 drew; their seed is not published."""

HUNK = "@@"
MARKS = " -+\\"


def read(path: Path, seed: int | None = None) -> Release:
    """Return the edits of a file; of more than 1,000, a subset by the seed (0 unless given)."""
    left_out: Counter[str] = Counter()
    drafts = list(_drafts(path, left_out))
    if len(drafts) <= N_DRAWN:
        return Release(drafts, left_out)
    left_out["not_drawn"] = len(drafts) - N_DRAWN
    drawn = seeded_subset(drafts, N_DRAWN, seed or 0, lambda draft: draft.task_id)
    return Release(drawn, left_out, f", {N_DRAWN} by seed {seed or 0}")


def _drafts(path: Path, left_out: Counter[str]) -> Iterator[ProblemDraft]:
    for position, entry in enumerate(json_objects(path)):
        place, old, new = _sides(entry)
        reason = unfit(old, new)
        if reason is not None:
            left_out[reason] += 1
            continue
        comment = entry.optional_text("comment")
        language = entry.optional_text("lang")
        yield ProblemDraft(
            task_id=f"{SOURCE.dataset}/{_id(entry, position)}",
            entry_point=place,
            prompt=old,
            reference=new,
            tests=(),
            row=entry.row,
            tags=(f"lang:{language}",) if language else (),
            variants=((COMMENT, comment),) if comment and comment.strip() else (),
        )


def _sides(entry: Fields) -> tuple[str, str, str]:
    """Return where a change is, its old code and its new code."""
    if "code_change" in entry.values:
        header, *lines = entry.text("code_change").split("\n")
        if not header.startswith(HUNK):
            raise entry.bad("the field 'code_change' is no hunk: it does not begin with @@")
        for line in lines:
            if line and line[0] not in MARKS:
                raise entry.bad(f"a line of 'code_change' begins with {line[0]!r}: expected a hunk")
        return header, side(lines, "-"), side(lines, "+")
    if "old" in entry.values:
        old, new = entry.text("old").split("\n"), entry.text("new").split("\n")
        return str(entry.values.get("ghid", "")), side(old, "-"), side(new, "+")
    raise entry.bad("neither 'code_change' nor 'old' and 'new' is there: no edit")


def _id(entry: Fields, position: int) -> int:
    """Return the entry's own number, or its place in the file from 0."""
    number = entry.optional_count("id")
    return position if number is None else number


DATASET = Dataset(SOURCE, EDITS, read, options=("seed",))
