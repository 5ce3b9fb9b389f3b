"""Which test runs which line of a tiny project: known by hand, and by Python's own tracer."""

import re
import shutil
from pathlib import Path

import pytest

from runners.projects.ingest import ingest_projects
from runners.projects.suite import SuiteLimits
from tests.runners.projects.conftest import Checkout
from tests.support.sql import rows
from warehouse.facts.projects import covered_lines
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=30)

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
FILES = {"small/main.py": SMALL, "small/plain.py": PLAIN, "tests/test_a.py": TESTS}
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
    limits = SuiteLimits(cpu_s=30, wall_s=60)
    (first,) = ingest_projects([str(project.folder)], limits=limits, progress=False)
    (again,) = ingest_projects([str(project.folder)], limits=limits, progress=False)
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
