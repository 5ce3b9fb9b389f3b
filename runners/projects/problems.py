"""Regions, lines and functions of ingested projects as problems, and lines of a benchmark.

Sources: Allamanis et al. 2024 (arXiv 2402.08699, section 4.2) for regions, Spiess et al. 2024
(arXiv 2402.02047, section 3.2.2) for lines. A region, or the body of a function, is a problem when
taking it out has an effect: a usable test no longer passes. Lines of a benchmark's functions are
judged by the tests of the functions. Each project or dataset gives a report, and the next one
follows.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Annotated

from ingest.datasets import DATASETS
from ingest.loader import frames_for
from ingest.problems.drafts import Source
from ingest.projects.curated import curated_projects
from ingest.projects.executed import covered_regions
from ingest.projects.function_lines import gives_no_lines, line_drafts
from ingest.projects.functions import sources_of
from ingest.projects.hidden.bodies import BODY_RULES, hidden_bodies
from ingest.projects.hidden.lines import LINE_RULES, hidden_lines
from ingest.projects.problem_rows import (
    FileHole,
    ProblemSet,
    hole_of_body,
    line_hole,
    plain_sources,
    problem_rows,
    region_hole,
)
from ingest.projects.project import project_of
from ingest.projects.region_samples import apart, draws
from ingest.projects.regions import RULES, RegionRules, region_rules
from models.keys import content_key
from runners.problems import newest_problems, require
from runners.progress import track
from runners.projects.passed_suite import OpenChecker, PassedSuite, opened_checker, stored_suite
from runners.projects.removal_effects import Making, ProblemsReport, RemovalEffects
from warehouse import settings
from warehouse.errors import AssayError, BadInput, IsolationRefused
from warehouse.facts.problems import newest_release, tests_by_problem
from warehouse.facts.projects import counted_attempts
from warehouse.parameters import COUNT, BadValue, Choice, Spec
from warehouse.store.connection import reading
from warehouse.store.locks import alone
from warehouse.store.runs import recorded
from warehouse.store.spool import Spool, drain_leftovers

N_PROBLEMS = 100
"""Most regions, and most functions, of a project where no other number is named."""

LEAST_REGIONS = 80
"""A project with fewer regions is dropped (the paper's section 4.2); the released code drops
none."""


@dataclass(frozen=True)
class RegionsSpec(Spec):
    """Which projects give regions, by which rules, at most ``n`` of each.

    No names mean all curated projects that are ingested. A project with fewer than 80 regions, or
    than ``n`` if that is less, gives none; v1_code has no such minimum.
    """

    names: Sequence[str] = ()
    rule: Annotated[str, Choice(RULES)] = "v1"
    n: Annotated[int, COUNT] = N_PROBLEMS


@dataclass(frozen=True)
class FunctionsSpec(Spec):
    """Which projects give functions whose body is to be written, at most ``n`` of each.

    No names mean all curated projects that are ingested.
    """

    names: Sequence[str] = ()
    n: Annotated[int, COUNT] = N_PROBLEMS


@dataclass(frozen=True)
class LinesSpec(Spec):
    """Which projects or datasets of functions give lines to be completed, and by which rules.

    A name of a dataset means the dataset, any other a project. No names mean all curated projects
    that are ingested.
    """

    names: Sequence[str] = ()
    rule: Annotated[str, Choice(LINE_RULES)] = "v1"


Maker = Callable[[ProblemsReport, PassedSuite, dict[str, bytes], Making], list[FileHole]]
Storing = Callable[[ProblemsReport, Making], None]


def ingest_regions(
    spec: RegionsSpec, *, checker: OpenChecker = opened_checker, progress: bool = True
) -> list[ProblemsReport]:
    """Store the regions of projects as problems.

    Regions whose effect is known are not tried again. Raises IsolationRefused where this machine
    lacks the isolation for suites, and BadInput where no project can judge changes.
    """
    rules = region_rules(spec.rule)
    made = partial(_regions, rules=rules, n=spec.n)
    storing = partial(_stored, word="regions", made=made)
    return _ingested("regions", storing, spec, checker, progress=progress)


def ingest_functions(
    spec: FunctionsSpec, *, checker: OpenChecker = opened_checker, progress: bool = True
) -> list[ProblemsReport]:
    """Store functions of projects as problems, as ``ingest_regions`` does regions."""
    storing = partial(_stored, word="functions", made=partial(_functions, n=spec.n))
    return _ingested("functions", storing, spec, checker, progress=progress)


def ingest_lines(spec: LinesSpec, *, progress: bool = True) -> list[ProblemsReport]:
    """Store a line of each function of projects or datasets that qualifies as a problem."""

    def storing(report: ProblemsReport, making: Making) -> None:
        if report.wanted in DATASETS:
            _stored_functions(report, making, spec.rule)
        else:
            _stored(report, making, word="lines", made=partial(_lines, rules=spec.rule))

    return _ingested("lines", storing, spec, opened_checker, progress=progress)


def fit_lines(spec: LinesSpec) -> None:
    """Raise BadValue for a name that is neither a project's nor that of a dataset of functions."""
    for name in spec.names:
        if reason := gives_no_lines(name):
            raise BadValue("names", reason)


def _ingested(
    word: str,
    storing: Storing,
    spec: RegionsSpec | LinesSpec | FunctionsSpec,
    checker: OpenChecker,
    *,
    progress: bool,
) -> list[ProblemsReport]:
    """Make the problems of each project, even where a project before it failed."""
    found = []
    with alone("projects", f"an ingest of {word}"):
        drain_leftovers()
        names = list(dict.fromkeys(spec.names)) or _ingested_names()
        _require_one(names, DATASETS if word == "lines" else ())
        with (
            recorded(f"ingest_{word}", settings=spec.settings()) as run,
            Spool(run) as spool,
        ):
            n = getattr(spec, "n", N_PROBLEMS)
            ending = "" if n == N_PROBLEMS else f"-n{n}"
            rule = getattr(spec, "rule", BODY_RULES)
            making = Making(f"{word}_{rule}", ending, run, spool, checker, progress)
            for name in names:
                report = ProblemsReport(name)
                found.append(report)
                try:
                    storing(report, making)
                except IsolationRefused:
                    raise
                except AssayError as error:
                    report.error = str(error)
            run.summary |= {
                "problems": {one.dataset: one.n_problems for one in found if one.dataset},
                "errors": {one.wanted: one.error for one in found if one.error},
            }
    return found


def _ingested_names() -> list[str]:
    """Return the names of the curated projects that are ingested; raises BadInput for none."""
    names = []
    if settings.warehouse_path().exists():
        with reading() as con:
            names = [
                entry.name
                for entry in curated_projects().values()
                if counted_attempts(con, content_key(entry.name, entry.version, entry.sha256))
            ]
    if not names:
        raise BadInput("no curated project is ingested: run `assay ingest project` first")
    return names


def _require_one(names: Sequence[str], datasets: Container[str]) -> None:
    """Raise BadInput where none of some projects and datasets of functions can give problems."""
    reasons = []
    for name in names:
        try:
            if name in datasets:
                with reading() as con:
                    require(con, name)
            else:
                stored_suite(project_of(name))
        except AssayError as error:
            reasons.append(str(error))
        else:
            return
    raise BadInput("; ".join(reasons))


def _stored(report: ProblemsReport, making: Making, *, word: str, made: Maker) -> None:
    """Store the problems of one project."""
    project = project_of(report.wanted)
    suite = stored_suite(project)
    report.dataset = f"{project.name}-{word}"
    report.version = f"{project.version}-{making.rule}{making.ending}"
    sources = sources_of(project)
    texts, report.left_out = plain_sources(sources.texts)
    report.left_out |= sources.unread
    holes = made(report, suite, texts, making)
    problems = ProblemSet(
        project,
        report.dataset,
        report.version,
        making.rule,
        suite.tests_key,
        holes,
        regions=word == "regions",
    )
    added = making.run.append(problem_rows(problems, making.run.run_id))
    report.n_problems, report.n_new = len(holes), added.get("problem", 0)


def _stored_functions(report: ProblemsReport, making: Making, rules: str) -> None:
    """Store the lines of a dataset of functions; raises BadInput where there is none."""
    functions = report.wanted
    with reading() as con:
        problems = newest_problems(con, functions)
        release = newest_release(con, functions)
        tests = tests_by_problem(con, [problem.problem_id for problem in problems])
    drafts, report.left_out = line_drafts(problems, tests, rules)
    report.n_possible = len(drafts)
    if not drafts:
        wanted = "a docstring and a body of more than three lines"
        raise BadInput(f"{functions} gives no lines: no function under test has {wanted}")
    report.dataset = f"{functions}-lines"
    report.version = f"{release.version}-{making.rule}"
    source = Source(report.dataset, report.version, release.license, release.source, release.sha256)
    run_id = making.run.run_id
    frames = frames_for(source, report.version, release.sha256, drafts, run_id)
    added = making.run.append_frames(frames)
    report.n_problems, report.n_new = len(drafts), added.get("problem", 0)


def _lines(
    report: ProblemsReport,
    suite: PassedSuite,
    texts: dict[str, bytes],
    making: Making,
    *,
    rules: str,
) -> list[FileHole]:
    """Return the hidden lines of a project; raises BadInput where there is none."""
    name, covered = suite.project.name, suite.covered
    holes = [
        line_hole(source, hidden)
        for path, source in texts.items()
        for hidden in hidden_lines(name, path, source, rules, covered.get(path, set()))
    ]
    report.n_possible = len(holes)
    if not holes:
        wanted = "a docstring, a body of more than three lines, and tests that execute all of it"
        raise BadInput(f"{name} gives no lines: no function has {wanted}")
    return holes


def _regions(
    report: ProblemsReport,
    suite: PassedSuite,
    texts: dict[str, bytes],
    making: Making,
    *,
    rules: RegionRules,
    n: int,
) -> list[FileHole]:
    """Return the regions of a project whose absence a test notices; raises BadInput for too few."""
    project = suite.project
    seed = f"{project.name}=={project.version}"
    drawn = draws(texts, rules, seed, covered_regions(texts, suite.covered, rules))
    report.n_possible = len(drawn)
    with RemovalEffects(report, suite, making, twice=rules.name == "v2") as effects:
        noticed = (each for each in drawn if effects.noticed(region_hole(texts[each.path], each)))
        chosen = islice(apart(noticed, rules.max_jaccard), n)
        label = f"regions of {project.name}"
        kept = list(track(chosen, min(n, len(drawn)), label, enabled=making.progress))
    least = 1 if rules.by_file else min(LEAST_REGIONS, n)
    if len(kept) < least:
        raise BadInput(
            f"{project.name} gives no problems: {len(kept)} of its {len(drawn)} covered regions "
            f"have an effect, and a project with fewer than {least} is dropped"
        )
    return [region_hole(texts[each.path], each) for each in kept]


def _functions(
    report: ProblemsReport, suite: PassedSuite, texts: dict[str, bytes], making: Making, *, n: int
) -> list[FileHole]:
    """Return functions of a project whose body a test misses; raises BadInput where there is none.

    Their order is drawn by a hash of the project's name and version, the path and the name.
    """
    project, covered = suite.project, suite.covered
    holes = [
        hole_of_body(source, hidden)
        for path, source in texts.items()
        for hidden in hidden_bodies(path, source, covered.get(path, set()))
    ]

    def drawn(each: FileHole) -> str:
        seed = f"{project.name}=={project.version}"
        return content_key("hidden_body", seed, each.path, each.function)

    report.n_possible = len(holes)
    with RemovalEffects(report, suite, making, twice=False) as effects:
        chosen = islice(filter(effects.noticed, sorted(holes, key=drawn)), n)
        label = f"functions of {project.name}"
        kept = list(track(chosen, min(n, len(holes)), label, enabled=making.progress))
    if not kept:
        wanted = "a docstring, a body that tests execute, and a test that fails without it"
        raise BadInput(f"{project.name} gives no functions: none has {wanted}")
    return kept
