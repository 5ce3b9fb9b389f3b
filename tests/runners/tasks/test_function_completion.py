"""Function completion over a small project: what is asked, kept and put back."""

from pathlib import Path
from typing import Any

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


def run_twice(body: str, file: str = "") -> list[object]:
    """Return what the method gives in a file when it is called twice with 1."""
    names: dict[str, object] = {}
    source = file + BEFORE + body + REST
    exec(compile(source, "shop.py", "exec"), names)
    shop: Any = names["Shop"]
    return [shop().price(1), shop().price(1)]


COUNTING = (
    'def price(self, n):\n    """Return more."""\n    global SEEN\n    SEEN += n\n    return SEEN\n'
)


@pytest.mark.parametrize(
    ("code", "given"),
    [
        (f"SEEN = 0\n{COUNTING}", [1, 2]),
        (f"SEEN: int = 0\n{COUNTING}", [1, 2]),
        (f"SEEN: int\nSEEN = 4\n{COUNTING}", [5, 6]),
        (f"SEEN, OTHER = (\n    0,\n    1,\n)\n{COUNTING}", [1, 2]),
        (f"START = 7\nSEEN = START\n{COUNTING}", [8, 9]),
        (
            "SEEN = 0\ndef count(n):\n    global SEEN\n    SEEN += n\n    return SEEN\n"
            "def price(self, n):\n    return count(n)\n",
            [1, 2],
        ),
        (
            "SEEN = 0\ndef price(self, n):\n    def count():\n        global SEEN\n"
            "        SEEN += n\n    count()\n    return SEEN\n",
            [1, 2],
        ),
        (
            "import re as SEEN\ndef price(self, n):\n    global SEEN\n"
            "    was, SEEN = SEEN, None\n    return was is None\n",
            [False, True],
        ),
        (
            "def SEEN():\n    return 3\ndef price(self, n):\n    global SEEN\n"
            "    was, SEEN = SEEN, None\n    return was and was()\n",
            [3, None],
        ),
        (
            "def count():\n    n = 0\n    def more():\n        nonlocal n\n        n += 1\n"
            "        return n\n    return more\ndef price(self, n):\n    return count()()\n",
            [1, 1],
        ),
        (
            "import functools\n@functools.cache\ndef new():\n    return []\n"
            "def price(self, n):\n    return new() is new()\n",
            [True, True],
        ),
        (f"SEEN = 0\nSEEN = 5\n{COUNTING}", [6, 7]),
        (f"SEEN = 5\nOLD = SEEN\nSEEN = OLD + SEEN\n{COUNTING}", [11, 12]),
        (
            "SEEN = {}\nSEEN[0] = 4\ndef price(self, n):\n    global SEEN\n"
            "    SEEN = {0: SEEN[0] + n}\n    return SEEN[0]\n",
            [5, 6],
        ),
        (
            "SEEN = [3]\nOLD = [SEEN[n] for n in range(1)]\nSEEN[0] = 9\n"
            "def price(self, n):\n    global SEEN\n    return OLD + SEEN\n",
            [[3, 9], [3, 9]],
        ),
        ("from math import *\ndef price(self, n):\n    return floor(n + pi)\n", [4, 4]),
        (
            "SEEN = 0\nfrom math import *\nSEEN = floor(pi)\ndef price(self, n):\n"
            "    global SEEN\n    SEEN += n\n    return SEEN\n",
            [4, 5],
        ),
    ],
)
def test_names_beside_a_function_mean_what_they_mean_in_the_answer(
    code: str, given: list[object]
) -> None:
    body, issues = kept(fenced(code), BLOCK)
    assert (run_twice(body), issues) == (given, [])


def test_a_global_name_of_the_file_keeps_its_value() -> None:
    body, _ = kept(fenced(f"SEEN = 0\n{COUNTING}"), BLOCK)
    assert run_twice(body, "SEEN = 40\n") == [41, 42]
    both = COUNTING.replace("global SEEN", "global SEEN, MORE").replace(
        "return SEEN", "return SEEN, MORE"
    )
    body, _ = kept(fenced(f"SEEN = 0\nMORE = 7\n{both}"), BLOCK)
    assert run_twice(body, "SEEN = 40\n") == [(41, 7), (42, 7)]


def test_all_names_of_a_module_leave_the_names_of_the_file() -> None:
    body, _ = kept(fenced("from math import *\ndef price(self, n):\n    return e\n"), BLOCK)
    assert run_twice(body, "e = 3\n") == [3, 3]


@pytest.mark.parametrize("inner", [False, True])
def test_a_nonlocal_name_of_the_module_is_no_right_answer(inner: bool) -> None:
    count = "nonlocal SEEN\n{0}SEEN += n\n{0}return SEEN\n"
    body = "def add():\n        " + count.format(" " * 8) + "    return add()\n"
    text = f"SEEN = 0\ndef price(self, n):\n    {body if inner else count.format(' ' * 4)}"
    found, _ = kept(fenced(text), BLOCK)
    assert run_twice(found) == [None, None]


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8", "utf-16", "klingon"])
def test_a_declared_encoding_changes_no_letter(encoding: str) -> None:
    cookie = f"#!/usr/bin/python\n# -*- coding: {encoding} -*-\n"
    method = 'def price(self, n):\n    """Prix."""\n    return "é€"\n'
    assert kept(fenced(cookie + method), BLOCK) == ('        return "é€"\n', [])
    assert kept(cookie + method, BLOCK) == ('        return "é€"\n', [])


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (END, f"\ufeff{REFERENCE}"),
        (BLOCK, f"\ufeff{REFERENCE}"),
        (BLOCK, f"\ufeff{METHOD}"),
        (BLOCK, f"\ufeff{fenced(METHOD)}"),
        (BLOCK, fenced(f"\ufeff# -*- coding: utf-8 -*-\n{METHOD}")),
        (BLOCK, fenced(METHOD.replace("\n", "\r\n"))),
    ],
)
def test_a_byte_order_mark_is_no_code(rule: str, text: str) -> None:
    found, issues = kept(text, rule)
    assert (found.replace("\r\n", "\n"), issues) == (REFERENCE, [])
