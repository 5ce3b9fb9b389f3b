"""The verdict on a whole suite: a code of SUITE_VERDICTS, and the reason in one line.

``passed`` and ``failed`` are verdicts on a suite that pytest completed. The other verdicts say why
it did not; tests that ended before that have rows too.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from runners.printable import printable_line
from runners.projects.events import SuiteRecord

STATUSES = {0: "passed", 1: "failed"}  # of pytest
USAGE, NO_TESTS = 4, 5
WRONG_USAGE = re.compile(r"^(?:\S+: error|ERROR): (?!usage:)(.+)", re.MULTILINE)
RAISED = re.compile(r"[A-Za-z_][\w.]*(Error|Exception): ")
END = {"cpu": "CPU seconds", "wall": "seconds"}


def verdict_of(
    record: SuiteRecord, end: Mapping[str, Any], output: Sequence[str]
) -> tuple[str, str | None]:
    """Return the verdict and its reason; ``end`` is the message of the trusted process, or empty.

    ``output`` are the last lines that the suite printed, ``end["limit"]`` the limit it ran into.
    """
    verdict, reason = _verdict(record, end, output)
    return verdict, printable_line(reason) if reason else None


def _verdict(
    record: SuiteRecord, end: Mapping[str, Any], output: Sequence[str]
) -> tuple[str, str | None]:
    if not end:
        return "harness_fault", "the process of the suite was lost"
    if record.unreadable:
        return "tampered", record.unreadable
    if end["why"] == "flood":
        return "tampered", f"the suite reported more than {end['limit']:,} bytes"
    if end["why"] in END:
        where = _where(record)
        return "timeout", f"more than {end['limit']:g} {END[end['why']]}, {where}"
    if record.status is None:
        how = f"signal {end['signal']}" if end["signal"] else f"exit status {end['status']}"
        return _cut_off(record), f"the process ended with {how}, {_where(record)}{_said(output)}"
    return _finished(record, record.status, output)


def _finished(record: SuiteRecord, status: int, output: Sequence[str]) -> tuple[str, str | None]:
    """Return the verdict where pytest itself ended the run."""
    if record.broken:
        place, missing, error = record.broken[0]
        verdict = "import_failed" if missing else "collection_failed"
        more = f" (and {len(record.broken) - 1} more)" if len(record.broken) > 1 else ""
        return verdict, f"{place}: {error}{more}"
    if record.error:
        return _cut_off(record), f"{record.error}, {_where(record)}"
    if status == USAGE:
        return _usage(output)
    if status == NO_TESTS or not record.tests:
        return "no_tests", "pytest collects no test that is to run"
    if status not in STATUSES or record.not_run:
        return "ended", f"pytest ended with status {status}, {record.not_run} tests before the end"
    if status == 0:
        return "passed", None
    wrong = [test for test in record.tests.values() if test.outcome in ("failed", "error")]
    first = f": {wrong[0].test}" if wrong else ""
    return "failed", f"{len(wrong)} of {len(record.tests)} tests{first}"


def _usage(output: Sequence[str]) -> tuple[str, str]:
    """Return the verdict where pytest did not begin; its reason is only in what it printed."""
    errors = [line[1:].strip() for line in output if re.match(r"E\s", line)]
    if any(line.startswith("ImportError while loading conftest") for line in output):
        named = [line for line in errors if RAISED.match(line)] or errors
        return "import_failed", named[-1] if named else "conftest.py cannot be imported"
    found = WRONG_USAGE.search("\n".join(output))
    return "not_started", found[1] if found else "pytest does not take its options"


def _cut_off(record: SuiteRecord) -> str:
    return "ended" if record.collected else "collection_ended"


def _said(output: Sequence[str]) -> str:
    """Return the last exception that the process printed; pytest itself may not have begun."""
    found = [line for line in output if RAISED.match(line)]
    return f": {found[-1]}" if found else ""


def _where(record: SuiteRecord) -> str:
    if record.running:
        return f"in the test {record.running}"
    if record.collected:
        return f"{record.not_run} tests before the end"
    return f"while {record.collecting} was collected" if record.collecting else "at its start"
