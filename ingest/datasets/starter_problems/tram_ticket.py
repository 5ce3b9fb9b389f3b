# difficulty: easy


def tram_ticket(zones: int, age: int, day_pass: bool) -> int:
    """Return the fare in cents.

    One zone costs 280, each further zone 120. Under 6 travel is free; from 6 to 15 and
    from 65 on the fare is halved, rounded down. With a day pass the fare is doubled last.
    """
    if age < 6:
        return 0
    fare = 280
    extra = zones - 1
    fare = fare + 120 * extra
    reduced = age <= 15 or age >= 65
    if reduced:
        fare = fare // 2
    if day_pass:
        fare = fare * 2
    return fare


assert tram_ticket(1, 30, False) == 280
assert tram_ticket(3, 30, False) == 520
assert tram_ticket(2, 5, True) == 0
assert tram_ticket(1, 15, False) == 140
assert tram_ticket(2, 65, True) == 400
assert tram_ticket(1, 16, True) == 560
