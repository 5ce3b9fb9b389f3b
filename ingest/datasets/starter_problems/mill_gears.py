# difficulty: hard
from math import gcd


def mill_gears(gears: list[int], links: list[tuple[int, int]], turns: int) -> list[str]:
    """Return how often each gear of a mill turns when the first turns ``turns`` times.

    ``gears`` holds numbers of teeth; a link joins two gears by position, in an order in
    which one of the two is already known to turn. Linked gears turn opposite ways. Answers
    are lowest fractions such as ``-3/2``, whole numbers without the bar; a gear that is not
    driven has ``0``.
    """
    tops = [0] * len(gears)
    bottoms = [1] * len(gears)
    if gears:
        tops[0] = turns
    for a, b in links:
        if tops[a] == 0:
            a, b = b, a
        top = -tops[a] * gears[a]
        bottom = bottoms[a] * gears[b]
        shared = gcd(top, bottom)
        tops[b] = top // shared
        bottoms[b] = bottom // shared
    answers = []
    for top, bottom in zip(tops, bottoms, strict=True):
        if bottom == 1:
            answers.append(str(top))
        else:
            answers.append(f"{top}/{bottom}")
    return answers


assert mill_gears([], [], 3) == []
assert mill_gears([8, 4], [], 3) == ["3", "0"]
assert mill_gears([8, 4], [(0, 1)], 3) == ["3", "-6"]
assert mill_gears([10, 15, 6], [(0, 1), (2, 1)], 1) == ["1", "-2/3", "5/3"]
assert mill_gears([12, 12, 9], [(1, 0), (2, 1)], -3) == ["-3", "3", "-4"]
