"""Read the level of similarity that a reply gives: one reader for each version of the judge."""

import re
from dataclasses import dataclass

from models.words import RATING_LEVELS

WHOLE_NUMBER = re.compile(r"[0-9]+")
LAST_LINE = re.compile(r"[\s*_`]*similarity[\s*_`]*:[\s*_`]*([0-9]+)[\s*_`]*\.?[\s*_`]*", re.I)
LEVELS = {str(level): level for level in RATING_LEVELS}


@dataclass(frozen=True)
class ReadLevel:
    """A level from 1 to 5, or why there is none: a word of RATING_NULL_REASONS."""

    level: int | None
    null_reason: str | None = None


def first_number(reply: str) -> ReadLevel:
    """Read the first whole number of a reply.

    The released script of Chon et al. (arXiv 2408.14504) does so too, but accepts any number; here
    it counts from 1 to 5 only.
    """
    found = WHOLE_NUMBER.search(reply)
    return _level(found[0]) if found else _none(reply)


def last_line(reply: str) -> ReadLevel:
    """Read the last line, which must be ``Similarity: N``.

    Case, Markdown marks and a final full stop are ignored.
    """
    lines = reply.strip().splitlines() or [""]
    found = LAST_LINE.fullmatch(lines[-1])
    return _level(found[1]) if found else _none(reply)


def _level(digits: str) -> ReadLevel:
    level = LEVELS.get(digits.lstrip("0"))
    return ReadLevel(level, "out_of_range" if level is None else None)


def _none(reply: str) -> ReadLevel:
    return ReadLevel(None, "no_level" if reply.strip() else "empty_reply")
