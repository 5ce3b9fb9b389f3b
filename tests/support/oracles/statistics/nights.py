"""Nightly alarms once more, slowly, in plain Python from raw rows: no SQL, no code shared."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from tests.support.oracles import execution
from tests.support.oracles.execution import Raw, by

ERROR, WINDOW, HORIZON, LEAST, LEAST_SHARE, CPU_RATIO = 0.05, 14, 30, 10, 0.9, 1.25
BETS = [sign * size for sign in (-1, 1) for size in (0.3, 1, 3, 10)]
Night = dict[str, list[float]]
"""By problem, the values of its samples in a night."""

Stream = tuple[str, str]
"""A subject and a metric."""


def factor(bet: float, history: Sequence[float]) -> float:
    """Return the logarithm of what a bet on the last of some values brings."""
    top = max(bet * value for value in history)
    mean = math.fsum(math.exp(bet * value - top) for value in history) / len(history)
    return bet * history[-1] - top - math.log(mean)


def histories(nights: Sequence[Night], at: int) -> dict[str, list[float]]:
    """Return, by problem, the means of the last nights of as many samples, and of this one."""
    found = {}
    for problem, values in nights[at].items():
        alike = [
            math.fsum(night[problem]) / len(values)
            for night in nights[: at + 1]
            if len(night.get(problem, ())) == len(values)
        ]
        if len(alike) > 1:
            found[problem] = alike[-1 - WINDOW :]
    return found


def e_values(nights: Sequence[Night]) -> list[float | None]:
    """Return what the bettor has after each night; None where too few problems compare."""
    logs: list[list[float]] = []
    found: list[float | None] = []
    for at in range(len(nights)):
        compared = histories(nights, at)
        if len(compared) < LEAST:
            found.append(None)
            continue
        logs.append([math.fsum(factor(bet, h) for h in compared.values()) for bet in BETS])
        n = len(logs)
        wealth = []
        for number in range(len(BETS)):
            total = HORIZON / (n + HORIZON)
            for begin in range(max(1, n - WINDOW), n + 1):
                weight = HORIZON / ((begin + HORIZON - 1) * (begin + HORIZON))
                won = math.fsum(row[number] for row in logs[begin - 1 :])
                total += weight * math.exp(min(won, 600.0))
            wealth.append(total)
        found.append(math.fsum(wealth) / len(BETS))
    return found


def streams(raw: Raw) -> dict[Stream, dict[str, Night]]:
    """Return the values of each subject and metric, by run."""
    found: dict[Stream, dict[str, Night]] = defaultdict(lambda: defaultdict(dict))
    for subject, run, problem, metric, value in _values(raw):
        found[subject, metric][run].setdefault(problem, []).append(value)
    return found


def _used(raw: Raw) -> set[str]:
    """Return the problems that are not set aside."""
    names = {row["problem_id"] for row in raw["problem"]}
    return {name for name in names if not execution.set_aside(raw, name)}


def _values(raw: Raw) -> list[tuple[str, str, str, str, float]]:
    generations = by(raw["generation"], "generation_id")
    parses = {row["candidate_id"]: row["parses"] for row in raw["candidate"]}
    tokens = by(raw["token_logprob"], "generation_id")
    several, opened, used = _nights(raw), _opened(raw), _used(raw)
    rows = []
    for entry, cells in execution.samples(raw).items():
        for problem, samples in cells.items():
            if problem not in used:
                continue
            subject = "/".join((problem.rpartition(".")[0], entry[0], entry[2]))
            if len(several[subject]) < 2:
                continue
            for sample in samples:
                generation = generations[sample["order"][1]]
                where = (subject, opened[subject, generation["run_id"]], problem)
                right = None if sample["verdict"] is None else sample["verdict"] == "passed"
                rows.append((*where, "no_verdict", float(right is None)))
                if right is not None:
                    rows.append((*where, "pass_at_1", float(right)))
                if sample["candidate"] is not None:
                    rows.append((*where, "parses", float(parses[sample["candidate"]])))
                if generation["finish_reason"] is not None:
                    cut = generation["finish_reason"] == "length"
                    rows.append((*where, "cut_off", float(cut)))
                if generation["n_completion_tokens"] is not None:
                    rows.append(
                        (*where, "log_tokens", math.log(1 + generation["n_completion_tokens"]))
                    )
                stated = tokens.get(generation["generation_id"])
                if stated and right is not None:
                    (logprob,) = stated["logprobs"]
                    brier = (math.exp(logprob) - right) ** 2
                    for measure in ("avg_prob", "total_prob", "geometric_mean_prob", "min_prob"):
                        rows.append((*where, f"brier_{measure}", brier))
    for canary in raw["canary"]:
        release = canary["problem_id"].rpartition(".")[0]
        counts = canary["verdict"] == "passed" and canary["problem_id"] in used
        if counts and canary["cpu_s"]:
            value = math.log(canary["cpu_s"])
            rows.append((release, canary["run_id"], canary["problem_id"], "log_cpu", value))
    return rows


def _opened(raw: Raw) -> dict[tuple[str, str], str]:
    """Return, by subject and run, the run that began its night."""
    started = {run["run_id"]: run["started_at"] for run in raw["run"]}
    last: dict[str, dict[str, int]] = defaultdict(dict)
    used = _used(raw)
    for row in raw["generation"]:
        if row["problem_id"] in used:
            release = row["problem_id"].rpartition(".")[0]
            runs = last["/".join((release, row["lm_id"], row["setting_id"]))]
            runs[row["run_id"]] = max(runs.get(row["run_id"], -1), row["sample_index"])
    found = {}
    for subject, runs in last.items():
        highest, night = -1, ""
        for run in sorted(runs, key=lambda run: (started[run], run)):
            night = run if runs[run] > highest else night
            highest = max(highest, runs[run])
            found[subject, run] = night
    return found


def _nights(raw: Raw) -> dict[str, list[str]]:
    """Return the first runs of the nights of each subject, in order."""
    started = {run["run_id"]: run["started_at"] for run in raw["run"]}
    found: dict[str, set[str]] = defaultdict(set)
    for (subject, _), night in _opened(raw).items():
        found[subject].add(night)
    for row in raw["canary"]:
        found[row["problem_id"].rpartition(".")[0]].add(row["run_id"])
    return {
        subject: sorted(runs, key=lambda run: (started[run], run))
        for subject, runs in found.items()
    }


def tested(raw: Raw) -> dict[tuple[str, str, int], dict[str, Any]]:
    """Return, by subject, metric and night, what the view has of the tests by betting."""
    started = {run["run_id"]: run["started_at"] for run in raw["run"]}
    order = _nights(raw)
    every = streams(raw)
    firsts = [min(started[run] for run in nights) for nights in every.values()]
    found = {}
    for (subject, metric), nights in every.items():
        runs = [run for run in order[subject] if run in nights]
        values = [nights[run] for run in runs]
        for at, (run, e_value) in enumerate(zip(runs, e_values(values), strict=True)):
            compared = histories(values, at)
            row: dict[str, Any] = {"n_problems": len(compared), "e_value": e_value, "run_id": run}
            longest = max([len(history) for history in compared.values()], default=1)
            row["n_reference_nights"] = longest - 1
            row["value"] = _mean([history[-1] for history in compared.values()])
            row["reference_value"] = _mean(
                [math.fsum(history[:-1]) / (len(history) - 1) for history in compared.values()]
            )
            row["null_reason"] = None
            if e_value is None:
                row["null_reason"] = "problems_lt_min" if compared else "no_reference"
            n_streams = sum(first < started[run] for first in firsts)
            row["threshold"] = None if e_value is None else n_streams / ERROR
            row["state"] = _state(metric, row)
            found[subject, metric, order[subject].index(run) + 1] = row
    return found


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _state(metric: str, row: Mapping[str, Any]) -> str | None:
    if row["e_value"] is None:
        return None
    if row["e_value"] < 1 / ERROR:
        return "quiet"
    small = abs(row["value"] - row["reference_value"]) < math.log(CPU_RATIO)
    if row["e_value"] < row["threshold"] or (metric == "log_cpu" and small):
        return "watch"
    return "alarm"


def checked(raw: Raw) -> dict[tuple[str, str, int], dict[str, Any]]:
    """Return what the view has of exact comparisons: state, value and value before."""
    found: dict[tuple[str, str, int], dict[str, Any]] = {}
    for subject, runs in _nights(raw).items():
        if len(runs) < 2:
            continue
        rows = [_facts(raw, subject, run) for run in runs]
        names = ("problems", "isolation", "integrity", "judge_version")
        for metric in names if "/" in subject else ("failing_references",):
            before: Any = None
            for night, row in enumerate(rows, start=1):
                value = row[metric]
                found[subject, metric, night] = {
                    "now": value, "before": before, "state": _check(metric, value, before, row)
                }  # fmt: skip
                before = before if value is None else value
    return found


def _check(metric: str, value: Any, before: Any, row: Mapping[str, Any]) -> str | None:
    if metric == "failing_references" and value:
        return "alarm" if row["again"] else "watch"
    if value is None or before is None:
        return None
    if metric == "failing_references":
        return "quiet"
    if metric != "problems":
        return "quiet" if value == before else "alarm"
    if value < LEAST_SHARE * before:
        return "alarm"
    return "watch" if value < before else "quiet"


def _facts(raw: Raw, subject: str, run: str) -> dict[str, Any]:
    if "/" not in subject:
        return _references(raw, subject, run)
    release, lm, setting = subject.split("/")
    opened, used = _opened(raw), _used(raw)
    mine = {
        row["generation_id"]: row["problem_id"]
        for row in raw["generation"]
        if (row["lm_id"], row["setting_id"]) == (lm, setting)
        and opened.get((subject, row["run_id"])) == run
        and row["problem_id"].startswith(f"{release}.")
        and row["problem_id"] in used
    }
    programs = by(raw["program"], "program_id")
    versions = {row["admission_id"]: row["judge_version"] for row in raw["admission"]}
    found: dict[str, set[str]] = {"isolation": set(), "integrity": set(), "judge_version": set()}
    for evaluation in raw["evaluation"]:
        if evaluation["generation_id"] in mine:
            program = programs[evaluation["program_id"]]
            found["judge_version"].add(versions[program["admission_id"]])
            outcome, _ = execution.deciding(raw, program)
            for name in ("isolation", "integrity") if outcome else ():
                found[name].add(outcome[name])  # type: ignore[index]
    texts = {name: ", ".join(sorted(values)) or None for name, values in found.items()}
    return {"problems": len({*mine.values()}), **texts}


def _references(raw: Raw, release: str, run: str) -> dict[str, Any]:
    started = {row["run_id"]: row["started_at"] for row in raw["run"]}
    verdicts: dict[str, dict[str, str]] = defaultdict(dict)
    used = _used(raw)
    for row in sorted(raw["canary"], key=lambda row: (started[row["run_id"]], row["run_id"])):
        problem = row["problem_id"]
        if problem.startswith(f"{release}.") and problem in used:
            verdicts[row["run_id"]][problem] = row["verdict"]
    earlier: dict[str, str] = {}
    for other, row in verdicts.items():
        if other == run:
            break
        earlier |= row
    failing = [problem for problem, verdict in verdicts[run].items() if verdict != "passed"]
    again = [problem for problem in failing if earlier.get(problem) == "passed"]
    return {"failing_references": len(failing) / len(verdicts[run]), "again": len(again)}
