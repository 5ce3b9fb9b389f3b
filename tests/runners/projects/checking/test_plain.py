"""Plain tests are called without pytest: which ones, and that no verdict depends on it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.projects.project import project_of
from runners.projects.checker import Checker, CheckLimits
from runners.projects.warm import FUNCTION, Asked

pytestmark = pytest.mark.long(seconds=60)

LIMITS = CheckLimits(cpu_s=1, wall_s=60, memory_mb=1024, processes=8, start_s=60)
PATH = "small/code.py"
HEAD = (
    "import os, sys, threading, warnings, weakref\nSTATE = 0\nCALLS = 0\nLIVE = weakref.WeakSet()\n"
)
IMPORTS = (
    "import os, unittest, pytest\nfrom pathlib import Path\nfrom small import code\nSEEN = []\n"
)

PLAIN = {
    "value": "def test_value(): assert code.value() == 1",
    "method": "class TestIt:\n    def test_method(self): assert code.method() == 1",
    "given": "@pytest.mark.parametrize('n', [1, 2])\n"
    "def test_given(n): assert code.given() * n == n",
    "raises": "def test_raises():\n"
    "    with pytest.raises(ZeroDivisionError): 1 / (code.raises() - 1)",
    "source": "def test_source():\n    text = Path(code.__file__).read_text()\n"
    "    assert text.count('source():\\n    return 1\\n')",
    "named": "def test_named(): assert 'test_named (call)' in os.environ['PYTEST_CURRENT_TEST']\n"
    "def test_named_too(): assert code.named() == 1",
    "printed": "def test_printed():\n    print('x' * code.printed(), flush=True)\n"
    "    assert os.lseek(1, 0, os.SEEK_CUR) == 2",
    "returned": "def test_returned(): return code.returned() - 1 or None",
    "marked": "@pytest.mark.unknown\ndef test_marked(): assert code.marked() == 1",
    "case": "class TestCase(unittest.TestCase):\n    def test_case(self): assert code.case() == 1",
    "set_up": "class TestSetUp(unittest.TestCase):\n"
    "    def setUp(self): self.value = code.set_up()\n"
    "    def tearDown(self): assert self.value < 3\n"
    "    def test_set_up(self): self.assertEqual(self.value % 2, 1)",
    "part": "class TestPart(unittest.TestCase):\n    def test_part(self):\n"
    "        self.addCleanup(code.part)\n        for n in range(2):\n"
    "            with self.subTest(n=n): assert code.part() * n == n",
    "released": "class TestReleased(unittest.TestCase):\n"
    "    def test_a(self): code.LIVE.add(self); assert code.released()\n"
    "    def test_b(self): assert code.released() == 1",
    "second": "def test_first(): SEEN.append(1)\ndef test_second(): assert SEEN and code.second()",
}
"""Tests that are called directly, by the function that they call."""
LEFT = {
    "fixture": "@pytest.fixture\ndef two(): return 2\n"
    "def test_fixture(two): assert code.fixture() * two == 2",
    "patched": "def test_patched(monkeypatch):\n    monkeypatch.setattr(code, 'STATE', 5)\n"
    "    assert code.patched() == 1 and code.STATE == 5",
    "indirect": "@pytest.fixture\ndef three(request): return request.param\n"
    "@pytest.mark.parametrize('three', [3], indirect=True)\n"
    "def test_indirect(three): assert code.indirect() == three - 2",
    "skipif": "@pytest.mark.skipif('False')\ndef test_skipif(): assert code.skipif() == 1",
    "class_ready": "class TestClass(unittest.TestCase):\n    @classmethod\n"
    "    def setUpClass(cls): code.STATE = 9\n"
    "    @classmethod\n    def tearDownClass(cls): code.STATE = 0\n"
    "    def test_class(self): assert code.class_ready() == 1 and code.STATE == 9",
    "expected": "class TestExpected(unittest.TestCase):\n    @unittest.expectedFailure\n"
    "    def test_expected(self): assert code.expected() == 2",
    "awaited": "class TestAwaited(unittest.IsolatedAsyncioTestCase):\n"
    "    async def test_awaited(self): assert code.awaited() == 1",
    "cleaned": "class TestCleaned(unittest.TestCase):\n"
    "    def setUp(self): code.STATE = 8; self.addClassCleanup(setattr, code, 'STATE', 0)\n"
    "    def test_a(self): assert code.cleaned()\n"
    "class TestUncleaned(unittest.TestCase):\n"
    "    def test_b(self): assert code.cleaned() == 1",
    "made_ready": "class TestReady:\n    def setup_method(self): code.STATE = 7\n"
    "    def teardown_method(self): code.STATE = 0\n"
    "    def test_made_ready(self): assert code.made_ready() == 1 and code.STATE == 7",
}
"""Tests that pytest runs alone."""
OTHER_FILES = {
    "pytest.ini": "[pytest]\nfilterwarnings =\n    error\n"
    "    ignore::pytest.PytestUnknownMarkWarning\n"
    "    ignore::pytest.PytestReturnNotNoneWarning\n",
    "tests/auto/conftest.py": "import pytest\nfrom small import code\n"
    "@pytest.fixture(autouse=True)\ndef ready():\n"
    "    code.STATE = 1\n    yield\n    code.STATE = 0\n",
    "tests/auto/test_auto.py": IMPORTS + "def test_auto(): assert code.auto() == 1 == code.STATE\n",
    "tests/hooked/conftest.py": "def pytest_runtest_call(item): item.module.SEEN.append(1)\n",
    "tests/hooked/test_hooked.py": IMPORTS
    + "def test_hooked(): assert SEEN and code.hooked() == 1",
    "tests/wrapped/conftest.py": "import functools\nfrom small import code\n"
    "def pytest_itemcollected(item):\n    runs = item.runtest\n    @functools.wraps(runs)\n"
    "    def run(): code.STATE = 2; runs(); code.STATE = 0\n    item.runtest = run\n",
    "tests/wrapped/test_wrapped.py": IMPORTS + "def test_wrapped(): assert code.wrapped() == 1",
    "tests/told/conftest.py": "from small import code\ndef pytest_report_teststatus(report):\n"
    "    if report.when == 'teardown': code.STATE = 4 * report.nodeid.endswith('test_told')\n",
    "tests/told/test_told.py": IMPORTS
    + "def test_told(): assert code.told()\ndef test_told_too(): assert code.told() == 1",
    "tests/package/__init__.py": "def setup_module():\n"
    "    from small import code\n    code.STATE = 3\n"
    "def teardown_module():\n    from small import code\n    code.STATE = 0\n",
    "tests/package/test_package.py": IMPORTS
    + "def test_package(): assert code.package() == 1 and code.STATE == 3\n",
}
XFAILS = "\n@pytest.mark.xfail\ndef test_xfails(): assert code.value() == 1\n"
IN_FOLDERS = ("auto", "hooked", "package", "told", "wrapped")
NAMES = [*PLAIN, *LEFT, *IN_FOLDERS]
SOURCE = HEAD + "".join(f"\n\ndef {name}():\n    return 1\n" for name in NAMES)


def ids_of(name: str) -> tuple[str, ...]:
    """Return the ids of the tests that call a function."""
    special = {
        "method": ("TestIt::test_method",),
        "given": ("test_given[1]", "test_given[2]"),
        "indirect": ("test_indirect[3]",),
        "named": ("test_named", "test_named_too"),
        "case": ("TestCase::test_case",),
        "set_up": ("TestSetUp::test_set_up",),
        "part": ("TestPart::test_part",),
        "class_ready": ("TestClass::test_class",),
        "expected": ("TestExpected::test_expected",),
        "awaited": ("TestAwaited::test_awaited",),
        "made_ready": ("TestReady::test_made_ready",),
        "released": ("TestReleased::test_a", "TestReleased::test_b"),
        "cleaned": ("TestCleaned::test_a", "TestUncleaned::test_b"),
        "told": ("test_told", "test_told_too"),
    }
    file = f"{name}/test_{name}" if name in IN_FOLDERS else "test_all"
    return tuple(f"tests/{file}.py::{each}" for each in special.get(name, (f"test_{name}",)))


@pytest.fixture(scope="module")
def checker(
    tmp_path_factory: pytest.TempPathFactory, with_pytest: Path, level: str
) -> Iterator[Checker]:
    folder = tmp_path_factory.mktemp("checkout") / "small-project"
    texts = "\n".join([*PLAIN.values(), *LEFT.values()])
    files = {
        "small/__init__.py": "",
        PATH: SOURCE,
        "tests/test_all.py": f"{IMPORTS}{texts}{XFAILS}",
        **OTHER_FILES,
    }
    for place, text in files.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text, encoding="utf-8")
    lines = SOURCE.split("\n")
    touching = {lines.index(f"def {name}():") + 2: ids_of(name) for name in NAMES}
    first = "tests/test_all.py::test_first"
    expected = ids_of("expected")[0]  # to fail
    inside = [test for name in [*PLAIN, *LEFT] for test in ids_of(name) if test != expected]
    inside.insert(inside.index("tests/test_all.py::test_second"), first)
    usable = [test for name in IN_FOLDERS for test in ids_of(name)] + inside
    with Checker(
        project_of(str(folder)),
        with_pytest,
        level,
        usable=usable,
        touching={PATH: touching},
        limits=LIMITS,
    ) as made:
        yield made


def changed(name: str, code: str) -> str:
    """Return the source with another body of one function."""
    before = f"def {name}():\n    return 1\n"
    assert SOURCE.count(before) == 1
    return SOURCE.replace(before, f"def {name}():\n    {code}\n")


def test_the_project_passes_as_it_is(checker: Checker) -> None:
    found = checker.canary([FUNCTION])
    assert found.verdict == "passed", found


def test_plain_tests_are_known(checker: Checker) -> None:
    usable = {*checker._usable, "tests/test_all.py::test_xfails", *ids_of("expected")}
    usable -= set(ids_of("cleaned"))  # what it asks for is known when it runs
    assert checker._can(FUNCTION)
    found = checker._run(FUNCTION, Asked(sorted(usable), plainly=True), expected=())
    assert found is not None
    assert found.verdict == "passed"
    called = {test for name in PLAIN for test in ids_of(name)}
    assert {test.test for test in found.tests} == called | {"tests/test_all.py::test_first"}


# function, its new body, verdict, outcome of the test that decides
CANDIDATES = {
    "wrong": ("value", "return 2", "failed", "failed"),
    "right": ("value", "return 3 - 2", "passed", None),
    "wrong_method": ("method", "return 2", "failed", "failed"),
    "wrong_for_given": ("given", "return 2", "failed", "failed"),
    "does_not_raise": ("raises", "return 5", "failed", "failed"),
    "another_source": ("source", "return 1 + 0", "failed", "failed"),
    "wrong_print": ("printed", "return 3", "failed", "failed"),
    "returns_more": ("returned", "return 2", "passed", None),
    "warns": ("value", "warnings.warn('no'); return 1", "failed", "failed"),
    "system_exit": ("value", "raise SystemExit(0)", "failed", "failed"),
    "skips": ("value", "__import__('pytest').skip('no')", "failed", "skipped"),
    "skips_as_unittest": ("value", "raise __import__('unittest').SkipTest", "failed", "skipped"),
    "xfails": ("value", "__import__('pytest').xfail('no')", "failed", "xfailed"),
    "interrupts": ("value", "raise KeyboardInterrupt", "error", None),
    "ends_pytest": ("value", "__import__('pytest').exit('no')", "error", None),
    "ends_its_process": ("value", "os._exit(0)", "error", None),
    "ends_as_we_do": ("value", "os._exit(78)", "error", None),
    "loops": ("value", "while True: pass", "timeout", None),
    "fills_memory": ("value", "return bytearray(1 << 31)", "out_of_memory", "failed"),
    "too_deep": ("value", "return value()", "failed", "failed"),
    "writes": ("value", "open('left', 'w').close(); return 1", "passed", None),
    "finds_no_file": ("value", "return 1 + os.path.exists('left')", "passed", None),
    "writes_and_is_wrong": ("value", "open('left', 'w').close(); return 2", "failed", "failed"),
    "sets_a_flag_of_shared_files": (
        *("value", "__import__('fcntl').fcntl(1, 4, os.O_RDWR | os.O_APPEND); return 1"),
        *("passed", None),
    ),
    "finds_no_flag": (
        *("value", "return 1 + bool(__import__('fcntl').fcntl(1, 3) & os.O_APPEND)"),
        *("passed", None),
    ),
    "wrong_print_and_more": ("printed", "return print('x' * 9) or 2", "failed", "failed"),
    "right_print": ("printed", "return 2 - 1", "passed", None),
    "makes_a_folder": ("value", "os.mkdir('left'); return 1", "passed", None),
    "starts_a_thread": (
        *("value", "t = threading.Thread(target=int); t.start(); t.join(); return 1"),
        *("passed", None),
    ),
    "counts_calls": ("value", "global CALLS; CALLS += 1; return CALLS", "passed", None),
    "with_fixture": ("fixture", "return 2", "failed", "failed"),
    "with_case": ("case", "return 2", "failed", "failed"),
    "case_skips": ("case", "raise __import__('unittest').SkipTest", "failed", "skipped"),
    "case_ends_pytest": ("case", "__import__('pytest').exit('no')", "error", None),
    "case_interrupts": ("case", "raise KeyboardInterrupt", "error", None),
    "wrong_in_set_up": ("set_up", "raise ValueError", "failed", "failed"),
    "wrong_in_tear_down": ("set_up", "return 3", "failed", "failed"),
    "wrong_in_test": ("set_up", "return 2", "failed", "failed"),
    "right_in_test": ("set_up", "return 2 - 1", "passed", None),
    "wrong_part": ("part", "return 2", "failed", "failed"),
    "wrong_cleanup": (
        "part",
        "global CALLS; CALLS += 1; assert CALLS < 3; return 1",
        "failed",
        "failed",
    ),
    "part_skips": ("part", "raise __import__('unittest').SkipTest", "failed", "skipped"),
    "right_part": ("part", "return 2 - 1", "passed", None),
    "with_set_up_class": ("class_ready", "return 2", "failed", "failed"),
    "under_fixture_alone": ("auto", "return 1 + STATE", "failed", "failed"),
    "without_fixture_alone": ("auto", "return 2 - STATE", "passed", None),
    "under_patch_alone": ("patched", "return 1 + STATE", "failed", "failed"),
    "hooked": ("hooked", "return 2", "failed", "failed"),
    "after_a_cleanup_of_a_class": ("cleaned", "return 1 + STATE", "passed", None),
    "after_a_test_is_released": ("released", "return 1 + len(LIVE)", "passed", None),
    "under_another_runtest": ("wrapped", "return 1 + (STATE != 2)", "passed", None),
    "after_a_hook_of_reports": ("told", "return 1 + (STATE != 4)", "passed", None),
    "package": ("package", "return STATE - 2", "passed", None),
    "wants_company": ("second", "return 2", "passed", None),
    "wants_company_and_is_wrong": ("second", "return 0", "failed", "failed"),
}


@pytest.mark.parametrize("name", CANDIDATES)
def test_verdicts_are_those_of_pytest(
    name: str, checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    function, body, verdict, outcome = CANDIDATES[name]
    found = checker.check(PATH, changed(function, body))
    assert (found.verdict, found.tier) == (verdict, FUNCTION), found
    if outcome:
        assert found.tests[-1].outcome == outcome
    monkeypatch.setattr(Checker, "_pass_plainly", lambda self, tests: False)
    alone = checker.check(PATH, changed(function, body))
    assert (alone.verdict, alone.why_ended) == (found.verdict, found.why_ended), alone
    assert [(each.test, each.outcome) for each in alone.tests] == [
        (each.test, each.outcome) for each in found.tests
    ]


def test_the_quickest_come_first_and_slow_ones_not_at_all(
    checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    tests = (*ids_of("given"), *ids_of("value"), *ids_of("method"))
    costs = dict(zip(tests, (0.02, 0.01, 0.001, 1.0), strict=True))
    monkeypatch.setattr(checker, "_costs", costs)
    quick = checker._quick_first(tests)
    assert quick == (tests[2], tests[1], tests[0])
    found = checker._run(FUNCTION, Asked(quick, plainly=True), expected=())
    assert found is not None
    assert [test.test for test in found.tests] == list(quick)


def test_a_candidate_that_assigns_globals_meets_pytest(
    checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first call is wrong, and only the test that comes first forgives it."""
    first, second = ids_of("released")
    monkeypatch.setattr(checker, "_costs", {first: 0.02, second: 0.01})
    monkeypatch.setattr(checker, "_quick", {})
    body = "global CALLS; CALLS += 1; return 1 + (CALLS == 1)"
    found = checker.check(PATH, changed("released", body))
    assert (found.verdict, found.tier) == ("passed", FUNCTION), found


def test_most_of_these_were_called_directly(checker: Checker) -> None:
    """Where the original fails alone, or has no plain test, pytest runs all."""
    directly = {tests for tests, passed in checker._plainly.items() if passed}
    expected = {ids_of(function) for function, *_ in CANDIDATES.values() if function in PLAIN}
    assert directly == expected - {ids_of("second")}
