"""Tokens and their log-probabilities: checked, and placed in the text they spell."""

import itertools
import math
import re
from collections.abc import Sequence
from typing import Any

from ingest.fields import Fields
from models.words import LOGPROB_TOLERANCE, SENTINEL_LOGPROB

FRAGMENT = re.compile("�|^<0x[0-9A-Fa-f]{2}>$|^bytes:")
"""A token that is part of a character and cannot be spelled alone."""

HIDDEN = re.compile(r"<[^<>\s]+>|\[[A-Z_]+\]")
"""A special token, such as <pad>, <|fim_middle|> or [INST]: servers leave it out of the text."""


Alternatives = Sequence[Sequence[tuple[str, float]] | None]
"""Per token, the likeliest tokens in its place and their log-probabilities, best first."""


def top_columns(alternatives: Alternatives | None) -> tuple[list[Any] | None, list[Any] | None]:
    """Return alternatives as two columns: the tokens, and their log-probabilities."""
    if alternatives is None:
        return None, None
    tokens = [None if place is None else [name for name, _ in place] for place in alternatives]
    logprobs = [None if place is None else [value for _, value in place] for place in alternatives]
    return tokens, logprobs


def from_top_columns(
    tokens: list[list[str] | None] | None, logprobs: list[list[float] | None] | None
) -> Alternatives | None:
    """Return the alternatives that two columns hold."""
    if tokens is None or logprobs is None:
        return None
    places = zip(tokens, logprobs, strict=True)
    return [
        None if named is None or valued is None else [*zip(named, valued, strict=True)]
        for named, valued in places
    ]


def log_probabilities(line: Fields, values: Any, name: str) -> tuple[float, ...]:
    """Return a list of natural logarithms; raises BadInput for one that is no log-probability."""
    if not isinstance(values, list):
        raise line.bad(f"the field {name!r} is not a list")
    return tuple(log_probability(line, value, f"{name}[{n}]") for n, value in enumerate(values))


def log_probability(line: Fields, value: Any, name: str) -> float:
    """Return one natural logarithm of a probability, at most 0.

    Raises BadInput for NaN, and for a number further above 0 than rounding explains.
    """
    if isinstance(value, float) and value == -math.inf:
        return SENTINEL_LOGPROB
    number = line.check_number(value, name)
    if number > LOGPROB_TOLERANCE:
        raise line.bad(f"the log-probability {name} is {number}, above 0")
    return min(number, 0.0)


def kept_tokens(tokens: Sequence[str], text: str, start: int, end: int) -> list[bool]:
    """Say of each token whether a character of it lies inside ``text[start:end]``.

    The tokens must spell the text; what follows its end (a stop string, an end-of-text token) is
    not kept. Nor is a special token that the server left out of the text. Raises ValueError naming
    the first token that does not fit.
    """
    if "".join(tokens).startswith(text):
        ends = list(itertools.accumulate(map(len, tokens)))
        places = zip([0, *ends], ends, strict=False)
        return [first < end and last > start and last > first for first, last in places]
    kept = []
    place = 0
    loose = False  # after a fragment of a character the place is known only roughly
    for n, token in enumerate(tokens):
        if not token or FRAGMENT.search(token):
            loose = True
            kept.append(bool(token) and start <= place < end)
            continue
        found = text.find(token, place, place + len(token) + 8) if loose else place
        if HIDDEN.fullmatch(token) and not text.startswith(token, place):
            kept.append(False)
            continue
        if found < 0 or not text.startswith(token, found):
            rest = text[place:]
            if rest and not (token.startswith(rest) or loose):
                raise ValueError(f"token {n} ({token!r}) does not continue the text")
            kept.append(bool(rest) and start <= place < end)
            place = len(text)
            continue
        loose = False
        kept.append(found < end and found + len(token) > start)
        place = found + len(token)
    if place < len(text) and not loose:
        raise ValueError(f"the tokens end before the text, at character {place}")
    return kept
