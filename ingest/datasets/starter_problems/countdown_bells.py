# difficulty: easy


def countdown_bells(seconds: int) -> list[int]:
    """Return the remaining seconds at which a kitchen timer rings, largest first.

    It rings at every full minute left, at 30 and 10 seconds left, and at 0; the moment
    it is started does not ring.
    """
    bells = []
    left = seconds - 1
    while left >= 0:
        full_minute = left % 60 == 0
        special = left in (30, 10)
        if full_minute or special:
            bells.append(left)
        left -= 1
    return bells


assert countdown_bells(0) == []
assert countdown_bells(5) == [0]
assert countdown_bells(30) == [10, 0]
assert countdown_bells(61) == [60, 30, 10, 0]
assert countdown_bells(120) == [60, 30, 10, 0]
