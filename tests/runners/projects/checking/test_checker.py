"""Candidates for a small project: the verdict of each in both tiers, and what none can do."""

import os
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ingest.projects.project import Project, project_of
from models.words import WITH_NAMESPACES
from runners.judging.sandbox.walls.probe import try_level
from runners.projects import warm
from runners.projects.checker import Checker, CheckLimits
from runners.projects.inside.warm_process import _write
from runners.projects.warm import FUNCTION, MODULE
from warehouse.errors import BadInput

pytestmark = pytest.mark.long(seconds=120)

LIMITS = CheckLimits(cpu_s=2, wall_s=60, memory_mb=1024, processes=8, start_s=60)
PATH = "small/code.py"
SOURCE = """
import functools
import threading

LIMIT = 3


def plain(x):
    y = x + 1
    return y


def noisy(function):
    @functools.wraps(function)
    def wrapper(*given):
        return function(*given) * 10

    return wrapper


@noisy
def decorated(x):
    return x + 2


def counted(n):
    for i in range(n):
        yield i


def adder(n):
    def add(x):
        return x + n

    return add


def table():
    return [1, 2]


TABLE = table()


class Base:
    def __init__(self):
        self.__hidden = 5

    def value(self):
        return self.__hidden


class Derived(Base):
    SIZE = 7

    def value(self):
        found = super().value()
        return found + 1

    @property
    def double(self):
        return self.value() * 2
"""
TESTS = """
import os, random, sys, threading
from pathlib import Path
from small import code
from small.code import plain as alias, decorated

DRAWN = random.random()
PRINTED = sys.stdout

def test_plain(): assert alias(1) == 2
def test_decorated(): assert decorated(1) == 30
def test_counted(): assert list(code.counted(3)) == [0, 1, 2]
def test_adder(): assert code.adder(2)(3) == 5
def test_table(): assert code.TABLE == [1, 2]
def test_limit(): assert code.LIMIT == 3
def test_value(): assert code.Derived().value() == 6
def test_double(): assert code.Derived().double == 12
def test_size(): assert code.Derived.SIZE == 7

def test_writes(tmp_path):
    here = Path(code.__file__).parent
    assert sorted(each.name for each in here.iterdir()) == ["__init__.py", "code.py"]
    (here / "written.py").write_text("left = 1")
    assert not Path("/tmp/left").exists() and not os.listdir("/dev/shm")
    Path("/tmp/left").mkdir()
    Path("/dev/shm/left").write_text("x")
    Path("tests/data.txt").unlink()

def test_data():
    assert DRAWN != random.random()
    assert PRINTED is sys.stdout
    print("x" * 10)
    assert os.lseek(1, 0, os.SEEK_CUR) == 11
def test_goes_away():
    os.chdir("/")
    code.LIMIT = 99
"""
ORDER = [
    *("plain", "decorated", "counted", "adder", "table", "limit", "value", "double", "size"),
    *("writes", "data", "goes_away"),
]


def names(*tests: str) -> tuple[str, ...]:
    return tuple(f"tests/test_code.py::test_{each}" for each in tests)


USABLE = names(*ORDER)


def touching() -> dict[int, tuple[str, ...]]:
    """Which tests execute which lines, as coverage would say."""
    wanted = {
        "    y = x + 1": names("plain"),
        "    return y": names("plain"),
        "        return function(*given) * 10": names("decorated"),
        "    return wrapper": (),
        "    return x + 2": names("decorated"),
        "    for i in range(n):": names("counted"),
        "        yield i": names("counted"),
        "        return x + n": names("adder"),
        "    return add": names("adder"),
        "    return [1, 2]": (),
        "        found = super().value()": names("value", "double"),
        "        return found + 1": names("value", "double"),
        "        return self.__hidden": names("value", "double"),
        "        return self.value() * 2": names("double"),
        "LIMIT = 3": (),
        "    SIZE = 7": (),
    }
    lines = SOURCE.split("\n")
    assert all(lines.count(line) == 1 for line in wanted)
    return {lines.index(line) + 1: tests for line, tests in wanted.items()}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = tmp_path_factory.mktemp("checkout") / "small-project"
    files = {
        "small/__init__.py": "",
        PATH: SOURCE,
        "tests/test_code.py": TESTS,
        "tests/data.txt": "data",
    }
    for place, text in files.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text, encoding="utf-8")
    return project_of(str(folder))


@pytest.fixture(scope="module")
def checker(project: Project, with_pytest: Path, level: str) -> Iterator[Checker]:
    made = Checker(
        project, with_pytest, level, usable=USABLE, touching={PATH: touching()}, limits=LIMITS
    )
    with made:
        yield made
        found = made.canary()
        assert found.verdict == "passed", found


def changed(old: str, new: str) -> str:
    assert SOURCE.count(old) == 1
    return SOURCE.replace(old, new)


# old text, new text, tier, test that fails (None: all pass), how many tests ran
CANDIDATES = {
    "function": ("y = x + 1", "y = x + 3", FUNCTION, "plain", 1),
    "function_right": ("y = x + 1", "y = 1\n    y = y + x", FUNCTION, None, 12),
    "comment": ("y = x + 1", "y = x + 1  # so", FUNCTION, None, 12),
    "decorated": ("return x + 2", "return x + 1", FUNCTION, "decorated", 1),
    "decorator_ran": ("* 10", "* 11", MODULE, "decorated", 1),
    "generator": ("yield i", "yield i + 1", FUNCTION, "counted", 1),
    "generator_no_more": ("        yield i\n", "        return [i]\n", MODULE, "counted", 1),
    "closure": ("return x + n", "return x - n", FUNCTION, "adder", 1),
    "method": ("found + 1", "found + 2", FUNCTION, "value", 1),
    "private_name": ("return self.__hidden", "return self.__hidden + 1", FUNCTION, "value", 1),
    "no_more_super": ("super().value()", "5", MODULE, None, 12),
    "property": ("self.value() * 2", "self.value() * 3", FUNCTION, "double", 1),
    "ran_at_import": ("return [1, 2]", "return [1, 3]", MODULE, "table", 5),
    "constant": ("LIMIT = 3", "LIMIT = 4", MODULE, "limit", 6),
    "class_constant": ("SIZE = 7", "SIZE = 8", MODULE, "size", 9),
    "signature": ("def plain(x):", "def plain(x, z):", MODULE, "plain", 1),
    "docstring": ("    y = x + 1", '    "It."\n    y = x + 1', MODULE, None, 12),
    "two_functions": (
        "    return y\n\n\ndef noisy",
        "    return y + 1\n\n\ndef noisy ",
        *(MODULE, "plain", 1),
    ),
}


@pytest.mark.parametrize("name", CANDIDATES)
def test_each_candidate_is_checked_in_its_tier(name: str, checker: Checker) -> None:
    old, new, tier, fails, n_ran = CANDIDATES[name]
    found = checker.check(PATH, changed(old, new))
    assert found.tier == tier, found
    assert found.verdict == ("failed" if fails else "passed"), found
    assert len(found.tests) == n_ran, found
    assert found.n_expected == len(USABLE)
    if fails:
        assert (found.tests[-1].test, found.tests[-1].outcome) == (*names(fails), "failed")
    else:
        assert tuple(test.test for test in found.tests) == USABLE
    assert 0 < found.cpu_s < LIMITS.cpu_s


def test_a_candidate_never_has_the_time_of_the_original(tmp_path: Path) -> None:
    """Else bytecode of the original, of the same size and second, would be run in its place."""
    path = tmp_path / "code.py"
    path.write_text("x = 10\n")
    for ahead in (0, 1, 2, 3):
        second = int(time.time()) + ahead
        os.utime(path, (second, second))
        _write(str(path), b"x = 11\n")
        assert int(path.stat().st_mtime) != second


@pytest.mark.parametrize("tier", [FUNCTION, MODULE])
def test_each_fork_starts_from_the_same_state(tier: str, checker: Checker) -> None:
    for _ in range(3):
        found = checker.canary([tier])
        assert (found.verdict, len(found.tests), found.tier) == ("passed", 12, tier), found


IN_A_FUNCTION = "y = x + 1"
HOSTILE = {
    "exits": ("import os; os._exit(0)", "error", "exit status 0, in the test"),
    "system_exit": ("raise SystemExit(0)", "failed", "SystemExit"),
    "kills_itself": ("import os; os.kill(os.getpid(), 9)", "error", "signal 9"),
    "kills_its_parent": ("import os; os.kill(os.getppid(), 9)", "failed", "Permission|Operation"),
    "kills_all": ("import os; os.kill(-1, 9); y = 5", "failed", "test_plain|Permission"),
    "loops": ("while True: pass", "timeout", "2 CPU seconds, in the test"),
    "takes_memory": ("y = bytearray(1 << 31)", "out_of_memory", "MemoryError"),
    "many_processes": (
        "import os, time\n    for _ in range(50):\n        if os.fork() == 0: time.sleep(100)",
        *("failed", "BlockingIOError"),
    ),
    "garbage": ("import os; os.write(3, b'garbage\\n'); y = 2", "tampered", "line [0-9]+"),
    "floods": ("import os\n    while True: os.write(3, b'[1]\\n' * 9999)", "tampered", "bytes"),
    "nested": (
        "import os\n    for _ in range(3000):\n        os.mkdir('a'); os.chdir('a')\n    y = 5",
        *("failed", "test_plain"),
    ),
    "empties_the_tree": (
        "import os\n    open('tests/test_code.py', 'w').write('')\n"
        "    open('small/code.py', 'w').write('')\n    os.rename('tests', 'gone')\n    y = 5",
        *("failed", "test_plain"),
    ),
    "writes_by_mapping": (
        "import mmap\n    with open('small/code.py', 'r+b') as f:\n"
        "        m = mmap.mmap(f.fileno(), 0); m[0]; m[:4] = b'boom'\n    y = 5",
        *("failed", "test_plain"),
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_candidate_harms_nobody(
    name: str, checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "MAX_REPORT_BYTES", 1 << 20)
    text, verdict, reason = HOSTILE[name]
    found = checker.check(PATH, changed(IN_A_FUNCTION, text))
    assert (found.verdict, found.tier) == (verdict, FUNCTION), found
    assert found.reason is not None
    assert re.search(reason, found.reason), found.reason
    after = checker.check(PATH, changed(IN_A_FUNCTION, "y = 1 + x"))
    assert (after.verdict, after.tier, len(after.tests)) == ("passed", FUNCTION, 12), after


def test_a_candidate_that_sleeps_is_ended(
    checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checker, "_limits", replace(LIMITS, wall_s=3))
    found = checker.check(PATH, changed(IN_A_FUNCTION, "import time; time.sleep(1000)"))
    assert (found.verdict, found.tier) == ("timeout", FUNCTION), found
    assert "3 seconds, in the test" in str(found.reason)


FORGED = """open('left', 'w').close()  # so pytest alone judges it
    import _pytest.reports as r
    make = r.TestReport.from_item_and_call.__func__
    def forged(cls, item, call):
        report = make(cls, item, call)
        report.outcome, report.longrepr = "passed", None
        return report
    r.TestReport.from_item_and_call = classmethod(forged)
    y = 5"""


def test_a_forged_report_is_believed_and_the_next_is_unharmed(checker: Checker) -> None:
    assert checker.check(PATH, changed(IN_A_FUNCTION, FORGED)).verdict == "passed"
    after = checker.check(PATH, changed(IN_A_FUNCTION, "y = x + 3"))
    assert (after.verdict, after.tier, len(after.tests)) == ("failed", FUNCTION, 1), after


AT_IMPORT = {
    "syntax": ("LIMIT = = 3", "error", "SyntaxError"),
    "raises": ("LIMIT = 1 / 0", "error", "ZeroDivisionError"),
    "exits": ("LIMIT = 3; __import__('os')._exit(0)", "error", "exit status 0"),
    "loops": ("while True: pass", "timeout", "2 CPU seconds, outside the tests"),
    "forks": (
        "import os\nif os.fork() == 0: __import__('time').sleep(100)\nLIMIT = 4",
        *("failed", "test_limit"),
    ),
}


@pytest.mark.parametrize("name", AT_IMPORT)
def test_an_import_that_goes_wrong(name: str, checker: Checker) -> None:
    text, verdict, reason = AT_IMPORT[name]
    found = checker.check(PATH, changed("LIMIT = 3", text))
    assert (found.verdict, found.tier) == (verdict, MODULE), found
    assert reason in str(found.reason), found.reason
    after = checker.check(PATH, changed("LIMIT = 3", "LIMIT = 1 + 2"))
    assert (after.verdict, after.tier) == ("passed", MODULE), after


def test_a_lost_warm_process_is_started_again(checker: Checker) -> None:
    assert checker.check(PATH, SOURCE).verdict == "passed"
    process = checker._warm[MODULE]
    warm.signal.pidfd_send_signal(process._pidfd, warm.signal.SIGKILL)
    assert checker.check(PATH, changed("LIMIT = 3", "LIMIT = 5")).verdict == "failed"
    assert checker._warm[MODULE] is not process


def test_a_text_that_cannot_be_written_and_a_file_that_is_not_there(checker: Checker) -> None:
    assert checker.check(PATH, SOURCE + "# \ud800").verdict == "error"
    with pytest.raises(BadInput, match="is no source file"):
        checker.check("tests/test_code.py", "")


@pytest.mark.parametrize("level", WITH_NAMESPACES)
def test_no_candidate_reaches_its_warm_process_at_any_level(
    level: str, project: Project, with_pytest: Path
) -> None:
    if not try_level(level)["contains"]:
        pytest.skip(f"this machine does not offer {level}")
    lines = {PATH: touching()}
    with Checker(project, with_pytest, level, usable=USABLE, touching=lines, limits=LIMITS) as made:
        for signal in ("os.getppid(), 9", "1, 15", "-1, 9", "0, 9"):
            text = f"import os; os.kill({signal}); y = 5"
            found = made.check(PATH, changed(IN_A_FUNCTION, text))
            assert found.verdict in ("failed", "error"), found
            process = made._warm[FUNCTION]
            assert made.check(PATH, changed(IN_A_FUNCTION, "y = 1 + x")).verdict == "passed"
            assert made._warm[FUNCTION] is process
