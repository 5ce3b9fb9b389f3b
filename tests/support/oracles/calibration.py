"""Calibration once more, slowly: plain Python from the definitions, no code shared with the views.

A data set is a list of pairs. Sums are exact (``math.fsum``), sorts are spelt out, and the area
under the curve counts every pair of a right and a wrong answer.
"""

import json
import math
import random
import re
from dataclasses import dataclass
from typing import Any

from tests.support.oracles import execution as oracles
from tests.support.oracles.execution import Raw, Row

CLIP = 1e-6
SENTINEL = -9999.0


@dataclass(frozen=True)
class Pair:
    """A stated confidence, whether the answer was right, its weight and its problem."""

    p: float
    y: bool
    w: float = 1.0
    problem: str = ""
    name: str = ""
    log_p: float | None = None


def pairs_of(
    p: list[float] | tuple[float, ...], y: list[int] | tuple[int, ...], w: list[float] | None = None
) -> list[Pair]:
    """Pair up two lists; the place in the list names row and problem."""
    weights = w or [1.0] * len(p)
    return [
        Pair(a, bool(b), c, f"{i:06d}", f"{i:06d}")
        for i, (a, b, c) in enumerate(zip(p, y, weights, strict=True))
    ]


def weighed_by_problem(pairs: list[Pair]) -> list[Pair]:
    """Give each problem the weight 1, shared equally by its rows."""
    sizes: dict[str, int] = {}
    for pair in pairs:
        sizes[pair.problem] = sizes.get(pair.problem, 0) + 1
    return [
        Pair(q.p, q.y, 1 / sizes[q.problem], q.problem, q.name, q.log_p) for q in pairs
    ]  # fmt: skip


# --- confidence ---------------------------------------------------------------------------------

Reading = tuple[float | None, str | None]


def usable(logprobs: list[float | None] | None) -> tuple[list[float] | None, str | None]:
    """Return log-probabilities as they count, or the reason why they do not."""
    if logprobs is None:
        return None, "missing_logprobs"
    if not logprobs:
        return None, "empty"
    if any(value is None or math.isnan(value) for value in logprobs):
        return None, "missing_logprobs"
    if any(value is not None and value > 1e-4 for value in logprobs):
        return None, "logprob_positive"
    return [min(0.0, value) for value in logprobs if value is not None], None


def token_confidence(logprobs: list[float | None] | None, how: str) -> Reading:
    """avg, total, geometric_mean or min of the tokens' probabilities."""
    values, reason = usable(logprobs)
    if values is None:
        return None, reason
    if how == "avg":
        return math.fsum(math.exp(value) for value in values) / len(values), None
    if how == "total":
        return math.exp(math.fsum(values)), None
    if how == "geometric_mean":
        return math.exp(math.fsum(values) / len(values)), None
    assert how == "min"
    return math.exp(min(values)), None


def log_confidence(logprobs: list[float | None] | None, how: str) -> float | None:
    """The logarithm of the same, where it is known without first taking an exponential."""
    values, _ = usable(logprobs)
    if values is None or how == "avg":
        return None
    if how == "total":
        return math.fsum(values)
    return math.fsum(values) / len(values) if how == "geometric_mean" else min(values)


def verbalized_v1(readings: list[float | None]) -> tuple[float | None, str | None, bool]:
    """First value read wins; none in four calls: 0.5 and a flag; not asked to the end: unknown."""
    for value in readings:
        if value is not None:
            return value, None, False
    return (None, "not_asked", False) if len(readings) < 4 else (0.5, None, True)


def verbalized_v2(readings: list[float | None]) -> Reading:
    """First value read wins; none read is unknown."""
    if not readings:
        return None, "not_asked"
    for value in readings:
        if value is not None:
            return value, None
    return None, "parse_fail"


def percentage(text: str) -> float | None:
    """Read a stated probability by the three rules of version 1, one after the other."""
    import unicodedata

    text = unicodedata.normalize("NFKC", text).strip()
    number = r"(?<![\w.\-])(\d+(?:\.\d+)?|\.\d+)"
    found = re.search(number + r"\s*(?:%|percent|per cent)", text)
    if found:
        return within(float(found[1]) / 100)
    found = re.search(number + r"\s*(?:/|out of)\s*(100|10|5|1)(?![\d.]*\d)", text)
    if found:
        return within(float(found[1]) / float(found[2]))
    found = re.search(number + r"(?![\w%]|\.\d)", text)
    if found:
        value = float(found[1])
        return within(value if value <= 1 else value / 100)
    return None


def within(value: float) -> float | None:
    """Nothing is clipped into the range."""
    return value if 0 <= value <= 1 else None


Positions = list[list[tuple[str, float]] | None]


def ask_tf_v1(positions: Positions | None) -> tuple[Reading, Reading]:
    """TRUE's probability and its share of TRUE and FALSE: largest of five, first two positions."""
    if positions is None:
        return (None, "missing_logprobs"), (None, "missing_logprobs")
    true, false = [], []
    for position in positions[:2]:
        best = sorted(position or [], key=lambda pair: -pair[1])[:5]
        for token, logprob in best:
            says_true, says_false = "true" in token.lower(), "false" in token.lower()
            if says_true and not says_false:
                true.append(math.exp(logprob))
            if says_false and not says_true:
                false.append(math.exp(logprob))
    return shares(max(true) if true else None, max(false) if false else None)


def ask_tf_v2(positions: Positions | None) -> tuple[Reading, Reading]:
    """The same by sums over spellings at the first position."""
    if positions is None:
        return (None, "missing_logprobs"), (None, "missing_logprobs")
    first = (positions[0] if positions else None) or []
    true = [math.exp(v) for t, v in first if t.strip().lower() == "true"]
    false = [math.exp(v) for t, v in first if t.strip().lower() == "false"]
    return shares(
        min(1.0, math.fsum(true)) if true else None, min(1.0, math.fsum(false)) if false else None
    )


def shares(true: float | None, false: float | None) -> tuple[Reading, Reading]:
    """A word that is absent has probability 0; two absent words say nothing."""
    if true is None and false is None:
        return (None, "parse_fail"), (None, "parse_fail")
    t, f = true or 0.0, false or 0.0
    if t + f == 0:
        return (t, None), (None, "parse_fail")
    return (t, None), (t / (t + f), None)


def positions_of(text: str | None) -> Positions | None:
    """Parse the stored JSON."""
    if text is None:
        return None
    return [
        None if entry is None else [(token, logprob) for token, logprob in entry]
        for entry in json.loads(text)
    ]


def length_v1(length: int, shortest: int, longest: int) -> float | None:
    """1 for the shortest, 0 for the longest of the reference solutions."""
    if shortest == longest:
        return None
    return min(1.0, max(0.0, 1 - (length - shortest) / (longest - shortest)))


def length_v2(lengths: list[int]) -> list[float]:
    """One minus the mean rank of its equals, over the number of answers."""
    ordered = sorted(lengths)
    ranks = {}
    for length in set(lengths):
        first = ordered.index(length) + 1
        ranks[length] = first + (ordered.count(length) - 1) / 2
    return [1 - ranks[length] / len(lengths) for length in lengths]


# --- from raw rows to pairs ---------------------------------------------------------------------

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
                plain, normalized = read_answer(
                    positions_of(answer["top_logprobs"]) if answer else None
                )
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
class Subject:
    """The rows of one language model, version and measure, and the reasons of those left out."""

    pairs: list[Pair]
    reasons: list[str]

    @property
    def n_total(self) -> int:
        return len(self.pairs) + len(self.reasons)


def subjects(raw: Raw) -> dict[tuple[str, int, str], Subject]:
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
                subject = Subject([], [])
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
                        Pair(score.p, passed, 1.0, problem, name, score.log_p),
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


# --- metrics ------------------------------------------------------------------------------------


def total(pairs: list[Pair]) -> float:
    return math.fsum(q.w for q in pairs)


def mean_p(pairs: list[Pair]) -> float:
    return math.fsum(q.w * q.p for q in pairs) / total(pairs)


def mean_y(pairs: list[Pair]) -> float:
    return math.fsum(q.w * q.y for q in pairs) / total(pairs)


def brier(pairs: list[Pair]) -> float | None:
    if not pairs:
        return None
    return math.fsum(q.w * (q.p - q.y) ** 2 for q in pairs) / total(pairs)


def brier_reference(pairs: list[Pair]) -> float | None:
    return mean_y(pairs) * (1 - mean_y(pairs)) if pairs else None


def skill_score(pairs: list[Pair]) -> float | None:
    if len({q.y for q in pairs}) < 2:
        return None
    loss, reference = brier(pairs), brier_reference(pairs)
    assert loss is not None
    assert reference is not None
    return (reference - loss) / reference


def auroc(pairs: list[Pair]) -> float | None:
    if len({q.y for q in pairs}) < 2:
        return None
    won = []
    weights = []
    for right in (q for q in pairs if q.y):
        for wrong in (q for q in pairs if not q.y):
            weight = right.w * wrong.w
            weights.append(weight)
            if right.p > wrong.p:
                won.append(weight)
            elif right.p == wrong.p:
                won.append(weight / 2)
    return math.fsum(won) / math.fsum(weights)


def log_loss(pairs: list[Pair]) -> float | None:
    if not pairs:
        return None
    losses = []
    for q in pairs:
        p = min(1 - CLIP, max(CLIP, q.p))
        losses.append(q.w * -(math.log(p) if q.y else math.log(1 - p)))
    return math.fsum(losses) / total(pairs)


def equal_width(pairs: list[Pair], n_bins: int = 10) -> dict[int, list[Pair]]:
    """Left-closed bins, the last one closed; confidence rounded to seven places first."""
    bins: dict[int, list[Pair]] = {}
    for q in pairs:
        place = sum(1 for k in range(1, n_bins) if k / n_bins <= round(q.p, 7))
        bins.setdefault(place, []).append(q)
    return bins


def right_closed(pairs: list[Pair], n_bins: int = 10) -> dict[int, list[Pair]]:
    """The other convention, for the golden number that tells the two apart."""
    bins: dict[int, list[Pair]] = {}
    for q in pairs:
        place = sum(1 for k in range(1, n_bins) if k / n_bins < round(q.p, 7))
        bins.setdefault(place, []).append(q)
    return bins


def quantile_edges(values: list[float], n_bins: int) -> list[float]:
    """Percentiles with linear interpolation between neighbours."""
    ordered = sorted(values)
    edges = []
    for j in range(n_bins + 1):
        place = (len(ordered) - 1) * j / n_bins
        low = math.floor(place)
        high = min(low + 1, len(ordered) - 1)
        edges.append(ordered[low] + (ordered[high] - ordered[low]) * (place - low))
    return edges


def quantile_bins(pairs: list[Pair], n_bins: int) -> dict[int, list[Pair]]:
    """As many inner edges as are not above it give a row's bin; ties are never split."""
    if not pairs:
        return {}
    inner = quantile_edges([q.p for q in pairs], n_bins)[1:-1]
    bins: dict[int, list[Pair]] = {}
    for q in pairs:
        bins.setdefault(sum(1 for edge in inner if edge <= q.p), []).append(q)
    return bins


def error_over(bins: dict[int, list[Pair]]) -> float | None:
    """Weighted mean gap of the bins."""
    rows = [q for each in bins.values() for q in each]
    if not rows:
        return None
    return math.fsum(total(k) / total(rows) * abs(mean_y(k) - mean_p(k)) for k in bins.values())


def ece(pairs: list[Pair]) -> float | None:
    return error_over(equal_width(pairs))


def quantile_ece(pairs: list[Pair], n_bins: int = 10) -> float | None:
    return error_over(quantile_bins(pairs, n_bins))


def murphy(pairs: list[Pair]) -> dict[str, float] | None:
    """Reliability, resolution, uncertainty and the two terms within bins."""
    if not pairs:
        return None
    everything, rate = total(pairs), mean_y(pairs)
    bins = list(equal_width(pairs).values())
    within_p, within_py = [], []
    for rows in bins:
        p, y = mean_p(rows), mean_y(rows)
        within_p += [q.w * (q.p - p) ** 2 for q in rows]
        within_py += [q.w * (q.y - y) * (q.p - p) for q in rows]
    return {
        "rel": math.fsum(total(k) * (mean_p(k) - mean_y(k)) ** 2 for k in bins) / everything,
        "res": math.fsum(total(k) * (mean_y(k) - rate) ** 2 for k in bins) / everything,
        "unc": rate * (1 - rate),
        "wbv": math.fsum(within_p) / everything,
        "wbc": math.fsum(within_py) / everything,
    }


def isotonic(pairs: list[Pair]) -> list[float]:
    """The closest never-falling curve at each row's confidence, by pooling neighbours."""
    tied: dict[float, list[Pair]] = {}
    for q in pairs:
        tied.setdefault(q.p, []).append(q)
    blocks: list[tuple[float, float, list[float]]] = []  # right ones, weight, confidences
    for p in sorted(tied):
        rows = tied[p]
        blocks.append((math.fsum(q.w * q.y for q in rows), total(rows), [p]))
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] >= blocks[-1][0] * blocks[-2][1]:
            (a, v, left), (b, w, right) = blocks[-2], blocks[-1]
            blocks[-2:] = [(a + b, v + w, left + right)]
    level = {p: right / weight for right, weight, held in blocks for p in held}
    return [level[q.p] for q in pairs]


def corp(pairs: list[Pair]) -> dict[str, float] | None:
    """Miscalibration, discrimination and uncertainty, without bins."""
    loss, reference = brier(pairs), brier_reference(pairs)
    if loss is None or reference is None:
        return None
    best = brier(
        [Pair(c, q.y, q.w) for c, q in zip(isotonic(pairs), pairs, strict=True)],
    )
    assert best is not None
    return {"mcb": loss - best, "dsc": reference - best, "unc": reference}


def effective_size(rows: list[Pair]) -> float:
    """The number of rows, where all weigh the same."""
    return total(rows) ** 2 / math.fsum(q.w**2 for q in rows)


def debiased_square(pairs: list[Pair]) -> float | None:
    """Squared calibration error less what chance alone adds; bins below two rows give nothing."""
    if not pairs:
        return None
    terms = []
    for rows in equal_width(pairs).values():
        size = effective_size(rows)
        if size < 2 - 1e-9:
            continue
        p, y = mean_p(rows), mean_y(rows)
        terms.append(total(rows) / total(pairs) * ((p - y) ** 2 - y * (1 - y) / (size - 1)))
    return math.fsum(terms)


def debiased_l2(pairs: list[Pair]) -> float | None:
    square = debiased_square(pairs)
    return None if square is None else math.sqrt(max(0.0, square))


def debiased_l1(pairs: list[Pair]) -> float | None:
    """2 ECE minus the mean ECE of resampled bins: that mean exactly, of folded normals."""
    bins = equal_width(pairs)
    if not bins or any(len(rows) < 2 for rows in bins.values()):
        return None
    expected = []
    for rows in bins.values():
        y = mean_y(rows)
        centre, sd = y - mean_p(rows), math.sqrt(y * (1 - y) / effective_size(rows))
        if sd == 0:
            expected.append(total(rows) * abs(centre))
            continue
        tail = math.erf(centre / sd / math.sqrt(2))
        folded = sd * math.sqrt(2 / math.pi) * math.exp(-((centre / sd) ** 2) / 2) + centre * tail
        expected.append(total(rows) * folded)
    found = ece(pairs)
    assert found is not None
    return 2 * found - math.fsum(expected) / total(pairs)


def noise_floor(pairs: list[Pair]) -> float | None:
    """What ECE would be about, by chance alone, were every confidence exactly right."""
    if not pairs:
        return None
    spreads = [
        math.sqrt(2 / math.pi * math.fsum(q.w**2 * q.p * (1 - q.p) for q in rows))
        for rows in equal_width(pairs).values()
    ]
    return math.fsum(spreads) / total(pairs)


def spread(pairs: list[Pair]) -> float | None:
    """Standard deviation of the confidences, with the number of rows below."""
    if not pairs:
        return None
    centre = mean_p(pairs)
    return math.sqrt(math.fsum(q.w * (q.p - centre) ** 2 for q in pairs) / total(pairs))


def collapse(pairs: list[Pair], minimum_skill: float = 0.05) -> dict[str, Any] | None:
    """How many bins are used, how full the fullest is, and whether that is a collapse."""
    if not pairs:
        return None
    bins = equal_width(pairs)
    fullest = max(total(rows) for rows in bins.values()) / total(pairs)
    skill = skill_score(pairs)
    return {
        "n_bins": len(bins),
        "largest": fullest,
        "collapsed": fullest >= 0.9 or (skill is not None and skill < minimum_skill),
    }


def ece_reported(pairs: list[Pair]) -> float | None:
    """ECE is told only where the skill score, unrounded, reaches 0.05."""
    skill = skill_score(pairs)
    return ece(pairs) if skill is not None and skill >= 0.05 else None


def wilson(right: float, size: float) -> tuple[float, float] | None:
    """The two roots of (p - c/n)^2 = z^2 p (1 - p) / n; for any sizes, whole or not."""
    if size == 0:
        return None
    z, rate = 1.959963984540054, right / size
    a, b, c = 1 + z * z / size, 2 * rate + z * z / size, rate * rate
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    low, high = (b - root) / (2 * a), (b + root) / (2 * a)
    return (0.0 if right == 0 else low), (1.0 if right == size else high)


# --- rescaling ----------------------------------------------------------------------------------


def logit_v1(p: float) -> float:
    p = min(1 - CLIP, max(CLIP, p))
    return math.log(p / (1 - p))


def logit_v2(p: float, log_p: float | None) -> float:
    """From the log-probability where there is one: no lower clip, and nothing is lost near 0."""
    if log_p is None:
        p = min(1 - CLIP, p)
        return math.log(p) - math.log1p(-p)
    log_p = min(math.log(1 - CLIP), log_p)
    return log_p - math.log(-math.expm1(log_p))


def sigmoid(x: float) -> float:
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    return math.exp(x) / (1 + math.exp(x))


def shuffled(n: int, seed: int = 42) -> list[int]:
    """0..n-1 as the legacy generator shuffles them: Mersenne twister, masked rejection."""
    state = [seed]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ (state[-1] >> 30)) + i) & 0xFFFFFFFF)
    twister = random.Random()
    twister.setstate((3, (*state, 624), None))
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        mask = (1 << i.bit_length()) - 1
        while (j := twister.getrandbits(32) & mask) > i:
            pass
        order[i], order[j] = order[j], order[i]
    return order


def folds_v1(n: int) -> list[int]:
    """The fold of each position: five slices of the shuffled rows, the first ones longer."""
    order, fold, start = shuffled(n), [0] * n, 0
    for k in range(5):
        size = n // 5 + (k < n % 5)
        for place in order[start : start + size]:
            fold[place] = k
        start += size
    return fold


def in_order(pairs: list[Pair]) -> list[Pair]:
    return sorted(pairs, key=lambda q: (q.p, q.name))


def logistic(
    x: list[float],
    target: list[float],
    weights: list[float] | None = None,
    *,
    with_intercept: bool = True,
) -> tuple[float, float]:
    """Slope and intercept of greatest likelihood, by Newton's steps, halved when too long."""
    w = weights or [1.0] * len(x)
    a, b = 0.0, 0.0

    def cost(a: float, b: float) -> float:
        terms = []
        for xi, ti, wi in zip(x, target, w, strict=True):
            z = a * xi + b
            terms.append(wi * (max(z, 0.0) + math.log1p(math.exp(-abs(z))) - ti * z))
        return math.fsum(terms)

    now = cost(a, b)
    for _ in range(200):
        rows = [(xi, wi, sigmoid(a * xi + b) - ti) for xi, ti, wi in zip(x, target, w, strict=True)]
        bend = [wi * (sigmoid(a * xi + b) * sigmoid(-a * xi - b)) for xi, wi, _ in rows]
        ga = math.fsum(wi * gap * xi for xi, wi, gap in rows)
        gb = math.fsum(wi * gap for _, wi, gap in rows)
        haa = math.fsum(h * xi * xi for h, (xi, _, _) in zip(bend, rows, strict=True))
        hab = math.fsum(h * xi for h, (xi, _, _) in zip(bend, rows, strict=True))
        hbb = math.fsum(bend)
        if with_intercept:
            size = haa * hbb - hab * hab
            step = ((hbb * ga - hab * gb) / size, (haa * gb - hab * ga) / size)
        else:
            step = (ga / haa, 0.0)
        share = 1.0
        while share > 1e-12 and cost(a - share * step[0], b - share * step[1]) > now:
            share /= 2
        a, b = a - share * step[0], b - share * step[1]
        after = cost(a, b)
        if abs(step[0]) + abs(step[1]) < 1e-13 * (1 + abs(a) + abs(b)) or after == now:
            break
        now = after
    return a, b


def smoothed_targets(pairs: list[Pair]) -> list[float]:
    """Platt's targets: a little away from 0 and 1, so that separated classes end somewhere."""
    right = total([q for q in pairs if q.y])
    wrong = total([q for q in pairs if not q.y])
    return [(right + 1) / (right + 2) if q.y else 1 / (wrong + 2) for q in pairs]


def standard_errors(
    pairs: list[Pair], x: list[float], target: list[float], *, with_intercept: bool = True
) -> tuple[float, float]:
    """Robust standard errors of slope and intercept, with no formula: how the fit moves as one
    problem after the other weighs a little more or less."""
    problems = sorted({q.problem for q in pairs})
    step = 1e-4

    def moved(problem: str, factor: float) -> tuple[float, float]:
        w = [q.w * (factor if q.problem == problem else 1.0) for q in pairs]
        return logistic(x, target, w, with_intercept=with_intercept)

    squares = [0.0, 0.0]
    for problem in problems:
        more, less = moved(problem, 1 + step), moved(problem, 1 - step)
        for i in (0, 1):
            squares[i] += ((more[i] - less[i]) / (2 * step)) ** 2
    n = len(problems)
    return math.sqrt(squares[0] * n / (n - 1)), math.sqrt(squares[1] * n / (n - 1))


def curve_between(x: list[float], y: list[float], at: float) -> float:
    """Linear between known points, level outside them."""
    if at <= x[0]:
        return y[0]
    for i in range(1, len(x)):
        if at <= x[i]:
            return y[i - 1] + (y[i] - y[i - 1]) * (at - x[i - 1]) / (x[i] - x[i - 1])
    return y[-1]


def platt_v1(pairs: list[Pair]) -> list[Pair] | None:
    """Out-of-fold rows: the way of the paper from beginning to end. None below five rows or where
    a training fold has one class."""
    if len(pairs) < 5:
        return None
    rows = in_order(pairs)
    folds = folds_v1(len(rows))
    scaled = []
    for k in range(5):
        train = [q for q, fold in zip(rows, folds, strict=True) if fold != k]
        if len({q.y for q in train}) < 2:
            return None
        if len({q.p for q in train}) == 1:
            a, b = 0.0, logit_v1(mean_y(train))
        else:
            a, b = logistic([logit_v1(q.p) for q in train], [float(q.y) for q in train])
        scaled += [
            Pair(sigmoid(a * logit_v1(q.p) + b), q.y, q.w, q.problem, q.name)
            for q, fold in zip(rows, folds, strict=True)
            if fold == k
        ]
    return scaled
