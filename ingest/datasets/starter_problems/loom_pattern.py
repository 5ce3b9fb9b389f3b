# difficulty: medium


def loom_pattern(threads: str, rows: int) -> list[str]:
    """Weave a pattern: each row shifts the threads one to the left, every third row
    (the third, sixth, ...) is also mirrored before it is shifted.

    The first row shows the threads as given.
    """
    cloth = []
    row = threads
    for number in range(1, rows + 1):
        if number > 1:
            if number % 3 == 0:
                row = row[::-1]
            row = row[1:] + row[:1]
        cloth.append(row)
    return cloth


assert loom_pattern("abc", 0) == []
assert loom_pattern("", 2) == ["", ""]
assert loom_pattern("abc", 2) == ["abc", "bca"]
assert loom_pattern("abcd", 3) == ["abcd", "bcda", "dcba"]
assert loom_pattern("abcd", 4) == ["abcd", "bcda", "dcba", "cbad"]
