"""Changes of code: small files of our own in both layouts, and facts of the real file."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.datasets import codereviewer
from ingest.problems.edits import side
from ingest.problems.subsets import seeded_subset
from tests.data import json_rows, shared
from tests.support.steps import import_generations, ingest_dataset
from warehouse.errors import BadInput

CRSCORE = "datasets/codereviewer/crscore_codechange_gpt4_summaries.jsonl"
HUNK = "@@ -1,3 +1,4 @@ class A\n a\n-b\n--c\n+B\n++d\n \n\\ No newline at end of file"
REFINED = {
    "old": " a\n-b",
    "new": " a\n+B",
    "comment": "Use a capital.",
    "lang": "py",
    "ghid": 7,
}


def written(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_hunk_becomes_old_and_new_code(tmp_path: Path) -> None:
    path = written(tmp_path / "c.jsonl", {"id": 3, "code_change": HUNK})
    (draft,) = codereviewer.read(path).drafts
    assert draft.prompt == " a\nb\n-c\n "
    assert draft.reference == " a\nB\n+d\n "
    assert (draft.task_id, draft.entry_point) == ("codereviewer/3", "@@ -1,3 +1,4 @@ class A")
    assert (draft.tags, draft.variants) == ((), ())


def test_codereviewers_own_layout_has_a_persons_words(tmp_path: Path) -> None:
    silent = {**REFINED, "comment": " \n"}
    first, second = codereviewer.read(written(tmp_path / "c.jsonl", REFINED, silent)).drafts
    assert (first.prompt, first.reference) == (" a\nb", " a\nB")
    assert (first.task_id, second.task_id) == ("codereviewer/0", "codereviewer/1")
    assert (first.entry_point, first.tags) == ("7", ("lang:py",))
    assert first.variants == (("comment", "Use a capital."),)
    assert second.variants == ()


def test_what_cannot_be_judged_is_counted(tmp_path: Path) -> None:
    same = {"old": " a\n b", "new": " a\n b"}
    gone = {"old": "-a", "new": ""}
    mark = {"old": "-a", "new": "+x[old]"}
    found = codereviewer.read(written(tmp_path / "c.jsonl", same, REFINED, gone, mark, same))
    assert [draft.task_id for draft in found.drafts] == ["codereviewer/1"]
    assert found.left_out == {"same_code": 2, "no_new_code": 1, "holds_mark": 1}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"code_change": "a\n-b"}, "does not begin with @@"),
        ({"code_change": HUNK + "\n@@ -9 +9 @@\n+x"}, "begins with '@'"),
        ({"old": "-a"}, "the field 'new' is missing"),
        ({"new": "+a"}, "neither 'code_change' nor 'old'"),
        ({**REFINED, "id": "x"}, "'id' must be a whole number"),
        ({**REFINED, "comment": 1}, "'comment' is a number"),
    ],
)
def test_what_is_no_edit_is_refused(tmp_path: Path, row: dict[str, Any], reason: str) -> None:
    path = written(tmp_path / "c.jsonl", REFINED, row)
    with pytest.raises(BadInput, match=f"c.jsonl:2: .*{reason}"):
        list(codereviewer.read(path).drafts)


def test_a_number_that_comes_twice_is_refused(home: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "c.jsonl", {**REFINED, "id": 4}, {**REFINED, "id": 4})
    with pytest.raises(BadInput, match="codereviewer/4 is already in row 1"):
        ingest_dataset("codereviewer", path, unpinned=True)


def test_of_a_larger_file_a_seed_draws_a_thousand(home: Path, tmp_path: Path, query: Any) -> None:
    rows = [{"id": n, "old": f"-{n}", "new": f"+x{n}", "comment": "x"} for n in range(1200)]
    path = written(tmp_path / "c.jsonl", *rows)
    report = ingest_dataset("codereviewer", path, unpinned=True, seed=5)
    assert report.version == "crscore a5c843f (not the pinned file), 1000 by seed 5"
    assert (report.n_problems, report.left_out) == (1000, {"not_drawn": 200})
    stored = [task for (task,) in query("select task_id from raw.problem order by position")]
    drawn = [draft.task_id for draft in codereviewer.read(path, seed=5).drafts]
    assert stored == drawn
    assert query("select kind, count(*) from raw.variant group by kind order by kind") == [
        ("comment", 1000),
        ("original", 1000),
    ]
    other = {draft.task_id for draft in codereviewer.read(path).drafts}
    assert 0 < len(other - set(drawn)) <= 200


@given(st.lists(st.text(), unique=True), st.integers(0, 9), st.integers(0, 3), st.randoms())
def test_a_subset_depends_on_names_and_seed_alone(
    names: list[str], n: int, seed: int, order: Any
) -> None:
    drawn = seeded_subset(names, n, seed, str)
    assert len(drawn) == min(n, len(names))
    assert drawn == [name for name in names if name in set(drawn)]
    order.shuffle(names)
    assert set(seeded_subset(names, n, seed, str)) == set(drawn)


LINES = st.lists(st.tuples(st.sampled_from(" -+"), st.text("ab -+\t", max_size=4)))


@given(LINES)
def test_each_side_loses_one_mark_per_line(lines: list[tuple[str, str]]) -> None:
    diff = [mark + text for mark, text in lines]
    for mark in "-+":
        wanted = [text if m == mark else m + text for m, text in lines if m in (" ", mark)]
        assert side(diff, mark) == "\n".join(wanted)


def test_the_real_file_is_read_as_pinned(home: Path, query: Any) -> None:
    rows = json_rows(CRSCORE)
    report = ingest_dataset("codereviewer", shared(CRSCORE))
    assert (report.version, report.n_problems) == ("crscore a5c843f", 996)
    assert report.left_out == {"same_code": 3, "no_new_code": 1}
    found = {
        task: (old.split("\n"), new.split("\n"))
        for task, old, new in query("select task_id, prompt, reference from raw.problem")
    }
    counts: Counter[str] = Counter()
    for row in rows:
        lines = row["code_change"].split("\n")[1:]
        sides = found.get(f"codereviewer/{row['id']}")
        counts["left out"] += sides is None
        if sides is None:
            continue
        marks = Counter(line[0] for line in lines)
        n_old, n_new = marks[" "] + marks["-"], marks[" "] + marks["+"]
        assert [len(sides[0]) if n_old else 0, len(sides[1])] == [n_old, n_new]
        counts["blank line"] += "" in sides[1]
        counts["nothing old"] += not n_old
        counts["only white space"] += " ".join(sides[0]).split() == " ".join(sides[1]).split()
    assert counts["left out"] == 4
    assert counts["blank line"] == 287, "each would end a completion in the released code"
    assert counts["only white space"] == 6, "version 2 takes the old code for these"
    imported = import_generations(
        shared(CRSCORE), format="crscore", dataset="codereviewer", lm="gpt-4-0613",
        skip_unknown=True,
    )  # fmt: skip
    assert (imported.n_samples, imported.n_skipped) == (996, 4)
    told = query("select task, style, prompt_kind, count(*) from raw.setting group by all")
    assert told == [("edit_description", "solution", "crscore", 1)]
    texts = query("select count(*), count_if(trim(kept_text) = '') from raw.generation_text")
    assert texts == [(996, 0)]
