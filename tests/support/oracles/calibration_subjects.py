"""From raw rows to the data set of each language model, version and measure, in plain Python."""

import math
from dataclasses import dataclass

from tests.support.oracles import execution as oracles
from tests.support.oracles.calibration import ScoredPair, weighed_by_problem
from tests.support.oracles.confidence import (
    Reading,
    ask_tf_v1,
    ask_tf_v2,
    length_v1,
    length_v2,
    log_confidence,
    positions_of,
    token_confidence,
    usable,
    verbalized_v1,
    verbalized_v2,
)
from tests.support.oracles.execution import Raw, Row

MEASURES = {
    1: ("avg_prob", "total_prob", "verbalized", "ask_tf", "ask_tf_normalized", "length"),
    2: (
        *("avg_prob", "total_prob", "geometric_mean_prob", "min_prob", "avg_prob_incl_stop"),
        *("total_prob_incl_stop", "verbalized", "verbalized_base_rate", "ask_tf"),
        *("ask_tf_normalized", "length"),
    ),
}


@dataclass(frozen=True)
class Score:
    """One confidence of one generation, or why there is none."""

    p: float | None
    reason: str | None
    log_p: float | None = None


Scores = dict[tuple[int, str], Score]


def scores(raw: Raw) -> dict[str, Scores]:
    """Return every confidence of every judged generation, by version and measure."""
    settings = oracles.by(raw["setting"], "setting_id")
    tokens = oracles.by(raw["token_logprob"], "generation_id")
    texts = oracles.by(raw["generation_text"], "generation_id")
    readings = {(row["generation_id"], row["reader"]): row for row in raw["reflection_reading"]}
    judged = [row for row in raw["generation"] if row["parent_generation_id"] is None]
    asked: dict[tuple[str, str], list[Row]] = {}
    for row in raw["generation"]:
        if row["parent_generation_id"] is not None:
            kind = settings[row["setting_id"]]["prompt_kind"]
            asked.setdefault((row["parent_generation_id"], kind), []).append(row)
    lengths: dict[tuple[str, str], list[int]] = {}
    for row in judged:
        length = len(texts[row["generation_id"]]["kept_text"])
        lengths.setdefault((row["lm_id"], row["setting_id"]), []).append(length)
    references = [len(row["reference"]) for row in raw["problem"] if row["reference"]]
    ranked = {key: dict(zip(them, length_v2(them), strict=True)) for key, them in lengths.items()}
    found = {}
    for row in judged:
        name = row["generation_id"]
        mine = _token_scores(tokens.get(name))
        stated = {}
        for reader in ("verbalized_v1", "verbalized_v2"):
            attempts = sorted(asked.get((name, reader), []), key=lambda a: a["sample_index"])
            read = [readings[a["generation_id"], reader]["value"] for a in attempts]
            stated[reader] = read
        value, reason, _ = verbalized_v1(stated["verbalized_v1"])
        mine[1, "verbalized"] = Score(value, reason)
        mine[2, "verbalized"] = Score(*verbalized_v2(stated["verbalized_v2"]))
        answers = sorted(asked.get((name, "ask_tf_v1"), []), key=lambda a: a["sample_index"])
        for version, read_answer in ((1, ask_tf_v1), (2, ask_tf_v2)):
            plain: Reading = (None, "not_asked")
            normalized = plain
            if answers:
                answer = tokens.get(answers[0]["generation_id"])
                plain, normalized = read_answer(positions_of(answer) if answer else None)
            mine[version, "ask_tf"] = Score(*plain)
            mine[version, "ask_tf_normalized"] = Score(*normalized)
        length = len(texts[name]["kept_text"])
        first = length_v1(length, min(references), max(references))
        mine[1, "length"] = Score(first, "not_applicable" if first is None else None)
        mine[2, "length"] = Score(ranked[row["lm_id"], row["setting_id"]][length], None)
        found[name] = mine
    return found


def _token_scores(row: Row | None) -> Scores:
    """Confidences from the tokens that were kept, and with the one that follows the last."""
    if row is None:
        kept: list[float | None] | None = None
        stopped: list[float | None] | None = None
        reason = None
    else:
        kept = [v for v, inside in zip(row["logprobs"], row["kept"], strict=True) if inside]
        last = max((i for i, inside in enumerate(row["kept"]) if inside), default=-1)
        more = row["logprobs"][last + 1 : last + 2]
        stopped, reason = kept + more, None if more else "not_applicable"
        if not kept:
            stopped = kept
    found = {}
    for version, measure, how in (
        (1, "avg_prob", "avg"),
        (1, "total_prob", "total"),
        (2, "avg_prob", "avg"),
        (2, "total_prob", "total"),
        (2, "geometric_mean_prob", "geometric_mean"),
        (2, "min_prob", "min"),
    ):
        found[version, measure] = Score(*token_confidence(kept, how), log_confidence(kept, how))
    whole = usable(kept)[1]
    for measure, how in (("avg_prob_incl_stop", "avg"), ("total_prob_incl_stop", "total")):
        score = Score(*token_confidence(stopped, how), log_confidence(stopped, how))
        found[2, measure] = Score(None, whole or reason) if whole or reason else score
    return found


def labels(raw: Raw) -> dict[str, tuple[bool | None, str | None, str]]:
    """Return whether each judged generation passed, or why that is unknown, and its problem."""
    found = {}
    for cells in oracles.samples(raw).values():
        for problem, rows in cells.items():
            aside = oracles.set_aside(raw, problem)
            for row in rows:
                passed = None if row["verdict"] is None else row["verdict"] == "passed"
                name = row["order"][1]
                found[name] = (None, aside, problem) if aside else (passed, row["reason"], problem)
    return found


@dataclass
class CalibrationCase:
    """The rows of one language model, version and measure, and the reasons of those left out."""

    pairs: list[ScoredPair]
    reasons: list[str]

    @property
    def n_total(self) -> int:
        return len(self.pairs) + len(self.reasons)


def subjects(raw: Raw) -> dict[tuple[str, int, str], CalibrationCase]:
    """Return the data set of each language model, version and measure; one setting, one release."""
    known, right = scores(raw), labels(raw)
    names: dict[str, list[str]] = {}
    for row in raw["generation"]:
        if row["parent_generation_id"] is None:
            names.setdefault(row["lm_id"], []).append(row["generation_id"])
    found = {}
    for lm, mine in names.items():
        rate = _base_rate([(known[n][2, "verbalized"], *right[n]) for n in mine])
        for version, measures in MEASURES.items():
            for measure in measures:
                subject = CalibrationCase([], [])
                for name in mine:
                    if measure == "verbalized_base_rate":
                        score = known[name][2, "verbalized"]
                        if score.reason == "parse_fail":
                            score = Score(rate, None if rate is not None else "parse_fail")
                    else:
                        score = known[name][version, measure]
                    passed, reason, problem = right[name]
                    if passed is None or score.p is None:
                        subject.reasons.append(str(reason or score.reason))
                        continue
                    subject.pairs.append(
                        ScoredPair(score.p, passed, 1.0, problem, name, score.log_p),
                    )
                if version == 2:
                    subject.pairs = weighed_by_problem(subject.pairs)
                found[lm, version, measure] = subject
    return found


def _base_rate(rows: list[tuple[Score, bool | None, str | None, str]]) -> float | None:
    """The share of right ones among those asked, each problem weighing the same."""
    by_problem: dict[str, list[bool]] = {}
    for score, passed, _, problem in rows:
        if passed is not None and score.reason in (None, "parse_fail"):
            by_problem.setdefault(problem, []).append(passed)
    rates = [sum(passed) / len(passed) for passed in by_problem.values()]
    return math.fsum(rates) / len(rates) if rates else None
