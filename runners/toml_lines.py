"""The line on which each section of a TOML file, and each key of one, begins."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import Any

MAX_TRIES = 100
"""How often a statement of many lines is held to be complete, in search of its end."""

Place = tuple[str, int, str]
"""A section, which one of its name, and a key in it, or none."""


def places(text: str) -> dict[Place, int]:
    """Return the line on which each section, and each key of one, begins.

    Every statement is parsed by itself: what it adds is what the parser makes of it.
    """
    places: dict[Place, int] = {}
    numbers: Counter[str] = Counter()
    table: Place | None = None  # whose keys the statements are; at the root of the file none
    for line, found, is_header in statements(text):
        for name, value in found.items():
            if is_header:
                numbers[name] += isinstance(value, list)
                subtable = next(iter(value), "") if isinstance(value, dict) else ""
                table = (name, max(numbers[name] - 1, 0), subtable)
                added = [(*table[:2], ""), table]
            elif table is None:
                entries = value if isinstance(value, list) else [value]
                added = [(name, number, "") for number in range(len(entries) or 1)]
                for number, entry in enumerate(entries):
                    keys = entry if isinstance(entry, dict) else {}
                    added += [(name, number, key) for key in keys]
            else:
                added = [] if table[2] else [(*table[:2], name)]
            for place in added:
                places.setdefault(place, line)
    return places


def statements(text: str) -> Iterator[tuple[int, dict[str, Any], bool]]:
    """Yield each statement's first line, what it says, and whether it is the head of a table."""
    lines: list[str] = []
    n_tried = 0
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        lines.append(line)
        may_end = len(lines) == 1 or any(mark in line for mark in ('"""', "'''", "]"))
        if may_end and n_tried < MAX_TRIES:
            try:
                found = tomllib.loads("\n".join(lines))
            except (tomllib.TOMLDecodeError, RecursionError):
                n_tried += 1
            else:
                yield number - len(lines) + 1, found, lines[0].lstrip().startswith("[")
                lines, n_tried = [], 0
