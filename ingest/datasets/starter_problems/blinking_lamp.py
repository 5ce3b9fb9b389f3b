# difficulty: easy


def blinking_lamp(pattern: list[int], second: int) -> bool:
    """Say whether a lamp is on in a given second, counted from 0.

    ``pattern`` holds durations that alternate on, off, on, ... and begin again at their
    end, again with on. The durations are positive and there is at least one.
    """
    place = second % sum(pattern)
    is_on = True
    for duration in pattern:
        if place < duration:
            return is_on
        place -= duration
        is_on = not is_on
    return is_on


assert blinking_lamp([1, 1], 0) is True
assert blinking_lamp([1, 1], 1) is False
assert blinking_lamp([3, 2], 4) is False
assert blinking_lamp([3, 2], 5) is True
assert blinking_lamp([2, 1, 4], 3) is True
assert blinking_lamp([2, 1, 4], 9) is False
