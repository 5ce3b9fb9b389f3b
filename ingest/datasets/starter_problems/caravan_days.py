# difficulty: medium


def caravan_days(distance: int, water: int, wells: list[int]) -> int | None:
    """Return the days a caravan needs, or None when it runs dry.

    It walks one mile a day and drinks one unit of water a day. At a well (a mile marked in
    ``wells``) it rests one day and leaves with the water it started with. It runs dry when
    a mile must be walked without water left.
    """
    days = 0
    left = water
    for mile in range(1, distance + 1):
        if left == 0:
            return None
        left -= 1
        days += 1
        if mile in wells and mile < distance:
            left = water
            days += 1
    return days


assert caravan_days(0, 0, []) == 0
assert caravan_days(3, 3, []) == 3
assert caravan_days(4, 3, []) is None
assert caravan_days(4, 3, [2]) == 5
assert caravan_days(6, 2, [2, 4, 6]) == 8
assert caravan_days(6, 2, [1, 4]) is None
