"""A plugin of pytest that reports the result of each test, line by line.

It is an object of the process that runs pytest, made before anything of the project is imported. It
keeps functions of the standard library, because tests may replace them. Each line is a JSON list: a
word, then its values as in ``EVENTS`` of ``runners.projects.events``. Tests share the process, so
they could write such lines too: the report is no proof.
"""

import json
import os
import time
from collections.abc import Mapping
from typing import Any

from runners.projects.inside.probes import LineProbes

MESSAGE_LENGTH = 300
WORSE = ("passed", "xpassed", "skipped", "xfailed", "failed", "error")


class Reporter:
    """Writes to a descriptor; ``set_aside`` gives the reason for each test that is not to run.

    With ``probes`` it says, before the end of each test, which lines of the sources the test ran.
    """

    def __init__(self, fd: int, set_aside: Mapping[str, str], probes: LineProbes | None = None):
        self._fd = fd
        self._set_aside = dict(set_aside)
        self._probes = probes
        self._encode = json.JSONEncoder(separators=(",", ":")).encode
        self._quote = json.encoder.encode_basestring_ascii
        self._write = os.write
        self._clocks = (time.process_time, time.perf_counter)
        self._began = (0.0, 0.0)
        self._outcome: str | None = None
        self._message: str | None = None
        self._error: str | None = None
        self._waiting = b""

    def say(self, *words: Any) -> None:
        """Write one line, and what waits."""
        self._waiting += self._encode(words).encode() + b"\n"
        self._write_all()

    def _write_all(self) -> None:
        left, self._waiting = self._waiting, b""
        while left:
            left = left[self._write(self._fd, left) :]

    def say_lines(self) -> None:
        """Say which lines were run since this was last said."""
        for place, lines in self._probes.taken() if self._probes else ():
            self.say("lines", place, lines)

    def finish(self, status: int) -> None:
        """Say that pytest ended, or the tests that are called without it."""
        self._waiting += f'["finished",{status}]\n'.encode()
        self._write_all()

    def begin(self, test: str) -> None:
        """Name a test that begins without pytest."""
        name = self._quote(test)
        self._waiting += f'["item",{name}]\n["start",{name}]\n'.encode()
        self._write_all()
        self._began = (self._clocks[0](), self._clocks[1]())

    def end(self, test: str, error: BaseException | None) -> None:
        """Say what became of a test without pytest; the line waits for the next."""
        cpu_s, wall_s = self._clocks[0]() - self._began[0], self._clocks[1]() - self._began[1]
        ended = '"passed",null' if error is None else f'"failed",{self._quote(_shown(error))}'
        self._waiting += f'["end",{self._quote(test)},{ended},{cpu_s!r},{wall_s!r}]\n'.encode()

    def pytest_collectstart(self, collector: Any) -> None:
        """Name what is collected now, so that a module that ends the process is known."""
        self.say("collecting", str(collector.nodeid))

    def pytest_exception_interact(self, node: Any, call: Any, report: Any) -> None:
        """Report the error for which a module could not be collected."""
        if report.when == "collect":
            error = call.excinfo.value
            cause = getattr(error, "__cause__", None)
            missing = isinstance(error, ImportError) or isinstance(cause, ImportError)
            self.say("broken", str(node.nodeid), missing, _shown(cause or error))

    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        """Take out the tests that are set aside."""
        left = []
        for item in items:
            reason = self._reason(item.nodeid)
            if reason is None:
                left.append(item)
            else:
                self.say("aside", item.nodeid, reason[:MESSAGE_LENGTH])
        items[:] = left

    def _reason(self, test: str) -> str | None:
        """Return why a test is set aside: itself, or all its parameters together."""
        return self._set_aside.get(test, self._set_aside.get(test.partition("[")[0]))

    def pytest_runtestloop(self, session: Any) -> None:
        """Name all tests that are to run; where a file was not collected, pytest ends here."""
        if not session.testsfailed or session.config.option.continue_on_collection_errors:
            for item in session.items:
                self.say("item", item.nodeid)
            self.say("collected", len(session.items))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Name the test that begins."""
        self._outcome = self._message = None
        self.say_lines()
        self.say("start", nodeid)
        self._began = (self._clocks[0](), self._clocks[1]())

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        """Keep the error of the phase that ended."""
        self._error = _shown(call.excinfo.value) if call.excinfo else None

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Keep the worst outcome that was reported for the phases and subtests of the test."""
        outcome = _outcome_of(report)
        if outcome is None:
            return
        if self._outcome is None or WORSE.index(outcome) > WORSE.index(self._outcome):
            self._outcome = outcome
            self._message = None if outcome == "passed" else _message_of(report) or self._error

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Say what became of the test, its CPU seconds and seconds."""
        used = [clock() - began for clock, began in zip(self._clocks, self._began, strict=True)]
        self.say_lines()
        self.say("end", nodeid, self._outcome or "error", self._message, *used)

    def pytest_internalerror(self, excinfo: Any) -> None:
        """Report an error inside pytest, such as an exit while it collects."""
        self.say("internal", _shown(excinfo.value))

    def pytest_keyboard_interrupt(self, excinfo: Any) -> None:
        """Say what stopped pytest."""
        self.say("stopped", _shown(excinfo.value))


def _outcome_of(report: Any) -> str | None:
    """Return the outcome that a report means for its test, None where it means nothing."""
    subtest = hasattr(report, "context")
    if report.outcome == "failed":
        return "error" if report.when in ("setup", "teardown") and not subtest else "failed"
    if subtest or report.outcome not in ("passed", "skipped"):
        return None
    if report.outcome == "skipped":
        return "xfailed" if hasattr(report, "wasxfail") else "skipped"
    if report.when != "call":
        return None
    return "xpassed" if hasattr(report, "wasxfail") else "passed"


def _message_of(report: Any) -> str | None:
    """Return why a test was skipped or passed against expectation, None for an error."""
    found = getattr(report, "wasxfail", None) or report.longrepr
    if isinstance(found, tuple) and len(found) == 3:  # file, line and reason of a skip
        found = found[2]
    return found[:MESSAGE_LENGTH] if isinstance(found, str) and found else None


def _shown(error: BaseException) -> str:
    """Return the type and the first line of an error, whatever its own methods do."""
    try:
        text = str(error).strip().partition("\n")[0]
    except BaseException:
        text = ""
    name = type(error).__name__
    return f"{name}: {text}"[:MESSAGE_LENGTH] if text else name
