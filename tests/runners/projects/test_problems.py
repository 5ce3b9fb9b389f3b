"""Parts of a small project become problems: which, with which rows, and when there are none."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from ingest.projects.project import Project
from runners.cli.main import cli
from runners.projects import problems
from runners.projects.problems import FunctionsSpec, LinesSpec, RegionsSpec, ingest_lines
from runners.projects.removal_effects import ProblemsReport
from tests.support.sql import n_rows, rows
from tests.support.worlds.projects import (
    IDS,
    PATH,
    SOURCE,
    HereChecker,
    executed,
    plant_coverage,
    store_ingested,
    write_project,
)
from warehouse.errors import BadInput

UNNOTICED = 14
"""The line that adds to NOTES."""


@pytest.fixture
def project(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """The small project, ingested, with its coverage."""
    found = write_project(tmp_path / "small")
    store_ingested(found)
    plant_coverage(monkeypatch)
    return found


def regions(project: Project, checker: HereChecker, rule: str = "v1", n: int = 4) -> ProblemsReport:
    spec = RegionsSpec((str(project.folder),), rule, n)
    (report,) = problems.ingest_regions(spec, checker=checker.opened, progress=False)
    return report


def stored(columns: str, table: str = "problem") -> list[tuple[object, ...]]:
    return rows(f"select {columns} from raw.{table} order by all")


@pytest.mark.parametrize("rule", ["v1", "v1_code", "v2"])
def test_regions_are_problems_that_tests_notice(project: Project, rule: str) -> None:
    checker = HereChecker()
    report = regions(project, checker, rule)
    assert report.error is None
    assert report.dataset == "small-regions"
    assert report.version == f"1.5-regions_{rule}-n4"
    assert 0 < report.n_problems == n_rows("problem") <= 4
    for prompt, reference, suffix, path, first, last, entry_point, compare in rows(
        "select prompt, reference, suffix, path, first_line, last_line, entry_point, compare "
        "from raw.problem inner join raw.project_problem using (problem_id)"
    ):
        assert prompt + reference + suffix == SOURCE
        assert "".join(SOURCE.splitlines(keepends=True)[first - 1 : last]) == reference
        assert entry_point == f"{PATH}:{first}-{last}"
        assert (path, compare) == (PATH, "project")
        if rule != "v1_code":
            assert all(executed()[PATH].get(line) for line in range(first, last + 1))
        without = HereChecker().check(PATH, prompt + suffix).verdict
        blank = len(reference) - len(reference.lstrip())
        filled = HereChecker().check(PATH, prompt + reference[:blank] + "pass\n" + suffix).verdict
        assert "passed" not in ((without, filled) if rule == "v2" else (without,))
    assert (
        stored("test_code, setup_code, tags")
        == [(None, "", json.dumps([f"regions_{rule}"]))] * report.n_problems
    )
    same = "problem.prompt = variant.prompt and code = reference and region.suffix = problem.suffix"
    assert rows(
        f"select count(*), bool_and({same}), any_value(kind), any_value(rule) from raw.region "
        "inner join raw.variant using (variant_id) "
        "inner join raw.problem on region.problem_id = problem.problem_id"
    ) == [(report.n_problems, True, "original", f"regions_{rule}")]
    assert stored("license, source, n_problems", "dataset_release") == [
        ("MIT", "small 1.5", report.n_problems)
    ]


def test_what_no_test_notices_is_left_out_and_not_tried_again(project: Project) -> None:
    first, again, other = HereChecker(), HereChecker(), HereChecker()
    report = regions(project, first, n=1000)
    assert "small gives no problems" in str(report.error)
    assert report.n_without_effect >= 1
    assert report.n_checked == n_rows("region_check") > len(first.seen), "syntax needs no tests"
    unnoticed = rows("select first_line, last_line from raw.region_check where verdict = 'passed'")
    assert (UNNOTICED, UNNOTICED) in unnoticed
    assert n_rows("problem") == 0
    report = regions(project, again, n=4)
    assert (again.n_opened, again.seen, report.n_checked) == (0, [], 0)
    assert report.n_problems == report.n_new == 4
    assert regions(project, other, n=4).n_new == 0
    assert n_rows("dataset_release") == 1
    assert (UNNOTICED, UNNOTICED) not in stored("first_line, last_line", "project_problem")


def test_v2_tries_twice_and_puts_pass_where_a_block_would_be_empty(project: Project) -> None:
    checker = HereChecker()
    assert "small gives no problems" in str(regions(project, checker, "v2", 1000).error)
    raising = '            raise ValueError("fewer than nothing are no order")\n'
    assert SOURCE.replace(raising, "            pass\n") in checker.seen
    assert sorted(rows("select distinct filling from raw.region_check")) == [
        ("nothing",),
        ("pass",),
    ]
    tries = """
        select max(repetition), bool_or(verdict = 'passed')
        from raw.region_check group by first_line, last_line
    """
    found = rows(tries)
    assert {n for n, passed in found if not passed} == {2}
    assert {n for n, passed in found if passed} == {1}


def test_a_broken_harness_is_no_effect(project: Project) -> None:
    some = HereChecker(faults=2)
    assert regions(project, some, n=4).n_harness_faults == 0, "tried again"
    checker = HereChecker(faults=1000)
    write_project(project.folder, SOURCE.replace("1.5", "1.6") + "\n")
    changed = write_project(project.folder, SOURCE + "\n")
    store_ingested(changed)
    report = regions(changed, checker, n=1000)
    assert report.n_harness_faults > 0
    assert report.n_without_effect == 0
    kept = rows(
        "select distinct verdict from raw.region_check where project_release_id = ?",
        changed.release_id,
    )
    assert kept == [("error",)], "what does not parse needs no harness"


def test_lines_are_problems_with_three_prompts(project: Project) -> None:
    spec = LinesSpec((str(project.folder),))
    (report,) = ingest_lines(spec, progress=False)
    assert (report.dataset, report.version) == ("small-lines", "1.5-lines_v1")
    assert report.n_problems == 2, "total and price: no test executes the other"
    shown = rows(
        "select reference, problem.prompt, suffix, kind, variant.prompt from raw.problem "
        "inner join raw.variant using (problem_id) order by position, kind"
    )
    for reference, prompt, suffix, kind, text in shown:
        assert prompt + reference + suffix == SOURCE
        assert "\n" not in reference.strip() == reference.strip() != ""
        assert prompt.endswith("\n")
        if kind == "original":
            assert text == prompt
            continue
        of_function = prompt[prompt.rindex("\n", 0, prompt.rindex("def ")) + 1 :]
        bare = re.sub(r' *""".*?"""\n', "", of_function, flags=re.DOTALL)
        assert text == (of_function if kind == "function" else bare)
        assert bare != of_function
    assert len(shown) == 2 * 3
    assert n_rows("region") == 0
    (again,) = ingest_lines(spec, progress=False)
    assert (again.n_problems, again.n_new) == (2, 0)


def functions(project: Project, checker: HereChecker, n: int = 100) -> ProblemsReport:
    spec = FunctionsSpec((str(project.folder),), n)
    (report,) = problems.ingest_functions(spec, checker=checker.opened, progress=False)
    return report


def test_functions_are_problems_whose_body_tests_miss(project: Project) -> None:
    report = functions(project, HereChecker())
    assert (report.dataset, report.version) == ("small-functions", "1.5-functions_v1")
    assert (report.error, report.n_possible, report.n_problems) == (None, 2, 2)
    found = stored("entry_point, prompt || reference || suffix, tags, compare")
    tags = json.dumps(["functions_v1"])
    names = ["Shop.price", "total"]
    assert found == [(name, SOURCE, tags, "project") for name in names]
    for name, reference, before, shown in rows(
        "select entry_point, reference, problem.prompt, variant.prompt from raw.problem "
        "inner join raw.variant using (problem_id) where kind = 'function_with_imports'"
    ):
        assert before.endswith('"""\n')
        assert not reference.lstrip().startswith('"""')
        assert shown.startswith("class Shop:\n    def price" if name == "Shop.price" else "def ")
        assert before.endswith(shown.removeprefix("class Shop:\n"))
    assert (n_rows("variant"), n_rows("region")) == (4, 0)
    again = HereChecker()
    assert functions(project, again).n_new == 0
    assert (again.n_opened, functions(project, again, n=1).n_problems) == (0, 1)


def test_a_function_whose_absence_no_test_notices_is_left_out(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = dict.fromkeys(range(1, SOURCE.count("\n") + 1), IDS[:1])
    plant_coverage(monkeypatch, {PATH: every})
    report = functions(project, HereChecker())
    assert (report.n_possible, report.n_checked, report.n_without_effect) == (3, 3, 1)
    assert stored("entry_point") == [("Shop.price",), ("total",)]
    plant_coverage(monkeypatch, {PATH: dict.fromkeys(range(29, 35), IDS[:1])})
    silent = functions(project, HereChecker())
    assert "small gives no functions: none has a docstring, a body that tests" in str(silent.error)


def test_files_that_are_no_plain_utf8_are_left_out(project: Project) -> None:
    marked = write_project(project.folder, "\ufeff" + SOURCE)
    store_ingested(marked)
    (report,) = ingest_lines(LinesSpec((str(project.folder),)), progress=False)
    assert report.left_out == {PATH: "not UTF-8, or with a byte order mark"}
    assert "small gives no lines" in str(report.error)


def test_why_a_project_gives_no_problems(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = write_project(tmp_path / "small")
    asked = ["ingest", "regions", "--no-progress"]

    def said(*more: str) -> str:
        done = CliRunner().invoke(cli, [*asked, *more], standalone_mode=False)
        if isinstance(done.exception, BadInput):
            return str(done.exception)
        assert done.return_value == 1
        return done.output.splitlines()[0]

    named = str(found.folder)
    assert "no curated project, archive or checkout 'nowhere'" in said(named, "nowhere")
    again = f"small 1.5 was never ingested: run `assay ingest project {named}` first"
    assert again in said(named)
    store_ingested(found, verdict="failed")
    assert "its suite did not pass unmodified (failed)" in said(named)
    (home / "warehouse.duckdb").unlink()
    store_ingested(found, n_attempts=1)
    assert "none of its tests passed in each of 2 runs" in said(named)
    (home / "warehouse.duckdb").unlink()
    store_ingested(found)
    assert "which lines its tests execute is not stored" in said(named)
    plant_coverage(monkeypatch)
    monkeypatch.setattr(
        problems.ingest_regions,
        "__kwdefaults__",
        {"checker": HereChecker().opened, "progress": True},
    )
    told = said(named)
    assert "small gives no problems: " in told
    assert "a project with fewer than 80 is dropped" in told
    assert n_rows("problem") == 0
    ((summary,),) = rows(
        "select summary from raw.run_finish inner join raw.run using (run_id) "
        "where kind = 'ingest_regions'"
    )
    assert "80" in json.loads(summary)["errors"][named]
    with pytest.raises(BadInput, match="no curated project is ingested"):
        ingest_lines(LinesSpec(), progress=False)
    for word in ("regions", "functions", "lines"):
        nothing = CliRunner().invoke(cli, ["ingest", word])
        assert (nothing.exit_code, "or give --all" in nothing.output) == (2, True)
