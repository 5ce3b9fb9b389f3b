# difficulty: hard


def signal_box(trains: list[tuple[int, int]], tracks: int) -> list[int]:
    """Assign trains to station tracks and return the track of each, -1 where none is free.

    A train is (arrival, departure); trains are given by arrival. It takes the free track
    with the smallest number; a track is free again at the very minute of departure.
    """
    free_from = [0] * tracks
    assigned = []
    for arrival, departure in trains:
        chosen = -1
        for track in range(tracks):
            if free_from[track] <= arrival:
                chosen = track
                break
        if chosen >= 0:
            free_from[chosen] = departure
        assigned.append(chosen)
    return assigned


assert signal_box([], 2) == []
assert signal_box([(1, 5), (5, 6)], 1) == [0, 0]
assert signal_box([(1, 5), (4, 6)], 1) == [0, -1]
assert signal_box([(1, 9), (2, 4), (3, 5), (4, 8)], 2) == [0, 1, -1, 1]
assert signal_box([(0, 3), (0, 1), (2, 7), (3, 4)], 3) == [0, 1, 1, 0]
