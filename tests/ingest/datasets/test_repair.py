"""One-line repairs: small files of our own."""

import json
import random
import re
import subprocess
import tarfile

import pytest
from click.testing import CliRunner

from ingest.catalogue import Catalogue
from ingest.datasets import defects4j, manysstubs4j
from ingest.problems.patches import hunks
from ingest.problems.repair import draft, one_line_change, question_parts
from runners.cli.main import cli
from tests.support.steps import ingest_dataset
from tests.support.worlds import repairs
from tests.support.worlds.repairs import drafts
from warehouse.errors import BadInput
from warehouse.facts.problems import TaskVariant


@pytest.fixture
def patches(tmp_path):
    return repairs.defects4j(tmp_path / "patches")


def test_a_patch_of_defects4j_is_read_against_its_direction(patches):
    found = defects4j.read(patches)
    assert [draft.task_id for draft in found.drafts] == ["Closure-13", "Toy-1", "Toy-10"]
    assert found.left_out == {"deprecated": 1, "not_one_line": 1}
    toy = found.drafts[1]
    assert toy.reference == repairs.FIXED_LINE
    assert toy.prompt.split("\n") == [
        *repairs.BODY[11:14],
        *("<buggy>", repairs.BUGGY_LINE, "</buggy>"),
        *repairs.BODY[15:18],
        "",
    ]
    assert toy.entry_point == "src/Toy.java:15"
    assert toy.tags == ("project_tests", "context:patch", "lines_before:3", "lines_after:3")
    assert "six_projects" in found.drafts[0].tags


def test_line_ends_of_windows_are_no_part_of_a_line(patches):
    toy = drafts(patches)["Toy-10"]
    assert (toy.reference, question_parts(toy.prompt)["buggy"]) == ("    right();", "    wrong();")
    assert "\r" not in toy.prompt


def test_a_moved_line_keeps_the_order_of_the_buggy_file(patches):
    parts = question_parts(drafts(patches)["Closure-13"].prompt)
    assert parts == {
        "before": "\n".join(repairs.BODY[:2]),
        "buggy": "    next();",
        "after": repairs.BODY[2],
    }


def test_archive_folder_and_installation_are_one_release(home, patches, tmp_path, query):
    installed = repairs.defects4j(tmp_path / "d4j" / "framework" / "projects").parent.parent
    packed = repairs.archive(patches, tmp_path / "patches.tar.gz")
    first = ingest_dataset("defects4j", patches, unpinned=True)
    assert first.added == {"dataset_release": 1, "problem": 3, "variant": 3, "test": 0}
    assert first.left_out == {"deprecated": 1, "not_one_line": 1}
    for path in (installed, packed):
        again = ingest_dataset("defects4j", path, unpinned=True)
        assert (again.release_id, set(again.added.values())) == (first.release_id, {0})
    ((stored,),) = query("select summary from raw.run_finish join raw.run using (run_id) limit 1")
    assert json.loads(stored)["left_out"] == first.left_out
    assert query("select count(*) from raw.test") == [(0,)]


def test_a_checkout_gives_ten_lines_before_and_nine_after(home, patches, tmp_path):
    file = tmp_path / "work" / "Toy_1b" / "src" / "Toy.java"
    file.parent.mkdir(parents=True)
    file.write_text(repairs.java(repairs.BUGGY_LINE))
    found = defects4j.read(patches, tmp_path / "work")
    toy = {draft.task_id: draft for draft in found.drafts}
    lines = toy["Toy-1"].prompt.split("\n")
    assert lines[:10] == repairs.BODY[4:14]
    assert lines[13:-1] == repairs.BODY[15:24]
    assert toy["Toy-1"].tags[-3:] == ("context:file", "lines_before:10", "lines_after:9")
    assert "context:patch" in toy["Toy-10"].tags  # no working copy: what the patch shows
    alone = ingest_dataset("defects4j", patches, unpinned=True)
    wide = ingest_dataset("defects4j", patches, unpinned=True, checkouts=tmp_path / "work")
    assert wide.version == f"{alone.version}{found.version_suffix}"
    assert wide.added["problem"] == 3


def test_context_ends_where_the_file_does(tmp_path):
    (hunk,) = hunks(repairs.patch("    right();", "    wrong();"))
    change = one_line_change(hunk, buggy="+")
    short = "".join(
        f"{line}\n" for line in [*repairs.BODY[:14], "    wrong();", *repairs.BODY[15:18]]
    )
    for text in (short, short.removesuffix("\n")):
        made = draft("t", change.within(text.encode()), (), 1)
        assert made.tags == ("context:file", "lines_before:10", "lines_after:3")
        assert made.prompt.endswith(f"{repairs.BODY[17]}\n")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "cannot be read"),
        (repairs.java(repairs.FIXED_LINE), "not the file of the patch"),
        ("\n" * 3, "not the file of the patch"),
    ],
)
def test_a_checkout_of_another_version_is_refused(patches, tmp_path, content, reason):
    file = tmp_path / "work" / "Toy_1b" / "src" / "Toy.java"
    file.parent.mkdir(parents=True)
    if content is not None:
        file.write_text(content)
    with pytest.raises(BadInput, match=reason) as error:
        defects4j.read(patches, tmp_path / "work")
    assert f"{patches}:Toy/patches/1.src.patch: " in str(error.value)


ONE = repairs.patch(repairs.FIXED_LINE, repairs.BUGGY_LINE)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("Toy/patches/1.src.patch", "", "no hunk"),
        ("Toy/patches/1.src.patch", "not a patch\n", "no hunk"),
        ("Toy/patches/1.src.patch", ONE[:-40], "cut short|begins with"),
        ("Toy/patches/1.src.patch", ONE.replace("@@ -12,7", "@@ -12,6"), "more lines than it says"),
        ("Toy/patches/1.src.patch", "@@ -1 +1 @@\n-a\n+b\n", "before the names of its files"),
        ("Toy/patches/1.src.patch", ONE.replace("strict", "\udcff"), "can't decode"),
        ("Toy/patches/1.src.patch", ONE.replace(repairs.FIXED_LINE, " "), "is blank"),
        ("Toy/patches/1.src.patch", ONE.replace(repairs.BODY[12], "<buggy>"), "more than once"),
        ("Toy/patches/1.src.patch", ONE.replace(repairs.BODY[12], "\0"), "NUL"),
        ("Toy/active-bugs.csv", "bug\n1\n", "no list of bugs"),
        ("Toy/active-bugs.csv", "bug.id\nx\n", "no list of bugs"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_and_nothing_kept(home, tmp_path, name, text, reason):
    path = repairs.defects4j(tmp_path / "patches", **{name: text})
    with pytest.raises(BadInput, match=reason) as error:
        ingest_dataset("defects4j", path, unpinned=True)
    assert str(error.value).startswith(f"{path}:{name}: ")
    assert not (home / "warehouse.duckdb").exists()


def test_what_is_no_set_of_patches_is_refused(home, patches, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match=r"no <project>/patches"):
        ingest_dataset("defects4j", tmp_path / "empty", unpinned=True)
    (tmp_path / "cut.tar.gz").write_bytes(
        repairs.archive(patches, tmp_path / "whole.tar.gz").read_bytes()[:300]
    )
    with pytest.raises(BadInput, match="not a tar archive"):
        ingest_dataset("defects4j", tmp_path / "cut.tar.gz", unpinned=True)
    with pytest.raises(BadInput, match=r"gone: no such file"):
        ingest_dataset("defects4j", tmp_path / "gone", unpinned=True)
    with pytest.raises(BadInput, match="sha256 is"):
        ingest_dataset("defects4j", patches)
    with pytest.raises(BadInput, match="takes no seed"):
        ingest_dataset("defects4j", patches, unpinned=True, seed=1)
    with pytest.raises(BadInput, match="seed: does not apply to"):
        ingest_dataset("starter", seed=1)
    with pytest.raises(BadInput, match="path: Assay does not download defects4j: name an archive"):
        ingest_dataset("defects4j")
    (patches / "Toy" / "active-bugs.csv").unlink()
    with pytest.raises(BadInput, match="list of active bugs is missing"):
        ingest_dataset("defects4j", patches, unpinned=True)
    assert not (home / "warehouse.duckdb").exists()


def test_one_bug_twice_in_an_archive_is_refused(patches, tmp_path):
    path = tmp_path / "twice.tar"
    with tarfile.open(path, "w") as tar:
        for folder in ("one", "two"):
            tar.add(patches, arcname=folder)
    with pytest.raises(BadInput, match="there twice"):
        defects4j.read(path)


def test_a_question_asked_twice_is_one_problem(home, tmp_path, query):
    twin = repairs.fix(bugType="CHANGE_IDENTIFIER", bugFilePath="else/where.java")
    picked = repairs.fix(fixCommitSHA1="c" * 40)
    other = repairs.fix(fixCommitSHA1="d" * 40, fixPatch=repairs.patch("    a();", "    b();"))
    path = repairs.sstubs(tmp_path / "sstubs.json", picked, twin, repairs.fix(), other)
    report = ingest_dataset("manysstubs4j", path)
    assert report.left_out == {"repeated": 2}
    assert query("select task_id, reference, tags from raw.problem order by position") == [
        (
            "toy.maker@aaaaaaaaaaaa:src/Toy.java:15",
            repairs.FIXED_LINE,
            '["change_identifier", "change_operand", "context:patch", "lines_after:3", '
            '"lines_before:3"]',
        ),
        (
            "toy.maker@dddddddddddd:src/Toy.java:15",
            "    b();",
            '["change_operand", "context:patch", "lines_after:3", "lines_before:3"]',
        ),
    ]
    assert ingest_dataset("manysstubs4j", path).added["problem"] == 0


def test_fixes_without_one_line_for_one_are_left_out(tmp_path):
    two = repairs.fix()["fixPatch"].replace("+12,7 @@", "+12,8 @@")
    longer = two.replace(f"+{repairs.FIXED_LINE}", f"+{repairs.FIXED_LINE}\n+    more();")
    path = repairs.sstubs(
        tmp_path / "sstubs.json",
        repairs.fix(fixPatch=None),
        repairs.fix(fixPatch=longer),
        repairs.fix(bugLineNum=14),
        repairs.fix(fixLineNum=16),
        repairs.fix(bugType=None, fixPatch=longer + repairs.patch("    a();", "    b();")),
    )
    found = manysstubs4j.read(path)
    assert found.left_out == {"no_patch": 1, "not_one_line": 3}
    assert [draft.reference for draft in found.drafts] == ["    b();"]


def test_a_subset_depends_on_its_seed_and_not_on_the_order(tmp_path, monkeypatch):
    monkeypatch.setattr(manysstubs4j, "N_DRAWN", 6)
    fixes = [
        repairs.fix(
            fixPatch=repairs.patch("    a();", f"    b{n}();"), fixCommitSHA1=f"{n:02x}" * 20
        )
        for n in range(1, 21)
    ]
    shuffled = random.Random(1).sample(fixes, len(fixes))

    def drawn(*some, **options):
        found = manysstubs4j.read(repairs.sstubs(tmp_path / "s.json", *some), **options)
        assert found.left_out["not_drawn"] == len(some) - 6
        return [draft.task_id for draft in found.drafts], found.version_suffix

    assert drawn(*fixes) == drawn(*shuffled) == drawn(*fixes, seed=0)
    assert drawn(*fixes)[1] == ", 6 by seed 0"
    assert drawn(*fixes, seed=1)[0] != drawn(*fixes)[0]
    # taking fixes away that were not drawn changes nothing
    kept = [fix for fix in fixes if any(fix["fixCommitSHA1"][:12] in t for t in drawn(*fixes)[0])]
    assert drawn(*kept, fixes[0], fixes[-1])[0] == drawn(*fixes)[0]


def test_a_clone_gives_the_lines_of_the_parent_commit(tmp_path):
    clone = tmp_path / "clones" / "toy.maker"
    file = clone / "src" / "Toy.java"
    file.parent.mkdir(parents=True)

    def git(*words):
        who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        done = subprocess.run(
            ["git", "-C", str(clone), *who, *words], check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    git("init", "-q")
    commits = []
    for line in (repairs.BUGGY_LINE, repairs.FIXED_LINE):
        file.write_text(repairs.java(line))
        git("add", ".")
        git("commit", "-q", "-m", "x")
        commits.append(git("rev-parse", "HEAD"))
    here = repairs.fix(fixCommitParentSHA1=commits[0], fixCommitSHA1=commits[1])
    elsewhere = {"projectName": "no.clone", "fixPatch": repairs.patch("    a();", "    b();")}
    path = repairs.sstubs(tmp_path / "sstubs.json", here, repairs.fix(**elsewhere))
    found = manysstubs4j.read(path, tmp_path / "clones")
    narrow, wide = found.drafts
    assert "context:patch" in narrow.tags
    assert wide.tags[-3:] == ("context:file", "lines_before:10", "lines_after:9")
    assert wide.prompt.split("\n")[:10] == repairs.BODY[4:14]
    assert "context of checkouts" in found.version_suffix
    for parent, reason in (
        (commits[1], "not the file of the patch"),
        ("b" * 40, "not in the clone"),
    ):
        path = repairs.sstubs(tmp_path / "s.json", repairs.fix(fixCommitParentSHA1=parent))
        with pytest.raises(BadInput, match=reason) as error:
            manysstubs4j.read(path, tmp_path / "clones")
        assert str(error.value).startswith(f"{path}:1: ")


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        ("x", "expected an object, found a string"),
        ({"projectName": "p"}, "'fixCommitParentSHA1' is missing"),
        (repairs.fix(projectName="../up"), "'projectName' is '../up', not what it should be"),
        (repairs.fix(fixCommitSHA1="HEAD"), "'fixCommitSHA1' is 'HEAD'"),
        (repairs.fix(bugLineNum="15"), "'bugLineNum' must be a whole number"),
        (repairs.fix(bugLineNum=0), "'bugLineNum' must be a whole number"),
        (repairs.fix(fixLineNum=True), "'fixLineNum' must be a whole number"),
        (repairs.fix(bugType=7), "'bugType' is a number, expected a string"),
        (repairs.fix(fixPatch="@@"), "'fixPatch' is not a patch we can read: no hunk"),
        (repairs.fix(fixPatch=ONE[:-30]), "'fixPatch' is not a patch"),
        (repairs.fix(fixCommitSHA1="e" * 40, fixPatch=repairs.patch("a();", "\t")), "is blank"),
        (repairs.fix(fixPatch=repairs.patch("a();", "b();")), "is already in row 1"),
    ],
)
def test_a_fix_that_does_not_fit_is_refused_and_nothing_kept(home, tmp_path, second, reason):
    path = repairs.sstubs(tmp_path / "sstubs.json", repairs.fix(), second)
    with pytest.raises(BadInput, match=re.escape(reason)) as error:
        ingest_dataset("manysstubs4j", path)
    assert str(error.value).startswith(f"{path}:2: ")
    assert not (home / "warehouse.duckdb").exists()


def test_the_command_says_what_is_wrong_and_leaves_with_3(home, tmp_path):
    path = repairs.sstubs(tmp_path / "sstubs.json", repairs.fix(fixPatch="@@"))
    done = CliRunner().invoke(cli, ["ingest", "manysstubs4j", "--path", str(path)])
    assert isinstance(done.exception, BadInput)
    assert done.exception.exit_code == 3
    assert str(done.exception).startswith(f"{path}:1: the field 'fixPatch'")


def test_a_short_name_that_two_tasks_share_names_none():
    catalogue = Catalogue("made")
    for n, task in enumerate(("a/1", "b/1", "b/2")):
        catalogue.add(TaskVariant(task, f"v{n}", f"p{n}", "original", f"prompt {n}"))
    assert [catalogue.has(name) for name in ("1", "2", "a/1", "B_1", "b/3")] == [
        *(False, True, True, True, False)
    ]


def test_an_object_is_no_list_of_fixes(tmp_path):
    path = tmp_path / "sstubs.json"
    path.write_text("{}")
    with pytest.raises(BadInput, match="expected a list of fixes, found an object"):
        manysstubs4j.read(path)
