# difficulty: easy


def plant_heights(height: int, weather: str) -> list[int]:
    """Return the height of a plant in millimetres at the end of each day.

    ``weather`` has one letter a day: ``s`` (sun) adds 4, ``r`` (rain) adds 7, ``f``
    (frost) takes 3 but never below 1; any other day changes nothing.
    """
    heights = []
    now = height
    for day in weather:
        if day == "s":
            now = now + 4
        elif day == "r":
            now = now + 7
        elif day == "f":
            now = max(1, now - 3)
        heights.append(now)
    return heights


assert plant_heights(10, "") == []
assert plant_heights(10, "s") == [14]
assert plant_heights(2, "ff") == [1, 1]
assert plant_heights(5, "rsfc") == [12, 16, 13, 13]
assert plant_heights(4, "fr") == [1, 8]
