"""Round-trip correctness once more, in plain Python from raw rows."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from tests.support.oracles.execution import Raw, Row, by, judge_program, set_aside

REASONS = ("samples_missing", "not_generated", "not_executed", "harness_fault", "canary_failed")
REASONS += ("not_measured", "not_applicable")
MEASURES = {"bleu": "bleu_intl_v1", "chrf": "chrf_v1", "codebleu": "codebleu_v1"}
SYNTHESIS = ("description", "resynthesis")
EDITING = ("edit_description", "edit")
Entry = tuple[str, str, str, str, str]
"""lm, setting, forward lm, forward setting, dataset."""


Described = dict[tuple[str, str, str], list[Row]]
Written = dict[tuple[str, str, str, str | None], list[Row]]


@dataclass
class Trip:
    """One problem of an entry: similarities by description, of the baseline, and quotations."""

    forward: list[list[float | None]] = field(default_factory=list)
    baseline: list[float | None] = field(default_factory=list)
    quotes: list[bool] = field(default_factory=list)
    reasons: set[str] = field(default_factory=set)
    n_empty: int = 0


def tokens(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", text, re.ASCII)


def quotes_half(text: str, code: str) -> bool:
    """Whether half of the code's tokens are in the text in one piece."""
    words, wanted = tokens(text), tokens(code)
    half = (len(wanted) + 1) // 2
    pieces = {tuple(words[i : i + half]) for i in range(len(words) - half + 1)}
    return any(tuple(wanted[i : i + half]) in pieces for i in range(len(wanted) - half + 1))


def equal(text: str, code: str, version: int) -> bool:
    """Whether a text is the code but for white space at its ends, or however it is written."""
    if not text.strip():
        return False
    if version == 1:
        return text.strip() == code.strip()
    return text.split() == code.split()


def graded(raw: Raw, version: int) -> dict[tuple[str, str], float | str]:
    """Return how alike each program is, or why that is not known, by generation and similarity."""
    parts: dict[tuple[str, str], dict[str, float | None]] = defaultdict(dict)
    for row in raw["text_similarity"]:
        parts[row["generation_id"], row["measure"]][row["component"]] = row["value"]
    found: dict[tuple[str, str], float | str] = {}
    for row in raw["generation"]:
        for similarity, measure in MEASURES.items():
            values = dict(parts.get((row["generation_id"], measure), {}))
            key = (row["generation_id"], similarity)
            if not values:
                found[key] = "not_measured"
                continue
            if similarity == "codebleu" and version == 1:
                values["dataflow_match"] = values["dataflow_match"] or 1.0
            known = [value for value in values.values() if value is not None]
            is_blank = None in (each for name, each in values.items() if name != "dataflow_match")
            found[key] = "not_applicable" if is_blank else sum(known) / len(known)
    return found


def scores(raw: Raw, version: int, similarity: str) -> dict[str, float | str]:
    """Return how alike each generation is to the code, or why that is not known."""
    names = [str(row["generation_id"]) for row in raw["generation"]]
    if similarity in MEASURES:
        found = graded(raw, version)
        return {name: found[name, similarity] for name in names}
    if similarity == "pass":
        verdicts = _verdicts(raw)
        judged = {name: verdicts.get(name, (None, "not_executed")) for name in names}
        return {
            name: str(reason) if verdict is None else float(verdict == "passed")
            for name, (verdict, reason) in judged.items()
        }
    texts = {row["generation_id"]: row["kept_text"] for row in raw["generation_text"]}
    code = code_of(raw)
    return {
        str(row["generation_id"]): float(
            equal(texts[row["generation_id"]], code[row["problem_id"]], version)
        )
        for row in raw["generation"]
    }


def code_of(raw: Raw) -> dict[Any, str]:
    """Return the code of each problem that is to be written again."""
    code = {row["problem_id"]: str(row["reference"]) for row in raw["problem"]}
    return code | {row["problem_id"]: str(row["code"]) for row in raw["region"]}


def trips(
    raw: Raw, version: int, similarity: str, kind: tuple[str, str] = SYNTHESIS
) -> dict[Entry, dict[str, Trip]]:
    """Return the problems of each entry, those of the newest release that it has.

    ``kind`` names the tasks there and back. An edit made from a person's words is no round trip.
    """
    texts = {row["generation_id"]: row["kept_text"] for row in raw["generation_text"]}
    code = code_of(raw)
    problems = by(raw["problem"], "problem_id")
    known = scores(raw, version, similarity)
    described, written = there_and_back(raw, kind)
    parents = by(raw["generation"], "generation_id")
    found: dict[Entry, dict[str, Trip]] = {}
    release_of = {name: str(row["release_id"]) for name, row in problems.items()}
    pairs = pairs_of(described, written, parents, release_of, texts)
    for lm, setting, other, forward, release in sorted(pairs):  # a later release wins
        here = found[(lm, setting, other, forward, problems_dataset(raw, release))] = {}
        for (who, how, problem), rows in described.items():
            if (who, how, problems[problem]["release_id"]) != (other, forward, release):
                continue
            trip = here[problem] = Trip()

            def value(row: Row, trip: Trip = trip) -> float | None:
                found = known[row["generation_id"]]
                if isinstance(found, str):
                    trip.reasons.add(found)
                    return None
                return found

            for row in rows[:3] if version == 1 else rows:
                text = texts[row["generation_id"]]
                trip.quotes.append(quotes_half(text, code[problem]))
                back = written.get((lm, setting, problem, row["generation_id"]), [])
                if not text.strip():
                    trip.n_empty += 1
                    trip.forward.append([0.0])
                elif back:
                    trip.forward.append([value(each) for each in back[: version == 1 or None]])
                else:
                    trip.forward.append([])
                    trip.reasons.add("not_generated")
            told = set(trip.reasons)
            base = written.get((lm, setting, problem, None), [])[: version == 1 or None]
            trip.baseline = [value(each) for each in base]
            trip.reasons = told  # a baseline without a value says nothing of the round trip
    return found


def there_and_back(raw: Raw, kind: tuple[str, str]) -> tuple[Described, Written]:
    """Return the generations of two tasks, in order of their samples, as trips takes them."""
    comments = {row["variant_id"] for row in raw["variant"] if row["kind"] == "comment"}
    tasks = {row["setting_id"]: row["task"] for row in raw["setting"]}
    described: Described = defaultdict(list)
    written: Written = defaultdict(list)
    for row in raw["generation"]:
        who = (row["lm_id"], row["setting_id"], row["problem_id"])
        if tasks[row["setting_id"]] == kind[0]:
            described[who].append(row)
        elif tasks[row["setting_id"]] == kind[1] and row["variant_id"] not in comments:
            written[(*who, row["parent_generation_id"])].append(row)
    for group in (*described.values(), *written.values()):
        group.sort(key=lambda row: row["sample_index"])
    return described, written


def pairs_of(
    described: Described,
    written: Written,
    parents: dict[Any, Row],
    release_of: dict[Any, str],
    texts: dict[str, str],
) -> set[tuple[str, str, str, str, str]]:
    """Return who wrote from whose descriptions, under which settings, over which release.

    Descriptions that are all empty are held against the baseline of the same language model.
    """
    pairs = {
        (lm, setting, parents[parent]["lm_id"], parents[parent]["setting_id"], release_of[problem])
        for (lm, setting, problem, parent) in written
        if parent is not None
    }
    said: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for (who, how, problem), group in described.items():
        said[who, how, release_of[problem]] += [texts[r["generation_id"]].strip() for r in group]
    for (who, how, release), words in said.items():
        if not any(words):
            pairs |= {
                (who, setting, who, how, release)
                for (lm, setting, problem, parent) in written
                if (lm, parent, release_of[problem]) == (who, None, release)
            }
    return pairs


def problems_dataset(raw: Raw, release: str) -> str:
    return next(str(r["dataset"]) for r in raw["dataset_release"] if r["release_id"] == release)


def _verdicts(raw: Raw) -> dict[str, tuple[str | None, str | None]]:
    programs = by(raw["program"], "program_id")
    judged = {name: judge_program(raw, row) for name, row in programs.items()}
    return {row["generation_id"]: judged[row["program_id"]] for row in raw["evaluation"]}


def mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def measures(
    raw: Raw, problem: str, trip: Trip, version: int, similarity: str
) -> tuple[dict[str, float | None], str | None]:
    """Return the measures of a problem, or why it has none."""
    known = [[v for v in each if v is not None] for each in trip.forward]
    whole = [mean(each) for each in known if each]
    scored = [each for each in whole if each is not None]
    reason = set_aside(raw, problem)
    if reason is None:
        if version == 1 and len(trip.forward) < 3:
            reason = "samples_missing"
        elif len(scored) < (len(trip.forward) if version == 1 else 1):
            reason = next(each for each in REASONS if each in trip.reasons)
    if reason is not None:
        return dict.fromkeys(("rtc", "baseline", "lift", "at_k", "leak_rate")), reason
    rtc, base = mean(scored), mean([v for v in trip.baseline if v is not None])
    assert rtc is not None
    return {
        "rtc": rtc,
        "baseline": base,
        "lift": None if base is None else rtc - base,
        "at_k": None if similarity in MEASURES else max(v for each in known for v in each),
        "leak_rate": mean([float(each) for each in trip.quotes]),
    }, None


def from_comments(raw: Raw, version: int) -> dict[tuple[str, str, str], list[float | None]]:
    """Return, by language model, setting and dataset, what became of each commented edit.

    Of the newest release that the entry answers: whether the first edit from a person's words is
    the new code; None without one.
    """
    texts = {row["generation_id"]: row["kept_text"] for row in raw["generation_text"]}
    problems = by(raw["problem"], "problem_id")
    tasks = {row["setting_id"]: row["task"] for row in raw["setting"]}
    comments = {r["problem_id"]: r["variant_id"] for r in raw["variant"] if r["kind"] == "comment"}
    edits = [row for row in raw["generation"] if tasks[row["setting_id"]] == EDITING[1]]
    found: dict[tuple[str, str, str], list[float | None]] = {}
    newest = sorted(
        {(r["lm_id"], r["setting_id"], str(problems[r["problem_id"]]["release_id"])) for r in edits}
    )
    for lm, setting, release in newest:  # a later release wins
        values: list[float | None] = []
        ours = [row for name, row in problems.items() if row["release_id"] == release]
        for problem in sorted(ours, key=lambda row: row["position"]):
            name = problem["problem_id"]
            mine = [
                row for row in edits if (row["lm_id"], row["setting_id"]) == (lm, setting)
                and row["variant_id"] == comments.get(name, "")
            ]  # fmt: skip
            first = min(mine, key=lambda row: row["sample_index"], default=None)
            answer = first and equal(texts[first["generation_id"]], problem["reference"], version)
            values.append(None if answer is None else float(answer))
        found[lm, setting, problems_dataset(raw, release)] = values
    return found


def to_comments(raw: Raw) -> dict[tuple[str, str, str], list[float | str | None]]:
    """Return, by language model, setting and dataset, BLEU of the first description of each edit.

    Of the newest release that is described: None for an edit without a person's words, the reason
    where there is no number.
    """
    problems = by(raw["problem"], "problem_id")
    tasks = {row["setting_id"]: row["task"] for row in raw["setting"]}
    commented = {row["problem_id"] for row in raw["variant"] if row["kind"] == "comment"}
    told = [row for row in raw["generation"] if tasks[row["setting_id"]] == EDITING[0]]
    known = {row["generation_id"]: row["value"] for row in raw["text_similarity"]}
    found: dict[tuple[str, str, str], list[float | str | None]] = {}
    newest = sorted(
        {(r["lm_id"], r["setting_id"], str(problems[r["problem_id"]]["release_id"])) for r in told}
    )
    for lm, setting, release in newest:  # a later release wins
        values: list[float | str | None] = []
        ours = [row for row in problems.values() if row["release_id"] == release]
        for problem in sorted(ours, key=lambda row: row["position"]):
            name = problem["problem_id"]
            mine = [
                row for row in told
                if (row["lm_id"], row["setting_id"], row["problem_id"]) == (lm, setting, name)
            ]  # fmt: skip
            if name not in commented:
                values.append(None)
            elif not mine:
                values.append("not_generated")
            else:
                first = min(mine, key=lambda row: row["sample_index"])["generation_id"]
                value = known.get(first, "not_measured")
                values.append("not_applicable" if value is None else value)
        found[lm, setting, problems_dataset(raw, release)] = values
    return found
