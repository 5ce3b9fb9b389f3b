"""The metrics once more, slowly, in plain Python from raw rows: no SQL, no code shared."""

import math
from collections import defaultdict
from fractions import Fraction
from typing import Any

from tests.support.oracles.similarity.behaviour import behaviours
from tests.support.oracles.similarity.ratings import rated_values

Row = dict[str, Any]
Raw = dict[str, list[Row]]
Samples = dict[str, list[Row]]
"""The samples of each problem, in order."""

Tasks = tuple[str, ...]
FUNCTIONS: Tasks = ("synthesis",)

SEED, REPLICATES, SIM_K = 20240402, 2000, 10
ANNOUNCED = (
    *("tfidf_v1", "tree_edit_v1", "structure_v1", "embedding_v1"),
    *("judge_v1", "judge_v2", "human_v1"),
)
"""Measures that have a row before anything has a score."""

BEHAVIOUR = "behaviour_v1"


def by(rows: list[Row], *columns: str) -> dict[Any, Row]:
    """Index rows by columns that name them."""
    if len(columns) == 1:
        return {row[columns[0]]: row for row in rows}
    return {tuple(row[c] for c in columns): row for row in rows}


# --- from raw rows to samples -------------------------------------------------------------------


def deciding(raw: Raw, program: Row) -> tuple[Row | None, str | None]:
    """Return (outcome, reason): the last outcome that counts, or why none does."""
    good = {(c["run_id"], c["problem_id"]) for c in raw["canary"] if c["verdict"] == "passed"}
    attempts = [o for o in raw["outcome"] if o["program_id"] == program["program_id"]]
    attempts.sort(key=lambda o: o["attempt"])
    reason = "not_executed"
    counting = None
    for outcome in attempts:  # later ones win
        if outcome["verdict"] == "harness_fault":
            reason = "harness_fault"
        elif (outcome["run_id"], program["problem_id"]) not in good:
            reason = "canary_failed"
        else:
            counting = outcome
    return (counting, None) if counting else (None, reason)


def judge_program(raw: Raw, program: Row) -> tuple[str | None, str | None]:
    """Return (verdict, reason) of a program: one of them is None."""
    outcome, reason = deciding(raw, program)
    return (outcome["verdict"], None) if outcome else (None, reason)


def cpu_share(raw: Raw, program: Row) -> float | None:
    """Return what a program used of its CPU limit in the attempt that counts."""
    outcome, _ = deciding(raw, program)
    return used(raw, program, outcome) if outcome else None


def used(raw: Raw, program: Row, row: Row) -> float:
    """Return the larger share that an attempt or a longer try used of the two CPU limits."""
    admission = by(raw["admission"], "admission_id")[program["admission_id"]]
    share = row["cpu_s"] / admission["cpu_limit_s"]
    if row["test_cpu_s"] is None or admission["test_cpu_limit_s"] is None:
        return float(share)
    return float(max(share, row["test_cpu_s"] / admission["test_cpu_limit_s"]))


def passes_at(raw: Raw, program: Row, factor: float) -> bool | None:
    """Tell whether a judged program passes under so many times its limits; None: not known."""
    outcome, _ = deciding(raw, program)
    assert outcome is not None
    if outcome["verdict"] == "passed":
        return factor >= 1 or used(raw, program, outcome) <= factor
    if outcome["verdict"] != "timeout":
        return False
    if outcome["why_ended"] == "exit":
        return outcome["n_passed"] == outcome["n_tests"] and factor >= used(raw, program, outcome)
    tries = [row for row in raw["limit_trial"] if row["program_id"] == program["program_id"]]
    right = [used(raw, program, row) for row in tries if row["verdict"] == "passed"]
    if right:
        return factor >= max(1.1, min(right))
    if factor <= 1 or any(t["verdict"] != "timeout" or t["factor"] >= factor for t in tries):
        return False
    return None


def samples_by_release(raw: Raw, tasks: Tasks = FUNCTIONS) -> dict[tuple[str, ...], Samples]:
    """Return (lm, dataset, setting, release) -> problem -> samples in order."""
    programs = by(raw["program"], "program_id")
    admissions = by(raw["admission"], "admission_id")
    started = {run["run_id"]: run["started_at"] for run in raw["run"]}
    problems = by(raw["problem"], "problem_id")
    settings = by(raw["setting"], "setting_id")
    verdicts = {p: judge_program(raw, row) for p, row in programs.items()}
    shares = {p: cpu_share(raw, row) for p, row in programs.items()}
    evaluations: dict[str, list[Row]] = defaultdict(list)
    for evaluation in raw["evaluation"]:
        evaluations[evaluation["generation_id"]].append(evaluation)
    found: dict[Any, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for generation in raw["generation"]:
        if settings[generation["setting_id"]]["task"] not in tasks:
            continue
        mine = evaluations[generation["generation_id"]]
        for problem_id in {generation["problem_id"], *(e["problem_id"] for e in mine)}:
            here = [e for e in mine if e["problem_id"] == problem_id]
            here.sort(
                key=lambda e: (
                    admissions[programs[e["program_id"]]["admission_id"]]["policy"] == "calibrated",
                    started[e["run_id"]],
                    e["program_id"],
                )
            )
            verdict, reason, candidate, share, alone = None, "not_executed", None, None, False
            longer: dict[float, bool | None] = {}
            if here:
                verdict, reason = verdicts[here[-1]["program_id"]]
                candidate = here[-1]["candidate_id"]
                program = programs[here[-1]["program_id"]]
                share = shares[here[-1]["program_id"]]
                if verdict is not None:
                    longer = {f: passes_at(raw, program, f) for f in (0.5, 1, 2, 4)}
                    alone = bool(deciding(raw, program)[0]["alone"])  # type: ignore[index]
            problem = problems[problem_id]
            key = (
                generation["lm_id"],
                problem["dataset"],
                generation["setting_id"],
                problem["release_id"],
            )
            found[key][problem_id].append(
                {
                    "order": (generation["sample_index"], generation["generation_id"]),
                    "verdict": verdict,
                    "reason": reason,
                    "candidate": candidate,
                    "cpu_share": share,
                    "longer": longer,
                    "alone": alone,
                }
            )
    for cells in found.values():
        for rows in cells.values():
            rows.sort(key=lambda row: row["order"])
    return found


def samples(raw: Raw, tasks: Tasks = FUNCTIONS) -> dict[tuple[str, str, str], Samples]:
    """Return (lm, dataset, setting) -> problem -> samples in order, on the newest release."""
    started = {run["run_id"]: run["started_at"] for run in raw["run"]}
    releases = by(raw["dataset_release"], "release_id")
    newest: dict[tuple[str, str, str], Any] = {}
    for key, cells in samples_by_release(raw, tasks).items():
        date = (started[releases[key[3]]["run_id"]], key[3])
        entry = (key[0], key[1], key[2])
        if entry not in newest or date > newest[entry][0]:
            newest[entry] = (date, cells)
    return {key: cells for key, (_, cells) in newest.items()}


def set_aside(raw: Raw, problem_id: str) -> str | None:
    """Tell whether the reference fails under the admission that decides for the problem."""
    started = {run["run_id"]: run["started_at"] for run in raw["run"]}
    mine = [a for a in raw["admission"] if a["problem_id"] == problem_id]
    mine.sort(key=lambda a: (a["policy"] == "calibrated", started[a["run_id"]], a["admission_id"]))
    return "reference_fails" if mine and mine[-1]["mode"] == "rejected" else None


def replaced(raw: Raw, setting_id: str) -> bool:
    """Tell whether the maker replaced failed samples, so that no share of right ones is known."""
    return any(row["resampled"] for row in raw["setting"] if row["setting_id"] == setting_id)


def why_unscored(rows: list[Row]) -> str:
    """Name the first of the known reasons that some sample has."""
    reasons = {row["reason"] for row in rows}
    return next(r for r in ("not_executed", "harness_fault", "canary_failed") if r in reasons)


# --- pass@k -------------------------------------------------------------------------------------


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """Exact, with binomials of whole numbers."""
    if n < k:
        return None
    return float(1 - Fraction(math.comb(n - c, k), math.comb(n, k)))


def mean(values: list[float | None]) -> float | None:
    """Mean of what is known; None of nothing."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


# --- similarity ---------------------------------------------------------------------------------


def clone(shared: int, a: int, b: int, tenths: int) -> float:
    """Score a pair 1 when it shares ceil(tenths / 10 of the larger) tokens; whole numbers only."""
    larger = max(a, b)
    return float(larger > 0 and shared >= -(-tenths * larger // 10))


def overlap(shared: int, a: int, b: int) -> float:
    """Shared tokens over the larger count."""
    return shared / max(a, b) if max(a, b) else 0.0


NO_SCORE = "no_score"
"""A measured pair without a score: it is left out of a mean."""
NO_MEAN = "no_mean"
"""The same of a similarity that needs every score of a problem."""


def few_scored(pairs: list[list[Any]]) -> bool:
    """Return whether most pairs of the problems that are measured have no score."""
    scores = [score for of in pairs if None not in of for score in of]
    return NO_MEAN not in scores and 2 * scores.count(NO_SCORE) > len(scores)


class SharedTokens:
    """The measured pairs, by measure or scorer and unordered names."""

    def __init__(self, raw: Raw):
        self.known = {
            (row["measure"], row["candidate_a"], row["candidate_b"]): row
            for row in raw["pair_similarity"]
        }
        self.scores = {
            (row["scorer_id"], row["candidate_a"], row["candidate_b"]): row["value"]
            for row in raw["pair_score"]
        } | rated_values(raw)
        self.behaviours = behaviours(raw, deciding)
        self.measures = {row["scorer_id"]: row["measure"] for row in raw["scorer"]}
        self.fitted_on = {row["scorer_id"]: row["release_id"] for row in raw["scorer"]}
        release_of = {row["problem_id"]: row["release_id"] for row in raw["problem"]}
        self.asked = {
            (row["lm_id"], row["setting_id"], release_of[row["problem_id"]])
            for row in raw["generation"]
        }

    def unscored(self, similarity: str, x: str, y: str) -> Any:
        """Return a similarity that needs no scorer; NO_MEAN, or None if unmeasured."""
        if similarity != BEHAVIOUR:
            return self.tokens(similarity, x, y)
        value, reason = self.behaviours.get((min(x, y), max(x, y)), (None, None))
        return NO_MEAN if reason else None if value is None else float(value)

    def tokens(self, similarity: str, x: str, y: str) -> float | None:
        """Return the similarity of two candidates by tokens; None when it is not measured."""
        measure = "scc_v1" if similarity.startswith("scc_") else "tokens_v2"
        row = self.known.get((measure, min(x, y), max(x, y)))
        if row is None:
            return None
        counts = row["n_shared"], row["n_tokens_a"], row["n_tokens_b"]
        if similarity == "overlap_ratio":
            return overlap(*counts)
        return clone(*counts, int(similarity.rpartition("_")[2]) // 10)

    def scored(self, scorer_id: str, least: float, x: str, y: str) -> Any:
        """Return a scorer's value, at least ``least``; NO_SCORE, or None if unmeasured."""
        key = (scorer_id, min(x, y), max(x, y))
        if key not in self.scores:
            return None
        value = self.scores[key]
        return NO_SCORE if value is None else max(least, value)

    def _is_asked(self, lm_id: str, setting_id: str, scorer: str) -> bool:
        release = self.fitted_on[scorer]
        return release is None or (lm_id, setting_id, release) in self.asked

    def shown(
        self, lm_id: str, setting_id: str, candidates: list[list[str]]
    ) -> set[tuple[str, str]]:
        """Return measure and scorer of the similarities that an entry has beside tokens.

        ``candidates`` are those of each problem, in order. A fit on the references of a release
        counts where the release was asked from.
        """
        pairs = {(min(x, y), max(x, y)) for codes in candidates for x, y in all_pairs(codes)}
        found = {
            (self.measures[scorer], scorer)
            for scorer, x, y in self.scores
            if (x, y) in pairs and self._is_asked(lm_id, setting_id, scorer)
        }
        without = set(ANNOUNCED) - {measure for measure, _ in found}
        return found | {(measure, "") for measure in without}


def neighbours(codes: list[str]) -> list[tuple[str, str]]:
    """Disjoint pairs: first and second, third and fourth."""
    return [(codes[i], codes[i + 1]) for i in range(0, len(codes) - 1, 2)]


def all_pairs(codes: list[str]) -> list[tuple[str, str]]:
    """Every pair once, never one with itself."""
    return [(codes[i], codes[j]) for i in range(len(codes)) for j in range(i + 1, len(codes))]


def mean_of_all(values: list[Any]) -> float | None:
    """Mean of the scores; None when there are none or when any value is unknown."""
    scores = [value for value in values if value != NO_SCORE]
    if not scores or {None, NO_MEAN} & set(scores):
        return None
    return float(sum(scores) / len(scores))


def diversity(
    codes: list[str], passed: list[bool], score: Any, pair_up: Any
) -> dict[str, float | None]:
    """Sim, CSim, DPass and DPair of one problem, from its codes in order."""
    n, c = len(codes), sum(passed)
    right = [code for code, good in zip(codes, passed, strict=True) if good]
    sim = mean_of_all([score(x, y) for x, y in pair_up(codes)])
    csim = mean_of_all([score(x, y) for x, y in pair_up(right)])
    dpass: float | None
    dpair: float | None
    if n == 0:
        dpass = None
    elif c == 0:
        dpass = 0.0
    elif c == 1:
        dpass = 1 / n
    else:
        dpass = None if csim is None else c / n * (1 - csim)
    if n < 2:
        dpair = None
    elif c < 2:
        dpair = 0.0
    else:
        dpair = None if csim is None else c * (c - 1) / (n * (n - 1)) * (1 - csim)
    return {"sim": sim, "csim": csim, "dpass": dpass, "dpair": dpair}
