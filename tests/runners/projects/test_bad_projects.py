"""What a user reads of projects that do not fit: one line each, and nothing else is touched."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from ingest.projects import project
from ingest.projects.curated import curated_projects
from runners.cli.main import cli
from runners.projects import ingest
from runners.projects.suite import SuiteLimits
from runners.steps.night_config import read_config
from runners.steps.nightly import run_steps
from tests.runners.projects.bad_projects import (
    ARCHIVES,
    CHECKOUTS,
    write_archives,
    write_checkouts,
)
from tests.runners.projects.conftest import only_these
from tests.support.servers.index import FILE, package_index
from tests.support.sql import rows

pytestmark = pytest.mark.long(seconds=150)

LIMITS = SuiteLimits(cpu_s=3, wall_s=30)
REFUSED = "tests/test_a.py::test_asks_a_server"
MOVED = {
    "small-things": "the archive was replaced, so it is not fetched",
    "Small.Things==1.0": "is not the release Small.Things 1.0: its checksum is another",
}
"""A curated project whose checksum the index does not list; one whose file is not what it lists."""


@dataclass
class Told:
    """What one command said of every bad project and of the good one behind them, by name."""

    folder: Path
    places: dict[str, str]
    before: dict[str, str]
    code: int
    lines: dict[str, str]


def contents(folder: Path) -> dict[str, str]:
    """Return a checksum of each file below a folder, without those in the home."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        if path.is_file() and not path.is_symlink()
        else "no file"
        for path in folder.rglob("*")
        if folder / "home" not in (path, *path.parents)
    }


@pytest.fixture(scope="module")
def told(
    level: str, made_home: Path, wheels: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Told]:
    folder = tmp_path_factory.mktemp("bad")
    places = write_checkouts(folder / "checkouts")
    (folder / "archives").mkdir()
    places |= write_archives(folder / "archives")
    named = {name: str(place) for name, place in places.items()} | {name: name for name in MOVED}
    named["good"] = str(shutil.copytree(places["failing"], folder / "checkouts" / "good"))
    (folder / "checkouts/good/tests/test_a.py").write_text("def test_good():\n    pass\n")
    shutil.copytree(made_home / "cache", folder / "home" / "cache")
    before = contents(folder)
    known = curated_projects()
    pinned = replace(known["toolz"], name="small-things", version="1.0", sha256="0" * 64)
    with package_index() as index, pytest.MonkeyPatch.context() as patch:
        index.files[FILE] += b"more"
        only_these(patch, wheels)
        patch.setenv("PIP_INDEX_URL", index.url)
        patch.setenv("ASSAY_HOME", str(folder / "home"))
        patch.setattr(project, "curated_projects", lambda: known | {pinned.name: pinned})
        patch.setitem(ingest.ingest_projects.__kwdefaults__, "limits", LIMITS)
        asked = ["ingest", "project", "--no-progress", *named.values()]
        done = CliRunner().invoke(cli, asked, standalone_mode=False)
        assert done.exception is None, done.output
        *lines, hint = done.output.splitlines()
        assert hint == "next: assay build"
        said = dict(zip(named, lines, strict=True))
        yield Told(folder, named, before, done.return_value, said)


@pytest.mark.parametrize("name", CHECKOUTS)
def test_a_project_that_cannot_judge_is_a_row_with_its_reason(told: Told, name: str) -> None:
    expected, line = CHECKOUTS[name], told.lines[name]
    assert f"verdicts (1 {expected.verdict}" in line
    assert expected.says in line
    assert f", usable {expected.usable}" in line
    ((verdict, reason),) = rows(
        "select verdict, reason from raw.suite_run as ran "
        "inner join raw.project_release using (project_release_id) "
        "where project = ? and attempt = 1",
        name,
    )
    assert verdict == expected.verdict
    assert reason is None or reason in line


@pytest.mark.parametrize("name", [*ARCHIVES, *MOVED])
def test_an_archive_that_is_not_unpacked_is_one_line(told: Told, name: str) -> None:
    line = told.lines[name]
    assert line.startswith(f"ingest project {told.places[name]}: error ")
    assert (ARCHIVES | MOVED)[name] in line
    assert not {"Traceback", "secret"} & set(line.split())


def test_the_project_behind_them_is_ingested_and_the_command_says_that_some_failed(
    told: Told,
) -> None:
    assert "verdicts (1 passed, 2 passed), new 2, tests 1, usable 1" in told.lines["good"]
    assert told.code == 1


def test_nothing_outside_the_projects_own_copies_is_touched(told: Told) -> None:
    assert contents(told.folder) == told.before
    assert not Path("/tmp/escaped.py").exists()
    cache = told.folder / "home" / "cache" / "projects"
    assert not [path for path in cache.rglob("*") if path.name.startswith((".", "escaped"))]


def test_tests_that_want_the_network_say_what_they_met(told: Told) -> None:
    found = rows(
        "select test, quarantine_reason, message from facts.suite_test_compared "
        "inner join raw.project_release using (project_release_id) where project = 'network'"
    )
    assert {test.partition("::")[2]: reason for test, reason, _ in found} == {
        "test_good": None,
        "test_asks_a_server": "failed",
        "test_looks_up_a_name": "failed",
    }
    assert all(message for _, reason, message in found if reason), found
    assert "not permitted" in str({test: said for test, _, said in found}[REFUSED])


def test_the_night_goes_on(told: Told, tmp_path: Path) -> None:
    wanted = ["failing", "no-tests", "outside-1.0.tar.gz", "small-things", "good"]
    config = tmp_path / "night.toml"
    named = json.dumps([told.places[name] for name in wanted])
    config.write_text(f'[[project]]\nnames = {named}\n[[ingest]]\nname = "starter"\n')
    steps = [step for step in read_config(config) if step.verb in ("project", "ingest")]
    assert [step.verb for step in steps] == ["ingest", "project"]
    report = run_steps(str(config), [*reversed(steps)], progress=False)
    first, second = report.steps
    assert first.result["n_projects"] == len(wanted)
    assert set(first.result["errors"]) == {told.places[name] for name in wanted[2:4]}
    assert "outside the folder" in str(first.error)
    assert (second.error, first.result["n_new"]) == (None, 0)
