"""Which test runs which line of a tiny project: known by hand, and by Python's own tracer."""

import ast
import inspect
import re
import shutil
from itertools import chain
from pathlib import Path
from types import CodeType

import pytest

from runners.projects.ingest import ingest_projects
from runners.projects.suite import SuiteLimits
from tests.runners.projects.conftest import Checkout
from tests.support.sql import n_rows, rows
from tests.support.steps import build
from warehouse.facts.projects import covered_lines
from warehouse.store.connection import reading, writing

pytestmark = pytest.mark.long(seconds=60)

LIMITS = SuiteLimits(cpu_s=30, wall_s=60)

# What runs each line: T0, T1 and so on are the tests below, I is import, - is nothing.
SMALL = """\
"Documentation."                          # -
import threading                          # I
from small import plain                   # I
def decorate(f):                          # I
    def around(*values):                  # I
        return f(*values)                 # T0 T1
    return around                         # I
@decorate                                 # I
def twice(                                # I
    x,                                    # -
):                                        # -
    return [                              # T0 T1
        x,                                # T0 T1
        x,                                # T0 T1
    ]                                     # T0 T1
def unused():                             # I
    return 1                              # -
def count(n):                             # I
    for i in range(n):                    # T2 T3
        if i == 1:                        # T2 T3
            yield i                       # T3
        else:                             # -
            yield -i                      # T2 T3
def in_thread(found):                     # I
    def work():                           # T4
        found.append(plain.one())         # T4
    thread = threading.Thread(target=work)# T4
    thread.start(); thread.join()         # T4
def tried(x):                             # I
    try:                                  # -
        return 1 / x                      # T5 T6
    except ZeroDivisionError:             # T5 T6
        return None                       # T5 T6
KEYS = [lambda x: x]                      # I T7
def failing():                            # I
    return 1                              # -
def skipped():                            # I
    return 1                              # -
def of_fixture():                         # I
    return 1                              # T8 T9
"""
PLAIN = """\
def one():                                # I
    return 1                              # T4
"""
TESTS = """
import sys, unittest
import pytest
from small import main

@pytest.fixture(scope="module")
def value():
    yield main.of_fixture()
    main.of_fixture()  # a tear-down is of the last test

def test_0(): assert main.twice(1) == [1, 1]
def test_1(): assert main.twice(2) == [2, 2]
def test_2():
    items = main.count(3)
    assert next(items) == 0
def test_3(): assert list(main.count(2)) == [0, 1]
def test_4():
    found = []
    main.in_thread(found)
    assert found == [1]
class TestSub(unittest.TestCase):
    def test_5(self):
        for x in (0, 0):
            with self.subTest(x=x):
                self.assertIsNone(main.tried(x))
def test_6():
    seen = []
    sys.settrace(lambda *values: seen.append(values))
    assert main.tried(0) is None
    sys.settrace(None)
    assert seen
def test_7(): assert main.KEYS[0](1) == 1
def test_failing(): assert main.failing() == 2
@pytest.mark.skip
def test_skipped(): main.skipped()
def test_8(value): assert value == 1
def test_9(value): assert value == 1
"""
PARTS = '''\
import functools
class Outer:
    @functools.cache
    @staticmethod
    def documented():
        """Say what.

        At length.
        """
    class Inner:
        async def beside(self): return 1
        def lambdas(self, key=lambda: 1):
            "Text."
            # a comment
            found = [lambda: each for each in (1, 2)]
            def deep():
                return [each for each in
                        found]
            return deep
if functools:
    def twice():
        pass
else:
    def twice():
        pass
'''
FILES = {"small/main.py": SMALL, "small/plain.py": PLAIN, "tests/test_a.py": TESTS}
FILES |= {"small/parts.py": PARTS}
FILES |= {"small/never.py": "def never():\n    pass\n", "small/empty.py": "", "small/odd.py": "1 +"}


def planted(source: str) -> dict[int, list[str]]:
    """Return the tests that run each line that runs, by the comments."""
    found = {}
    for number, line in enumerate(source.splitlines(), 1):
        said = line.partition("# ")[2].split()
        if said != ["-"]:
            found[number] = [each for each in said if each != "I"]
    return found


def short(test: str) -> str:
    return "T" + re.sub(r"\D+", "", test)


@pytest.fixture
def ingested(home: Path, made_home: Path, offline: None, level: str, checkout: Checkout) -> str:
    """The release of the tiny project, ingested twice."""
    shutil.copytree(made_home / "cache", home / "cache")
    project = checkout(FILES)
    (first,) = ingest_projects([str(project.folder)], limits=LIMITS, progress=False)
    (again,) = ingest_projects([str(project.folder)], limits=LIMITS, progress=False)
    assert (first.n_new, again.n_new, first.verdicts) == (2, 0, {1: "failed", 2: "failed"})
    assert first.n_usable == 10
    return str(first.project_release_id)


def test_each_line_has_the_tests_that_run_it(ingested: str) -> None:
    with reading() as con:
        found = covered_lines(con, ingested)
    told = {
        path: {line: [short(test) for test in tests] for line, tests in lines.items()}
        for path, lines in found.items()
    }

    assert told["small/main.py"] == planted(SMALL)
    assert told["small/plain.py"] == planted(PLAIN)
    assert told["small/__init__.py"] == {1: []}
    assert set(told) == {"small/main.py", "small/plain.py", "small/__init__.py"}
    files = dict(rows("select path, lines from raw.project_file"))
    assert files["small/never.py"] == "1-2"
    assert files["small/empty.py"] == ""
    assert "small/odd.py" not in files
    marked = rows("select attempt from raw.suite_run join raw.test_coverage using (suite_run_id)")
    assert {*marked} == {(2,)}
    failing = rows(
        "select lines from raw.test_coverage join raw.suite_test using (suite_run_id, test_index) "
        "where test like '%::test_failing'"
    )
    assert failing == [("36",)]


# qualified name: executable lines of the body, those that a usable test runs, usable tests
COUNTS = {
    "decorate": (3, 1, 2),
    "decorate.<locals>.around": (1, 1, 2),
    "twice": (4, 4, 2),
    "unused": (1, 0, 0),
    "count": (4, 4, 2),
    "in_thread": (4, 4, 1),
    "in_thread.<locals>.work": (1, 1, 1),
    "tried": (3, 3, 2),
    "failing": (1, 0, 0),
    "skipped": (1, 0, 0),
    "of_fixture": (1, 1, 2),
    "one": (1, 1, 1),
    "never": (1, 0, 0),
    "Outer.documented": (0, 0, 0),
    "Outer.Inner.beside": (None, None, None),
    "Outer.Inner.lambdas": (5, 0, 0),
    "Outer.Inner.lambdas.<locals>.deep": (2, 0, 0),
}
FUNCTIONS = "select path, qualname, first_line from project_functions_v1"
COUNTED = "select qualname, n_lines, n_lines_tested, n_tests from project_functions_v1"
DOCUMENTED = """
    select qualname, docstring_first_line, docstring_last_line from project_functions_v1
    where has_docstring order by qualname
"""


def compiled_functions(code: CodeType) -> set[tuple[str, int]]:
    """Return name and first line of each function of compiled code, as Python itself has them."""
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    found = set(chain.from_iterable(map(compiled_functions, inner)))
    is_function = code.co_flags & inspect.CO_NEWLOCALS and code.co_flags & inspect.CO_OPTIMIZED
    if is_function and not code.co_name.startswith("<"):
        found.add((code.co_qualname, code.co_firstlineno))
    return found


def test_functions_are_those_that_python_compiles(ingested: str) -> None:
    build(select="+project_functions_v1")
    found = set(rows(FUNCTIONS))
    expected = {
        (path, *each)
        for path, text in FILES.items()
        if path.startswith("small/") and path != "small/odd.py"
        for each in compiled_functions(compile(text, path, "exec", dont_inherit=True))
    }
    assert found == expected
    assert len(found) == len(COUNTS) + 2
    counted = {name: tuple(counts) for name, *counts in rows(COUNTED)}
    twice = [tuple(counts) for name, *counts in rows(COUNTED) if name == "twice"]
    assert sorted(twice) == [(1, 0, 0), (1, 0, 0), COUNTS["twice"]]
    assert counted | {"twice": COUNTS["twice"]} == COUNTS
    texts = [node for node in ast.walk(ast.parse(PARTS)) if isinstance(node, ast.FunctionDef)]
    documented = {node.name: node.body[0] for node in texts if ast.get_docstring(node)}
    assert [(name.rpartition(".")[2], *lines) for name, *lines in rows(DOCUMENTED)] == [
        (name, documented[name].lineno, documented[name].end_lineno)
        for name in ("lambdas", "documented")
    ]


def test_functions_are_stored_where_an_older_ingest_left_none(ingested: str) -> None:
    n_functions = n_rows("project_function")
    ((folder,),) = rows(
        "select json_extract_string(settings, '$.projects[0]') from raw.run limit 1"
    )
    with writing() as con:
        con.execute("delete from raw.project_function")
    (report,) = ingest_projects([folder], limits=LIMITS, progress=False)
    assert (report.n_new, n_rows("project_function")) == (0, n_functions)
    n_runs = n_rows("run")
    ingest_projects([folder], limits=LIMITS, progress=False)
    assert (n_rows("run"), n_rows("project_function")) == (n_runs, n_functions)
