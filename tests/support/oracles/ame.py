"""Mutation effects once more, slowly, in plain Python from raw rows: no SQL, no code shared."""

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import t

from tests.support.oracles import execution as oracles

FAULTS = ("not_executed", "harness_fault", "canary_failed")


@dataclass(frozen=True)
class PairScores:
    """One pair under one entry; rates are None where the reason is not."""

    problem: str
    mutation: str
    version: int
    edition: int
    operators: str
    reason: str | None
    original: float | None
    mutated: float | None
    repeated: float | None
    first_reason: str | None
    first: tuple[bool, bool] | None
    m: int | None


def validity(raw: oracles.Raw) -> dict[str, str]:
    """Tell of each pair whether it counts, or why not."""
    mutants = oracles.by(raw["mutant"], "mutant_id")
    policies = oracles.by(raw["admission"], "admission_id")
    verdicts: dict[tuple[str, str], list[tuple[str | None, str | None]]] = defaultdict(list)
    for program in raw["program"]:
        if policies[program["admission_id"]]["policy"] == "calibrated":
            key = program["problem_id"], program["candidate_id"]
            verdicts[key].append(oracles.judge_program(raw, program))
    told = {}
    for pair in raw["mutation_pair"]:
        mutant = mutants[pair["mutant_id"]]
        fate = "valid" if pair["decline_code"] is None else "no_cut"
        for key, wrong in (("candidate_id", "mutant_fails"),
                           ("original_candidate_id", "reference_fails")):  # fmt: skip
            (found,) = verdicts[pair["problem_id"], mutant[key]] or [(None, "not_executed")]
            if found[0] is None:
                fate = str(found[1])
            elif found[0] != "passed":
                fate = wrong
        told[pair["pair_id"]] = fate
    return told


def scores(raw: oracles.Raw) -> dict[tuple[str, str, str], list[PairScores]]:
    """Return (lm, dataset, setting) -> its pairs, on the newest release asked about."""
    problems = oracles.by(raw["problem"], "problem_id")
    settings = oracles.by(raw["setting"], "setting_id")
    aside = {name: oracles.set_aside(raw, name) for name in problems}
    judged = completions(raw)
    pairs: dict[str, list[Any]] = defaultdict(list)
    mutants = oracles.by(raw["mutant"], "mutant_id")
    sites = oracles.by(raw["mutation_site"], "site_id")
    fates = validity(raw)
    newest_scans = {scan["scan_id"] for scan in searches(raw)}
    for pair in raw["mutation_pair"]:
        mutant = mutants[pair["mutant_id"]]
        is_newest = sites[mutant["site_id"]]["scan_id"] in newest_scans
        if fates[pair["pair_id"]] == "valid" and is_newest:
            release = problems[pair["problem_id"]]["release_id"]
            pairs[release].append((pair, mutant, sites[mutant["site_id"]]["operators"]))
    started = {run["run_id"]: run["started_at"] for run in raw["run"]}
    dates = {r["release_id"]: started[r["run_id"]] for r in raw["dataset_release"]}
    answered: dict[tuple[str, str, str], dict[str, dict[str, Any]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(dict))
    )
    for g in raw["generation"]:
        if settings[g["setting_id"]]["task"] == "counterfactual":
            problem = problems[g["problem_id"]]
            key = g["lm_id"], problem["dataset"], g["setting_id"]
            found = answered[key][problem["release_id"]][g["variant_id"]]
            found[g["sample_index"]] = judged[g["generation_id"]]
    result = {}
    for key, by_release in answered.items():
        newest = max(by_release, key=lambda release: (dates[release], release))
        asked = {
            (mutant["mutation"], pair["edition"])
            for pair, mutant, _ in pairs[newest]
            if pair["mutated_variant_id"] in by_release[newest]
        }
        expected: dict[tuple[str, int], int] = defaultdict(int)
        for pair, mutant, _ in pairs[newest]:
            drawn = by_release[newest].get(pair["mutated_variant_id"], {})
            group = mutant["mutation"], pair["edition"]
            expected[group] = max(expected[group], *(index + 1 for index in drawn), 0)
        rows = [
            _score(pair, mutant, operators, by_release[newest], aside, expected)
            for pair, mutant, operators in pairs[newest]
            if (mutant["mutation"], pair["edition"]) in asked
            and (
                pair["original_variant_id"] in by_release[newest]
                or pair["mutated_variant_id"] in by_release[newest]
            )
        ]
        last: dict[tuple[str, int], int] = {}
        for row in rows:
            last[row.mutation, row.edition] = max(
                last.get((row.mutation, row.edition), 0), row.version
            )
        result[key] = [row for row in rows if row.version == last[row.mutation, row.edition]]
    return result


def searches(raw: oracles.Raw) -> list[Any]:
    """Return the searches by the newest rules of each problem, mutation and version."""
    last: dict[tuple[str, str, int], int] = defaultdict(int)
    for scan in raw["mutation_scan"]:
        key = scan["problem_id"], scan["mutation"], scan["mutation_version"]
        last[key] = max(last[key], scan["rules"])
    return [
        scan
        for scan in raw["mutation_scan"]
        if scan["rules"] == last[scan["problem_id"], scan["mutation"], scan["mutation_version"]]
    ]


def completions(raw: oracles.Raw) -> dict[str, str]:
    """Return generation -> "passed", "wrong", or why it has no verdict."""
    programs = oracles.by(raw["program"], "program_id")
    told = {name: oracles.judge_program(raw, row) for name, row in programs.items()}
    found = {g["generation_id"]: "not_executed" for g in raw["generation"]}
    for e in raw["evaluation"]:
        verdict, reason = told[e["program_id"]]
        good = "passed" if verdict == "passed" else "wrong"
        found[e["generation_id"]] = str(reason) if verdict is None else good
    return found


def _score(
    pair: Any,
    mutant: Any,
    operators: str,
    answered: dict[str, dict[int, str]],
    aside: Any,
    expected: dict[tuple[str, int], int],
) -> PairScores:
    original = answered.get(pair["original_variant_id"], {})
    mutated = answered.get(pair["mutated_variant_id"], {})
    m = expected[mutant["mutation"], pair["edition"]] if mutated else None
    why = aside[pair["problem_id"]]
    known = why or (None if original and mutated else "not_generated")
    first_half = [original.get(i, "samples_missing") for i in range(m or 0)]
    second_half = [original.get(i, "samples_missing") for i in range(m or 0, 2 * (m or 0))]
    other = [mutated.get(i, "samples_missing") for i in range(m or 0)]
    reason = known or _why(first_half + other)
    again = reason or _why(second_half)
    first = [original.get(0, "samples_missing"), mutated.get(0, "samples_missing")]
    first_reason = known or _why(first)
    return PairScores(
        pair["problem_id"],
        mutant["mutation"],
        mutant["mutation_version"],
        pair["edition"],
        operators,
        reason,
        None if reason else first_half.count("passed") / len(first_half),
        None if reason else other.count("passed") / len(other),
        None if again else second_half.count("passed") / len(second_half),
        first_reason,
        None if first_reason else (first[0] == "passed", first[1] == "passed"),
        m,
    )


def _why(told: list[str]) -> str | None:
    return next((reason for reason in ("samples_missing", *FAULTS) if reason in told), None)


# --- effects ------------------------------------------------------------------------------------

Ratio = tuple[dict[str, float], dict[str, float]]
"""What is divided by what: tops and bottoms, each a sum per problem."""


def over_pairs(rows: list[tuple[str, float]]) -> Ratio:
    """A mean over (problem, value) in which every pair weighs the same."""
    tops: dict[str, float] = defaultdict(float)
    bottoms: dict[str, float] = defaultdict(float)
    for problem, value in rows:
        tops[problem] += value
        bottoms[problem] += 1
    return tops, bottoms


def over_problems(rows: list[tuple[str, float]]) -> Ratio:
    """A mean over (problem, value) in which every problem weighs the same."""
    tops, bottoms = over_pairs(rows)
    return {p: tops[p] / bottoms[p] for p in tops}, dict.fromkeys(tops, 1.0)


def value(ratio: Ratio) -> float | None:
    bottom = sum(ratio[1].values())
    return sum(ratio[0].values()) / bottom if bottom else None


def table_rule(rows: list[PairScores]) -> dict[str, Ratio]:
    """The paper's Table 2, and its other readings."""
    used = [r for r in rows if r.reason is None]
    kept = [r for r in used if r.original > 0]  # type: ignore[operator]
    either = [r for r in used if r.original > 0 or r.mutated > 0]  # type: ignore[operator]
    return {
        "ame": over_pairs([(r.problem, abs(r.mutated - r.original)) for r in kept]),  # type: ignore[operator]
        "accuracy_drop": over_pairs([(r.problem, r.original - r.mutated) for r in kept]),  # type: ignore[operator]
        "ame_either": over_pairs([(r.problem, abs(r.mutated - r.original)) for r in either]),  # type: ignore[operator]
        "original_accuracy": over_pairs([(r.problem, r.original) for r in used]),  # type: ignore[misc]
        "mutated_accuracy": over_pairs([(r.problem, r.mutated) for r in used]),  # type: ignore[misc]
    }


def text_rule(rows: list[PairScores]) -> dict[str, Ratio]:
    """The paper's text: one completion a side."""
    used = [(r.problem, *r.first) for r in rows if r.first is not None]
    kept = [(p, a, b) for p, a, b in used if a or b]
    return {
        "ame": over_pairs([(p, float(a != b)) for p, a, b in kept]),
        "accuracy_drop": over_pairs([(p, a - b) for p, a, b in kept]),
        "original_accuracy": over_pairs([(p, float(a)) for p, a, _ in used]),
        "mutated_accuracy": over_pairs([(p, float(b)) for p, _, b in used]),
    }


def better_rule(rows: list[PairScores]) -> dict[str, Ratio]:
    """Signed, unconditioned, against the noise of the original side asked twice."""
    used = [(r.problem, r.original, r.mutated) for r in rows if r.reason is None]
    twice = [(r.problem, r.original, r.mutated, r.repeated) for r in rows if r.repeated is not None]
    measures = {
        "accuracy_drop": over_problems([(p, o - c) for p, o, c in used]),  # type: ignore[operator]
        "ame": over_problems([(p, abs(o - c)) for p, o, c in used]),  # type: ignore[operator]
        "ame_aa": over_problems([(p, abs(o - r)) for p, o, _, r in twice]),  # type: ignore[operator]
        "ame_excess": over_problems([(p, abs(o - c) - abs(o - r)) for p, o, c, r in twice]),  # type: ignore[operator]
        "original_accuracy": over_problems([(p, o) for p, o, _ in used]),  # type: ignore[misc]
        "mutated_accuracy": over_problems([(p, c) for p, _, c in used]),  # type: ignore[misc]
    }
    passes = over_problems([(p, o) for p, o, _ in used])[0]  # type: ignore[misc]
    fails = over_problems([(p, 1 - o) for p, o, _ in used])[0]  # type: ignore[operator]
    lost = over_problems([(p, o * (1 - c)) for p, o, c in used])[0]  # type: ignore[operator]
    gained = over_problems([(p, (1 - o) * c) for p, o, c in used])[0]  # type: ignore[operator]
    # the same with the repeat in place of the mutated side
    passed_once = over_problems([(p, o) for p, o, _, _ in twice])[0]  # type: ignore[misc]
    failed_once = over_problems([(p, 1 - o) for p, o, _, _ in twice])[0]  # type: ignore[operator]
    lost_again = over_problems([(p, o * (1 - r)) for p, o, _, r in twice])[0]  # type: ignore[operator]
    gained_again = over_problems([(p, (1 - o) * r) for p, o, _, r in twice])[0]  # type: ignore[operator]
    return measures | {
        "conditional_loss": (lost, passes),
        "conditional_gain": (gained, fails),
        "conditional_loss_aa": (lost_again, passed_once),
        "conditional_gain_aa": (gained_again, failed_once),
    }


def jackknife(
    problems: list[str], xs: list[float], ys: list[float]
) -> tuple[float | None, float | None]:
    """Return the interval of Pearson's r, from r without each of the problems."""
    z = []
    for left_out in [None, *sorted(set(problems))]:
        kept = [at for at, problem in enumerate(problems) if problem != left_out]
        x, y = (np.array(values)[kept] for values in (xs, ys))
        if np.ptp(x) < 1e-9 or np.ptp(y) < 1e-9:
            return None, None
        r = float(np.corrcoef(x, y)[0, 1])
        if abs(r) > 1 - 1e-12:
            return None, None
        z.append(math.atanh(r))
    apart = np.array(z[1:]) - np.mean(z[1:])
    n = len(apart)
    if (apart**2).sum() < 1e-18:
        return None, None
    excess = float((apart**4).mean() / (apart**2).mean() ** 2 - 1)
    degrees = max(1, min(n - 1, math.floor(2 * n / excess) if excess > 1e-9 else n - 1))
    half = float(t.ppf(0.975, degrees)) * math.sqrt((n - 1) / n * (apart**2).sum())
    return math.tanh(z[0] - half), math.tanh(z[0] + half)


# --- correlations and yields --------------------------------------------------------------------

Effects = dict[str, dict[str, float]]
"""Mutation -> problem -> effect, rounded so that equal ones are equal."""


def effects_of(rows: list[PairScores]) -> Effects:
    """Return the absolute effects by the rule of Table 2; a mutation asked about is named."""
    found: Effects = {r.mutation: {} for r in rows if r.edition == 1}
    for mutation in found:
        mine = [r for r in rows if (r.mutation, r.edition) == (mutation, 1)]
        found[mutation] = _rounded(table_rule(mine)["ame"])
    return found


def drops_of(rows: list[PairScores], cold: bool) -> tuple[Effects, Effects]:
    """Return the drops against the original side and against its repeat (or the same, cold)."""
    first: Effects = {r.mutation: {} for r in rows if r.edition == 2}
    second: Effects = {mutation: {} for mutation in first}
    for mutation in first:
        mine = [r for r in rows if (r.mutation, r.edition) == (mutation, 2) and r.reason is None]
        first[mutation] = _rounded(
            over_pairs([(r.problem, r.original - r.mutated) for r in mine])  # type: ignore[operator]
        )
        again = [r for r in mine if r.repeated is not None]
        second[mutation] = (
            first[mutation]
            if cold
            else _rounded(over_pairs([(r.problem, r.repeated - r.mutated) for r in again]))  # type: ignore[operator]
        )
    return first, second


def _rounded(ratio: Ratio) -> dict[str, float]:
    return {p: round(top / ratio[1][p], 9) for p, top in ratio[0].items()}


def yields(raw: oracles.Raw) -> dict[tuple[str, int, str], dict[str, Any]]:
    """Return (release, edition, mutation) -> what became of the places found."""
    releases = {row["problem_id"]: row["release_id"] for row in raw["problem"]}
    versions: dict[str, set[int]] = defaultdict(set)
    for scan in raw["mutation_scan"]:
        versions[scan["mutation"]].add(scan["mutation_version"])
    fates = validity(raw)
    mutants = oracles.by(raw["mutant"], "mutant_id")
    found: dict[tuple[str, int, str], dict[str, Any]] = {}
    newest_scans = {scan["scan_id"] for scan in searches(raw)}
    scan_of = {site["site_id"]: site["scan_id"] for site in raw["mutation_site"]}
    for edition, pick in ((1, min), (2, max)):
        for scan in searches(raw):
            if scan["mutation_version"] != pick(versions[scan["mutation"]]):
                continue
            key = releases[scan["problem_id"]], edition, scan["mutation"]
            row = found.setdefault(
                key,
                {
                    "n_problems_searched": 0, "n_found": 0, "n_declined": 0, "n_mutated": 0,
                    "n_kept": 0, "n_no_cut": 0, "n_reference_fails": 0, "n_mutant_failed": 0,
                    "n_mutant_timeout": 0, "n_not_executed": 0, "n_harness_fault": 0,
                    "n_canary_failed": 0, "declined_by_code": {}, "no_cut_by_code": {},
                },
            )  # fmt: skip
            row["n_problems_searched"] += 1
            row["n_mutated"] += scan["n_sites"]
            for site in raw["mutation_site"]:
                if site["scan_id"] == scan["scan_id"]:
                    row["n_found"] += 1
                    if site["decline_code"]:
                        row["n_declined"] += 1
                        codes = row["declined_by_code"]
                        codes[site["decline_code"]] = codes.get(site["decline_code"], 0) + 1
    verdicts = {
        row["candidate_id"]: oracles.judge_program(raw, row)[0]
        for row in raw["program"]
        if row["candidate_id"].startswith("mutant.")
    }
    for pair in raw["mutation_pair"]:
        mutant = mutants[pair["mutant_id"]]
        pick = min if pair["edition"] == 1 else max
        if scan_of[mutant["site_id"]] not in newest_scans:
            continue
        if mutant["mutation_version"] != pick(versions[mutant["mutation"]]):
            continue
        row = found[releases[pair["problem_id"]], pair["edition"], mutant["mutation"]]
        fate = fates[pair["pair_id"]]
        if fate == "mutant_fails":
            row[f"n_mutant_{verdicts[mutant['candidate_id']]}"] += 1
        elif fate == "valid":
            row["n_kept"] += 1
        else:
            row[f"n_{fate}"] += 1
        if fate == "no_cut":
            codes = row["no_cut_by_code"]
            codes[pair["decline_code"]] = codes.get(pair["decline_code"], 0) + 1
    return found
