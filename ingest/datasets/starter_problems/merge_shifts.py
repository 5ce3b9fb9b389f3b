# difficulty: medium


def merge_shifts(shifts: list[tuple[int, int]], pause: int) -> list[tuple[int, int]]:
    """Join work shifts that lie at most ``pause`` minutes apart.

    A shift is (start, end) with start <= end. Return the joined shifts by start.
    """
    joined: list[tuple[int, int]] = []
    for start, end in sorted(shifts):
        if joined and start - joined[-1][1] <= pause:
            first, last = joined[-1]
            if end > last:
                last = end
            joined[-1] = (first, last)
        else:
            joined.append((start, end))
    return joined


assert merge_shifts([], 5) == []
assert merge_shifts([(10, 20), (0, 5)], 4) == [(0, 5), (10, 20)]
assert merge_shifts([(10, 20), (0, 5)], 5) == [(0, 20)]
assert merge_shifts([(0, 50), (10, 20), (55, 60)], 5) == [(0, 60)]
assert merge_shifts([(3, 3), (3, 4), (9, 10)], 0) == [(3, 4), (9, 10)]
