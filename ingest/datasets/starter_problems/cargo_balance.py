# difficulty: medium


def cargo_balance(crates: list[int]) -> tuple[int, int]:
    """Load crates on a barge, heaviest first, each on the lighter side, left when equal.

    Return the final weight of the left and of the right side.
    """
    left = 0
    right = 0
    for crate in sorted(crates, reverse=True):
        if left <= right:
            left += crate
        else:
            right += crate
    return left, right


assert cargo_balance([]) == (0, 0)
assert cargo_balance([7]) == (7, 0)
assert cargo_balance([3, 8]) == (8, 3)
assert cargo_balance([4, 4, 4]) == (8, 4)
assert cargo_balance([2, 9, 5, 4]) == (11, 9)
