# difficulty: medium


def seat_letters(groups: list[int], row: int) -> list[str]:
    """Seat groups in rows of ``row`` seats and return, per group, its seats as text.

    Seats are named by row number from 1 and letter from A. A group that does not fit into
    what is left of a row starts a new row; a group larger than a row gets an empty text.
    """
    seats = []
    number = 1
    used = 0
    for size in groups:
        if size > row:
            seats.append("")
            continue
        if used + size > row:
            number += 1
            used = 0
        first = used
        used += size
        names = [f"{number}{chr(65 + seat)}" for seat in range(first, used)]
        seats.append(" ".join(names))
    return seats


assert seat_letters([], 4) == []
assert seat_letters([2, 2], 4) == ["1A 1B", "1C 1D"]
assert seat_letters([3, 2], 4) == ["1A 1B 1C", "2A 2B"]
assert seat_letters([5, 1], 4) == ["", "1A"]
assert seat_letters([1, 3, 1], 3) == ["1A", "2A 2B 2C", "3A"]
