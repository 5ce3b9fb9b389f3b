# difficulty: easy


def parking_fee(minutes: int) -> int:
    """Return the price in cents of parking for a number of minutes.

    The first half hour is free. After it every started hour costs 250, but a whole
    stay never costs more than 2000.
    """
    if minutes <= 30:
        return 0
    paid = minutes - 30
    hours = paid // 60
    if paid % 60 > 0:
        hours += 1
    price = hours * 250
    if price > 2000:
        price = 2000
    return price


assert parking_fee(0) == 0
assert parking_fee(30) == 0
assert parking_fee(31) == 250
assert parking_fee(90) == 250
assert parking_fee(91) == 500
assert parking_fee(600) == 2000
