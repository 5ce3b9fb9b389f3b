# difficulty: easy


def bottle_crates(bottles: int, large: int, small: int) -> tuple[int, int, int]:
    """Pack bottles into full crates, as many large ones as possible, then small ones.

    Return the number of large crates, of small crates and of loose bottles.
    """
    n_large = bottles // large
    left = bottles - n_large * large
    n_small = left // small
    left = left - n_small * small
    return n_large, n_small, left


assert bottle_crates(0, 12, 5) == (0, 0, 0)
assert bottle_crates(12, 12, 5) == (1, 0, 0)
assert bottle_crates(29, 12, 5) == (2, 1, 0)
assert bottle_crates(47, 20, 6) == (2, 1, 1)
assert bottle_crates(3, 20, 6) == (0, 0, 3)
