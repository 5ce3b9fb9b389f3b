"""Lists of line numbers as compact text: ``3-7,9``, in order, each range as long as it can be."""

import re
from collections.abc import Iterable

TEXT = re.compile(r"[1-9]\d{0,6}(?:-[1-9]\d{0,6})?(?:,[1-9]\d{0,6}(?:-[1-9]\d{0,6})?)*")


def text_of_lines(lines: Iterable[int]) -> str:
    """Return line numbers as text; no lines are the empty text."""
    ranges: list[list[int]] = []
    for line in sorted(set(lines)):
        if ranges and ranges[-1][1] == line - 1:
            ranges[-1][1] = line
        else:
            ranges.append([line, line])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)


def ranges_of_text(text: str) -> list[tuple[int, int]]:
    """Return the first and last line of each range; raises ValueError for any other text."""
    if text and not TEXT.fullmatch(text):
        raise ValueError(f"no list of lines: {text[:40]!r}")
    found = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        found.append((int(first), int(last or first)))
    bounds = [0, *(bound for each in found for bound in each)]
    if any(first > last for first, last in found) or bounds != sorted(bounds):
        raise ValueError(f"lines out of order: {text[:40]!r}")
    return found
