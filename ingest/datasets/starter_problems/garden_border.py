# difficulty: easy


def garden_border(width: int, depth: int) -> list[str]:
    """Draw a garden bed: a border of ``#`` around soil written as dots.

    A bed of fewer than three rows or columns is all border; a size of 0 draws nothing.
    """
    rows = []
    if width == 0:
        depth = 0
    for y in range(depth):
        edge = y == 0 or y == depth - 1
        row = "#" * width
        if not edge and width > 2:
            soil = "." * (width - 2)
            row = "#" + soil + "#"
        rows.append(row)
    return rows


assert garden_border(0, 4) == []
assert garden_border(2, 2) == ["##", "##"]
assert garden_border(4, 3) == ["####", "#..#", "####"]
assert garden_border(1, 3) == ["#", "#", "#"]
assert garden_border(5, 1) == ["#####"]
