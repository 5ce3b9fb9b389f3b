# difficulty: hard


def valley_fog(heights: list[int], fog: int) -> list[tuple[int, int]]:
    """Return the stretches of a path that lie in fog as (first, last) positions.

    Fog fills everything lower than ``fog``. A stretch that is interrupted by a single
    position in the clear counts as one with the next stretch.
    """
    stretches: list[tuple[int, int]] = []
    start = -1
    for place, height in enumerate([*heights, fog]):
        hidden = height < fog
        if hidden and start < 0:
            start = place
        elif not hidden and start >= 0:
            last = place - 1
            if stretches and start - stretches[-1][1] == 2:
                start = stretches[-1][0]
                stretches.pop()
            stretches.append((start, last))
            start = -1
    return stretches


assert valley_fog([], 3) == []
assert valley_fog([3, 4], 3) == []
assert valley_fog([1, 2, 5], 3) == [(0, 1)]
assert valley_fog([1, 5, 2], 3) == [(0, 2)]
assert valley_fog([1, 5, 5, 2], 3) == [(0, 0), (3, 3)]
assert valley_fog([2, 9, 2, 9, 2, 9, 9, 0], 3) == [(0, 4), (7, 7)]
