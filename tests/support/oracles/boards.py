"""Boards of entries asked alike, once more: coverage, ranks, groups of ties, by plain loops."""

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.oracles import execution
from tests.support.oracles.execution import Raw

LEAST_PROBLEMS, LEAST_COVERAGE, SIGNIFICANCE = 10, 0.9, 0.05
EntryKey = tuple[str, str, str]  # language model, dataset, setting
Board = tuple[Any, ...]


@dataclass(frozen=True)
class BoardEntry:
    """One entry: its board, its pass@1 of each problem, and why it has no rank."""

    board: Board
    n_usable: int
    values: Mapping[str, float]
    unranked_reason: str | None
    tokens: Sequence[float | None]


def board_entries(raw: Raw) -> dict[EntryKey, BoardEntry]:
    """Return every entry of the newest release that it answered; all its samples have verdicts."""
    settings = execution.by(raw["setting"], "setting_id")
    lms = execution.by(raw["language_model"], "lm_id")
    answers: dict[tuple[str, str, str], list[float | None]] = defaultdict(list)
    for row in raw["generation"]:
        answers[row["lm_id"], row["setting_id"], row["problem_id"]].append(
            row["n_completion_tokens"]
        )
    usable: dict[str, int] = defaultdict(int)
    for problem in raw["problem"]:
        if execution.set_aside(raw, problem["problem_id"]) is None:
            usable[problem["release_id"]] += 1
    found = {}
    for (lm, dataset, setting), cells in execution.samples(raw).items():
        release = next(iter(cells)).rpartition(".")[0]
        asked = settings[setting]
        scored = {
            problem: [row for row in rows if row["verdict"]]
            for problem, rows in cells.items()
            if execution.set_aside(raw, problem) is None
        }
        scored = {problem: rows for problem, rows in scored.items() if rows}
        reason = None
        if len(scored) < LEAST_PROBLEMS:
            reason = "problems_lt_min"
        if len(scored) / usable[release] < LEAST_COVERAGE:
            reason = "coverage_lt_min"
        if not scored:
            reason = "no_value"
        if execution.replaced(raw, setting):
            reason = "not_applicable"
        found[lm, dataset, setting] = BoardEntry(
            board=(
                *(release, lms[lm]["simulated"], asked["task"]),
                *(asked["prompt_kind"], asked["temperature"]),
            ),
            n_usable=usable[release],
            values={
                problem: statistics.fmean(row["verdict"] == "passed" for row in rows)
                for problem, rows in scored.items()
            },
            unranked_reason=reason,
            tokens=[_mean(answers[lm, setting, problem]) for problem in scored],
        )
    return found


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if len(known) == len(values) else None


def ranks(values: Sequence[float]) -> list[int]:
    """Return the rank of each value, the largest first; equal values share one."""
    return [1 + sum(other > value + 1e-12 for other in values) for value in values]


def groups(n: int, differing: set[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the largest sets of places 0 to n - 1 without two that differ, by their members."""
    found: list[tuple[int, ...]] = []
    apart = differing | {(y, x) for x, y in differing}

    def extend(members: tuple[int, ...], wanted: list[int], done: list[int]) -> None:
        if not wanted and not done:
            found.append(members)
        for at, place in enumerate(wanted):
            extend(
                (*members, place),
                [other for other in wanted[at + 1 :] if (place, other) not in apart],
                [other for other in (*done, *wanted[:at]) if (place, other) not in apart],
            )

    extend((), list(range(n)), [])
    return sorted(found)
