# difficulty: easy


def lift_distance(start: int, stops: list[int]) -> int:
    """Return how many floors a lift travels from ``start`` through all stops in order."""
    travelled = 0
    floor = start
    for stop in stops:
        if stop > floor:
            travelled += stop - floor
        else:
            travelled += floor - stop
        floor = stop
    return travelled


assert lift_distance(0, []) == 0
assert lift_distance(0, [5]) == 5
assert lift_distance(3, [3, 3]) == 0
assert lift_distance(2, [0, 7, 6]) == 10
assert lift_distance(-1, [1, -2]) == 5
