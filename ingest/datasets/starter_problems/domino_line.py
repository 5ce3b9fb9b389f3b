# difficulty: medium


def domino_line(tiles: list[tuple[int, int]], start: int) -> list[tuple[int, int]]:
    """Lay dominoes in a line that begins with the number ``start``.

    Go through the tiles once, in order: lay a tile, turned if need be, when one of its
    ends fits the open end of the line; leave it out otherwise.
    """
    line = []
    open_end = start
    for a, b in tiles:
        if a == open_end:
            line.append((a, b))
            open_end = b
        elif b == open_end:
            line.append((b, a))
            open_end = a
    return line


assert domino_line([], 2) == []
assert domino_line([(1, 1)], 2) == []
assert domino_line([(2, 5), (6, 5)], 2) == [(2, 5), (5, 6)]
assert domino_line([(3, 2), (3, 3), (1, 0), (4, 3)], 2) == [(2, 3), (3, 3), (3, 4)]
assert domino_line([(0, 1), (0, 1), (0, 1)], 0) == [(0, 1), (1, 0), (0, 1)]
