"""``assay ingest project``, and ``assay ingest regions``, ``functions`` and ``lines``."""

from collections.abc import Callable, Iterable
from typing import Any

import click

from runners.cli.options import COUNT, as_json, no_progress

WORD, REGIONS, FUNCTIONS, LINES = "project", "regions", "functions", "lines"
TRIED = ("n_checked", "n_known", "n_without_effect", "n_harness_faults")
"""Counts of a report about code that was taken out to see whether a test notices."""


def of_projects(help_of_all: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Add the argument for names of projects, ``--all``, and the options of every such command."""

    def added(function: Callable[..., int]) -> Callable[..., int]:
        function = as_json(no_progress(function))
        function = click.option("--all", "every", is_flag=True, help=help_of_all)(function)
        return click.argument("names", metavar="NAME...", nargs=-1)(function)

    return added


def rule_of(
    choices: Iterable[str], what: str
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Add the rule that problems are chosen by; ``what`` says what each of the rules takes."""
    return click.option(
        "--rule",
        type=click.Choice(list(choices)),
        default="v1",
        show_default=True,
        help=f"How problems are chosen. {what} docs/projects.md says more.",
    )


@click.command(
    epilog="""\b
Examples:
  assay ingest project toolz
  assay ingest project toolz tinydb more-itertools
  assay ingest project more-itertools==11.2.1
  assay ingest project ../my-checkout
  assay ingest project --all
"""
)
@of_projects("All curated projects: 5 to 30 minutes.")
def project_command(names: tuple[str, ...], every: bool, progress: bool, as_json: bool) -> int:
    """Bring in real projects, and run the suite of each twice in the sandbox.

    NAME is a curated project, NAME==VERSION of the package index, or the path of an archive or a
    checkout; docs/projects.md lists the curated ones. Nothing of a project is run outside the
    sandbox, not even its build. The view project_health says how the suites ended; project_tests
    says which tests can be used. What was run before is not run again.
    """
    _named(names, every, "the curated ones")
    from runners.projects.ingest import ingest_projects

    reports = ingest_projects(names, progress=progress)
    return _printed(WORD, reports, as_json, next_step="assay build")


@click.command(
    epilog="""\b
Examples:
  assay ingest regions toolz
  assay ingest regions toolz tinydb --rule v2
  assay ingest regions --all -n 20
"""
)
@of_projects("All curated projects that are ingested.")
@rule_of(
    ("v1", "v1_code", "v2"),
    "v1: as in Allamanis et al. 2024. v1_code: as in their released code. v2: as v1, and no two "
    "regions overlap by more than half.",
)
@click.option(
    "-n", type=COUNT, default=100, show_default=True, help="Most regions of each project."
)
def regions_command(
    names: tuple[str, ...], every: bool, progress: bool, as_json: bool, rule: str, n: int
) -> int:
    """Make problems of regions of ingested projects: statements to be written again.

    NAME is what `assay ingest project` was given. The regions are the dataset PROJECT-regions, for
    the tasks description and resynthesis. A region is left out if all tests pass without it. To
    find out, tests run without each region (by v2 twice), which takes time. A project with fewer
    than 80 such regions, or than -n if that is less, gives none; v1_code has no such minimum.
    Results are stored: no region is tried twice.
    """
    _named(names, every, "the curated ones that are ingested")
    from runners.projects.problems import RegionsSpec, ingest_regions

    reports = ingest_regions(RegionsSpec(names, rule, n), progress=progress)
    return _printed(REGIONS, reports, as_json, next_step=_next(REGIONS, reports))


@click.command(
    epilog="""\b
Examples:
  assay ingest functions toolz
  assay ingest functions toolz tinydb xmltodict
  assay ingest functions --all -n 20
"""
)
@of_projects("All curated projects that are ingested.")
@click.option(
    "-n", type=COUNT, default=100, show_default=True, help="Most functions of each project."
)
def functions_command(
    names: tuple[str, ...], every: bool, progress: bool, as_json: bool, n: int
) -> int:
    """Make problems of functions of ingested projects: whole bodies to be written.

    NAME is what `assay ingest project` was given. The functions are the dataset PROJECT-functions,
    for the task function_completion. They are functions and methods with a docstring; tests execute
    all of the body, and without the body a test fails. To find out, tests run without each body,
    which takes time. Results are stored: no body is tried twice. A hash decides which functions are
    taken, so another call takes the same.
    """
    _named(names, every, "the curated ones that are ingested")
    from runners.projects.problems import FunctionsSpec, ingest_functions

    reports = ingest_functions(FunctionsSpec(names, n), progress=progress)
    return _printed(FUNCTIONS, reports, as_json, next_step=_next(FUNCTIONS, reports))


@click.command(
    epilog="""\b
Examples:
  assay ingest lines toolz
  assay ingest lines humaneval mbpp
  assay ingest lines --all --rule v2
"""
)
@of_projects("All curated projects that are ingested.")
@rule_of(("v1", "v2"), "v1: as in Spiess et al. 2024. v2: only lines that hold whole statements.")
def lines_command(
    names: tuple[str, ...], every: bool, progress: bool, as_json: bool, rule: str
) -> int:
    """Make problems of hidden lines of ingested projects, or of functions of ingested datasets.

    NAME is what `assay ingest project` was given, or a dataset such as humaneval. The lines are the
    dataset NAME-lines, for the task line_completion: one line of each function with a docstring and
    more than three lines of body. In a project, tests must execute all of the body. Of a dataset's
    problem only the function under test is taken, and its tests judge the line.
    """
    from ingest.projects.function_lines import gives_no_lines

    _named(names, every, "the curated projects that are ingested", unknown=gives_no_lines)
    from runners.projects.problems import LinesSpec, ingest_lines

    reports = ingest_lines(LinesSpec(names, rule), progress=progress)
    return _printed(LINES, reports, as_json, next_step=_next(LINES, reports))


COMMANDS = {
    WORD: project_command,
    REGIONS: regions_command,
    FUNCTIONS: functions_command,
    LINES: lines_command,
}
"""The command of each word."""


def _named(
    names: tuple[str, ...],
    every: bool,
    all_of_them: str,
    unknown: Callable[[str], str] | None = None,
) -> None:
    """Refuse wrong names before anything is done; ``unknown`` says what is wrong with one."""
    if every == bool(names):
        some = "projects or datasets" if unknown else "projects"
        raise click.UsageError(f"name {some}, or give --all for {all_of_them}")
    from ingest.projects.project import unknown_projects
    from warehouse.errors import BadInput

    if reasons := unknown_projects(names, unknown):
        raise BadInput(reasons)


def _next(word: str, reports: list[Any]) -> str | None:
    made = [each.dataset for each in reports if not each.error]
    return f"assay generate --dataset {made[0]} ..." if made else None


def _printed(word: str, reports: list[Any], as_json: bool, next_step: str | None) -> int:
    """Print a line for each project; return the exit code."""
    from runners.cli.reports import print_reports
    from runners.printable import printable_line

    named = ((f"ingest {word} {printable_line(each.wanted)}", vars(each)) for each in reports)
    lines = ((label, _told(report, as_json)) for label, report in named)
    print_reports(lines, as_json=as_json, next_step=next_step)
    return 1 if any(each.error for each in reports) else 0


def _told(report: dict[str, Any], as_json: bool) -> dict[str, Any]:
    """Return a report for JSON, or what a line says beside its label: an error alone, if any."""
    if as_json:
        return report
    if report["error"]:
        return {"error": report["error"]}
    hidden = {"wanted", "project_release_id"}
    if not any(report.get(name) for name in TRIED):  # lines are not taken out to see an effect
        hidden.update(TRIED)
    return {name: report[name] for name in report if name not in hidden}
