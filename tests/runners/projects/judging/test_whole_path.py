"""From the archive of a project to the verdicts on round trips and lines, behind the walls."""

import shutil
import tarfile
from pathlib import Path

import pytest

from runners.projects.ingest import ingest_projects
from runners.projects.problems import (
    FunctionsSpec,
    LinesSpec,
    RegionsSpec,
    ingest_functions,
    ingest_lines,
    ingest_regions,
)
from runners.projects.suite import SuiteLimits
from tests.support.sql import rows
from tests.support.steps import build, execute, generate
from tests.support.worlds.projects import write_project

VIEWS_READ = (
    "+int_generation_judged +line_completion +pass_at_k_v1 +round_trips_v1 +rtc_synthesis_v1"
)

pytestmark = pytest.mark.long(seconds=120)

LIMITS = SuiteLimits(cpu_s=30, wall_s=60)
GIVEN = {"backend": "planted", "progress": False}


@pytest.fixture
def archive(home: Path, made_home: Path, offline: None, level: str, tmp_path: Path) -> str:
    """The archive of the small project, in a home that has pytest and reaches no index."""
    shutil.copytree(made_home / "cache", home / "cache")
    write_project(tmp_path / "small-1.5")
    path = tmp_path / "small-1.5.tar.gz"
    with tarfile.open(path, "w:gz") as file:
        file.add(tmp_path / "small-1.5", "small-1.5")
    return str(path)


def test_planted_answers_get_their_verdicts(archive: str) -> None:
    (ingested,) = ingest_projects([archive], limits=LIMITS, progress=False)
    assert (ingested.error, ingested.n_usable) == (None, 3)
    (regions,) = ingest_regions(RegionsSpec((archive,), "v1", 4), progress=False)
    (lines,) = ingest_lines(LinesSpec((archive,)), progress=False)
    (functions,) = ingest_functions(FunctionsSpec((archive,)), progress=False)
    assert (regions.n_problems, lines.n_problems, functions.n_problems) == (4, 2, 2)
    Path(archive).unlink()  # what was unpacked is kept
    for lm, rate in (("right", 1.0), ("wrong", 0.0)):
        told = {**GIVEN, "lm": lm, "options": {"pass_rate": rate}}
        generate(**told, dataset="small-regions", task="description", n=3)
        generate(**told, dataset="small-regions", task="resynthesis", n=1)
        generate(**told, dataset="small-lines", n=1)
        generate(**told, dataset="small-functions", n=2)
    report = execute(progress=False)
    assert report.failing_canaries == report.projects_not_judged == []
    assert report.n_generations == 2 * (2 * 4 * 3 + 2 + 2 * 2)
    assert report.n_executed == report.n_planned > 0
    assert execute(progress=False).n_planned == 0
    build(select=VIEWS_READ)
    found = rows(
        "select lm, rtc, baseline, n_used from rtc_synthesis_v1 "
        "where similarity = 'pass' order by lm"
    )
    assert found == [("right", 1.0, 0.0, 4), ("wrong", 0.0, 0.0, 4)]
    trips = "select lm, passed, count(*) from round_trips_v1 "
    found = rows(trips + "where description_id is not null group by all order by lm")
    assert found == [("right", True, 12), ("wrong", False, 12)]
    found = rows(
        "select lm, bool_and(verdict = 'passed'), bool_or(verdict = 'passed'), count(*), "
        "any_value(integrity) from intermediate.int_generation_judged "
        "inner join intermediate.int_language_model_numbered using (lm_no) "
        "inner join intermediate.int_setting_numbered using (setting_no) "
        "where task = 'line_completion' group by all order by lm"
    )
    assert found == [
        ("right", True, True, 2, "same_interpreter"),
        ("wrong", False, False, 2, "same_interpreter"),
    ]
    found = rows(
        "select lm, pass_at_k, n_used from pass_at_k_v1 "
        "where dataset = 'small-functions' and k = 1 order by lm"
    )
    assert found == [("right", 1.0, 2), ("wrong", 0.0, 2)]
