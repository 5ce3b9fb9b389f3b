"""ManySStuBs4J: mined fixes of one Java statement (Karampatsis and Sutton 2020, MSR).

Read are the JSON files of the release (sstubs.json, bugs.json and their large forms): a list of
objects. The question is taken from fixPatch, whose path counts where bugFilePath says another.
Repairs are judged by exact match; the projects' tests are not part of the data.
"""

import hashlib
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ingest.fields import Fields
from ingest.files import json_document, kind_of
from ingest.problems.dataset import Dataset
from ingest.problems.drafts import Release, Source
from ingest.problems.patches import Hunk, hunks
from ingest.problems.repair import REPAIRS, OneLine, draft, one_line_change
from ingest.problems.subsets import seeded_subset
from warehouse.errors import BadInput

SOURCE = Source(
    dataset="manysstubs4j",
    version="1",
    license="CC-BY-4.0",
    url="https://doi.org/10.5281/zenodo.3653444",
    sha256=None,
    local="sstubs.json or bugs.json of the release, or the same for the large set of projects",
)

N_DRAWN = 3000
"""Size of the subset that Spiess et al. 2024 drew; theirs is not published, ours has a seed."""

COMMIT = re.compile(r"[0-9a-f]{40}")
PROJECT = re.compile(r"\w[\w.-]*")


@dataclass(frozen=True)
class Fix:
    """One mined fix, or several that ask the same question."""

    task_id: str
    project: str
    parent: str
    change: OneLine
    patterns: frozenset[str]
    row: int


def read(path: Path, checkouts: Path | None = None, seed: int | None = None) -> Release:
    """Return the fixes that replace one line, each question once; of more than 3,000, a subset.

    The subset depends on the seed (0 unless given) and on the fixes, not on their order.
    ``checkouts`` holds clones named like the projects, such as ACRA.acra: the lines around the
    wrong one come from there, where there is one.
    """
    left_out: Counter[str] = Counter()
    fixes = _distinct(_fixes(path, left_out), left_out)
    drawn, version_suffix = fixes, ""
    if len(fixes) > N_DRAWN:
        number = seed or 0
        drawn = seeded_subset(fixes, N_DRAWN, number, lambda fix: fix.task_id)
        left_out["not_drawn"] = len(fixes) - N_DRAWN
        version_suffix = f", {N_DRAWN} by seed {number}"
    if checkouts is not None:
        drawn = [_widened(fix, checkouts, path) for fix in drawn]
    drafts = [draft(fix.task_id, fix.change, sorted(fix.patterns), fix.row) for fix in drawn]
    if checkouts is not None:
        shown = "".join(problem.prompt for problem in drafts)
        version_suffix += f", context of checkouts {hashlib.sha256(shown.encode()).hexdigest()[:8]}"
    return Release(drafts, left_out, version_suffix)


def _fixes(path: Path, left_out: Counter[str]) -> Iterator[Fix]:
    entries = json_document(path)
    if not isinstance(entries, list):
        raise BadInput(f"expected a list of fixes, found {kind_of(entries)}", path=path)
    for row, values in enumerate(entries, 1):
        if not isinstance(values, dict):
            raise BadInput(f"expected an object, found {kind_of(values)}", path=path, row=row)
        entry = Fields(values, path, row)
        project, parent = _matching(entry, "projectName", PROJECT), _commit(entry, "Parent")
        commit = _commit(entry, "")
        line_no, fix_line_no = _line_no(entry, "bugLineNum"), _line_no(entry, "fixLineNum")
        pattern = entry.optional_text("bugType")
        patch = entry.optional_text("fixPatch")
        if not patch:
            left_out["no_patch"] += 1
            continue
        try:
            change = _change(hunks(patch), line_no, fix_line_no)
        except ValueError as error:
            raise entry.bad(f"the field 'fixPatch' is not a patch we can read: {error}") from error
        if change is None:
            left_out["not_one_line"] += 1
            continue
        yield Fix(
            task_id=f"{project}@{commit[:12]}:{change.path}:{line_no}",
            project=project,
            parent=parent,
            change=change,
            patterns=frozenset([pattern.lower()] if pattern else []),
            row=row,
        )


def _change(found: list[Hunk], line_no: int, fix_line_no: int) -> OneLine | None:
    """Return the change of the hunk that has this line for that one, and changes no other."""
    for hunk in found:
        change = one_line_change(hunk, buggy="-")
        if change and change.line_no == line_no and hunk.changed("+")[0][0] == fix_line_no:
            return change
    return None


def _distinct(fixes: Iterator[Fix], left_out: Counter[str]) -> list[Fix]:
    """Return fixes in the order of their names, those with one question and answer as one.

    A fix is mined once per pattern it shows, and again where its commit was picked into another
    branch.
    """
    by_question: dict[tuple[str, str], Fix] = {}
    for fix in sorted(fixes, key=lambda fix: (fix.task_id, fix.row)):
        question = draft("", fix.change, [], 0)
        first = by_question.setdefault((question.prompt, question.reference), fix)
        if first is not fix:
            left_out["repeated"] += 1
            merged = replace(first, patterns=first.patterns | fix.patterns)
            by_question[question.prompt, question.reference] = merged
    return sorted(by_question.values(), key=lambda fix: fix.task_id)


def _widened(fix: Fix, checkouts: Path, path: Path) -> Fix:
    clone = checkouts / fix.project
    if not clone.is_dir():
        return fix
    name = f"{fix.parent}:{fix.change.path}"
    place = Fields({}, path, fix.row)
    done = subprocess.run(
        ["git", "-C", str(clone), "cat-file", "blob", name], capture_output=True, check=False
    )
    if done.returncode:
        reason = " ".join(done.stderr.decode("utf-8", "replace").split())
        raise place.bad(f"{name} is not in the clone {clone} ({reason})")
    try:
        return replace(fix, change=fix.change.within(done.stdout))
    except ValueError as error:
        raise place.bad(f"{name} in {clone} is not the file of the patch: {error}") from error


def _commit(entry: Fields, which: str) -> str:
    return _matching(entry, f"fixCommit{which}SHA1", COMMIT)


def _matching(entry: Fields, name: str, pattern: re.Pattern[str]) -> str:
    value = entry.text(name)
    if not pattern.fullmatch(value):
        raise entry.bad(f"the field {name!r} is {value[:60]!r}, not what it should be")
    return value


def _line_no(entry: Fields, name: str) -> int:
    value = entry.optional_count(name)
    if not value:
        raise entry.bad(f"the field {name!r} must be a whole number from 1")
    return value


DATASET = Dataset(SOURCE, REPAIRS, read, options=("checkouts", "seed"))
