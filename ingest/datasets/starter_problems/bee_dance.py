# difficulty: medium


def bee_dance(moves: str) -> tuple[int, int]:
    """Return where a bee is after its dance, starting at (0, 0) and facing north.

    ``F`` flies one step ahead, ``L`` and ``R`` turn it by a quarter, ``U`` turns it around.
    East adds to the first number, north to the second.
    """
    x, y = 0, 0
    dx, dy = 0, 1
    for move in moves:
        if move == "F":
            x = x + dx
            y = y + dy
        elif move == "L":
            dx, dy = -dy, dx
        elif move == "R":
            dx, dy = dy, -dx
        elif move == "U":
            dx, dy = -dx, -dy
    return x, y


assert bee_dance("") == (0, 0)
assert bee_dance("FF") == (0, 2)
assert bee_dance("RFFLF") == (2, 1)
assert bee_dance("LFUFF") == (1, 0)
assert bee_dance("UFRFF") == (-2, -1)
