# difficulty: hard


def garden_moles(holes: dict[int, int], start: int) -> tuple[int, int]:
    """Follow a mole through its tunnels and return (steps before the loop, loop length).

    ``holes`` leads from each hole to the next. A hole without a tunnel ends the journey:
    then the loop length is 0 and the first number counts all tunnels walked.
    """
    seen: dict[int, int] = {}
    hole = start
    steps = 0
    while hole in holes:
        if hole in seen:
            before = seen[hole]
            loop = steps - before
            return before, loop
        seen[hole] = steps
        hole = holes[hole]
        steps += 1
    return steps, 0


assert garden_moles({}, 4) == (0, 0)
assert garden_moles({4: 5, 5: 6}, 4) == (2, 0)
assert garden_moles({1: 1}, 1) == (0, 1)
assert garden_moles({1: 2, 2: 3, 3: 2}, 1) == (1, 2)
assert garden_moles({9: 8, 8: 7, 7: 5, 5: 8, 3: 9}, 3) == (2, 3)
