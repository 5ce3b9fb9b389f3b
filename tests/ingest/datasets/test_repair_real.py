"""One-line repairs: facts of the real files."""

import csv
import json
import re
import tarfile
from collections import Counter, defaultdict
from itertools import permutations

from ingest.datasets import manysstubs4j
from ingest.problems.repair import question_parts
from tests.data import ROOT, shared
from tests.support.steps import ingest_dataset
from tests.support.worlds.repairs import drafts

ARCHIVE = "datasets/defects4j/defects4j_src_patches.tar.gz"
INDEX = "datasets/defects4j/single_line_index.csv"
SSTUBS = "datasets/manysstubs4j/sstubs_27.json"


def raw_patches():
    """The real patches by project and bug, and the lists, read without the code under test."""
    with tarfile.open(shared(ARCHIVE)) as tar:
        files = {m.name: tar.extractfile(m).read().decode("latin-1") for m in tar if m.isfile()}
    bugs = {
        (name.split("/")[0], row["bug.id"]): (row, name.endswith("active-bugs.csv"))
        for name, text in files.items()
        if name.endswith("-bugs.csv")
        for row in csv.DictReader(text.splitlines())
    }
    changes = {
        (name.split("/")[0], re.findall(r"\d+", name)[-1]): re.findall(
            r"^([-+])(?!\1\1 )(.*)$", text, re.M
        )
        for name, text in files.items()
        if name.endswith(".src.patch")
    }
    return files, bugs, changes


def test_defects4j_has_142_active_bugs_of_one_line_76_in_the_six_projects():
    _, bugs, changes = raw_patches()
    counted = {
        f"{project}-{bug}"
        for (project, bug), lines in changes.items()
        if sorted(mark for mark, _ in lines) == ["+", "-"] and bugs[project, bug][1]
    }
    with shared(INDEX).open(newline="") as file:
        index = list(csv.DictReader(file))
    listed = {
        f"{row['project']}-{row['bug_id']}"
        for row in index
        if row["single_line_replace"] == row["active"] == "1"
    }
    found = drafts(shared(ARCHIVE))
    assert set(found) == counted == listed
    assert len(found) == 142
    assert sum("six_projects" in draft.tags for draft in found.values()) == 76
    assert len(changes) == len(index) == 864
    assert Counter(active for _, active in bugs.values())[True] == 854


def test_the_real_files_are_read_as_pinned(home, query):
    report = ingest_dataset("defects4j", shared(ARCHIVE))
    assert (report.version, report.n_problems) == ("ca4a0ef", 142)
    assert report.left_out == {"deprecated": 10, "not_one_line": 712}
    ingest_dataset("manysstubs4j", shared(SSTUBS))
    assert query(
        """
        select dataset, count(*), count_if(contains(tags, 'context:patch')),
            count_if(contains(tags, 'six_projects')), count(distinct prompt || reference)
        from raw.problem group by dataset order by dataset
        """
    ) == [("defects4j", 142, 142, 76, 142), ("manysstubs4j", 15, 15, 0, 15)]


def test_the_line_that_comes_in_a_patch_of_defects4j_is_the_wrong_one():
    """The file of an earlier fix is what a later bug is found in.

    So take a line that goes in one patch and comes in another. The bug of the first is the older
    one if patches lead from fixed to buggy. It is the newer one if they do not. Numbers of reports
    tell which is older, now and then wrongly: a report may wait for its fix.
    """
    files, bugs, changes = raw_patches()
    by_file = defaultdict(set)
    for project, bug in changes:
        for path in re.findall(
            r"^\+\+\+ b/(.*)$", files[f"{project}/patches/{bug}.src.patch"], re.M
        ):
            by_file[project, path].add(bug)
    pairs = {
        (project, first, second)
        for (project, _), some in by_file.items()
        for first, second in permutations(some, 2)
    }
    votes = Counter()
    for project, first, second in pairs:
        gone = {text.strip() for mark, text in changes[project, first] if mark == "-"}
        came = {text.strip() for mark, text in changes[project, second] if mark == "+"}
        kept = {text.strip() for mark, text in changes[project, first] if mark == "+"}
        lost = {text.strip() for mark, text in changes[project, second] if mark == "-"}
        same = (gone - kept) & (came - lost)
        reports = [
            re.search(r"\d+$", bugs[project, bug][0]["report.id"]) for bug in (first, second)
        ]
        if any(len(text) >= 20 and not text.startswith(("*", "//")) for text in same) and all(
            reports
        ):
            older, newer = (int(report[0]) for report in reports if report)
            votes[(older > newer) - (older < newer)] += 1
    assert votes[-1] == 24
    assert votes[1] == 4


def test_wrong_lines_that_anyone_can_tell():
    found = drafts(shared(ARCHIVE))
    known = {
        # a renderer that gives up when there is data; Lang counts in pt and looks in pos
        "Chart-1": ("        if (dataset != null) {", "        if (dataset == null) {"),
        "Lang-6": (
            "                pos += Character.charCount(Character.codePointAt(input, pos));",
            "                pos += Character.charCount(Character.codePointAt(input, pt));",
        ),
    }
    for task, (wrong, right) in known.items():
        assert (question_parts(found[task].prompt)["buggy"], found[task].reference) == (
            wrong,
            right,
        )


def test_errata_set_the_moved_lines_of_defects4j_aside():
    found = drafts(shared(ARCHIVE))
    with tarfile.open(shared(ARCHIVE)) as tar:
        adjoining = {
            task: re.search(r"^-.*\r?\n\+|^\+.*\r?\n-", text.split("\n@@")[1], re.M)
            for task, draft in found.items()
            for text in [tar.extractfile(draft.row).read().decode()]
        }
    apart = {task for task, together in adjoining.items() if not together}
    with (ROOT / "dbt/seeds/errata.csv").open(newline="") as file:
        errata = {row["task_id"] for row in csv.DictReader(file) if row["dataset"] == "defects4j"}
    assert apart == errata
    assert len(apart) == 5
    for problem in found.values():
        parts = question_parts(problem.prompt)
        if problem.task_id not in errata:
            assert parts["buggy"].strip() != problem.reference.strip()
            assert {"lines_before:3"} <= set(problem.tags)


def test_the_27_mined_fixes_ask_15_questions():
    questions = set()
    entries = json.loads(shared(SSTUBS).read_text(encoding="utf-8"))
    for entry in entries:
        place = f"@@ -{entry['bugLineNum'] - 3},7 +{entry['fixLineNum'] - 3},7 @@\n"
        (hunk,) = entry["fixPatch"].split(place)[1:]
        questions.add("\n".join(hunk.split("\n")[:8]))
    found = manysstubs4j.read(shared(SSTUBS))
    assert (len(entries), len(questions), len(found.drafts)) == (27, 15, 15)
    assert found.left_out == {"repeated": 12}
    shown = {f"{d.prompt}{d.reference}" for d in found.drafts}
    assert len(shown) == 15
