# difficulty: hard


def dike_watch(heights: list[int], surges: list[int]) -> list[int]:
    """Return the height of each dike section after a row of storm surges.

    A surge higher than a section wears it down by 1 and spills half of the excess, rounded
    down, as an extra on top of the surge at the next section (only that one). A surge that
    meets no lower section leaves all as it is. Sections never fall below 0.
    """
    sections = list(heights)
    for surge in surges:
        spill = 0
        for i in range(len(sections)):
            water = surge + spill
            excess = water - sections[i]
            if excess > 0:
                sections[i] = max(0, sections[i] - 1)
                spill = excess // 2
            else:
                spill = 0
    return sections


assert dike_watch([], [5]) == []
assert dike_watch([5, 5], [5]) == [5, 5]
assert dike_watch([4, 5], [5]) == [3, 5]
assert dike_watch([3, 5], [5]) == [2, 4]
assert dike_watch([0, 9, 6], [8, 2]) == [0, 8, 5]
assert dike_watch([2, 2, 2], [1, 4, 4]) == [0, 0, 0]
