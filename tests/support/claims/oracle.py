"""claim_verdicts and claimed_vs_judged in plain Python."""

from collections import defaultdict
from typing import Any

from tests.support.oracles.execution import Raw, by, samples_by_release, set_aside
from tests.support.oracles.statistics.intervals import of_mean

MEASURES = {
    "agreement": "share",
    "claimed_pass": "share",
    "judged_pass": "share",
    "difference": "difference",
    "all_claimed_pass": "share",
}


def verdicts(raw: Raw) -> dict[tuple[str, str | None], dict[str, Any]]:
    """Return (claim, problem) -> generation, verdict, comparison and reason."""
    sources = by(raw["claim_source"], "claim_source_id")
    found = {}
    for claim in raw["claim"]:
        source = sources[claim["claim_source_id"]]
        problems = [
            row["problem_id"]
            for row in raw["problem"]
            if (row["dataset"], row["task_id"]) == (source["dataset"], claim["task_id"])
        ]
        for problem in problems or [None]:
            found[claim["claim_id"], problem] = _compared(raw, claim, source, problem)
    return found


def _compared(raw: Raw, claim: Any, source: Any, problem: str | None) -> dict[str, Any]:
    row = {"claim": claim, "generation": None, "verdict": None, "comparison": None}
    if claim["task_id"] is None:
        return {**row, "reason": "no_task"}
    if problem is None:
        return {**row, "reason": "not_ingested"}
    answers = _answers(raw, source["lm_id"], problem)
    by_text = [each for each in answers if claim["text_key"] in (each["text"], each["candidate"])]
    by_index = [each for each in answers if each["order"][0] == claim["sample_index"]]
    several = claim["text_key"] is None and len(by_index) > 1
    mine = by_index if claim["text_key"] is None else by_text
    mine.sort(
        key=lambda each: (
            each["verdict"] is None,
            each["order"][0] != claim["sample_index"],
            each["setting"],
            each["order"],
        )
    )
    if mine and not several:
        row["generation"] = mine[0]["order"][1]
    if claim["passed"] is None:
        return {**row, "reason": "no_verdict_claimed"}
    if aside := set_aside(raw, problem):
        return {**row, "reason": aside}
    if several:
        return {**row, "reason": "several_settings"}
    if not mine:
        text = answers and claim["text_key"] is not None
        return {**row, "reason": "other_text" if text else "no_generation"}
    row |= {"verdict": mine[0]["verdict"], "reason": mine[0]["reason"]}
    if row["verdict"] is not None:
        ours = row["verdict"] == "passed"
        flips = "claimed_only" if claim["passed"] else "judged_only"
        row["comparison"] = "agrees" if ours == claim["passed"] else flips
    return row


def _answers(raw: Raw, lm: str, problem: str) -> list[dict[str, Any]]:
    texts = {row["generation_id"]: row["text_key"] for row in raw["generation"]}
    return [
        {**each, "setting": key[2], "text": texts[each["order"][1]]}
        for key, cells in samples_by_release(raw).items()
        if key[0] == lm
        for each in cells.get(problem, [])
    ]


def tallies(raw: Raw) -> dict[tuple[str, str, str | None], dict[str, Any]]:
    """Return (source, metric, release) -> means, their intervals and the counts."""
    releases = {row["problem_id"]: row["release_id"] for row in raw["problem"]}
    groups: dict[Any, list[Any]] = defaultdict(list)
    for (_, problem), row in verdicts(raw).items():
        claim = row["claim"]
        release = None if problem is None else releases[problem]
        groups[claim["claim_source_id"], claim["metric"], release].append((problem, row))
    return {key: _tally(rows) for key, rows in groups.items()}


def _tally(rows: list[Any]) -> dict[str, Any]:
    compared = [(problem, row) for problem, row in rows if row["comparison"]]
    cells: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for problem, row in compared:
        cells[problem].append((row["claim"]["passed"], row["verdict"] == "passed"))
    values: dict[str, list[float]] = {name: [] for name in MEASURES}
    claimed_by_task: dict[str, list[bool]] = defaultdict(list)
    for _, row in rows:
        if row["claim"]["task_id"] is not None and row["claim"]["passed"] is not None:
            claimed_by_task[row["claim"]["task_id"]].append(row["claim"]["passed"])
    for verdicts_of_task in claimed_by_task.values():
        values["all_claimed_pass"].append(sum(verdicts_of_task) / len(verdicts_of_task))
    for pairs in cells.values():
        claimed = sum(c for c, _ in pairs) / len(pairs)
        judged = sum(j for _, j in pairs) / len(pairs)
        agreed = sum(c == j for c, j in pairs) / len(pairs)
        of_both = (agreed, claimed, judged, claimed - judged)
        for name, value in zip(list(MEASURES)[: len(of_both)], of_both, strict=True):
            values[name].append(value)
    found: dict[str, Any] = {"n_claims": len(rows), "n_compared": len(compared)}
    found["n_verdicts"] = sum(map(len, claimed_by_task.values()))
    found["n_problems"] = len(cells)
    for name, kind in MEASURES.items():
        found[name] = sum(values[name]) / len(values[name]) if values[name] else None
        ends, _ = of_mean(values[name], kind)
        found[f"{name}_lo"], found[f"{name}_hi"] = ends
    for kind in ("claimed_only", "judged_only"):
        found[f"n_{kind}"] = sum(row["comparison"] == kind for _, row in compared)
    for _, row in rows:
        reason = row["reason"]
        if row["comparison"] == "claimed_only":
            reason = f"claimed_only_{row['verdict']}"
        if reason is not None:
            found[f"n_{reason}"] = found.get(f"n_{reason}", 0) + 1
    return found
