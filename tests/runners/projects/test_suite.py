"""Suites of made-up projects: what each test is said to be, and what nothing of them can do."""

import hashlib
import os
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ingest.projects.curated import CuratedProject
from ingest.projects.project import Project
from models.words import WITH_NAMESPACES
from runners.judging.sandbox.walls.probe import try_level
from runners.projects import suite
from tests.runners.projects.conftest import LIMITS, Checkout, Run
from warehouse.errors import BadInput

pytestmark = pytest.mark.long(seconds=60)

EVERY_OUTCOME = """
import sys, unittest, warnings
import pytest
import small

def test_passes():
    assert small.ONE == 1

def test_fails():
    assert small.ONE == 2, "first line\\nsecond line"

@pytest.fixture
def broken():
    raise ValueError("in the fixture")

def test_errs(broken):
    pass

@pytest.fixture
def breaks_later():
    yield
    raise ValueError("after the test")

def test_errs_later(breaks_later):
    pass

@pytest.mark.skip(reason="no such thing here")
def test_skipped():
    raise SystemExit

@pytest.mark.xfail(reason="known to be wrong")
def test_xfailed():
    assert False

@pytest.mark.xfail(reason="was wrong")
def test_xpassed():
    pass

class TestSub(unittest.TestCase):
    def test_subtests(self):
        for number in range(3):
            with self.subTest(number=number):
                self.assertNotEqual(number, 1)

def test_looks_like_a_plain_interpreter(tmp_path):
    assert callable(exit) and sys.modules["__main__"].__name__ == "__main__"
    assert not {"runners", "models", "warehouse", "ingest"} & {*sys.modules}
    (tmp_path / "written").write_text("yes")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warnings.warn("shown")
    assert len(seen) == 1
"""

OUTCOMES = {
    "test_passes": ("passed", None),
    "test_fails": ("failed", "AssertionError: first line"),
    "test_errs": ("error", "ValueError: in the fixture"),
    "test_errs_later": ("error", "ValueError: after the test"),
    "test_skipped": ("skipped", "Skipped: no such thing here"),
    "test_xfailed": ("xfailed", "known to be wrong"),
    "test_xpassed": ("xpassed", "was wrong"),
    "TestSub::test_subtests": ("failed", "AssertionError: 1 == 1"),
    "test_looks_like_a_plain_interpreter": ("passed", None),
}


def test_every_outcome_is_known(checkout: Checkout, run: Run) -> None:
    found = run(checkout({"tests/test_all.py": EVERY_OUTCOME}))
    assert (found.verdict, found.reason) == (
        "failed",
        "4 of 9 tests: tests/test_all.py::test_fails",
    )
    told = {
        each.test.removeprefix("tests/test_all.py::"): (each.outcome, each.message)
        for each in found.tests
    }
    assert told == OUTCOMES
    assert all(each.cpu_s is not None and each.cpu_s < 5 for each in found.tests)
    assert found.cpu_s is not None
    assert 0 < found.cpu_s < LIMITS.cpu_s


def test_tests_that_are_set_aside_do_not_run(checkout: Checkout, run: Run) -> None:
    files = {"tests/test_all.py": "def test_a(): assert False\ndef test_b(): pass\n"}
    why = {"tests/test_all.py::test_a": "wants another world"}
    found = run(curated(checkout(files), quarantine=why))
    assert found.verdict == "passed"
    assert [(each.test[-6:], each.outcome, each.message) for each in found.tests] == [
        ("test_a", "set_aside", "wants another world"),
        ("test_b", "passed", None),
    ]


PARAMETERS = """
import pytest
@pytest.mark.parametrize("n", [1, 2])
def test_a(n): assert False
@pytest.mark.parametrize("n", [1, 2])
def test_ab(n): assert n == 2
"""


def test_a_test_is_set_aside_with_all_its_parameters_or_one_of_them(
    checkout: Checkout, run: Run
) -> None:
    place = "tests/test_all.py"
    why = {f"{place}::test_a": "never here", f"{place}::test_ab[1]": "not this one"}
    found = run(curated(checkout({place: PARAMETERS}), quarantine=why))
    assert found.verdict == "passed"
    assert [(each.test.partition("::")[2], each.message) for each in found.tests] == [
        ("test_a[1]", "never here"),
        ("test_a[2]", "never here"),
        ("test_ab[1]", "not this one"),
        ("test_ab[2]", None),
    ]


def curated(project: Project, **fields: object) -> Project:
    values = {"sources": project.sources, "tests": project.tests, **fields}
    entry = CuratedProject("small", "1", "0" * 64, "MIT", **values)  # type: ignore[arg-type]
    return replace(project, curated=entry)


ENDINGS = {
    "unittest_main": (
        {"tests/test_a.py": "import unittest\nunittest.main()\n"},
        ("collection_ended", "SystemExit: .*, while tests/test_a.py was collected"),
    ),
    "exit_at_collection": (
        {"tests/test_a.py": "import os\nos._exit(0)\n"},
        ("collection_ended", "exit status 0, while tests/test_a.py was collected"),
    ),
    "exit_in_a_test": (
        {"tests/test_a.py": "import os\ndef test_a(): pass\ndef test_b(): os._exit(0)\n"},
        ("ended", "exit status 0, in the test tests/test_a.py::test_b"),
    ),
    "killed": (
        {"tests/test_a.py": "import os\ndef test_a(): os.kill(os.getpid(), 9)\n"},
        ("ended", "signal 9, in the test tests/test_a.py::test_a"),
    ),
    "pytest_exit": (
        {"tests/test_a.py": "import pytest\ndef test_a(): pytest.exit('enough')\n"},
        ("ended", "Exit: enough"),
    ),
    "no_tests": ({"tests/test_a.py": "ONE = 1\n"}, ("no_tests", "no test")),
    "missing_import": (
        {"tests/test_a.py": "import nowhere_to_be_found\n"},
        ("import_failed", "tests/test_a.py: ModuleNotFoundError: .*nowhere_to_be_found"),
    ),
    "extension_in_c": (
        {"tests/test_a.py": "import small._fast\ndef test_a(): pass\n"},
        ("import_failed", "small._fast"),
    ),
    "conftest": (
        {"tests/conftest.py": "import nowhere\n", "tests/test_a.py": "def test_a(): pass\n"},
        ("import_failed", "ModuleNotFoundError: No module named 'nowhere'"),
    ),
    "conftest_of_two_lines": (
        {
            "tests/conftest.py": "raise RuntimeError('no\\nway')\n",
            "tests/test_a.py": "def test_a(): pass\n",
        },
        ("import_failed", "RuntimeError: no"),
    ),
    "syntax": ({"tests/test_a.py": "def test_a(:\n"}, ("collection_failed", "test_a.py")),
    "loop_at_collection": (
        {"tests/test_a.py": "while True: pass\n"},
        ("timeout", "more than 3 CPU seconds, while tests/test_a.py was collected"),
    ),
    "loop": (
        {"tests/test_a.py": "def test_a(): pass\ndef test_b():\n    while True: pass\n"},
        ("timeout", "more than 3 CPU seconds, in the test tests/test_a.py::test_b"),
    ),
    "sleep": (
        {"tests/test_a.py": "import time\ndef test_a(): time.sleep(1000)\n"},
        ("timeout", "more than 6 seconds, in the test tests/test_a.py::test_a"),
    ),
    "garbage": (
        {"tests/test_a.py": "import os\ndef test_a(): os.write(3, b'garbage\\n')\n"},
        ("tampered", "line [0-9]+ of its report"),
    ),
    "forged": (
        {
            "tests/test_a.py": "import os\ndef test_a(): "
            'os.write(3, b\'["end","tests/test_a.py::test_b","passed",null,0,0]\\n\')\n'
            "def test_b(): pass\n"
        },
        ("tampered", "line [0-9]+ of its report"),
    ),
    "name_of_a_package": (
        {"iniconfig/__init__.py": "", "tests/test_a.py": "def test_a(): pass\n"},
        ("collection_ended", "at its start"),
    ),
}


SHORT = {"loop": {"cpu_s": 3}, "loop_at_collection": {"cpu_s": 3}, "sleep": {"wall_s": 6}}


@pytest.mark.parametrize("name", ENDINGS)
def test_a_suite_that_cannot_run_says_why(name: str, checkout: Checkout, run: Run) -> None:
    files, (verdict, reason) = ENDINGS[name]
    found = run(checkout(files), limits=replace(LIMITS, **SHORT.get(name, {})))
    assert found.verdict == verdict, found
    assert found.reason is not None
    assert re.search(reason, found.reason), found.reason
    outcomes = [each.outcome for each in found.tests]
    if name in ("exit_in_a_test", "loop"):
        assert outcomes == ["passed", "not_run"]
    assert outcomes.count("passed") <= 1


def test_options_that_pytest_does_not_know(checkout: Checkout, run: Run) -> None:
    project = checkout({"tests/test_a.py": "def test_a(): pass\n"})
    found = run(curated(project, pytest=["--no-such-option"]))
    assert found.verdict == "not_started"
    assert "--no-such-option" in str(found.reason)


def test_a_package_of_our_names_is_the_projects_own(checkout: Checkout, run: Run) -> None:
    files = {
        "runners/__init__.py": "MINE = True\n",
        "tests/test_a.py": "import runners\ndef test_a(): assert runners.MINE\n",
    }
    assert run(checkout(files)).verdict == "passed"


ATTACKS = """
import glob, os, signal, socket, subprocess, sys
import pytest

def test_kills_its_parent():
    os.kill(os.getppid(), signal.SIGKILL)

def test_kills_all():
    os.kill(-1, signal.SIGKILL)

def test_wants_the_network():
    socket.create_connection(("127.0.0.1", 9), timeout=1)

def test_runs_a_program():
    subprocess.run(["/bin/true"], check=True)

def test_reads_the_checkout():
    assert os.path.exists({checkout!r})

def test_reads_the_host():
    files = {{*glob.glob("/etc/*"), *glob.glob("/home/*"), *glob.glob("/root/*")}}
    given = {{"/etc/hosts", "/etc/nsswitch.conf"}}
    assert files - given or "LAPTOP" not in open("/etc/hosts").read()

def test_writes_into_the_environment():
    open("/environment/pytest/evil.py", "w")

def test_is_root():
    assert os.access("/", os.W_OK)
"""


@pytest.mark.parametrize("level", WITH_NAMESPACES)
def test_nothing_outside_the_copy_is_reached(
    level: str, checkout: Checkout, with_pytest: Path
) -> None:
    if not try_level(level)["contains"]:
        pytest.skip(f"this machine does not offer {level}")
    place = str(checkout({}).folder)
    project = checkout({"tests/test_a.py": ATTACKS.format(checkout=place)})
    found = suite.run_suite(project, with_pytest, LIMITS, level, 1)
    outcomes = {each.test.partition("::")[2]: each.outcome for each in found.tests}
    # killing all is killing nobody: the first process is out of reach, and oneself is spared
    assert outcomes.pop("test_kills_all") in ("passed", "failed")
    assert set(outcomes.values()) == {"failed"}, outcomes
    assert len(outcomes) == 7
    assert found.verdict == "failed"


WRITES = """
from pathlib import Path
import small

def test_writes_into_the_source_tree():
    place = Path(small.__file__).parent / "written.py"
    assert not place.exists()
    place.write_text("left = 1")
    (Path.cwd() / "tests" / "data.txt").unlink()
    (Path.cwd() / "link").symlink_to("/")
"""


def test_what_tests_write_ends_with_them(checkout: Checkout, run: Run) -> None:
    project = checkout({"tests/test_a.py": WRITES, "tests/data.txt": "data"})
    before = contents(project.folder)
    assert [run(project, attempt=number).verdict for number in (1, 2)] == ["passed", "passed"]
    assert contents(project.folder) == before


def contents(folder: Path) -> dict[str, str]:
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in folder.rglob("*")
    }


def test_what_a_test_leaves_running_is_ended(checkout: Checkout, run: Run) -> None:
    text = (
        "import os, time\n"
        "def test_a():\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        time.sleep(1000)\n"
    )
    began = time.monotonic()
    assert run(checkout({"tests/test_a.py": text})).verdict == "passed"
    assert time.monotonic() - began < LIMITS.wall_s


def test_a_flood_of_reports_is_cut_off(
    checkout: Checkout, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suite, "MAX_REPORT_BYTES", 1 << 20)
    text = "import os\ndef test_a():\n    while True: os.write(3, b'[1]\\n' * 10_000)\n"
    found = run(checkout({"tests/test_a.py": text}))
    assert (found.verdict, found.tests) == ("tampered", ())


def test_a_project_too_large_is_refused(
    checkout: Checkout, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = checkout({"tests/test_a.py": "def test_a(): pass\n" + "#" * 1000})
    monkeypatch.setattr(suite, "MAX_PROJECT_BYTES", 1000)
    with pytest.raises(BadInput, match="more than 1,000 bytes"):
        run(project)


def test_strange_things_in_a_checkout_are_left_behind(checkout: Checkout, run: Run) -> None:
    text = "import os, small\ndef test_a():\n    assert sorted(os.listdir('.')) == {}\n"
    expected = ["dangling", "same", "small", "tests"]
    text += "    assert small.ONE == 1\n"
    project = checkout({"tests/test_a.py": text.format(expected), ".git/config": "secret"})
    os.mkfifo(project.folder / "pipe")
    (project.folder / "same").hardlink_to(project.folder / "small/__init__.py")
    (project.folder / "dangling").symlink_to("/nowhere")
    assert run(project).verdict == "passed"
