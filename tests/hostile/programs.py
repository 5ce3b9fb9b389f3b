"""Programs that mean harm, one file each in ``tests/hostile/KIND/``, under a heading.

The heading says what the program tries and which verdicts it may end with. Most programs answer the
task only if their deed worked, so ``passed`` means that the deed was done. What it would do outside
the sandbox shows in the arena (see test_hostile). The task is f(x) = x + 1; if the name begins with
``script``, it is to read n and to print ``answer`` and 7919 n + 1.

All are bounded and do nothing lasting where nothing contains them. Signals are 0 or SIGCONT,
sockets are loopback, files lie in the arena, bombs have a small count.

``Begins with`` and ``Ends with`` name pieces in ``tests/hostile/parts``. A ``leak`` runs several
times, to find what an earlier one left.

Placeholders: ARENA a folder anyone may write, PORT a TCP and UDP listener. ABSTRACT the name of an
abstract socket, ABSTRACT-datagrams of one for datagrams. BYSTANDER the id of a process of ours,
ZERO_BYTE and LONE_SURROGATE the letters that no text file holds.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from tests.data import ROOT

HOSTILE = ROOT / "tests" / "hostile"
HEADING = re.compile(
    r"# Tries to (?P<tries>[^\n]+)\.\n"
    r"# Must end as: (?P<verdicts>[a-z_, ]+)\n"
    r"(?:# Begins with: (?P<before>[a-z_, ]+)\n)?"
    r"(?:# Ends with: (?P<after>[a-z_, ]+)\n)?"
    r"(?:# Runs: (?P<repeats>\d+) times\n)?"
    r"\n"
)


@dataclass(frozen=True)
class Hostile:
    name: str
    kind: str
    source: str
    repeats: int
    verdicts: frozenset[str]

    @property
    def is_script(self) -> bool:
        """Is it a whole program that reads standard input?"""
        return self.name.startswith("script_")


def hostile() -> list[Hostile]:
    """Return every program of the folder, by kind and name."""
    files = sorted(path for path in HOSTILE.glob("*/*.txt") if path.parent.name != "parts")
    return [_program(path) for path in files]


def part(name: str) -> str:
    """Return a piece that several programs share."""
    return (HOSTILE / "parts" / f"{name}.txt").read_text(encoding="utf-8")


def _program(path: Path) -> Hostile:
    text = path.read_text(encoding="utf-8")
    heading = HEADING.match(text)
    assert heading, f"{path}: the heading is missing or wrong"
    before, after = (_parts(heading[name]) for name in ("before", "after"))
    body = text[heading.end() :].replace("ZERO_BYTE", "\0").replace("LONE_SURROGATE", "\ud800")
    return Hostile(
        name=path.stem,
        kind=path.parent.name,
        source="\n".join([*before, body, *after]),
        repeats=int(heading["repeats"] or 1),
        verdicts=frozenset(heading["verdicts"].split(", ")),
    )


def _parts(names: str | None) -> list[str]:
    return [part(name) for name in names.split(", ")] if names else []
