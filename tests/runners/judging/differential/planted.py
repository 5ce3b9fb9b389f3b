"""Small programs and tests, each of which takes one feature of Python across the border.

They are in ``planted/*.txt``, one file per area. A case is a line ``### title [verdict]``, the
program, a line ``---`` and its tests, which call ``f``. The verdict is CPython's, with program and
tests in one interpreter; it is left out where they pass.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("planted")
HEAD = re.compile(r"^### (.+?)(?: \[(failed|error)\])?$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """One program, its tests, and what CPython says of them."""

    name: str
    program: str
    tests: str
    verdict: str


def cases() -> list[Case]:
    """Return all cases, by area."""
    return [each for path in sorted(FOLDER.glob("*.txt")) for each in _cases(path)]


def _cases(path: Path) -> Iterator[Case]:
    nothing, *parts = HEAD.split(path.read_text(encoding="utf-8"))
    assert not nothing.strip()
    for title, verdict, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        program, tests = text.split("\n---\n")
        yield Case(f"{path.stem}: {title}", program, tests, verdict or "passed")
