# difficulty: hard


def tower_crane(orders: list[tuple[str, int, int]], stacks: int) -> list[list[int]] | None:
    """Carry out a crane's orders and return the stacks, bottom first; None on a bad order.

    ``("put", box, s)`` sets a new box on stack s. ``("move", a, b)`` takes the top of a to
    b. ``("flip", s, n)`` turns the top n boxes of s upside down as a block. Stacks count
    from 0; an order for a missing stack or for boxes that are not there is bad.
    """
    yard: list[list[int]] = [[] for _ in range(stacks)]
    for order, first, second in orders:
        if order == "put":
            if not 0 <= second < stacks:
                return None
            yard[second].append(first)
        elif order == "move":
            if not (0 <= first < stacks and 0 <= second < stacks) or not yard[first]:
                return None
            box = yard[first].pop()
            yard[second].append(box)
        else:
            if not 0 <= first < stacks or second > len(yard[first]):
                return None
            rest = len(yard[first]) - second
            block = yard[first][rest:]
            yard[first] = yard[first][:rest] + block[::-1]
    return yard


assert tower_crane([], 2) == [[], []]
assert tower_crane([("put", 7, 1), ("move", 1, 0)], 2) == [[7], []]
assert tower_crane([("move", 0, 1)], 2) is None
assert tower_crane([("put", 1, 2)], 2) is None
assert tower_crane([("put", 1, 0), ("put", 2, 0), ("put", 3, 0), ("flip", 0, 2)], 1) == [[1, 3, 2]]
assert tower_crane([("put", 1, 0), ("flip", 0, 2)], 1) is None
assert tower_crane([("put", 4, 0), ("flip", 0, 0), ("move", 0, 0)], 1) == [[4]]
