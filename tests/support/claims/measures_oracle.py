"""claimed_calibration and claimed_comparison in plain Python, from raw rows."""

from collections import defaultdict
from itertools import combinations
from typing import Any

from tests.support.oracles import calibration, comparisons, confidence
from tests.support.oracles.calibration import ScoredPair
from tests.support.oracles.execution import Raw, by
from tests.support.oracles.statistics.intervals import of_mean

TOKENS = {
    "avg_prob": "avg", "total_prob": "total", "geometric_mean_prob": "geometric_mean",
    "min_prob": "min",
}  # fmt: skip
Entry = tuple[str, str]
"""A source of claims and a metric of its claimant."""


def claims_by_entry(raw: Raw) -> dict[Entry, list[Any]]:
    """Return the claims on tasks of each source and metric with a verdict."""
    found: dict[Entry, list[Any]] = defaultdict(list)
    for row in raw["claim"]:
        if row["task_id"] is not None:
            found[row["claim_source_id"], row["metric"]].append(row)
    return {
        entry: rows
        for entry, rows in found.items()
        if any(row["passed"] is not None for row in rows)
    }


def calibrations(raw: Raw) -> dict[tuple[str, str, str], dict[str, Any]]:
    """Return the row of each entry and measure: the claimed confidence, and those of tokens."""
    return {key: _measured(read) for key, read in _scores(raw).items()}


def used_pairs(raw: Raw) -> dict[tuple[str, str, str], list[ScoredPair]]:
    """Return the pairs that count of each entry and measure."""
    return {key: _pairs(read) for key, read in _scores(raw).items()}


def _scores(raw: Raw) -> dict[tuple[str, str, str], list[Any]]:
    """Return each claim of an entry and measure with its score, or why there is none."""
    lms = {row["claim_source_id"]: row["lm_id"] for row in raw["claim_source"]}
    tasks = by(raw["problem"], "problem_id")
    here = {
        (row["lm_id"], tasks[row["problem_id"]]["task_id"], row["sample_index"]): row
        for row in raw["generation"]
        if row["parent_generation_id"] is None
    }
    tokens = by(raw["token_logprob"], "generation_id")
    found = {}
    for (source, metric), claims in claims_by_entry(raw).items():
        found[source, metric, "claimed"] = [
            (row, row["confidence"], "no_confidence_claimed") for row in claims
        ]
        samples = [
            (row, here[key]["generation_id"])
            for row in claims
            if (key := (lms[source], row["task_id"], row["sample_index"])) in here
        ]
        for measure, how in TOKENS.items() if samples else ():
            found[source, metric, measure] = [
                (row, *confidence.token_confidence(tokens.get(name, {}).get("logprobs"), how))
                for row, name in samples
            ]
    return found


def _pairs(read: list[Any]) -> list[ScoredPair]:
    pairs = [
        ScoredPair(score, claim["passed"], 1.0, claim["task_id"])
        for claim, score, _ in read
        if claim["passed"] is not None and score is not None
    ]
    return calibration.weighed_by_problem(pairs)


def _measured(read: list[Any]) -> dict[str, Any]:
    """Return the row of claims with scores, or the reasons why there is none."""
    row: dict[str, Any] = defaultdict(int, n_total=len(read))
    for claim, score, reason in read:
        if claim["passed"] is None:
            row["n_null_no_verdict_claimed"] += 1
        elif score is None:
            row[f"n_null_{reason}"] += 1
    pairs = _pairs(read)
    row["n_used"], row["n_positive"] = len(pairs), sum(pair.y for pair in pairs)
    by_task: dict[str, list[ScoredPair]] = defaultdict(list)
    for pair in pairs:
        by_task[pair.problem].append(pair)
    row["n_clusters"] = len(by_task)
    for name, value in (
        ("base_rate", calibration.mean_y),
        ("mean_score", calibration.mean_p),
        ("brier", calibration.brier),
    ):
        row[name] = value(pairs) if pairs else None
        ends, reason = of_mean([value(rows) for rows in by_task.values()], "share")
        row[f"{name}_lo"], row[f"{name}_hi"] = ends
        row["interval_null_reason"] = reason
    for name in ("brier_reference", "skill_score", "ece", "auroc"):
        row[name] = getattr(calibration, name)(pairs)
    row["null_reason"] = None
    if len({pair.y for pair in pairs}) < 2:
        row["null_reason"] = "single_class" if pairs else "empty"
    return row


def compared(raw: Raw) -> dict[tuple[str, str, str], dict[str, Any]]:
    """Return the row of each metric and pair of sources."""
    sources = by(raw["claim_source"], "claim_source_id")
    lms = by(raw["language_model"], "lm_id")
    tasks = defaultdict(set)
    for row in raw["claim"]:
        if row["task_id"] is not None:
            tasks[sources[row["claim_source_id"]]["dataset"]].add(row["task_id"])
    places = {name: sorted(found) for name, found in tasks.items()}
    signs = {name: comparisons.signs(len(found)) for name, found in places.items()}
    values: dict[Entry, comparisons.Values] = {
        entry: _values(claims) for entry, claims in claims_by_entry(raw).items()
    }
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    families = {}

    def simulated(source: Any) -> bool:
        return bool(lms.get(source["lm_id"], {}).get("simulated"))

    for one, other in combinations(sorted(values), 2):
        a, b = sorted((sources[one[0]], sources[other[0]]), key=lambda s: (s["lm"], s["claimant"]))
        if one[1] != other[1] or a["dataset"] != b["dataset"] or simulated(a) != simulated(b):
            continue
        dataset, metric = a["dataset"], one[1]
        key = (metric, a["claim_source_id"], b["claim_source_id"])
        place = {task: at for at, task in enumerate(places[dataset])}
        ends = (values[name, metric] for name in key[1:])
        found[key] = comparisons.compare(*ends, place, signs[dataset])
        found[key]["pairing"] = "claimants" if a["lm_id"] == b["lm_id"] else "language_models"
        families[key] = (dataset, metric, simulated(a), found[key]["pairing"])
    comparisons.correct(found, families.__getitem__)
    return found


def _values(claims: list[Any]) -> comparisons.Values:
    by_task: dict[str, list[bool]] = defaultdict(list)
    for row in claims:
        if row["passed"] is not None:
            by_task[row["task_id"]].append(row["passed"])
    return {
        task: (sum(passed) / len(passed), comparisons.variance(len(passed), sum(passed), 1),
               len(passed))
        for task, passed in by_task.items()
    }  # fmt: skip
