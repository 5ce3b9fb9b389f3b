"""The lineage of a view as a drawing: what it reads, itself, and what reads it, in three columns.

The names are the boxes; a line joins each to the view. Widths follow from the number of characters,
for the font has letters of one width.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

LETTER, PADDING = 7.3, 10
"""Of a font of 12 pixels."""
LINE, BOX = 30, 22
BETWEEN = 70
EDGE = 2


@dataclass(frozen=True)
class Box:
    """A name with its place; ``middle`` is the height at which lines meet it."""

    name: str
    x: float
    y: float
    width: float
    height: float
    is_subject: bool

    @property
    def middle(self) -> float:
        """Return the height of the middle."""
        return self.y + self.height / 2


@dataclass(frozen=True)
class Drawing:
    """The boxes from left to right, and the paths of the lines between them."""

    width: float
    height: float
    boxes: Sequence[Box]
    paths: Sequence[str]


def lineage_drawing(name: str, reads: Sequence[str], read_by: Sequence[str]) -> Drawing:
    """Return the drawing of a view, or of anything else that is read."""
    columns = [names for names in (reads, [name], read_by) if names]
    height = LINE * max(map(len, columns))
    boxes: list[list[Box]] = []
    x: float = EDGE
    for names in columns:
        width = round(LETTER * max(map(len, names)) + 2 * PADDING, 1)
        top = (height - LINE * len(names)) / 2 + (LINE - BOX) / 2
        boxes.append(
            [
                Box(each, round(x, 1), top + LINE * at, width, BOX, names == [name])
                for at, each in enumerate(names)
            ]
        )
        x += width + BETWEEN
    paths = [
        _path(left, right)
        for lefts, rights in pairwise(boxes)
        for left in lefts
        for right in rights
    ]
    placed = [box for column in boxes for box in column]
    return Drawing(round(x - BETWEEN + EDGE, 1), height, placed, paths)


def _path(left: Box, right: Box) -> str:
    start = round(left.x + left.width, 1)
    bend = round((start + right.x) / 2, 1)
    bent = f"{bend} {left.middle} {bend} {right.middle} {right.x} {right.middle}"
    return f"M{start} {left.middle}C{bent}"
