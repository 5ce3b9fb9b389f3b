# difficulty: hard


def orchard_harvest(trees: list[int], rest: int) -> int:
    """Return the largest harvest when picked trees must lie more than ``rest`` apart.

    Trees stand in a row; picking position i and j both needs abs(i - j) > rest. A tree may
    bear a negative amount (it costs to clear it) and need not be picked.
    """
    best = [0]
    for i, fruit in enumerate(trees):
        earlier = i - rest
        picked = fruit
        if earlier > 0:
            picked = fruit + best[earlier]
        skipped = best[i]
        if picked > skipped:
            best.append(picked)
        else:
            best.append(skipped)
    return best[-1]


assert orchard_harvest([], 1) == 0
assert orchard_harvest([-4, -2], 0) == 0
assert orchard_harvest([3, 5, 4], 0) == 12
assert orchard_harvest([3, 5, 4], 1) == 7
assert orchard_harvest([3, 9, 4, 1, 8], 2) == 17
assert orchard_harvest([6, 1, 1, 7, 2, 9], 2) == 15
