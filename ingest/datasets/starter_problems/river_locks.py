# difficulty: medium


def river_locks(gates: list[int], boat: int, level: int) -> int:
    """Return how many locks a boat passes before it must wait.

    Each gate names the level behind it. The boat passes when the levels differ by at most
    ``boat``; a larger difference is halved (rounded down) once, and if it is then small
    enough the boat passes too. After a lock the boat is on the new level.
    """
    passed = 0
    now = level
    for gate in gates:
        difference = abs(gate - now)
        if difference > boat:
            difference = difference // 2
            if difference > boat:
                return passed
        now = gate
        passed += 1
    return passed


assert river_locks([], 3, 0) == 0
assert river_locks([3, 6, 3], 3, 0) == 3
assert river_locks([7, 20], 3, 0) == 1
assert river_locks([8], 3, 0) == 0
assert river_locks([-7, -14, 0], 3, 0) == 2
