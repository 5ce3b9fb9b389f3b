# difficulty: hard


def ice_cores(layers: list[tuple[int, int]], melt: int) -> list[tuple[int, int]]:
    """Melt a core of ice from the top and join what is left of equal age.

    A layer is (age, thickness), top first. Melting takes ``melt`` millimetres from the top;
    afterwards neighbouring layers of one age become one, and empty layers vanish.
    """
    left: list[tuple[int, int]] = []
    to_melt = melt
    for age, thickness in layers:
        if to_melt >= thickness:
            to_melt -= thickness
            continue
        remaining = thickness - to_melt
        to_melt = 0
        if left and left[-1][0] == age:
            joined = left[-1][1] + remaining
            left[-1] = (age, joined)
        else:
            left.append((age, remaining))
    return left


assert ice_cores([], 4) == []
assert ice_cores([(1, 5), (2, 5)], 0) == [(1, 5), (2, 5)]
assert ice_cores([(1, 5), (2, 5)], 7) == [(2, 3)]
assert ice_cores([(1, 5), (1, 2), (3, 1)], 1) == [(1, 6), (3, 1)]
assert ice_cores([(1, 2), (2, 0), (1, 3)], 0) == [(1, 5)]
assert ice_cores([(4, 2), (5, 2)], 9) == []
