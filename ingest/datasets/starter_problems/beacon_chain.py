# difficulty: hard


def beacon_chain(towers: list[int], reach: int) -> int:
    """Return the least number of towers to light so that every tower sees a fire.

    Towers stand at mile marks along a coast; a fire is seen up to ``reach`` miles away, and
    a tower sees its own fire.
    """
    marks = sorted(towers)
    fires = 0
    i = 0
    while i < len(marks):
        first = marks[i]
        lit = first
        while i < len(marks) and marks[i] - first <= reach:
            lit = marks[i]
            i += 1
        while i < len(marks) and marks[i] - lit <= reach:
            i += 1
        fires += 1
    return fires


assert beacon_chain([], 5) == 0
assert beacon_chain([4], 0) == 1
assert beacon_chain([4, 4, 5], 0) == 2
assert beacon_chain([0, 5, 10], 5) == 1
assert beacon_chain([10, 0, 5, 16], 5) == 2
assert beacon_chain([1, 2, 3, 10, 11, 30], 1) == 3
assert beacon_chain([1, 2, 3, 4, 5, 6, 7], 1) == 3
