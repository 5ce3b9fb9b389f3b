# difficulty: medium


def tunnel_convoy(speeds: list[int]) -> list[list[int]]:
    """Group cars into convoys on a road where nobody can overtake.

    Cars are given from front to back with the speed each would like. A car that wants to
    go faster than the convoy ahead joins it; otherwise it leads a convoy of its own.
    """
    convoys: list[list[int]] = []
    pace = 0
    for speed in speeds:
        if convoys and speed > pace:
            convoys[-1].append(speed)
        else:
            convoys.append([speed])
            pace = speed
    return convoys


assert tunnel_convoy([]) == []
assert tunnel_convoy([50, 80, 60]) == [[50, 80, 60]]
assert tunnel_convoy([80, 50]) == [[80], [50]]
assert tunnel_convoy([50, 50, 70]) == [[50], [50, 70]]
assert tunnel_convoy([60, 90, 40, 45, 30]) == [[60, 90], [40, 45], [30]]
