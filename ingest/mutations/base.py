"""What a mutation is: it finds its sites in a program, or says why not, and rewrites one of them.

Five follow Hooda et al. 2024 (arXiv 2402.05980), as ``in_paper`` says; the others go beyond it.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import dedent
from typing import ClassVar

from ingest.mutations import MUTATIONS
from ingest.mutations.source.cut import Cut, cut_at_lines
from ingest.mutations.source.lines import NoCut
from ingest.mutations.source.program import ParsedProgram
from ingest.parsing import quietly
from models.keys import content_key


@dataclass(frozen=True)
class Edit:
    """A stretch of source, from ``start`` to ``end``, and the text that takes its place."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Site:
    """One place where a mutation applies.

    The edits are in source order and do not overlap. The text of a renaming's edit is the name
    in the program: the new one is drawn when it is applied. ``operators`` are the comparison
    operators at the site, in source order.
    """

    mutation: str
    version: int
    line: int
    edits: tuple[Edit, ...]
    operators: tuple[str, ...] = ()


@dataclass(frozen=True)
class Decline:
    """A place that looks like a site and is none; ``line`` is None where it is the whole program.

    ``code`` is for counting, ``why`` for reading.
    """

    mutation: str
    version: int
    line: int | None
    code: str
    why: str


class Unfit(Exception):
    """Why a place must stay as it is: the code and the reason of a refusal."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code
        self.why = why


@dataclass(frozen=True)
class Mutated:
    """A rewritten program; ``undo`` are the edits that give the original back.

    ``names`` maps old names to new ones, in order of first occurrence.
    """

    source: str
    seed: int
    undo: tuple[Edit, ...]
    names: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Changes:
    """An example that a mutation changes: the result at one of its sites under seed 0."""

    before: str
    after: str
    site: int = 0


@dataclass(frozen=True)
class Leaves:
    """An example that a mutation must leave alone, with the code of the reason, if it gives one."""

    code: str
    reason: str | None = None


Examples = tuple[Changes | Leaves, ...]


def examples_in(text: str) -> Examples:
    """Return the examples of a text: unindented headings, an indented program below each.

    The program under ``changes:`` becomes the one under ``into:``; ``changes: site 1`` says at
    which site, if not the first. The one under ``leaves: guarded`` must be left alone, for a reason
    with that code, and under ``leaves:`` for none. Raises ValueError for any other heading.
    """
    _, *parts = re.split(r"^(\S.*)\n", dedent(text), flags=re.MULTILINE)
    found: list[Changes | Leaves] = []
    before, site = "", 0
    for heading, block in zip(parts[::2], parts[1::2], strict=True):
        program = dedent(block).strip("\n") + "\n"
        match heading.split():
            case ["changes:"]:
                before, site = program, 0
            case ["changes:", "site", number]:
                before, site = program, int(number)
            case ["into:"]:
                found.append(Changes(before, program, site))
            case ["leaves:"]:
                found.append(Leaves(program))
            case ["leaves:", reason]:
                found.append(Leaves(program, reason))
            case _:
                raise ValueError(f"no heading of examples: {heading}")
    return tuple(found)


class Mutation(ABC):
    """One way to rewrite a program. Sites lie inside the program's entry point.

    ``rules`` counts the analyses behind a version. It rises by one whenever the same program gets
    other sites, so that references searched by older rules are searched again.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    rules: ClassVar[int] = 1
    in_paper: ClassVar[bool] = True
    examples: ClassVar[Examples]

    @abstractmethod
    def sites(self, program: ParsedProgram) -> list[Site | Decline]:
        """Return the places where the mutation applies, and those where it declines."""

    def apply(self, source: str, site: Site, seed: int) -> Mutated | Decline:
        """Rewrite one site; declines when the result is no program."""
        return self._checked(source, site, seed, site.edits)

    def cut(
        self, source: str, site: Site, mutated: Mutated, entry_point: str | None, version: int
    ) -> Cut | NoCut:
        """Return the two prompts, cut by a version of the rule for this mutation."""
        return cut_at_lines(source, mutated.source, entry_point, version)

    def decline(self, line: int | None, code: str, why: str) -> Decline:
        """Return a refusal of this mutation."""
        return Decline(self.name, self.version, line, code, why)

    def site(self, line: int, edits: Iterable[Edit], operators: Iterable[str] = ()) -> Site:
        """Return a site of this mutation."""
        ordered = tuple(sorted(edits, key=lambda edit: edit.start))
        return Site(self.name, self.version, line, ordered, tuple(operators))

    def _checked(
        self,
        source: str,
        site: Site,
        seed: int,
        edits: Sequence[Edit],
        names: tuple[tuple[str, str], ...] = (),
    ) -> Mutated | Decline:
        text, undo = splice(source, edits)
        if text == source:
            return self.decline(site.line, "no_change", "the result is the same text")
        if (error := fault(text)) is not None:
            return self.decline(site.line, "no_program", f"the result does not compile: {error}")
        return Mutated(text, seed, undo, names)


def mutations(names: Iterable[str] = MUTATIONS) -> list[Mutation]:
    """Return the mutations of the given short names, every version of each, oldest first."""
    return [mutation for versions in mutation_versions(names) for mutation in versions]


def mutation_versions(names: Iterable[str] = MUTATIONS) -> Iterator[list[Mutation]]:
    """Yield the versions of each mutation, oldest first."""
    for _, versions in MUTATIONS.load_all(names):
        yield [version() for version in sorted(versions, key=lambda version: version.version)]


def seed_of(problem: str, mutation: str, version: int) -> int:
    """Return the seed of one mutation of one problem: 31 bits of a hash of all three."""
    return int(content_key(problem, mutation, version)[:8], 16) >> 1


def splice(source: str, edits: Sequence[Edit]) -> tuple[str, tuple[Edit, ...]]:
    """Return the source with the edits made, and the edits that take them back."""
    parts: list[str] = []
    undo: list[Edit] = []
    place = length = 0
    for edit in edits:
        if edit.start < place:
            raise ValueError(f"edits overlap at {edit.start}")
        kept = source[place : edit.start]
        start = length + len(kept)
        length = start + len(edit.text)
        parts += [kept, edit.text]
        undo.append(Edit(start, length, source[edit.start : edit.end]))
        place = edit.end
    parts.append(source[place:])
    return "".join(parts), tuple(undo)


def fault(source: str) -> str | None:
    """Return what keeps a text from being a program of this Python, if anything does."""
    try:
        with quietly():
            compile(source, "<program>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        return f"{type(error).__name__}: {error}"
    return None
