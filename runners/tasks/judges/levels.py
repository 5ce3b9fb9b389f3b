"""Read the level of similarity that a reply gives: one reader for each version of the judge."""

import re
from dataclasses import dataclass

from models.words import RATING_LEVELS

NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
LAST_LINE = re.compile(r"[\s*_`]*similarity[\s*_`]*:[\s*_`]*([0-9]+)[\s*_`]*+\.?[\s*_`]*", re.I)


@dataclass(frozen=True)
class ReadLevel:
    """A level from 1 to 5, or why there is none: a word of RATING_NULL_REASONS."""

    level: int | None
    null_reason: str | None = None


def only_number(reply: str) -> ReadLevel:
    """Read the only number of a reply; it may occur again, but no other number may.

    The released script of Chon et al. (arXiv 2408.14504) takes the first whole number. That is 1
    in "on a scale of 1 to 5 I say 4".
    """
    numbers = {float(found) for found in NUMBER.findall(reply)}
    if len(numbers) > 1:
        return ReadLevel(None, "unreadable")
    return _level(numbers.pop()) if numbers else _none(reply)


def last_line(reply: str) -> ReadLevel:
    """Read the last line, which must be ``Similarity: N``.

    Case, Markdown marks and a final full stop are ignored.
    """
    lines = reply.strip().splitlines() or [""]
    found = LAST_LINE.fullmatch(lines[-1])
    return _level(float(found[1])) if found else _none(reply)


def _level(number: float) -> ReadLevel:
    if number not in RATING_LEVELS:
        return ReadLevel(None, "out_of_range")
    return ReadLevel(int(number))


def _none(reply: str) -> ReadLevel:
    return ReadLevel(None, "no_level" if reply.strip() else "empty_reply")
