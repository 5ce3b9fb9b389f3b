"""Three curated projects from the package index: their holes, with their code and without it."""

import os
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.projects.project import project_of
from runners.projects.coverage import lines_of
from runners.projects.ingest import ProjectReport, ingest_projects
from runners.projects.passed_suite import opened_checker, stored_suite
from runners.projects.problems import RegionsSpec, ingest_regions
from runners.tasks.round_trip import RegionHole
from tests.support.sql import rows
from tests.support.steps import build

pytestmark = pytest.mark.long(seconds=90)

USABLE = {"toolz": 192, "tinydb": 219, "xmltodict": 119}
HOLES = """
    select hole.path, problem.prompt, problem.reference, problem.suffix
    from raw.project_problem as hole
    inner join raw.problem as problem using (problem_id)
    where problem.dataset = ? order by problem.position
"""


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[ProjectReport]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(tmp_path_factory.mktemp("curated")))
        reports = ingest_projects(list(USABLE), progress=False)
        if all(report.project is None for report in reports):
            pytest.skip(f"no package index answers here: {reports[0].error}")
        ingest_regions(RegionsSpec(list(USABLE), n=10), progress=False)
        yield reports


def test_the_usable_tests_are_as_many_as_are_known(ingested: list[ProjectReport]) -> None:
    assert {report.wanted: report.n_usable for report in ingested} == USABLE
    assert {verdict for report in ingested for verdict in report.verdicts.values()} == {"passed"}


@pytest.mark.parametrize("name", USABLE)
def test_a_hole_passes_with_its_code_and_not_without(
    ingested: list[ProjectReport], name: str
) -> None:
    project = project_of(name)
    holes = [(path, RegionHole(*texts)) for path, *texts in rows(HOLES, f"{name}-regions")]
    assert len(holes) == 10
    files = {path: (project.folder / path).read_bytes().decode() for path, _ in holes}
    for path, hole in holes:
        again = hole.fitted(textwrap.dedent(hole.code))
        assert hole.before + again + hole.after == files[path]
    suite = stored_suite(project)
    with opened_checker(suite) as checker:
        for path, text in files.items():
            assert checker.check(path, text).verdict == "passed", path
        for path, hole in holes:
            found = checker.check(path, hole.before + hole.after)
            assert found.verdict != "passed", (path, hole.code)


def test_nothing_is_written_into_the_unpacked_project(ingested: list[ProjectReport]) -> None:
    for name in USABLE:
        folder = project_of(name).folder
        assert not list(folder.rglob("__pycache__"))
        assert Path(os.environ["ASSAY_HOME"]) in folder.parents


FUNCTIONS = """
    select path, body_first_line, last_line, n_lines, n_lines_tested, n_tests
    from project_functions_v1 where project = ? and tests_null_reason is null
"""


def test_functions_have_the_lines_and_tests_of_their_bodies(
    ingested: list[ProjectReport],
) -> None:
    build(select="+project_functions_v1")
    for name, n_functions in {"toolz": 100, "tinydb": 60, "xmltodict": 10}.items():
        project = project_of(name)
        executed = stored_suite(project).executed
        files = {path: (project.folder / path).read_bytes() for path in executed}
        found = [each for each in rows(FUNCTIONS, name) if each[0] in files]
        assert len(found) > n_functions
        for path, first, last, n_lines, n_tested, n_tests in found:
            body = range(first or last + 1, last + 1)
            tests = [set(executed[path][line]) for line in body if executed[path].get(line)]
            assert n_lines == len(lines_of(files[path], path).lines & set(body))
            assert (n_tested, n_tests) == (len(tests), len(set().union(*tests)))
        assert sum(n_tests > 0 for *_, n_tests in found) > 0.5 * len(found)
