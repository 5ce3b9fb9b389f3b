"""Regions and lines of ingested projects as problems, and lines of a benchmark's functions.

Sources: Allamanis et al. 2024 (arXiv 2402.08699, section 4.2) for regions, Spiess et al. 2024
(arXiv 2402.02047, section 3.2.2) for lines. A region is a problem when taking it out has an effect:
a usable test no longer passes. Lines of functions are judged by the tests of the functions. What
each project or dataset came to is a report, and the next one follows.
"""

from collections.abc import Callable, Container, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
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
from ingest.projects.hidden_lines import LINE_RULES, hidden_lines
from ingest.projects.problem_rows import (
    FileHole,
    ProblemSet,
    is_python,
    line_hole,
    plain_sources,
    problem_rows,
    region_hole,
    without_region,
)
from ingest.projects.project import project_of
from ingest.projects.region_samples import apart, draws
from ingest.projects.regions import RULES, RegionRules, region_rules
from models.keys import content_key
from models.tables import RegionCheck
from models.words import ERROR, HARNESS_FAULT, PASSED
from runners.problems import newest_problems, require
from runners.progress import track
from runners.projects.baseline import Baseline, OpenChecker, opened_checker, stored_baseline
from runners.projects.checker import Checker
from warehouse import settings
from warehouse.errors import AssayError, BadInput, IsolationRefused
from warehouse.facts.problems import newest_release, tests_by_problem
from warehouse.facts.projects import counted_attempts, region_checks
from warehouse.parameters import COUNT, BadValue, Choice, Spec
from warehouse.store.connection import reading
from warehouse.store.locks import alone
from warehouse.store.runs import RunHandle, recorded
from warehouse.store.spool import Spool, drain_leftovers

N_REGIONS = 100
LEAST_REGIONS = 80
"""A project with fewer regions is dropped (the paper's section 4.2), by the released code none."""

MAX_FAULTS = 3


@dataclass(frozen=True)
class RegionsSpec(Spec):
    """Which projects give regions, by which rules, at most ``n`` of each.

    No names mean all curated projects that are ingested. A project with fewer than 80 regions, or
    than ``n`` if that is less, gives none; v1_code has no such floor.
    """

    names: Sequence[str] = ()
    rule: Annotated[str, Choice(RULES)] = "v1"
    n: Annotated[int, COUNT] = N_REGIONS


@dataclass(frozen=True)
class LinesSpec(Spec):
    """Which projects or datasets of functions give lines to be completed, and by which rules.

    A name of a dataset means the dataset, any other a project. No names mean all curated projects
    that are ingested.
    """

    names: Sequence[str] = ()
    rule: Annotated[str, Choice(LINE_RULES)] = "v1"


@dataclass
class ProblemsReport:
    """What became of one project or dataset; ``error`` says why it gives no problems.

    ``n_possible`` counts what the rules and the coverage allow. ``n_checked`` regions were taken
    out now, and ``n_known`` before; of both, ``n_without_effect`` were noticed by no test.
    """

    wanted: str
    dataset: str | None = None
    version: str | None = None
    error: str | None = None
    n_problems: int = 0
    n_new: int = 0
    n_possible: int = 0
    n_checked: int = 0
    n_known: int = 0
    n_without_effect: int = 0
    n_harness_faults: int = 0
    left_out: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Making:
    """What the makers of problems share: the rule, the run, where checks go, and who makes them.

    ``ending`` is what the version of the dataset says beside the rule.
    """

    rule: str
    ending: str
    run: RunHandle
    spool: Spool
    checker: OpenChecker
    progress: bool


Maker = Callable[[ProblemsReport, Baseline, dict[str, bytes], Making], list[FileHole]]
Storing = Callable[[ProblemsReport, Making], None]


def ingest_regions(
    spec: RegionsSpec, *, checker: OpenChecker = opened_checker, progress: bool = True
) -> list[ProblemsReport]:
    """Store the regions of projects as problems.

    Regions whose effect is known are not tried again. Raises IsolationRefused where this machine
    holds no suite, and BadInput where no project can judge changes.
    """
    rules = region_rules(spec.rule)
    made = partial(_regions, rules=rules, n=spec.n)
    storing = partial(_stored, word="regions", made=made)
    return _ingested("regions", storing, spec, checker, progress=progress)


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
    spec: RegionsSpec | LinesSpec,
    checker: OpenChecker,
    *,
    progress: bool,
) -> list[ProblemsReport]:
    """Make the problems of each project, whatever became of the ones before it."""
    found = []
    with alone("projects", f"an ingest of {word}"):
        drain_leftovers()
        names = list(dict.fromkeys(spec.names)) or _ingested_names()
        _require_one(names, DATASETS if word == "lines" else ())
        with (
            recorded(f"ingest_{word}", settings=spec.settings()) as run,
            Spool(run) as spool,
        ):
            n = getattr(spec, "n", N_REGIONS)
            ending = "" if n == N_REGIONS else f"-n{n}"
            making = Making(f"{word}_{spec.rule}", ending, run, spool, checker, progress)
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
                stored_baseline(project_of(name))
        except AssayError as error:
            reasons.append(str(error))
        else:
            return
    raise BadInput("; ".join(reasons))


def _stored(report: ProblemsReport, making: Making, *, word: str, made: Maker) -> None:
    """Store the problems of one project."""
    project = project_of(report.wanted)
    baseline = stored_baseline(project)
    report.dataset = f"{project.name}-{word}"
    report.version = f"{project.version}-{making.rule}{making.ending}"
    sources = sources_of(project)
    texts, report.left_out = plain_sources(sources.texts)
    report.left_out |= sources.unread
    holes = made(report, baseline, texts, making)
    problems = ProblemSet(
        project,
        report.dataset,
        report.version,
        making.rule,
        baseline.tests_key,
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
    baseline: Baseline,
    texts: dict[str, bytes],
    making: Making,
    *,
    rules: str,
) -> list[FileHole]:
    """Return the hidden lines of a project; raises BadInput where there is none."""
    name, covered = baseline.project.name, baseline.covered
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
    baseline: Baseline,
    texts: dict[str, bytes],
    making: Making,
    *,
    rules: RegionRules,
    n: int,
) -> list[FileHole]:
    """Return the regions of a project whose absence a test notices; raises BadInput for too few."""
    project = baseline.project
    seed = f"{project.name}=={project.version}"
    drawn = draws(texts, rules, seed, covered_regions(texts, baseline.covered, rules))
    report.n_possible = len(drawn)
    with _Effects(report, baseline, making, v2=rules.name == "v2") as effects:
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


class _Effects:
    """Takes regions out of a project, and says whether its tests notice.

    By v1 nothing is put in the place of a region; by v2 ``pass``, where a block would be empty, and
    an effect must be seen twice. The checker starts when it is first needed.
    """

    def __init__(self, report: ProblemsReport, baseline: Baseline, making: Making, *, v2: bool):
        self._report = report
        self._baseline = baseline
        self._making = making
        self._v2 = v2
        self._stack = ExitStack()
        self._checker: Checker | None = None
        with reading() as con:
            release_id = baseline.project.release_id
            self._known = region_checks(con, release_id, baseline.tests_key)

    def __enter__(self) -> "_Effects":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def noticed(self, found: FileHole) -> bool:
        """Say whether the tests fail without a region; not where the harness broke."""
        source, filling = without_region(found, fill=self._v2)
        verdicts: list[str] = []
        for repetition in range(1, 3 if self._v2 else 2):
            verdicts.append(self._verdict(found, source, filling, repetition))
            if verdicts[-1] == PASSED:
                self._report.n_without_effect += 1
            if verdicts[-1] in (PASSED, HARNESS_FAULT):
                return False
        return True

    def _verdict(self, found: FileHole, source: str, filling: str, repetition: int) -> str:
        """Return the verdict on a project without a region: the one that is stored, else now."""
        project, tests = self._baseline.project, self._baseline.tests_key
        lines = found.lines
        key = content_key(tests, found.path, lines.first, lines.last, filling, repetition)
        if key in self._known:
            self._report.n_known += 1
            return self._known[key]
        verdict = self._judged(found.path, source)
        if verdict == HARNESS_FAULT:
            self._report.n_harness_faults += 1
            return verdict
        self._report.n_checked += 1
        self._making.spool.add(
            [
                RegionCheck(
                    region_check_id=key,
                    project_release_id=project.release_id,
                    tests_key=tests,
                    path=found.path,
                    first_line=lines.first,
                    last_line=lines.last,
                    filling=filling,
                    repetition=repetition,
                    verdict=verdict,
                    run_id=self._making.run.run_id,
                )
            ]
        )
        return verdict

    def _judged(self, path: str, source: str) -> str:
        if not is_python(source):
            return ERROR
        verdict = HARNESS_FAULT
        for _ in range(MAX_FAULTS):
            if self._checker is None:
                self._checker = self._stack.enter_context(self._making.checker(self._baseline))
            verdict = self._checker.check(path, source).verdict
            if verdict != HARNESS_FAULT:
                break
        return verdict
