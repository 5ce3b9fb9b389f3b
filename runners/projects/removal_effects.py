"""Whether tests notice that some code is missing, and what the makers of problems share."""

from contextlib import ExitStack
from dataclasses import dataclass, field

from ingest.projects.problem_rows import FileHole, is_python, without_region
from models.keys import content_key
from models.tables import RegionCheck
from models.words import ERROR, HARNESS_FAULT, PASSED
from runners.projects.checker import Checker
from runners.projects.passed_suite import OpenChecker, PassedSuite
from warehouse.facts.projects import region_checks
from warehouse.store.connection import reading
from warehouse.store.runs import RunHandle
from warehouse.store.spool import Spool

MAX_FAULTS = 3


@dataclass
class ProblemsReport:
    """The result of one project or dataset; ``error`` says why it gives no problems.

    ``n_possible`` counts what the rules and the coverage allow. ``n_checked`` regions were tried
    now, ``n_known`` before. Of both, ``n_without_effect`` were missed by no test.
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
    """What the makers of problems share: the rule, the run, the spool for checks, and the checker.

    ``ending`` follows the rule in the version of the dataset, such as ``-n20``.
    """

    rule: str
    ending: str
    run: RunHandle
    spool: Spool
    checker: OpenChecker
    progress: bool


class RemovalEffects:
    """Takes code out of a project, and says whether its tests notice.

    Nothing takes the place of the code. With ``twice``, ``pass`` does where a block would be empty,
    and tests must fail in two runs. The checker starts when it is first needed.
    """

    def __init__(self, report: ProblemsReport, suite: PassedSuite, making: Making, *, twice: bool):
        self._report = report
        self._suite = suite
        self._making = making
        self._twice = twice
        self._stack = ExitStack()
        self._checker: Checker | None = None
        with reading() as con:
            release_id = suite.project.release_id
            self._known = region_checks(con, release_id, suite.tests_key)

    def __enter__(self) -> "RemovalEffects":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def noticed(self, found: FileHole) -> bool:
        """Say whether the tests fail without the code; False where the harness failed."""
        source, filling = without_region(found, fill=self._twice)
        verdicts: list[str] = []
        for repetition in range(1, 3 if self._twice else 2):
            verdicts.append(self._verdict(found, source, filling, repetition))
            if verdicts[-1] == PASSED:
                self._report.n_without_effect += 1
            if verdicts[-1] in (PASSED, HARNESS_FAULT):
                return False
        return True

    def _verdict(self, found: FileHole, source: str, filling: str, repetition: int) -> str:
        """Return the verdict on a project without the code: the stored one, else a new one."""
        project, tests = self._suite.project, self._suite.tests_key
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
                self._checker = self._stack.enter_context(self._making.checker(self._suite))
            verdict = self._checker.check(path, source).verdict
            if verdict != HARNESS_FAULT:
                break
        return verdict
