# difficulty: easy


def ski_runs(profile: list[int]) -> int:
    """Count the downhill runs in a height profile.

    A run is a longest stretch of steps that each go down; level or rising steps end it.
    """
    runs = 0
    going_down = False
    for i in range(1, len(profile)):
        before = profile[i - 1]
        after = profile[i]
        if after < before:
            if not going_down:
                runs += 1
            going_down = True
        else:
            going_down = False
    return runs


assert ski_runs([]) == 0
assert ski_runs([5, 4, 3]) == 1
assert ski_runs([5, 4, 4, 3]) == 2
assert ski_runs([1, 2, 3]) == 0
assert ski_runs([9, 7, 8, 2, 1, 5, 0]) == 3
