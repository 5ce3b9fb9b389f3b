"""Where two programs are cut, so that a language model completes both from the same place."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ingest.mutations.source.lines import NoCut, Shape, end_of_line, shape_of
from ingest.parsing import parse

VERSIONS = (1, 2)


@dataclass(frozen=True)
class Cut:
    """The parts of two programs that are shown; what follows is to be completed."""

    original: str
    mutated: str


def cut_at_lines(original: str, mutated: str, entry_point: str | None, version: int) -> Cut | NoCut:
    """Keep three quarters of the entry point's lines, the docstring's not counted.

    Version 1 keeps that many lines, wherever they end. Version 2 goes up to the nearest line that
    ends a statement or a header, and refuses programs whose such lines differ.
    """
    if version not in VERSIONS:
        raise ValueError(f"no version {version} of the cut")
    lines: list[int] = []
    for source in (original, mutated):
        shape = _shape(source, entry_point)
        if isinstance(shape, NoCut):
            return shape
        line = shape.kept_line if version == 1 else shape.whole_line
        if line is None:
            return NoCut("no_boundary", "no statement of the body ends before the cut")
        lines.append(line)
    if lines[0] != lines[1]:
        return NoCut("lines_differ", "the two programs would be cut at different lines")
    return cut_at(
        (original, mutated), (end_of_line(original, lines[0]), end_of_line(mutated, lines[1]))
    )


def cut_at_statement(
    original: str,
    mutated: str,
    undo: Iterable[tuple[int, int, str]],
    entry_point: str | None,
    version: int,
) -> Cut | NoCut:
    """Cut the original by its own lines and the other at the same statement.

    For mutations that add or remove lines; ``undo`` is start, end and text of the edits that give
    the original back. What is added exactly at the cut is shown.
    """
    shape = _shape(original, entry_point)
    if isinstance(shape, NoCut):
        return shape
    line = shape.kept_line if version == 1 else shape.whole_line
    if line is None:
        return NoCut("no_boundary", "no statement of the body ends before the cut")
    place = end_of_line(original, line)
    moved = place
    for start, end, text in undo:
        first = start - (moved - place)
        if first + len(text) > place:
            if first < place:
                return NoCut("inside_change", "the cut would be inside what is rewritten")
            break
        moved += end - start - len(text)
    return cut_at((original, mutated), (place, moved))


def cut_at(sources: Sequence[str], places: Sequence[int]) -> Cut | NoCut:
    """Keep the text before a place in each program; refuse equal prompts."""
    original, mutated = (source[:place] for source, place in zip(sources, places, strict=True))
    if original == mutated:
        return NoCut("same_prompt", "nothing differs before the cut")
    return Cut(original, mutated)


@lru_cache(maxsize=4)
def _shape(source: str, entry_point: str | None) -> Shape | NoCut:
    """Return the lines of a program; the original of many mutants is parsed once for all."""
    return shape_of(source, parse(source), entry_point)
