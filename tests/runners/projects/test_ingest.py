"""Projects become rows: release, environment, two attempts, and which tests can be used."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from runners.cli.main import cli
from runners.judging.sandbox.walls import probe
from runners.projects import ingest
from runners.projects.ingest import ingest_projects
from runners.projects.suite import SuiteLimits, SuiteResult
from tests.runners.projects.conftest import Checkout
from tests.support.sql import n_rows, rows
from warehouse.errors import IsolationRefused

pytestmark = pytest.mark.long(seconds=40)

LIMITS = SuiteLimits(cpu_s=30, wall_s=60)
MIXED = """
import os
import pytest

def test_good():
    pass

def test_bad():
    assert False, "always"

def test_flaky():
    assert os.environ["PYTHONHASHSEED"] == "0", "the second time"

@pytest.mark.skip(reason="not here")
def test_skipped():
    pass
"""


@pytest.fixture
def prepared(home: Path, made_home: Path, offline: None, level: str) -> Path:
    """A home that has the environment of pytest, and a pip that reaches no index."""
    shutil.copytree(made_home / "cache", home / "cache")
    return home


def test_the_command_says_what_became_of_each_project(prepared: Path, checkout: Checkout) -> None:
    project = checkout({"tests/test_a.py": "def test_good():\n    pass\n"})
    broken = prepared.parent / "broken-1.0.tar.gz"
    broken.write_bytes(b"no archive")
    asked = ["ingest", "project", "--no-progress", str(project.folder), str(broken)]
    done = CliRunner().invoke(cli, asked)
    first, second, *_ = done.output.splitlines()
    assert "verdicts (1 passed, 2 passed), new 2, tests 1, usable 1" in first
    assert second.startswith(f"ingest project {broken}: error ")
    assert CliRunner().invoke(cli, asked, standalone_mode=False).return_value == 1
    (found, _) = json.loads(CliRunner().invoke(cli, [*asked, "--json"]).output)
    assert (found["n_new"], found["n_usable"]) == (0, 1)
    unknown = CliRunner().invoke(cli, [*asked, "no-such-project"])
    assert "no curated project, archive or checkout 'no-such" in str(unknown.exception)
    nothing = CliRunner().invoke(cli, ["ingest", "project"])
    assert nothing.exit_code == 2
    assert "name projects, or give --all" in nothing.output


def test_two_attempts_tell_which_tests_can_be_used(prepared: Path, checkout: Checkout) -> None:
    project = checkout({"tests/test_a.py": MIXED, "PKG-INFO": "Name: small\nVersion: 1.5\n"})
    wanted = str(project.folder)
    (report,) = ingest_projects([wanted], limits=LIMITS, progress=False)
    assert (report.project, report.version, report.error) == ("small", "1.5", None)
    assert report.verdicts == {1: "failed", 2: "failed"}
    assert (report.n_tests, report.n_usable) == (4, 1)
    assert report.quarantined == {"failed": 1, "flaky": 1, "skipped": 1}
    found = rows("select test, quarantine_reason, message, n_passed from facts.suite_test_compared")
    assert sorted(found) == [
        ("tests/test_a.py::test_bad", "failed", "AssertionError: always", 0),
        ("tests/test_a.py::test_flaky", "flaky", "AssertionError: the second time", 1),
        ("tests/test_a.py::test_good", None, None, 2),
        ("tests/test_a.py::test_skipped", "skipped", "Skipped: not here", 0),
    ]
    ((source, curated, lock, n_packages),) = rows(
        "select source, is_curated, lock, n_packages from raw.project_release, "
        "raw.project_environment"
    )
    assert (source, curated) == ("checkout", False)
    assert n_packages == len(lock.splitlines()) - 1 >= 5
    counts = [n_rows(table) for table in ("suite_run", "suite_test", "run")]
    (again,) = ingest_projects([wanted], limits=LIMITS, progress=False)
    assert (again.n_new, again.verdicts, again.n_usable) == (0, report.verdicts, 1)
    assert [n_rows(table) for table in ("suite_run", "suite_test", "run")] == counts


def test_the_night_goes_on_after_each_bad_project(
    prepared: Path, checkout: Checkout, tmp_path: Path
) -> None:
    broken = tmp_path / "broken-1.0.tar.gz"
    broken.write_bytes(b"no archive")
    needs = "Name: needy\nVersion: 1\nRequires-Dist: nowhere-to-be-found\n"
    places = [
        str(broken),
        "no-such-project",
        str(
            checkout({"PKG-INFO": needs, "tests/test_a.py": "def test_a(): pass\n"}, "needy").folder
        ),
        str(checkout({}, "untested").folder),
        str(checkout({"tests/test_a.py": "import os\nos._exit(0)\n"}, "ending").folder),
        str(checkout({"tests/test_a.py": "def test_a(): pass\n"}, "green").folder),
    ]
    found = ingest_projects(places, limits=LIMITS, progress=False)
    assert "broken-1.0.tar.gz" in str(found[0].error)
    assert "no curated project" in str(found[1].error)
    assert [each.verdicts for each in found] == [
        *({}, {}, {1: "not_prepared"}, {1: "no_tests"}),
        *({1: "collection_ended", 2: "collection_ended"}, {1: "passed", 2: "passed"}),
    ]
    assert "pip finds no wheels" in str(found[2].reason)
    assert found[5].n_usable == 1
    again = ingest_projects(places, limits=LIMITS, progress=False)
    assert [each.n_new for each in again] == [0] * 6
    ((summary,),) = rows("select summary from raw.run_finish")
    assert {*json.loads(summary)["errors"]} == {*places[:2]}


def test_an_attempt_whose_harness_broke_is_made_again(
    prepared: Path, checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(checkout({"tests/test_a.py": "def test_a(): pass\n"}).folder)
    lost = SuiteResult("harness_fault", "lost", "ns+seccomp")
    with monkeypatch.context() as patch:
        patch.setattr(ingest, "run_suite", lambda *_: lost)
        (report,) = ingest_projects([folder], progress=False)
    assert report.verdicts == {1: "harness_fault", 2: "harness_fault"}
    (report,) = ingest_projects([folder], limits=ingest.LIMITS, progress=False)
    assert report.verdicts == {1: "harness_fault", 2: "harness_fault", 3: "passed", 4: "passed"}
    assert report.n_usable == 1
    ((counted,),) = rows("select count(*) from facts.suite_run_counted")
    assert counted == 2


def test_without_namespaces_no_suite_runs(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = {"works": False, "contains": False, "reason": "not here", "effects": {}}
    monkeypatch.setattr(probe, "try_level", lambda _: nothing)
    monkeypatch.setattr(ingest, "namespace_level", probe.namespace_level.__wrapped__)
    with pytest.raises(IsolationRefused, match="suites and packages need namespaces"):
        ingest_projects(["toolz"], progress=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "n_usable"), [("toolz", 192), ("xmltodict", 119), ("tinydb", 219)]
)
def test_suites_of_real_projects(home: Path, level: str, name: str, n_usable: int) -> None:
    (report,) = ingest_projects([name], progress=False)
    if report.error or report.verdicts.get(1) == "not_prepared":
        pytest.skip(f"{name} cannot be fetched here: {report.error or report.reason}")
    assert report.verdicts == {1: "passed", 2: "passed"}
    assert report.n_usable == n_usable
