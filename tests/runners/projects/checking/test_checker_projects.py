"""Projects that a warm process cannot take as they are, or whose tests lean on each other."""

from pathlib import Path

import pytest

from ingest.projects.project import Project
from runners.projects.checker import Checker, CheckLimits, CheckResult
from runners.projects.warm import MODULE
from tests.runners.projects.conftest import Checkout
from warehouse.errors import BadInput

pytestmark = pytest.mark.long(seconds=30)

LIMITS = CheckLimits(cpu_s=2, wall_s=60, memory_mb=1024, processes=8, start_s=60)
PATH = "small/code.py"


def checked(
    project: Project, environment: Path, level: str, tests: tuple[str, ...], text: str
) -> CheckResult:
    lines = {2: tests[-1:]}
    with Checker(
        project, environment, level, usable=tests, touching={PATH: lines}, limits=LIMITS
    ) as made:
        return made.check(PATH, text)


def test_threads_send_a_project_to_the_other_tier(
    checkout: Checkout, with_pytest: Path, level: str
) -> None:
    source = "def f():\n    return 1\n"
    test = (
        "import threading, time\nfrom small.code import f\n"
        "threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()\n"
        "def test_a(): assert f() == 1\n"
    )
    project = checkout({PATH: source, "tests/test_a.py": test})
    found = checked(
        project, with_pytest, level, ("tests/test_a.py::test_a",), source.replace("1", "2")
    )
    assert (found.verdict, found.tier) == ("failed", MODULE)


def test_a_test_that_wants_company_does_not_decide_alone(
    checkout: Checkout, with_pytest: Path, level: str
) -> None:
    source = "def f():\n    return 1\n"
    test = (
        "from small import code\nSEEN = []\n"
        "def test_a(): SEEN.append(1)\n"
        "def test_b(): assert SEEN and code.f() == 1\n"
    )
    project = checkout({PATH: source, "tests/test_a.py": test})
    tests = ("tests/test_a.py::test_a", "tests/test_a.py::test_b")
    right = checked(project, with_pytest, level, tests, source.replace("1", "2 - 1"))
    assert (right.verdict, len(right.tests)) == ("passed", 2)
    wrong = checked(project, with_pytest, level, tests, source.replace("1", "2"))
    assert (wrong.verdict, len(wrong.tests)) == ("failed", 2)


def test_a_test_that_is_skipped_is_not_passed(
    checkout: Checkout, with_pytest: Path, level: str
) -> None:
    source = "def f():\n    return 1\n"
    test = "import pytest\nfrom small import code\ndef test_a(): code.f() == 2 and pytest.skip()\n"
    project = checkout({PATH: source, "tests/test_a.py": test})
    tests = ("tests/test_a.py::test_a",)
    found = checked(project, with_pytest, level, tests, source.replace("1", "2"))
    assert (found.verdict, found.tests[0].outcome) == ("failed", "skipped")


def test_a_level_without_a_private_tmp_is_refused(checkout: Checkout, with_pytest: Path) -> None:
    with pytest.raises(BadInput, match="namespaces"):
        checked(checkout({PATH: ""}), with_pytest, "none", ("tests/test_a.py::test_a",), "")
