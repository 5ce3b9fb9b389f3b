"""A plug-in of each kind, from one file of docs/extensions.md, through the commands of the page."""

import json
import shlex
from pathlib import Path

import pytest

from tests.plugins.conftest import JOURNEY, MODULE, installed
from tests.support.commands import shell
from tests.support.sql import rows

pytestmark = pytest.mark.long(seconds=60)

KINDS = {
    "dataset": "toy",
    "import format": "toy_answers",
    "format of claims": "toy_grades",
    "backend": "parrot",
    "mutation": "toy_comment",
    "task": "toy_twice",
    "measure of pairs": "toy_length_v1",
}


def test_one_of_each_kind_works_and_its_rows_outlive_it(
    home: Path, toy: str, tmp_path: Path
) -> None:
    answers = tmp_path / "answers.jsonl"
    texts = ("    return x + 1\n", "    return 1 + x\n", "    return x\n")
    lines = [json.dumps({"task_id": "toy/add_1", "answer": text}) for text in texts]
    grades = tmp_path / "grades.jsonl"
    words = ("ok", "ok", "ok")
    graded = [json.dumps({"task_id": "toy/add_1", "grade": word}) for word in words]
    grades.write_text("\n".join(graded).replace("toy/", ""), encoding="utf-8")
    answers.write_text("\n".join(line.replace("toy/", "") for line in lines), encoding="utf-8")
    found = json.loads(shell("doctor", "--json", PYTHONPATH=toy).stdout)["plugins"]
    assert {each["kind"]: each["plugin"] for each in found} == KINDS
    assert {each["state"] for each in found} == {"ready"}
    commands = [shlex.split(line) for line in JOURNEY.splitlines()]
    assert [command[:2] for command in commands[:2]] == [["pip", "install"], ["assay", "doctor"]]
    for _, *command in commands[2:]:
        given = [word.replace("assay-toy/pyproject.toml", str(answers)) for word in command]
        given = [str(tmp_path / word) if word.endswith(".jsonl") else word for word in given]
        done = shell(*given, PYTHONPATH=toy)
        assert done.returncode == 0, (command, done.stderr)
    judged = "from raw.evaluation join raw.outcome using (program_id)"
    assert rows(f"select count(distinct generation_id) {judged} where verdict = 'passed'") == [(8,)]
    assert rows(
        "select task, count(*) from raw.generation join raw.setting using (setting_id) "
        "group by all order by all"
    ) == [("synthesis", 3), ("toy_twice", 6)]
    (scored,) = rows(
        "select list_sort(scores) from raw.pair_score_block join raw.scorer "
        "using (scorer_id) where measure = 'toy_length_v1'"
    )
    assert len(scored[0]) >= 1
    assert rows("select count(*) from raw.mutant where mutation = 'toy_comment'") == [(3,)]
    # without the plug-in, what it brought is still judged and shown
    for command in (["status"], ["execute"], ["build"]):
        done = shell(*command)
        assert done.returncode == 0, (command, done.stderr)
    (passed,) = rows(
        "select pass_at_k from pass_at_k where dataset = 'toy' and k = 1 and lm = 'pen'"
    )
    assert passed[0] == pytest.approx(2 / 3)
    flips = "select claimant, n_compared, n_claimed_only from claimed_vs_judged"
    assert rows(flips) == [("toy grader", 3, 1)]


BROKEN = {
    "raises": (
        MODULE + "\nraise RuntimeError('no\\nluck')\n",
        "cannot be imported: RuntimeError: no luck",
    ),
    "ends": (
        MODULE + "\nimport sys\nprint('aloud')\nsys.exit(3)\n",
        "cannot be imported: SystemExit: 3",
    ),
    "renamed": (
        MODULE.replace('name = "toy_twice"', 'name = "toy_once"'),
        "calls itself 'toy_once': both names must be the same",
    ),
    "another": (MODULE.replace("class Twice(Synthesis):", "class Twice:"), "is no Task"),
    "nothing": (
        MODULE.replace("class Twice", "class Thrice"),
        "cannot be imported: AttributeError",
    ),
}


def test_a_plug_in_that_cannot_be_used_is_left_out_and_the_rest_works(
    home: Path, tmp_path: Path
) -> None:
    module, reason = BROKEN["raises"]
    site = installed(tmp_path, module)
    assert shell("ingest", "starter", PYTHONPATH=site).returncode == 0
    asked = ("generate", "--backend", "planted", "--lm", "m", "--dataset", "starter", "-n", "1")
    named = shell(*asked, "--task", "toy_twice", PYTHONPATH=site)
    assert (named.returncode, named.stderr.count("\n")) == (3, 1)
    assert reason in named.stderr
    assert rows("select count(*) from raw.generation") == [(0,)]
    assert shell(*asked, PYTHONPATH=site).returncode == 0
    done = shell("execute", PYTHONPATH=site)
    assert done.returncode == 0
    (warning,) = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
    assert reason in warning
    assert rows("select count(*) from raw.outcome") != [(0,)]
    of_ours = ("results", "--lm", "m", "--dataset", "starter", "--out", str(tmp_path / "out"))
    told = shell(*of_ours, "--format", "swe_bench", PYTHONPATH=site)
    assert told.returncode == 3
    assert "error: swe_bench has no files of our verdicts; available: " in told.stderr
    assert reason not in told.stderr.splitlines()[-1]


@pytest.mark.parametrize("fault", BROKEN)
def test_the_doctor_says_what_is_wrong_with_a_plug_in(
    home: Path, tmp_path: Path, fault: str
) -> None:
    module, reason = BROKEN[fault]
    site = installed(tmp_path, module)
    found = json.loads(shell("doctor", "--json", PYTHONPATH=site).stdout)["plugins"]
    states = {each["plugin"]: each["state"] for each in found}
    assert reason in states["toy_twice"]
    whole = fault in ("raises", "ends")
    assert all(
        (state != "ready") == (whole or name == "toy_twice") for name, state in states.items()
    )
