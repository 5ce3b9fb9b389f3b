"""What a warm process could pass on to its children, or hide from them: options, clock, state."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from ingest.projects.curated import curated_projects
from ingest.projects.project import Project
from runners.projects.checker import Checker, CheckLimits, CheckResult
from runners.projects.warm import FUNCTION, MODULE
from tests.runners.projects.conftest import Checkout, Run
from warehouse.errors import AssayError

pytestmark = pytest.mark.long(seconds=60)

LIMITS = CheckLimits(cpu_s=5, wall_s=60, memory_mb=1024, processes=8, start_s=60)
PATH = "small/code.py"
SOURCE = "import os, random, time\nLIMIT = 1\ndef f():\n    return LIMIT\n"
TEST = "from small.code import f\ndef test_a(): assert f() == 1\ndef test_b(): assert f() == 1\n"
NAMES = ("tests/test_a.py::test_a", "tests/test_a.py::test_b")
PLACES = {FUNCTION: "    return LIMIT\n", MODULE: "LIMIT = 1\n"}
"""Where a candidate of each tier puts its own code."""


def changed(tier: str, code: str) -> str:
    """Return the source with a line of code put before one that is there."""
    place = PLACES[tier]
    indent = place[: len(place) - len(place.lstrip())]
    return SOURCE.replace(place, f"{indent}{code}\n{place}")


@contextmanager
def opened(
    checkout: Checkout,
    environment: Path,
    level: str,
    files: dict[str, str] | None = None,
    limits: CheckLimits = LIMITS,
) -> Iterator[Checker]:
    project = checkout({PATH: SOURCE, "tests/test_a.py": TEST, "data.txt": "data", **(files or {})})
    lines = {4: NAMES}
    with Checker(
        project, environment, level, usable=NAMES, touching={PATH: lines}, limits=limits
    ) as made:
        yield made


@pytest.fixture
def checker(checkout: Checkout, with_pytest: Path, level: str) -> Iterator[Checker]:
    with opened(checkout, with_pytest, level) as made:
        yield made


def judged(checker: Checker, tier: str, code: str) -> CheckResult:
    found = checker.check(PATH, changed(tier, code))
    assert found.tier == tier, found
    return found


def said(checker: Checker, tier: str, expression: str) -> str:
    """Return what a candidate says of itself before it fails."""
    found = judged(checker, tier, f"raise ValueError('<' + str({expression}) + '>')")
    assert found.verdict in ("failed", "error"), found
    (value,) = re.findall("<(.*?)>", str(found.reason))
    return str(value)


INI = "[pytest]\naddopts = -p no:randomly -x --strict-markers --cov=small\n"
MARKED = "import pytest\n" + TEST.replace("def test_a", "@pytest.mark.unknown\ndef test_a")


def test_options_in_the_files_of_a_project_are_left_out(
    checkout: Checkout, with_pytest: Path, level: str, run: Run
) -> None:
    """Plugins that they name may be missing; what a suite needs is on the curated list."""
    files = {"pytest.ini": INI, "tests/test_a.py": MARKED}
    cold = run(checkout({PATH: SOURCE, **files}))
    assert [test.outcome for test in cold.tests] == ["passed", "passed"]
    with opened(checkout, with_pytest, level, files) as checker:
        for tier in (FUNCTION, MODULE):
            right = judged(checker, tier, "pass")
            assert (right.verdict, len(right.tests)) == ("passed", 2)
            wrong = judged(checker, tier, "raise ValueError")
            assert wrong.verdict == ("failed" if tier == FUNCTION else "error")


CURATED = {
    "followed": (("-p", "no:randomly", "-x"), None),
    "no plugin": (("--cov=small",), "unrecognized arguments: --cov=small"),
    "no marker": (("--strict-markers",), "'unknown' not found in `markers` configuration option"),
}


@pytest.mark.parametrize("name", CURATED)
def test_options_of_the_curated_list_are_followed_or_refused(
    name: str, checkout: Checkout, with_pytest: Path, level: str, run: Run
) -> None:
    options, reason = CURATED[name]
    files = {PATH: SOURCE, "tests/test_a.py": MARKED}
    project = with_options(checkout(files), options)
    cold = run(project)
    lines = {PATH: {4: NAMES}}
    with Checker(
        project, with_pytest, level, usable=NAMES, touching=lines, limits=LIMITS
    ) as checker:
        if reason is None:
            assert cold.verdict == "passed"
            assert judged(checker, FUNCTION, "pass").verdict == "passed"
            assert judged(checker, MODULE, "pass").verdict == "passed"
        else:
            assert cold.verdict in ("not_started", "collection_failed"), cold
            assert reason in str(cold.reason), cold
            with pytest.raises(AssayError, match="cannot be loaded to be checked"):
                checker.canary([FUNCTION])


def with_options(project: Project, options: tuple[str, ...]) -> Project:
    """Return a project as if it were on the curated list with options of pytest."""
    entry = next(iter(curated_projects().values()))
    return replace(project, curated=replace(entry, pytest=options, quarantine={}))


HELD = "HELD = open(__file__)\n"
LOST = """
import gc
gc.disable()
class Held: pass
lost = Held()
lost.itself, lost.file = lost, open(__file__)
del lost
"""


@pytest.mark.parametrize("left", [HELD, LOST])
def test_a_file_that_the_parent_leaves_open_fails_no_candidate(
    left: str, checkout: Checkout, with_pytest: Path, level: str, run: Run
) -> None:
    files = {"pytest.ini": "[pytest]\nfilterwarnings = error\n", "tests/test_a.py": TEST + left}
    cold = run(checkout({PATH: SOURCE, **files}))
    assert [test.outcome for test in cold.tests] == ["passed", "passed"]
    with opened(checkout, with_pytest, level, files) as checker:
        for tier in (FUNCTION, MODULE):
            found = judged(checker, tier, "pass")
            assert (found.verdict, len(found.tests)) == ("passed", 2), found
            warned = judged(checker, tier, "import warnings; warnings.warn('own')")
            assert warned.verdict in ("failed", "error"), warned


def test_an_open_file_is_read_from_the_same_place_by_each_candidate(
    checkout: Checkout, with_pytest: Path, level: str
) -> None:
    source = SOURCE + "HELD = open(__file__)\n"
    reading = source.replace(PLACES[FUNCTION], "    assert HELD.readline()\n    return LIMIT\n")
    with opened(checkout, with_pytest, level, {PATH: source}) as checker:
        for _ in range(2):
            found = checker.check(PATH, reading)
            assert (found.tier, found.verdict) == (FUNCTION, "passed"), found


CONFTEST = "import small.code\n"


@pytest.mark.parametrize("status", [0, 77])
def test_an_exit_before_any_report_is_an_error(
    status: int, checkout: Checkout, with_pytest: Path, level: str
) -> None:
    """A process of ours ends with 77 where a function cannot be exchanged."""
    with opened(checkout, with_pytest, level, {"tests/conftest.py": CONFTEST}) as checker:
        found = judged(checker, MODULE, f"os._exit({status})")
        assert (found.verdict, found.tests) == ("error", ()), found
        assert f"exit status {status}, outside the tests" in str(found.reason)


@pytest.mark.parametrize("tier", PLACES)
def test_functions_that_a_candidate_replaces_are_not_those_of_the_process(
    tier: str, checker: Checker
) -> None:
    replaced = "os.getpid = os._exit = os.write = time.perf_counter = time.process_time = None"
    found = judged(checker, tier, replaced)
    assert (found.verdict, found.reason) == ("passed", None)


FORGES = """
import gc, socket
for each in gc.get_objects():
    if isinstance(each, socket.socket) and each.fileno() >= 0:
        each.send(b'{"why": "serving"}')
        each.send(b'{"why": "exited"}')
"""


def test_a_project_that_speaks_for_its_warm_process_is_a_fault_of_its_own(
    checkout: Checkout, with_pytest: Path, level: str
) -> None:
    with opened(checkout, with_pytest, level, {"tests/test_a.py": FORGES + TEST}) as checker:
        found = checker.canary([FUNCTION])
        assert (found.verdict, found.tests) == ("harness_fault", ()), found


def test_an_error_of_half_a_letter_can_be_stored(checker: Checker) -> None:
    found = judged(checker, FUNCTION, r"raise ValueError('\udc80')")
    assert [test.message for test in found.tests] == [r"ValueError: \udc80"]


def test_what_fills_the_disk_is_removed_before_files_are_made_again(
    checkout: Checkout, with_pytest: Path, level: str
) -> None:
    files = {"a/large.bin": "x" * 1_000_000, "z/small.txt": "x"}
    code = "import os; os.truncate('a/large.bin', 0)\n    f = open('z/full.bin', 'wb', 0)\n"
    code += "    while True: f.write(bytes(1 << 20))"
    with opened(checkout, with_pytest, level, files, replace(LIMITS, tmp_mb=16)) as checker:
        full = judged(checker, FUNCTION, code)
        assert (full.verdict, "No space left" in str(full.reason)) == ("failed", True), full
        process = checker._warm[FUNCTION]
        look = "import os; assert os.path.getsize('a/large.bin') == 1_000_000"
        assert judged(checker, FUNCTION, look).verdict == "passed"
        assert checker._warm[FUNCTION] is process


RENDERED = (
    "error = ValueError('seen'); "
    "error.__notes__ = [type('M', (), {'__str__': lambda self: os._exit(7)})()]; raise error"
)
"""Raises an error with a note that ends the process when it is shown."""


def test_an_error_is_reported_and_its_traceback_never_rendered(
    checkout: Checkout, with_pytest: Path, level: str, run: Run
) -> None:
    """A cold pytest renders it even with --tb=no."""
    source = changed(FUNCTION, RENDERED)
    cold = run(checkout({PATH: source, "tests/test_a.py": TEST}))
    assert cold.verdict == "ended", "the trap works"
    with opened(checkout, with_pytest, level) as checker:
        for tier, text in ((FUNCTION, source), (MODULE, source.replace("= 1", "= 2 - 1"))):
            found = checker.check(PATH, text)
            assert (found.tier, found.verdict) == (tier, "failed"), found
            assert "ValueError: seen" in str(found.reason)


@pytest.mark.parametrize("tier", [FUNCTION, MODULE])
def test_each_child_draws_the_same_random_numbers(tier: str, checker: Checker) -> None:
    draws = [said(checker, tier, "[random.random() for _ in range(3)]") for _ in range(3)]
    assert len(set(draws)) == 1
    assert len(set(draws[0].strip("[]").split(", "))) == 3
    system = {said(checker, tier, "os.urandom(8).hex()") for _ in range(2)}
    assert len(system) == 2


@pytest.mark.parametrize("tier", [FUNCTION, MODULE])
def test_the_clock_of_a_child_is_the_real_one(tier: str, checker: Checker) -> None:
    before = time.time()
    first, second = (float(said(checker, tier, "time.time()")) for _ in range(2))
    assert before < first < second < time.time()
    code = "b = time.time(), time.monotonic(); time.sleep(0.05); "
    code += "a = time.time(), time.monotonic(); assert min(a[0] - b[0], a[1] - b[1]) >= 0.05"
    assert judged(checker, tier, code).verdict == "passed"


STATE = {
    "folder": ("os.chdir('/')", "os.getcwd() == '/tmp/project'"),
    "module": ("os.LEFT = 1", "not hasattr(os, 'LEFT')"),
    "own module": ("globals()['LEFT'] = 1", "'LEFT' not in globals()"),
    "builtins": (
        "import builtins; builtins.LEFT = 1",
        "'LEFT' not in dir(__import__('builtins'))",
    ),
    "environment": ("os.environ['LEFT'] = '1'", "'LEFT' not in os.environ"),
    "search path": ("import sys; sys.path.append('left')", "'left' not in __import__('sys').path"),
    "new file": ("open('left.txt', 'w').close()", "not os.path.exists('left.txt')"),
    "file in /tmp": ("open('/tmp/left', 'w').close()", "not os.path.exists('/tmp/left')"),
    "file of data": ("open('data.txt', 'a').write('x')", "open('data.txt').read() == 'data'"),
    "umask": ("os.umask(0o77)", "os.umask(0o22) == 0o22"),
    "random": ("random.seed(5)", "random.random() != random.Random(5).random()"),
    "signal": (
        "import signal; signal.signal(10, lambda *_: None)",
        "__import__('signal').getsignal(10) == 0",
    ),
}


@pytest.mark.parametrize("tier", [FUNCTION, MODULE])
def test_what_one_candidate_leaves_the_next_does_not_see(tier: str, checker: Checker) -> None:
    for name, (change, fresh) in STATE.items():
        look = f"assert {fresh}, 'not fresh'"
        first = judged(checker, tier, look)
        assert first.verdict == "passed", (name, first)
        changing = judged(checker, tier, f"{change}; assert not ({fresh}), 'changed'")
        assert changing.verdict == "passed", (name, changing)
        after = judged(checker, tier, look)
        assert (after.verdict, len(after.tests)) == ("passed", 2), (name, after)
    process = checker._warm[tier]
    assert not process.is_closed
