# difficulty: hard


def letter_locks(start: str, target: str) -> int:
    """Return the fewest turns that bring a lock of letter wheels from start to target.

    A turn moves one wheel, or two wheels side by side in the same direction, by one
    letter; ``z`` and ``a`` are neighbours. Each wheel takes its shorter way, forward when
    both are equally long, and never turns back.
    """
    turns = 0
    carried = 0
    for a, b in zip(start, target, strict=True):
        distance = (ord(b) - ord(a)) % 26
        need = distance
        if distance > 13:
            need = distance - 26
        if need > 0 and carried > 0:
            shared = min(need, carried)
        elif need < 0 and carried < 0:
            shared = -max(need, carried)
        else:
            shared = 0
        own = abs(need) - shared
        turns += own
        carried = own if need > 0 else -own
    return turns


assert letter_locks("", "") == 0
assert letter_locks("a", "c") == 2
assert letter_locks("a", "y") == 2
assert letter_locks("aa", "cb") == 2
assert letter_locks("ab", "ba") == 2
assert letter_locks("aaa", "bbb") == 2
assert letter_locks("zzz", "bya") == 4
assert letter_locks("aaa", "bcb") == 2
