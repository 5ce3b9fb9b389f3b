# difficulty: medium


def climbing_grades(attempts: list[tuple[str, bool]], lives: int) -> list[str]:
    """Return the routes a climber has topped, in order, without repeats.

    Each attempt is a route and whether it was topped. A failed attempt costs a life, two
    tops in a row win one back up to the number at the start. Without lives the climber
    stops.
    """
    topped: list[str] = []
    left = lives
    streak = 0
    for route, success in attempts:
        if left == 0:
            break
        if success:
            streak += 1
            if route not in topped:
                topped.append(route)
            if streak == 2:
                left = min(lives, left + 1)
                streak = 0
        else:
            left -= 1
            streak = 0
    return topped


assert climbing_grades([], 3) == []
assert climbing_grades([("a", True)], 0) == []
assert climbing_grades([("a", True), ("a", True), ("b", True)], 1) == ["a", "b"]
assert climbing_grades([("a", False), ("b", True)], 1) == []
assert climbing_grades([("a", False), ("b", True), ("c", True), ("d", False), ("e", True)], 2) == [
    "b",
    "c",
    "e",
]
assert climbing_grades([("a", False), ("b", True), ("c", False), ("d", True)], 2) == ["b"]
