# difficulty: medium


def tide_marks(levels: list[int]) -> dict[str, list[int]]:
    """Return the positions of high and low water in a row of water levels.

    High water is above both neighbours, low water below both. On a level stretch the
    first position counts, if the water turns there. The ends never count.
    """
    marks: dict[str, list[int]] = {"high": [], "low": []}
    direction = 0
    turn_at = 0
    for i in range(1, len(levels)):
        step = levels[i] - levels[i - 1]
        if step == 0:
            continue
        now = 1 if step > 0 else -1
        if direction == 1 and now == -1:
            marks["high"].append(turn_at)
        elif direction == -1 and now == 1:
            marks["low"].append(turn_at)
        direction = now
        turn_at = i
    return marks


assert tide_marks([]) == {"high": [], "low": []}
assert tide_marks([1, 3, 2]) == {"high": [1], "low": []}
assert tide_marks([3, 1, 1, 2]) == {"high": [], "low": [1]}
assert tide_marks([1, 2, 2, 3]) == {"high": [], "low": []}
assert tide_marks([2, 5, 5, 1, 4, 0]) == {"high": [1, 4], "low": [3]}
