# difficulty: easy


def water_meter(readings: list[int], digits: int) -> int:
    """Return the total use between the first and last reading of a meter that rolls over.

    The meter shows ``digits`` digits and starts again at 0 after its largest number. It
    rolls over at most once between two readings.
    """
    full = 10**digits
    total = 0
    for i in range(1, len(readings)):
        used = readings[i] - readings[i - 1]
        if used < 0:
            used += full
        total += used
    return total


assert water_meter([], 4) == 0
assert water_meter([17], 4) == 0
assert water_meter([10, 15, 40], 4) == 30
assert water_meter([98, 3], 2) == 5
assert water_meter([998, 2, 1, 5], 3) == 1007
