"""Import, execute, build: the verdicts that come out are those of the makers' own harnesses."""

import json
from pathlib import Path
from typing import Any

import pytest

from runners.cli import main
from tests.data import FILES, shared
from tests.support.sql import rows

DATASETS = ("humaneval", "humaneval_plus", "mbpp")


def assay(*arguments: str) -> None:
    """Run a command line that must succeed."""
    assert main.run(list(arguments)) == 0


def write_lines(path: Path, *lines: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.mark.long(seconds=10)
def test_a_seed_gets_imports_only_where_the_rule_says_so(home: Path, tmp_path: Path) -> None:
    assay("ingest", "starter")
    [(prompt,)] = rows("select prompt from raw.problem where task_id = 'starter/bee_dance'")
    body = (
        '    x, y, turn = 0, 0, 0\n    for move in moves:\n        turn += "FRUL".index(move)\n'
        '        if move == "F":\n            x += round(math.sin(turn * math.pi / 2))\n'
        "            y += round(math.cos(turn * math.pi / 2))\n    return x, y\n"
    )
    seed = {
        "task_id": "starter/bee_dance",
        "prompt": prompt,
        "canonical_solution": "import math\ndef bee_dance(moves): ...\n",
        "solution": prompt + body,
        "is_solved": False,
    }
    path = write_lines(tmp_path / "seeds.jsonl", seed)
    given = ("import", path, "--format", "ldb", "--dataset", "starter", "--lm", "seeds")
    assay(*given)
    assay(*given, "--truncate", "canonical_imports_v1", "--label", "with imports")
    assay("execute")
    assay("build", "--select", "+generation_verdicts_v1")
    found = rows("select setting, verdict from generation_verdicts_v1 order by setting")
    assert [("with imports" in setting, verdict) for setting, verdict in found] == [
        (False, "error"),
        (True, "passed"),
    ]
    kept = rows("select kept_rule, raw_text from raw.generation_text order by 1")
    assert kept == [("canonical_imports_v1", prompt + body), ("whole", prompt + body)]


BURN = """
import time

def _burn(seconds):
    began = time.process_time()
    while time.process_time() - began < seconds:
        pass

"""


def slow(task: str, body: str) -> dict[str, str]:
    """Return a sample of a task whose function is ``body``, taken from the reference, plus time."""
    return {"task_id": task, "text": BURN + body, "style": "solution"}


def reference(dataset: str, task: str) -> tuple[str, str]:
    """Return a task's own solution as a program, and the name of its function."""
    [(program, name)] = rows(
        f"select prompt || reference || suffix, entry_point from raw.problem "
        f"where dataset = '{dataset}' and task_id = '{task}'"
    )
    return program, name


def slowed(dataset: str, task: str, *, once: float = 0.0, each: float = 0.0) -> dict[str, str]:
    """Return the task's own solution, made slow: at its first call, or at each."""
    program, name = reference(dataset, task)
    return slow(
        task,
        f"{program}\n_right, _left = {name}, [{once}]\n\n"
        f"def {name}(*arguments):\n    _burn({each} + _left[0])\n    _left[0] = 0\n"
        "    return _right(*arguments)\n",
    )


def limits_by_dataset() -> list[tuple[Any, ...]]:
    return rows(
        "select dataset, cpu_limit_s, test_cpu_limit_s from raw.admission "
        "inner join raw.problem using (problem_id) where policy = 'calibrated' "
        "group by all order by all"
    )


@pytest.mark.long(seconds=60)
def test_slow_and_right_programs_pass_as_in_their_datasets_own_harness(
    home: Path, tmp_path: Path
) -> None:
    """The times are those of three samples that a second for all tests had cut off."""
    for dataset in DATASETS:
        assay("ingest", dataset, "--path", str(shared(FILES[dataset])))
    samples = {
        "humaneval": [
            slowed("humaneval", "HumanEval/129", once=2.8),
            slowed("humaneval", "HumanEval/0", once=5.0),
        ],
        "humaneval_plus": [slowed("humaneval_plus", "HumanEval/147", each=1.5 / 119)],
        "mbpp": [slowed("mbpp", "MBPP/61", once=1.03)],
    }
    for dataset, lines in samples.items():
        path = write_lines(tmp_path / f"{dataset}.jsonl", *lines)
        assay("import", path, "--format", "generic", "--dataset", dataset, "--lm", "slow")
    assay("execute", "--try-limits", "2")
    assay("execute", "--policy", "fast")
    assay("build", "--select", "+generation_verdicts_v1 +limit_sensitivity_v1")

    found = rows("select task_id, verdict from generation_verdicts_v1 order by task_id")
    assert dict(found) == {
        "HumanEval/129": "passed",
        "HumanEval/0": "timeout",
        "HumanEval/147": "passed",
        "MBPP/61": "passed",
    }
    fast = rows(
        "select distinct verdict from raw.outcome inner join raw.program using (program_id) "
        "inner join raw.admission using (admission_id) where policy = 'fast'"
    )
    assert fast == [("timeout",)]
    assert limits_by_dataset() == [
        ("humaneval", 3.0, None),
        ("humaneval_plus", 60.0, 1.0),
        ("mbpp", 3.0, None),
    ]
    alone = rows(
        "select task_id, count(*) from raw.outcome inner join raw.program using (program_id) "
        "inner join raw.problem using (problem_id) inner join raw.admission using (admission_id) "
        "where alone and policy = 'calibrated' group by all"
    )
    assert alone == [("HumanEval/129", 2)]
    sensitivity = rows(
        "select factor, n_passed, n_unknown, n_alone, pass_at_1, pass_at_1_most, null_reason "
        "from limit_sensitivity_v1 where dataset = 'humaneval' order by factor"
    )
    assert sensitivity == [
        (0.5, 0, 0, 1, 0.0, 0.0, None),
        (1.0, 1, 0, 1, 0.5, 0.5, None),
        (2.0, 2, 0, 1, 1.0, 1.0, None),
        (4.0, 2, 0, 1, 1.0, 1.0, None),
    ]


def contest(name: str, solution: str, *, printed: str) -> dict[str, Any]:
    """Return a contest problem in the layout of CodeContests: one test, one solution."""
    return {
        "name": name,
        "description": "Print what is asked for.",
        "public_tests": {"input": ["0.5\n"], "output": [printed]},
        "private_tests": {"input": [], "output": []},
        "generated_tests": {"input": [], "output": []},
        "solutions": {"language": [3], "solution": [solution]},
    }


@pytest.mark.long(seconds=60)
def test_a_rejected_reference_gets_another_try(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A reference that takes longer than it may, one that prints its answer in another way."""
    slow_one = f"{BURN}_burn(1.3)\nprint(input())\n"
    loose_one = 'print("yes", float(input()) + 1e-9)\n'
    problems = write_lines(
        tmp_path / "contests.jsonl",
        contest("made_slow", slow_one, printed="0.5\n"),
        contest("made_loose", loose_one, printed="YES 0.5\n"),
    )
    assay("ingest", "codecontests", "--path", problems)
    samples = [
        {"task_id": task, "text": text, "style": "solution"}
        for task, text in (("made_slow", slow_one), ("made_loose", loose_one))
    ]
    path = write_lines(tmp_path / "samples.jsonl", *samples)
    assay("import", path, "--format", "generic", "--dataset", "codecontests", "--lm", "m")
    assay("execute", "--reference-cpu-limit", "1")
    assay("execute")
    capsys.readouterr()
    assay("status", "--json")
    assert json.loads(capsys.readouterr().out)["rejected"] == [
        {
            "dataset": "codecontests",
            "reason": "reference timeout",
            "n_problems": 1,
            "n_generations": 1,
        }
    ]
    assay("execute", "--retry-rejected")
    assay("status")
    assert "another try" not in capsys.readouterr().out
    assay("build", "--select", "+pass_at_k_v1")
    found = rows("select pass_at_k, n_used, n_null_reference_fails from pass_at_k_v1 where k = 1")
    assert found == [(1.0, 2, 0)]
    admitted = "from raw.admission where mode = 'split' order by 1"
    (loose,), (slow_limit_s,) = rows(f"select distinct test_cpu_limit_s {admitted}")
    assert loose == 10.0
    assert 16.0 <= slow_limit_s <= 18.0, "10 s and five times the 1.3 s that its test takes"


def test_the_comparison_of_printed_texts_is_chosen_and_stored(home: Path, tmp_path: Path) -> None:
    problems = write_lines(
        tmp_path / "contests.jsonl", contest("made", "print(input())\n", printed="0.5")
    )
    assay("ingest", "codecontests", "--path", problems)
    assay("ingest", "codecontests", "--path", problems, "--compare", "stdout")
    assert rows(
        "select version, compare from raw.dataset_release join raw.problem using (release_id)"
        " order by 1"
    ) == [("2", "stdout_loose"), ("2, compared by stdout", "stdout")]
    assert main.run(["ingest", "starter", "--compare", "stdout"]) == 3
