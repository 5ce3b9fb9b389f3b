# difficulty: medium


def clock_drift(hours: int, fast: int, resets: list[int]) -> list[int]:
    """Return how many seconds a clock is wrong at the end of each hour.

    It gains ``fast`` seconds an hour (or loses, if negative). At the end of an hour named
    in ``resets`` it is set right, after the error was noted. From an error of more than 60
    seconds on, either way, it runs at half the rate, rounded towards zero.
    """
    errors = []
    error = 0
    for hour in range(1, hours + 1):
        rate = fast
        if abs(error) > 60:
            rate = int(rate / 2)
        error = error + rate
        errors.append(error)
        if hour in resets:
            error = 0
    return errors


assert clock_drift(0, 5, []) == []
assert clock_drift(3, 5, []) == [5, 10, 15]
assert clock_drift(4, -20, [2]) == [-20, -40, -20, -40]
assert clock_drift(4, 31, []) == [31, 62, 77, 92]
assert clock_drift(4, -61, [3]) == [-61, -91, -121, -61]
