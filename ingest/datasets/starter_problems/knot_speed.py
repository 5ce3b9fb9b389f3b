# difficulty: easy


def knot_speed(log: list[tuple[str, int]]) -> int:
    """Return the speed of a boat after a list of orders, starting at rest.

    ``("ahead", n)`` adds n knots up to 20, ``("astern", n)`` takes n down to -5, and
    ``("stop", _)`` brings it to rest.
    """
    speed = 0
    for order, knots in log:
        if order == "ahead":
            speed = min(20, speed + knots)
        elif order == "astern":
            speed = max(-5, speed - knots)
        else:
            speed = 0
    return speed


assert knot_speed([]) == 0
assert knot_speed([("ahead", 12), ("ahead", 12)]) == 20
assert knot_speed([("astern", 9)]) == -5
assert knot_speed([("ahead", 8), ("stop", 3), ("astern", 2)]) == -2
assert knot_speed([("ahead", 25), ("astern", 4)]) == 16
