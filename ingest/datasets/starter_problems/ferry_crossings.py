# difficulty: hard


def ferry_crossings(lorries: list[tuple[int, int]], length: int, weight: int) -> int:
    """Return how many crossings a ferry needs to carry all lorries in their order.

    A lorry has a length and a weight. Each crossing takes as many waiting lorries from the
    front as fit by both measures. Return -1 when some lorry can never be carried.
    """
    crossings = 0
    free_length = 0
    free_weight = 0
    for size, load in lorries:
        if size > length or load > weight:
            return -1
        if size > free_length or load > free_weight:
            crossings += 1
            free_length = length
            free_weight = weight
        free_length -= size
        free_weight -= load
    return crossings


assert ferry_crossings([], 10, 10) == 0
assert ferry_crossings([(4, 1), (6, 1)], 10, 10) == 1
assert ferry_crossings([(4, 6), (6, 5)], 10, 10) == 2
assert ferry_crossings([(4, 1), (11, 1)], 10, 10) == -1
assert ferry_crossings([(5, 2), (5, 2), (1, 1), (9, 9), (2, 2)], 10, 10) == 3
