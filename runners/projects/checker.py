"""Run a project's tests against candidates for one of its files, a fork for each.

Idea: two warm processes behind the walls, each started when first needed. Where a candidate changes
only lines of one function's body, a child of tier ``function`` takes it. This child is a fork of a
process that has collected all tests, and exchanges that function's code. Any other change goes to
tier ``module``, whose children import the changed project themselves. So does a function whose
exchange could differ from an import: see ``inside/swap.py``.

Which tests: first those that execute the changed lines, then all usable ones in the order of
collection. A run stops at its first failing test, which decides: later tests have no record. In
tier ``function`` those of the first tests that are plain are called without pytest: see
``inside/plain.py``. The quickest come first, and slow ones are left to pytest. A candidate that
fails one of them has failed; pytest decides about any other. A candidate that assigns globals is
left to pytest, since its tests may depend on their order. Some tests need others before them.
Where the first tests alone fail for the original too, the run of all tests decides.

What is assumed: tests and candidate share an interpreter, so a candidate can forge its own report
(``same_interpreter``), but not that of another candidate. It passes only where every expected test
reported that it passed and pytest said that it ended. A warm process that is lost is started again,
and the candidate tried again: the third loss is a ``harness_fault``.

Refused: levels without namespaces, and projects that leave threads running after their import, for
a process with threads is not forked. Proved by tests/runners/projects/checking/test_checker.py,
measured in docs/decisions/0021.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ingest.projects.project import Project
from models.words import (
    ERROR,
    FAILED,
    HARNESS_FAULT,
    NOT_RUN,
    OUT_OF_MEMORY,
    PASSED,
    TAMPERED,
    TIMEOUT,
    WITH_NAMESPACES,
)
from runners.printable import printable_line
from runners.projects.changes import Change, Original
from runners.projects.events import SuiteRecord, TestRecord, record_of
from runners.projects.inside.forking import UNFIT
from runners.projects.warm import FUNCTION, MODULE, TIERS, Answer, Asked, CheckLimits, NotWarm
from runners.projects.warm import WarmProcess as _Warm
from warehouse.errors import AssayError, BadInput

__all__ = ["CheckLimits", "CheckResult", "Checker"]

MAX_TRIES = 3
MEMORY = "MemoryError"
SLOW_S = 0.03  # a test that takes more CPU seconds is left to pytest
UNDECIDED = (PASSED, HARNESS_FAULT)
UNKNOWN: Mapping[str, float] = {}
LIMITS = {"cpu": ("cpu_s", "CPU seconds"), "wall": ("wall_s", "seconds")}


@dataclass(frozen=True)
class CheckResult:
    """The result of one candidate: ``tests`` are those that ran, of ``n_expected``.

    ``cpu_s`` is the CPU time of the candidate's children, and of the warm process for them.
    ``why_ended`` is a code of ``raw.outcome.why_ended``.
    """

    verdict: str
    reason: str | None
    tests: tuple[TestRecord, ...]
    n_expected: int
    cpu_s: float
    wall_s: float
    tier: str
    why_ended: str = "exit"


class Checker:
    """Checks candidates for the files of one project, one at a time."""

    def __init__(
        self,
        project: Project,
        environment: Path,
        level: str,
        *,
        usable: Sequence[str],
        touching: Mapping[str, Mapping[int, Sequence[str]]],
        costs: Mapping[str, float] = UNKNOWN,
        limits: CheckLimits,
    ):
        if not usable:
            raise BadInput(f"{project.name} {project.version} has no usable test to check with")
        if level not in WITH_NAMESPACES:
            raise BadInput(f"the level {level} gives no private /tmp: candidates need namespaces")
        self._made_of = (project, environment, level)
        self._folder = project.folder
        self._files = set(project.source_files())
        self._usable = tuple(usable)
        self._positions = {test: position for position, test in enumerate(self._usable)}
        self._touching = touching
        self._costs = costs
        self._limits = limits
        self._warm: dict[str, _Warm] = {}
        self._never: dict[str, str] = {}  # tiers that cannot start, and why
        self._originals: dict[str, Original] = {}
        self._alone: dict[tuple[str, tuple[str, ...]], bool] = {}
        self._quick: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._plainly: dict[tuple[str, ...], bool] = {}
        self._touched: dict[tuple[str, range], tuple[str, ...] | None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the warm processes."""
        for warm in self._warm.values():
            warm.close()
        self._warm.clear()

    def check(self, path: str, source: str) -> CheckResult:
        """Check a candidate: ``source`` is the whole new text of the file at ``path``.

        Raises BadInput where the project has no such source file, AssayError where neither tier
        can be had.
        """
        original = self._original(path)
        try:
            source.encode()
        except UnicodeEncodeError as error:
            reason = f"its text cannot be written: {error.reason}"
            return CheckResult(ERROR, reason, (), len(self._usable), 0.0, 0.0, MODULE)
        change = original.change(source)
        key = (path, change.lines)
        if key not in self._touched:
            self._touched[key] = self._first(path, change)
        first = self._touched[key]
        if change.function is not None and first is not None and self._can(FUNCTION):
            function = asdict(change.function)
            asked = Asked((), path, source, function, change.text)
            if (result := self._checked(FUNCTION, asked, first)) is not None:
                return result
        result = self._checked(MODULE, Asked((), path, source), first or ())
        assert result is not None
        return result

    def canary(self, tiers: Sequence[str] = TIERS) -> CheckResult:
        """Run all usable tests on the original text in each tier that can be had.

        Returns the first result that is not passed, else the last, with the times of all.
        """
        cpu_s = wall_s = 0.0
        found: CheckResult | None = None
        for tier in tiers:
            ran = self._run(tier, Asked(self._usable)) if self._can(tier) else None
            if ran is not None:
                found = ran
                cpu_s, wall_s = cpu_s + found.cpu_s, wall_s + found.wall_s
                if found.verdict != PASSED:
                    break
        if found is None:
            raise AssayError(_not_loaded(self._never.values()))
        return replace(found, cpu_s=cpu_s, wall_s=wall_s)

    def _original(self, path: str) -> Original:
        if path not in self._originals:
            if path not in self._files:
                raise BadInput(f"{path} is no source file of {self._made_of[0].name}")
            text = (self._folder / path).read_bytes().decode()
            self._originals[path] = Original(text)
        return self._originals[path]

    def _first(self, path: str, change: Change) -> tuple[str, ...] | None:
        """Return the usable tests that execute the changed lines, in order.

        None where a changed line is executed only at import: then no test is known to execute it.
        """
        lines = self._touching.get(path, {})
        known = [lines[line] for line in change.lines if line in lines]
        if any(not tests for tests in known):
            return None
        wanted = {test for tests in known for test in tests}
        return tuple(sorted(wanted & self._positions.keys(), key=self._positions.__getitem__))

    def _can(self, tier: str) -> bool:
        """Say whether a warm process of the tier is there, or comes up now."""
        if tier in self._never:
            return False
        warm = self._warm.get(tier)
        if warm is None or warm.is_closed:
            try:
                self._warm[tier] = _Warm(*self._made_of, tier, self._limits)
            except NotWarm as error:
                self._never[tier] = str(error)
                return False
        return True

    def _checked(self, tier: str, asked: Asked, first: tuple[str, ...]) -> CheckResult | None:
        """Check in one tier; None where the function cannot be exchanged."""
        cpu_s = wall_s = 0.0
        some = 0 < len(first) < len(self._usable)
        tests = first if some else self._usable
        steps = [replace(asked, tests=tests)] if some else []
        plainly = tier == FUNCTION and not any("global" in line for line in asked.lines)
        if plainly and self._pass_plainly(quick := self._quick_first(tests)):
            steps = [replace(asked, tests=quick, plainly=True), *steps]
        for step in steps:
            found = self._run(tier, step)
            if found is None:
                return None
            cpu_s, wall_s = found.cpu_s + cpu_s, found.wall_s + wall_s
            fails = _fails_plainly(found) if step.plainly else found.verdict not in UNDECIDED
            if fails and (step.plainly or not some or self._pass_alone(tier, tests)):
                n_expected = len(self._usable)
                return replace(found, n_expected=n_expected, cpu_s=cpu_s, wall_s=wall_s)
        found = self._run(tier, replace(asked, tests=self._usable))
        return found and replace(found, cpu_s=found.cpu_s + cpu_s, wall_s=found.wall_s + wall_s)

    def _quick_first(self, tests: tuple[str, ...]) -> tuple[str, ...]:
        """Return these tests without the slow ones, by the CPU time of each."""
        if tests not in self._quick:
            quick = [test for test in tests if self._costs.get(test, 0.0) <= SLOW_S]
            self._quick[tests] = tuple(sorted(quick, key=lambda test: self._costs.get(test, 0.0)))
        return self._quick[tests]

    def _pass_plainly(self, tests: tuple[str, ...]) -> bool:
        """Say whether the original passes the plain ones, at least one; run once for each list."""
        if not tests:
            return False
        if tests not in self._plainly:
            result = self._run(FUNCTION, Asked(tests, plainly=True), expected=())
            passed = result is not None and result.verdict == PASSED
            self._plainly[tests] = passed and bool(result and result.tests)
        return self._plainly[tests]

    def _pass_alone(self, tier: str, tests: tuple[str, ...]) -> bool:
        """Say whether the original passes these tests without others; run once for each list."""
        key = (tier, tests)
        if key not in self._alone:
            result = self._run(tier, Asked(tests))
            self._alone[key] = result is not None and result.verdict == PASSED
        return self._alone[key]

    def _run(
        self, tier: str, asked: Asked, expected: Sequence[str] | None = None
    ) -> CheckResult | None:
        """Run one child, and again where the warm process was lost.

        All its tests are expected to report, unless ``expected`` names others. Returns None where
        tier ``function`` cannot exchange the function.
        """
        answer = Answer()
        for _ in range(MAX_TRIES):
            if not self._can(tier):
                if tier == FUNCTION:
                    return None
                raise AssayError(_not_loaded([self._never[tier]]))
            answer = self._warm[tier].ask(asked, self._limits.cpu_s, self._limits.wall_s)
            if answer.end:
                break
        if tier == FUNCTION and answer.end.get("status") == UNFIT and not answer.report:
            return None
        expected = asked.tests if expected is None else expected
        return result_of(answer, expected, tier, self._limits)


def _not_loaded(reasons: Iterable[str]) -> str:
    """Return the message that no warm process comes up, each reason once."""
    return f"the project cannot be loaded to be checked: {'; '.join(dict.fromkeys(reasons))}"


def _fails_plainly(found: CheckResult) -> bool:
    """Say whether a run of plain tests settles that the candidate fails: see inside/plain.py."""
    failed = found.verdict == FAILED and found.tests and found.tests[-1].outcome == FAILED
    return bool(failed) or found.verdict == TIMEOUT


def result_of(
    answer: Answer, expected: Sequence[str], tier: str, limits: CheckLimits
) -> CheckResult:
    """Return the result of one child, from its end and its report."""
    end = answer.end
    record = record_of(answer.report.splitlines())
    verdict, reason = _verdict(record, end, expected, limits)
    return CheckResult(
        verdict=verdict,
        reason=printable_line(reason) if reason else None,
        tests=tuple(test for test in record.tests.values() if test.outcome != NOT_RUN),
        n_expected=len(expected),
        cpu_s=end.get("cpu_s", 0.0) + end.get("own_cpu_s", 0.0),
        wall_s=end.get("wall_s", 0.0),
        tier=tier,
        why_ended=_why_ended(record, end),
    )


def _why_ended(record: SuiteRecord, end: Mapping[str, Any]) -> str:
    if not end:
        return "sandbox"
    if end["why"] in LIMITS:
        return str(end["why"])
    if end["why"] == "flood" or record.unreadable:
        return "protocol"
    return "signal" if end["signal"] else "exit"


def _verdict(
    record: SuiteRecord, end: Mapping[str, Any], expected: Sequence[str], limits: CheckLimits
) -> tuple[str, str | None]:
    if not end:
        return HARNESS_FAULT, f"its warm process was lost {MAX_TRIES} times"
    if end["why"] == "flood":
        return TAMPERED, f"it reported more than {end['limit']:,} bytes"
    where = f"in the test {record.running}" if record.running else "outside the tests"
    if end["why"] in LIMITS:
        name, words = LIMITS[end["why"]]
        return TIMEOUT, f"more than {getattr(limits, name):g} {words}, {where}"
    if record.unreadable:
        return TAMPERED, record.unreadable
    if record.broken:
        place, _, error = record.broken[0]
        return _error(f"{place}: {error}", error)
    for test in map(record.tests.get, expected):
        if test is not None and test.outcome not in (PASSED, NOT_RUN):
            verdict = OUT_OF_MEMORY if (test.message or "").startswith(MEMORY) else FAILED
            return verdict, f"{test.test}: {test.message or test.outcome}"
    if record.status is None:
        how = f"signal {end['signal']}" if end["signal"] else f"exit status {end['status']}"
        return _error(f"the process ended with {how}, {where}", "")
    if record.error:
        return _error(f"{record.error}, {where}", record.error)
    missing = [test for test in expected if _outcome(record, test) != PASSED]
    if missing:
        return FAILED, f"{len(missing)} of {len(expected)} tests did not report: {missing[0]}"
    if record.status != 0:
        return ERROR, f"pytest ended with status {record.status}"
    return PASSED, None


def _error(reason: str, error: str) -> tuple[str, str]:
    return (OUT_OF_MEMORY if error.startswith(MEMORY) else ERROR), reason


def _outcome(record: SuiteRecord, test: str) -> str:
    found = record.tests.get(test)
    return found.outcome if found else NOT_RUN
