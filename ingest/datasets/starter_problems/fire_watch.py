# difficulty: hard


def fire_watch(grid: list[str], minutes: int) -> list[str]:
    """Let a fire spread over a map for some minutes and return the map.

    ``T`` is a tree, ``*`` fire, ``.`` bare ground, ``~`` water. Each minute trees beside a
    fire (above, below, left, right) catch fire, and what burned before becomes bare.
    """
    now = [list(row) for row in grid]
    for _ in range(minutes):
        following = [list(row) for row in now]
        for y, row in enumerate(now):
            for x, square in enumerate(row):
                if square == "*":
                    following[y][x] = "."
                    for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                        ny = y + dy
                        nx = x + dx
                        inside = 0 <= ny < len(now) and 0 <= nx < len(row)
                        if inside and now[ny][nx] == "T":
                            following[ny][nx] = "*"
        now = following
    return ["".join(row) for row in now]


assert fire_watch([], 3) == []
assert fire_watch(["T*T"], 0) == ["T*T"]
assert fire_watch(["T*T"], 1) == ["*.*"]
assert fire_watch(["T*T"], 2) == ["..."]
assert fire_watch(["*~T", "TTT"], 2) == [".~T", ".*T"]
assert fire_watch(["*~T", "TTT"], 4) == [".~*", "..."]
