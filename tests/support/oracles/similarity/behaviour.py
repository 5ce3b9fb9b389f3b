"""Behaviour of two programs once more, slowly, in plain Python from raw rows."""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

Row = dict[str, Any]
Raw = dict[str, list[Row]]
Deciding = Callable[[Raw, Row], tuple[Row | None, str | None]]

LEAST_CPU_S = 0.02


def behaviours(raw: Raw, deciding: Deciding) -> dict[tuple[str, str], tuple[Any, str | None]]:
    """Return (value, reason) of each pair whose tokens were counted; one of them is None.

    ``deciding`` returns the outcome of a program that counts.
    """
    runs = {row["run_id"]: row for row in raw["run"]}
    preference = {
        row["admission_id"]: (
            row["policy"] == "calibrated",
            runs[row["run_id"]]["started_at"],
            row["admission_id"],
        )
        for row in raw["admission"]
    }
    judged: dict[str, dict[str, Row]] = defaultdict(dict)
    for program in raw["program"]:
        outcome, _ = deciding(raw, program)
        if outcome:
            judged[program["candidate_id"]][program["admission_id"]] = outcome
    statuses: dict[Any, dict[int, str]] = defaultdict(dict)
    for row in raw["test_outcome"]:
        statuses[row["program_id"], row["attempt"]][row["test_index"]] = row["status"]
    found: dict[tuple[str, str], tuple[Any, str | None]] = {}
    for row in raw["pair_similarity"]:
        x, y = row["candidate_a"], row["candidate_b"]
        common = judged[x].keys() & judged[y].keys()
        if not common:
            found[x, y] = (None, "not_judged")
            continue
        admission = max(common, key=preference.__getitem__)
        one, other = judged[x][admission], judged[y][admission]
        right = [each["verdict"] == "passed" for each in (one, other)]
        if all(right):
            hosts = [runs[each["run_id"]]["host"] for each in (one, other)]
            found[x, y] = by_time(one["cpu_s"], other["cpu_s"], same_host=hosts[0] == hosts[1])
        elif any(right):
            found[x, y] = (Fraction(0), None)
        else:
            ends = [
                ending(statuses[each["program_id"], each["attempt"]], each["n_tests"])
                for each in (one, other)
            ]
            found[x, y] = by_failures(*ends)
    return found


def by_time(x: float | None, y: float | None, *, same_host: bool) -> tuple[Any, str | None]:
    """Compare two right programs."""
    if x is None or y is None:
        return None, "no_cpu_time"
    if not same_host:
        return None, "other_machine"
    if x < LEAST_CPU_S and y < LEAST_CPU_S:
        return None, "below_resolution"
    return Fraction(min(x, y)) / Fraction(max(x, y)), None


Ending = tuple[set[int], set[int]] | None
"""The tests that a program ran, and those that it failed; None where a status is missing."""


def ending(statuses: dict[int, str], n_tests: int) -> Ending:
    """Read the statuses of a wrong program."""
    everything = set(range(n_tests))
    if not everything or set(statuses) != everything:
        return None
    ran = {index for index, status in statuses.items() if status != "not_run"}
    if not ran:
        return everything, everything
    return ran, {index for index in ran if statuses[index] != "passed"}


def by_failures(one: Ending, other: Ending) -> tuple[Any, str | None]:
    """Compare two wrong programs."""
    if one is None or other is None:
        return None, "no_test_outcomes"
    both_ran = one[0] & other[0]
    either = (one[1] | other[1]) & both_ran
    if not either:
        return None, "no_failing_test"
    return Fraction(len(one[1] & other[1]), len(either)), None
