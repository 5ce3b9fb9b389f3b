"""What is kept of a completion: where the function being written ends."""

import io
import tokenize
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

STOPS = ("\nclass", "\ndef", "\n#")
"""Stop strings of the function-end rules (Spiess et al. 2024, section 3.4)."""

BODY_INDENT = 4


@dataclass(frozen=True)
class Kept:
    """The kept text, and the span of the raw text it came from (``start`` to ``end``)."""

    text: str
    start: int
    end: int


def whole(raw: str, stop: Sequence[str] = ()) -> Kept:
    """Keep everything."""
    return Kept(raw, 0, len(raw))


def at_stop(raw: str, stop: Sequence[str]) -> Kept:
    """Keep what comes before the first stop string."""
    found = [place for place in (raw.find(text) for text in stop if text) if place >= 0]
    end = min(found, default=len(raw))
    return Kept(raw[:end], 0, end)


def function_end_v1(raw: str, stop: Sequence[str] = ()) -> Kept:
    """Keep up to the first later line indented less than the first non-blank line.

    The stop strings apply first, and the first non-blank line is moved to the body's indentation.
    A line inside a triple-quoted string counts like any other: that is the published behaviour.
    """
    return _function_end(raw, [*STOPS, *stop], _ends_at_physical_line)


def function_end_v2(raw: str, stop: Sequence[str] = ()) -> Kept:
    """Keep up to the first later logical line indented less than the first non-blank line.

    Never ends inside brackets or strings; a comment in column 0 ends the function only when code
    in column 0 follows it.
    """
    return _function_end(raw, list(stop), _ends_at_logical_line)


RULES: dict[str, Callable[[str, Sequence[str]], Kept]] = {
    "whole": whole,
    "stop": at_stop,
    "function_end_v1": function_end_v1,
    "function_end_v2": function_end_v2,
}
"""Truncation rules by the name stored with each text."""
