"""The report of a suite is read strictly, and each way to end has its verdict."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.words import SUITE_OUTCOMES, SUITE_VERDICTS
from runners.printable import printable_line
from runners.projects import events
from runners.projects.events import record_of
from runners.projects.verdicts import verdict_of

A, B = "t.py::a", "t.py::b"
BEGUN: list[list[Any]] = [["collecting", "t.py"], ["item", A], ["item", B], ["collected", 2]]
A_PASSED: list[list[Any]] = [["start", A], ["end", A, "passed", None, 0.5, 1]]
ENDED = {"why": "exited", "signal": 0, "status": 0}


def lines(said: list[list[Any]]) -> list[bytes]:
    return [json.dumps(event).encode() for event in said]


def test_a_test_is_what_its_lines_say() -> None:
    record = record_of(lines([*BEGUN, *A_PASSED, ["start", B]]))
    assert (record.collected, record.running, record.unreadable) == (True, B, "")
    assert [(test.test, test.outcome, test.cpu_s) for test in record.tests.values()] == [
        (A, "passed", 0.5),
        (B, "not_run", None),
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        ["end", B, "passed", None, 0, 0],  # has not begun
        ["end", A, "set_aside", None, 0, 0],
        ["end", A, "wonderful", None, 0, 0],
        ["end", A, "passed", None, -1, 0],
        ["end", A, "passed", None, float("inf"), 0],
        ["end", A, "passed", 3, 0, 0],
        ["end", A, "passed", None, 10**400, 0],
        ["end", A, "passed", None, True, 0],
        ["finished", True],
        ["finished", 10**400],
        ["broken", A, 1, "it"],
        ["item", "t.py::late"],
        ["item"],
        ["item", 3],
        ["collecting", "x" * 30_000],
        ["nothing", "we know"],
        ["lines", "a.py"],
        ["lines", "a.py", "3-1"],
        ["lines", "a.py", "1,a"],
        ["lines", "a.py", ",".join(map(str, range(1, 9_000)))],
        [],
        {"item": A},
        "text",
        None,
    ],
)
def test_a_line_that_does_not_fit_ends_the_reading(wrong: Any) -> None:
    record = record_of(lines([*BEGUN, ["start", A], wrong, ["finished", 0]]))
    assert record.unreadable == "line 6 of its report is not one of the reporter's"
    assert record.status is None
    assert {test.outcome for test in record.tests.values()} == {"not_run"}
    assert verdict_of(record, ENDED, [])[0] == "tampered"


def test_half_a_surrogate_pair_is_kept_as_its_escape() -> None:
    """Errors about texts hold such letters, and neither Arrow nor DuckDB takes them."""
    raw = b'["end","t.py::a","failed","ValueError: \xed\xa0\x80",0,0]'
    escaped = ["start", B], ["end", B, "failed", "ValueError: \udc80 é", 0, 0]
    record = record_of([*lines([*BEGUN, ["start", A]]), raw, *lines([*escaped])])
    messages = [test.message for test in record.tests.values()]
    assert messages == ["ValueError: \\ud800", "ValueError: \\udc80 é"]


@given(st.lists(st.binary(max_size=60) | st.sampled_from(lines([*BEGUN, *A_PASSED]))))
def test_no_report_breaks_the_reader(report: list[bytes]) -> None:
    record = record_of(report)
    assert {test.outcome for test in record.tests.values()} <= {*SUITE_OUTCOMES}
    verdict, reason = verdict_of(record, ENDED, [])
    assert verdict in SUITE_VERDICTS
    assert (reason is None) == (verdict == "passed")


def test_lines_are_of_the_test_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [["lines", "a.py", "1"], ["start", A], ["lines", "a.py", "2-4"], ["lines", "a.py", "7"]]
    record = record_of(lines([*BEGUN, *said]))
    assert record.lines == {("", "a.py"): [(1, 1)], (A, "a.py"): [(2, 4), (7, 7)]}
    monkeypatch.setattr(events, "MAX_LINES", 5)
    assert not record_of(lines([*BEGUN, *said])).unreadable
    monkeypatch.setattr(events, "MAX_LINES", 4)
    assert record_of(lines([*BEGUN, *said])).unreadable.startswith("line 8 ")


def verdict(said: list[list[Any]], output: tuple[str, ...] = (), **end: Any) -> str:
    return verdict_of(record_of(lines(said)), {**ENDED, **end}, output)[0]


def test_passed_is_said_only_where_pytest_ended_and_every_test_passed() -> None:
    b_passed = [["start", B], ["end", B, "passed", None, 0, 0]]
    whole = [*BEGUN, *A_PASSED, *b_passed]
    assert verdict([*whole, ["finished", 0]]) == "passed"
    assert verdict(whole) == "ended"  # exit status 0, and pytest did not say that it ended
    assert verdict([*BEGUN, *A_PASSED, ["finished", 0]]) == "ended"
    assert verdict([*whole, ["finished", 1]]) == "failed"
    assert verdict([*whole, ["finished", 0]], why="cpu", limit=1.0) == "timeout"
    assert verdict([["finished", 0]]) == "no_tests"
    assert verdict_of(record_of(lines(whole)), {}, [])[0] == "harness_fault"


def test_of_two_tests_of_one_id_the_worse_counts() -> None:
    twice = [["start", A], ["end", A, "failed", "no", 0, 0]]
    for both in ([*A_PASSED, *twice], [*twice, *A_PASSED]):
        record = record_of(lines([*BEGUN, *both]))
        assert record.tests[A].outcome == "failed"


@given(st.text())
def test_a_reason_is_one_short_line(text: str) -> None:
    line = printable_line(text)
    assert len(line) <= 300
    assert line.isprintable()
