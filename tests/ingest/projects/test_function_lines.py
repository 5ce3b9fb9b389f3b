"""Hidden lines of a benchmark's functions: which there are, and what a problem of one holds."""

from dataclasses import replace

import pytest

from ingest.problems.drafts import ProblemDraft
from ingest.projects.function_lines import function_hole, gives_no_lines, line_drafts
from ingest.projects.hidden.lines import LINE_RULES
from tests.support.problems import real_drafts, stored_problem
from warehouse.facts.problems import StoredProblem, StoredTest

HELPER = '''def helper(x):
    """Return more."""
    a = x
    b = a
    c = b
    return c + 1


'''
HEADER = 'def f(x):\n    """Return it."""\n'
BODY = "    y = x\n    y += 1\n    z = helper(y)\n    return z\n"


def problem(prompt: str, reference: str, suffix: str = "", task: str = "T/1") -> StoredProblem:
    draft = ProblemDraft(task, "f", prompt, reference, (), 1, suffix)
    return replace(stored_problem(draft, "key"), dataset="starter", tags='["easy"]')


@pytest.mark.parametrize("rules", LINE_RULES)
def test_the_line_is_of_the_function_under_test(rules: str) -> None:
    of = problem(HELPER + HEADER, BODY, "\nN = 1\n")
    found = function_hole(of, rules)
    assert found is not None
    hole = found.hole
    assert hole.before + hole.code + hole.after == HELPER + HEADER + BODY + "\nN = 1\n"
    assert hole.code in BODY.split("\n")
    start = hole.before.removeprefix(HELPER)
    assert found.shown["function"] == start
    assert found.shown["function_without_docstring"] == start.replace('    """Return it."""\n', "")
    same = function_hole(of, rules)
    assert same == found, "the draw repeats"


def test_other_tasks_have_other_draws() -> None:
    lines = {
        found.hole.code
        for n in range(40)
        if (found := function_hole(problem(HEADER, BODY, task=f"T/{n}"), "v1"))
    }
    assert lines == set(BODY.removesuffix("\n").split("\n"))


@pytest.mark.parametrize(
    ("prompt", "reference"),
    [
        ("def f(x):\n", BODY),
        (HEADER, "    y = x\n    y += 1\n    return y\n"),
        (HEADER + BODY + "\n\ndef f(x):\n", "    return x\n"),
        (HELPER, "f = helper\n"),
        (
            "class Solution:\n    def f(self, x):\n        '''It.'''\n",
            BODY.replace("    ", " " * 8),
        ),
    ],
)
def test_what_does_not_qualify_gives_none(prompt: str, reference: str) -> None:
    assert function_hole(problem(prompt, reference), "v1") is None


def test_a_description_above_the_program_is_the_docstring() -> None:
    found = function_hole(problem('"""\nSay "it".\n"""\n', "import re\ndef f(x):\n" + BODY), "v1")
    assert found is not None
    assert found.shown["function"].startswith('def f(x):\n    """\n    Say "it".\n    """\n')
    assert found.shown["function_without_docstring"].startswith("def f(x):\n    y = x\n")
    assert found.hole.before.startswith("import re\ndef f(x):\n")


def test_a_problem_keeps_all_that_judges_it() -> None:
    of = replace(
        problem(HEADER, BODY), setup_code="a = 1", compare="close", atol=0.5, difficulty="hard"
    )
    odd = problem("# coding: latin-1\n", "x = 'é'\n" + HEADER + BODY, task="T/2")
    tests = {of.problem_id: [StoredTest(of.problem_id, "plus", "io", "[1]")]}
    (draft,), left_out = line_drafts([of, odd], tests, "v2")
    assert left_out == {"T/2": "not UTF-8, or with a byte order mark"}
    assert [(test.suite, test.kind, test.body) for test in draft.tests] == [("plus", "io", "[1]")]
    assert (draft.task_id, draft.entry_point, draft.setup_code) == ("T/1", "f", "a = 1")
    assert (draft.compare, draft.atol, draft.difficulty) == ("close", 0.5, "hard")
    assert draft.tags == ("easy", "lines_v2")
    assert [kind for kind, _ in draft.variants] == ["function", "function_without_docstring"]


def test_what_gives_lines_has_functions() -> None:
    assert gives_no_lines("mbpp") == gives_no_lines("toolz") == gives_no_lines("x==1") == ""
    assert gives_no_lines("defects4j") == "defects4j holds no functions, so it gives no lines"
    assert "no curated project" in gives_no_lines("humanevil")
    assert "datasets of functions: starter, humaneval, " in gives_no_lines("humanevil")
    assert gives_no_lines("mbpp-lines") == "'mbpp-lines' is made of 'mbpp': name that"


@pytest.mark.long(seconds=30)
@pytest.mark.parametrize(
    ("name", "v1", "v2"),
    [
        ("starter", 48, 48),
        ("humaneval", 108, 108),
        ("humaneval_plus", 98, 98),
        ("mbpp", 536, 507),
        ("mbpp_sanitized", 197, 193),
        ("mbpp_plus", 79, 78),
    ],
)
def test_how_many_lines_the_datasets_give(name: str, v1: int, v2: int) -> None:
    problems = [
        replace(stored_problem(draft, draft.task_id), dataset=name) for draft in real_drafts(name)
    ]
    assert [len(line_drafts(problems, {}, rules)[0]) for rules in LINE_RULES] == [v1, v2]
