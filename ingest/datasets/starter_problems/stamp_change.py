# difficulty: easy


def stamp_change(amount: int, stamps: list[int]) -> tuple[list[int], int]:
    """Use up stamps greedily, largest first, each at most once, without passing ``amount``.

    Return the stamps used, in the order of use, and what remains to be paid.
    """
    used = []
    rest = amount
    for stamp in sorted(stamps, reverse=True):
        if stamp <= rest:
            used.append(stamp)
            rest -= stamp
    return used, rest


assert stamp_change(0, [5, 10]) == ([], 0)
assert stamp_change(17, []) == ([], 17)
assert stamp_change(17, [10, 5, 5, 2]) == ([10, 5, 2], 0)
assert stamp_change(12, [20, 7, 7]) == ([7], 5)
assert stamp_change(9, [3, 6, 3]) == ([6, 3], 0)
