# difficulty: hard


def vending_state(events: list[str], price: int) -> tuple[int, int, int]:
    """Run a vending machine and return (sold, coins kept, credit at the end).

    Events are a coin's value as digits, ``buy``, ``back`` and ``kick``. A coin adds to the
    credit. ``buy`` sells one piece if the credit suffices and takes the price from it.
    ``back`` returns the whole credit. Every third ``kick`` drops one piece for free.
    """
    sold = 0
    kept = 0
    credit = 0
    kicks = 0
    for event in events:
        if event.isdigit():
            credit += int(event)
        elif event == "buy":
            if credit >= price:
                credit -= price
                kept += price
                sold += 1
        elif event == "back":
            credit = 0
        else:
            kicks += 1
            if kicks == 3:
                kicks = 0
                sold += 1
    return sold, kept, credit


assert vending_state([], 5) == (0, 0, 0)
assert vending_state(["5", "buy"], 5) == (1, 5, 0)
assert vending_state(["2", "buy", "2"], 5) == (0, 0, 4)
assert vending_state(["10", "buy", "back", "buy"], 5) == (1, 5, 0)
assert vending_state(["kick"] * 7, 5) == (2, 0, 0)
assert vending_state(["20", "buy", "kick", "buy", "kick", "1"], 6) == (2, 12, 9)
