"""Confidences in plain Python: of tokens, stated, of TRUE or FALSE, of length."""

import math
import re
from typing import Any

SENTINEL = -9999.0


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


def positions_of(row: dict[str, Any]) -> Positions | None:
    """Return the alternatives of a stored row; a row without the columns has none."""
    if row.get("top_tokens") is None:
        return None
    places = zip(row["top_tokens"], row["top_logprobs"], strict=True)
    return [
        None if tokens is None else list(zip(tokens, logprobs, strict=True))
        for tokens, logprobs in places
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
