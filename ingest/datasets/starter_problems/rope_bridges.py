# difficulty: hard


def rope_bridges(planks: list[int], jump: int) -> int:
    """Return the fewest jumps to cross a bridge, or -1 when it cannot be crossed.

    ``planks`` holds 1 for a plank and 0 for a gap. The walker stands before the first
    position, wants to stand behind the last, and moves 1 to ``jump`` positions at a time
    onto planks. Each move counts as a jump.
    """
    place = -1
    goal = len(planks)
    jumps = 0
    while place + jump < goal:
        landing = place
        for step in range(1, jump + 1):
            if planks[place + step] == 1:
                landing = place + step
        if landing == place:
            return -1
        place = landing
        jumps += 1
    jumps += 1
    return jumps


assert rope_bridges([], 1) == 1
assert rope_bridges([1, 1], 1) == 3
assert rope_bridges([0, 0], 3) == 1
assert rope_bridges([1, 0, 0, 1], 2) == -1
assert rope_bridges([0, 1, 1, 0, 1, 0], 3) == 3
assert rope_bridges([1, 0, 1, 0, 1], 2) == 4
