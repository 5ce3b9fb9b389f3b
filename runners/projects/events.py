"""The report of the suite's process on its tests, read strictly: tests can write lines to it too.

Each line is a JSON list: a word of EVENTS and values of the kinds that are listed for it. Half a
surrogate pair, which UTF-8 cannot hold, is kept as its escape.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from models.projects.lines import ranges_of_text
from models.words import SUITE_OUTCOMES

Kinds = tuple[type | tuple[type, ...], ...]

TEXT = (str, type(None))
NUMBER = (int, float)
EVENTS: dict[str, Kinds] = {
    "collecting": (str,),  # the id of what is collected now
    "broken": (str, bool, str),  # id, whether an import failed, the error
    "aside": (str, str),  # id and reason of a test that is not to run
    "item": (str,),  # a test that is to run, in order
    "collected": (int,),  # how many there are; collection is over
    "start": (str,),  # a test begins
    "end": (str, str, TEXT, NUMBER, NUMBER),  # test, outcome, message, CPU seconds, seconds
    "lines": (str, str),  # a source file, and lines of it that ran since this was last said
    "internal": (str,),  # an error inside pytest
    "stopped": (str,),  # what stopped pytest
    "finished": (int,),  # the exit status of pytest
}
MAX_TEXT = 20_000  # ids of tests hold their parameters
MAX_NUMBER = 1e9
MAX_LINES = 20_000_000
"""Lines of all tests together: a report of a few bytes can name very many."""


@dataclass(frozen=True)
class TestRecord:
    """What became of one test."""

    __test__ = False  # not a pytest class

    test: str
    outcome: str
    message: str | None = None
    cpu_s: float | None = None
    wall_s: float | None = None


@dataclass
class SuiteRecord:
    """The report on a suite; ``tests`` by id, in the order of collection.

    ``lines`` are ranges of lines by test and file; the test is empty for lines outside every test.
    """

    tests: dict[str, TestRecord] = field(default_factory=dict)
    lines: dict[tuple[str, str], list[tuple[int, int]]] = field(default_factory=dict)
    n_lines: int = 0
    broken: list[tuple[str, bool, str]] = field(default_factory=list)
    collecting: str = ""
    collected: bool = False
    running: str = ""
    error: str = ""
    status: int | None = None
    unreadable: str = ""

    @property
    def not_run(self) -> int:
        """Return how many of the tests have not ended."""
        return sum(test.outcome == "not_run" for test in self.tests.values())


def record_of(lines: Iterable[bytes]) -> SuiteRecord:
    """Return the record of these lines, up to the first that the reporter would not write."""
    record = SuiteRecord()
    for number, line in enumerate(lines, 1):
        try:
            word, *values = json.loads(line)
            kinds = EVENTS[word]
            fits = len(values) == len(kinds) and all(map(_is_of, values, kinds))
        except (ValueError, KeyError, TypeError, RecursionError):
            fits = False
        if not fits or not _take(record, word, [_storable(each) for each in values]):
            record.unreadable = f"line {number} of its report is not one of the reporter's"
            break
    return record


def _is_of(value: object, kind: type | tuple[type, ...]) -> bool:
    """Say whether a value is of a kind, and not too long or too large."""
    if not isinstance(value, kind) or isinstance(value, bool) != (kind is bool):
        return False
    if isinstance(value, str):
        return len(value) <= MAX_TEXT
    return not isinstance(value, int | float) or abs(value) <= MAX_NUMBER


def _storable(value: object) -> object:
    """Return a text that can be encoded; other values as they are."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    return value


def _take(record: SuiteRecord, word: str, values: list[object]) -> bool:
    """Add one line to the record; return whether it fits what came before."""
    first: object = values[0]
    if word in ("aside", "item"):
        if record.collected:
            return False
        outcome, reason = ("set_aside", str(values[1])) if word == "aside" else ("not_run", None)
        record.tests[str(first)] = TestRecord(str(first), outcome, reason)
    elif word == "end":
        return _end(record, *values)  # type: ignore[arg-type]
    elif word == "lines":
        return _ran(record, *values)  # type: ignore[arg-type]
    elif word == "broken":
        record.broken.append((str(first), bool(values[1]), str(values[2])))
    elif word in ("internal", "stopped"):
        record.error = str(first)
    elif word == "collected":
        record.collected = True
    elif word == "finished":
        record.status = first  # type: ignore[assignment]
    else:
        setattr(record, {"start": "running"}.get(word, word), str(first))
    return True


def _ran(record: SuiteRecord, path: str, text: str) -> bool:
    """Note lines of the test that runs now, or of none."""
    try:
        ranges = ranges_of_text(text)
    except ValueError:
        return False
    record.n_lines += sum(last - first + 1 for first, last in ranges)
    if record.n_lines > MAX_LINES:
        return False
    record.lines.setdefault((record.running, path), []).extend(ranges)
    return True


def _end(
    record: SuiteRecord, test: str, outcome: str, message: str | None, cpu_s: float, wall_s: float
) -> bool:
    """Note the end of a test that has begun; of two tests of one id, the worse outcome counts."""
    known = record.tests.get(test)
    before = min(cpu_s, wall_s) < 0
    if outcome not in SUITE_OUTCOMES[:6] or not known or record.running != test or before:
        return False
    record.running = ""
    if known.outcome in ("not_run", "passed"):
        record.tests[test] = TestRecord(test, outcome, message, float(cpu_s), float(wall_s))
    return True
