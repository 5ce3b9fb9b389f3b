"""Function completion over a small project: what is asked, kept and put back."""

from pathlib import Path

import pytest

from models.words import Style
from runners.drawing.backends.base import Completion, Request
from runners.projects.problems import FunctionsSpec, ingest_functions
from runners.tasks.base import program_rules
from runners.tasks.completion.functions import BLOCK, body_rule
from tests.support.sql import rows
from tests.support.steps import generate
from tests.support.worlds.projects import (
    PATH,
    SOURCE,
    HereChecker,
    plant_coverage,
    store_ingested,
    write_project,
)
from warehouse.errors import BadInput
from warehouse.facts.judging import Unplanned
from warehouse.facts.problems import StoredProblem
from warehouse.parameters import BadValue

GIVEN = {"backend": "planted", "lm": "coin", "progress": False, "dataset": "small-functions"}
TASK = "function_completion"
END = "function_end_v2"

FILE = '''import os
from math import pi


class Shop:
    def price(self, n):
        """Return the price."""
        total = n * 2
        return total


def other():
    return os
'''
BEFORE, REST = FILE[: FILE.index("        total")], FILE[FILE.index("\n\ndef other") :]
REFERENCE = FILE[len(BEFORE) : -len(REST)]
METHOD = 'def price(self, n):\n    """Return more."""\n    total = n * 2\n    return total\n'
INSIDE = METHOD.replace("\n", "\n    ").rstrip(" ")
TEXT = '        total = """\nat the margin\n"""\n        return total\n'


@pytest.fixture
def functions(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The small project, ingested, with its functions as problems."""
    found = write_project(tmp_path / "small")
    store_ingested(found)
    plant_coverage(monkeypatch)
    spec = FunctionsSpec((str(found.folder),))
    (report,) = ingest_functions(spec, checker=HereChecker().opened, progress=False)
    assert (report.error, report.n_problems) == (None, 2)
    return str(found.folder)


def kept(text: str, rule: str, qualname: str = "Shop.price") -> tuple[str, list[str]]:
    """Return what is kept of an answer, and the issues."""
    problem = StoredProblem(
        "p", "small-functions", "t", qualname, BEFORE, REFERENCE, REST, "", None, "project", 0, ""
    )
    request = Request("g", "t", "p", "v", "", None, "", 0, None, None, None, (), None, "", "")
    answer = body_rule(rule, (), {"p": problem})(Completion(request, text, "stop"))
    return answer.kept.text, [code for code, _ in answer.issues]


def fenced(code: str) -> str:
    return f"Here it is:\n```python\n{code}```\nDone.\n"


@pytest.mark.parametrize(
    ("rule", "text", "code"),
    [
        (END, REFERENCE, REFERENCE),
        (END, REFERENCE + "\n    def next(self):\n        return 1\n", REFERENCE),
        (END, REFERENCE + "\n\ndef other():\n    pass\n", REFERENCE),
        (END, "\n" + REFERENCE + "\n\n", REFERENCE),
        (END, "    total = n * 2\n    return total", REFERENCE),
        (END, TEXT, TEXT),
        (END, TEXT.replace("        ", "  "), TEXT),
        (BLOCK, fenced(METHOD), REFERENCE),
        (BLOCK, METHOD, REFERENCE),
        (BLOCK, fenced("class Shop:\n    " + INSIDE), REFERENCE),
        (BLOCK, fenced("    " + INSIDE), REFERENCE),
        (BLOCK, fenced(BEFORE + REFERENCE), REFERENCE),
        (BLOCK, fenced(FILE), REFERENCE),
        (BLOCK, fenced(REFERENCE), REFERENCE),
        (BLOCK, REFERENCE, REFERENCE),
        (BLOCK, fenced("def price(self, n): return 2 * n\n"), "        return 2 * n\n"),
        (BLOCK, fenced('def price(self, n):\n    """No body."""\n'), ""),
        (
            BLOCK,
            fenced(f"from __future__ import annotations\nimport os, re\n\n{METHOD}\nprice(1, 2)\n"),
            "        import os, re\n" + REFERENCE,
        ),
        (
            BLOCK,
            fenced(f"import os\ndef double(n):\n    return 2 * n\n{METHOD}"),
            "        def double(n):\n            return 2 * n\n" + REFERENCE,
        ),
        (BLOCK, fenced(f"def price(self):\n    return 1\n\n{METHOD}"), REFERENCE),
        (BLOCK, fenced("    " + METHOD.partition("\n    ")[0] + "\n" + TEXT), TEXT),
    ],
)
def test_the_body_is_kept_at_its_indentation(rule: str, text: str, code: str) -> None:
    found, issues = kept(text, rule)
    if "def price(self):" in text:  # a helper of the same name: the last one counts
        found = found[found.index("        total") :]
    assert (found, issues) == (code, [] if code else ["no_code"])


@pytest.mark.parametrize(
    ("rule", "text", "issue"),
    [
        (END, "", []),
        (END, "\n\n", []),
        (BLOCK, "", []),
        (BLOCK, "I cannot tell.\nSorry.", ["no_code"]),
        (BLOCK, "```js\nx;\n```", ["wrong_language"]),
    ],
)
def test_an_answer_without_code_says_so(rule: str, text: str, issue: list[str]) -> None:
    assert kept(text, rule) == ("", issue)


def programs() -> list[tuple[str, str]]:
    """Return the verdict on each answer, with the program that it became."""
    rule = program_rules()[TASK]
    found = []
    for style, kept_text, prompt, suffix, problem_prompt in rows(
        "select style, kept_text, variant.prompt, problem.suffix, problem.prompt "
        "from raw.generation inner join raw.generation_text using (generation_id) "
        "inner join raw.setting using (setting_id) "
        "inner join raw.problem using (problem_id) "
        "inner join raw.variant on generation.variant_id = variant.variant_id "
        "order by problem.position, sample_index"
    ):
        answer = Unplanned("", "", "", TASK, style, prompt, kept_text, suffix, problem_prompt)
        source = rule(answer)
        found.append((HereChecker().check(PATH, source).verdict, source))
    return found


@pytest.mark.parametrize("chat", [False, True])
def test_a_right_body_gives_the_file_back_and_a_wrong_one_fails(functions: str, chat: bool) -> None:
    told = {**GIVEN, "n": 2}
    report = generate(**told, options={"pass_rate": 1.0, "chat": chat})
    assert (report.n_drawn, report.issues) == (4, {})
    assert programs() == [("passed", SOURCE)] * 4
    ((kind, style),) = rows("select prompt_kind, style from raw.setting")
    assert kind == ("function_completion_chat_v1" if chat else "function_completion_v1")
    assert style == (Style.SOLUTION if chat else Style.COMPLETION)
    generate(**told | {"lm": "wrong"}, options={"pass_rate": 0.0, "chat": chat})
    assert [verdict for verdict, source in programs() if source != SOURCE] == ["failed"] * 4


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        (None, "function_with_imports"),
        ("original", "original"),
        ("function_completion_chat_file_v1", "original"),
    ],
)
def test_the_prompt_says_what_is_seen(functions: str, prompt: str | None, kind: str) -> None:
    options = {"pass_rate": 1.0, "chat": "chat" in str(prompt)}
    generate(**GIVEN, n=1, prompt=prompt, options=options)
    kinds = rows(
        "select distinct kind from raw.generation inner join raw.variant using (variant_id)"
    )
    assert kinds == [(kind,)]
    assert programs() == [("passed", SOURCE)] * 2


def test_what_does_not_apply_is_refused(functions: str) -> None:
    for task, dataset in (("synthesis", "small-functions"), (TASK, "starter")):
        with pytest.raises(BadValue, match=f"{task} does not apply to {dataset}"):
            generate(**GIVEN | {"dataset": dataset}, n=1, task=task)
    with pytest.raises(BadInput, match="run `assay ingest functions toolz`"):
        generate(**GIVEN | {"dataset": "toolz-functions"}, n=1)
    with pytest.raises(BadValue, match="the rule whole does not apply here"):
        generate(**GIVEN, n=1, truncate="whole")


def test_what_shows_the_use_of_a_function_stays_out_of_its_body() -> None:
    use = "result = price(None, 3)\nfor each in ():\n    price(each, 1)\n"
    answer = fenced(f"RATE = 2\n{METHOD}\n{use}")
    text, issues = kept(answer, BLOCK)
    assert text.startswith("        RATE = 2\n")
    assert "result" not in text
    assert "each" not in text
    assert issues == []


def test_an_import_is_left_out_only_where_the_file_has_that_line() -> None:
    text, _ = kept(fenced(f"import o\nimport os\nfrom math import p\n{METHOD}"), BLOCK)
    assert "        import o\n" in text
    assert "        from math import p\n" in text
    assert "import os" not in text
