# difficulty: medium


def mosaic_runs(tiles: str) -> str:
    """Describe a row of tiles: each run as its length and letter, a single tile alone.

    Runs longer than 9 are described as several, each of at most 9.
    """
    parts = []
    start = 0
    for place in range(1, len(tiles) + 1):
        length = place - start
        ends = place == len(tiles) or tiles[place] != tiles[start]
        if ends or length == 9:
            if length > 1:
                parts.append(str(length) + tiles[start])
            else:
                parts.append(tiles[start])
            start = place
    return "".join(parts)


assert mosaic_runs("") == ""
assert mosaic_runs("x") == "x"
assert mosaic_runs("xxy") == "2xy"
assert mosaic_runs("abbbcc") == "a3b2c"
assert mosaic_runs("z" * 10) == "9zz"
assert mosaic_runs("z" * 18 + "a") == "9z9za"
