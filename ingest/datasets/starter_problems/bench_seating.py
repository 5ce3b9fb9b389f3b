# difficulty: easy


def bench_seating(guests: list[str], bench: int) -> list[list[str]]:
    """Seat guests on benches of a given size, in order, filling each before the next.

    The last bench may stay partly empty. No guests need no bench.
    """
    benches = []
    row: list[str] = []
    for guest in guests:
        row.append(guest)
        if len(row) == bench:
            benches.append(row)
            row = []
    if row:
        benches.append(row)
    return benches


assert bench_seating([], 3) == []
assert bench_seating(["a"], 3) == [["a"]]
assert bench_seating(["a", "b", "c"], 3) == [["a", "b", "c"]]
assert bench_seating(["a", "b", "c", "d"], 3) == [["a", "b", "c"], ["d"]]
assert bench_seating(["a", "b"], 1) == [["a"], ["b"]]
