# difficulty: hard


def ledger_audit(entries: list[str]) -> tuple[dict[str, int], list[int]]:
    """Add up a ledger and return the balances and the numbers of the bad lines.

    A good line is ``name +12``, ``name -3`` or ``name > other 5`` (a transfer). Lines count
    from 1. A line is bad when it has another form or would take a balance below 0; a bad
    line changes nothing. Only names that ever held an entry appear.
    """
    balances: dict[str, int] = {}
    bad = []
    for number, line in enumerate(entries, start=1):
        words = line.split()
        if len(words) == 2 and words[1][:1] in ("+", "-") and words[1][1:].isdigit():
            name = words[0]
            amount = int(words[1])
            after = balances.get(name, 0) + amount
            if after < 0:
                bad.append(number)
            else:
                balances[name] = after
        elif len(words) == 4 and words[1] == ">" and words[3].isdigit():
            giver, taker = words[0], words[2]
            amount = int(words[3])
            left = balances.get(giver, 0) - amount
            if left < 0:
                bad.append(number)
            else:
                balances[giver] = left
                balances[taker] = balances.get(taker, 0) + amount
        else:
            bad.append(number)
    return balances, bad


assert ledger_audit([]) == ({}, [])
assert ledger_audit(["ann +5", "ann -2"]) == ({"ann": 3}, [])
assert ledger_audit(["ann -1", "ann 4"]) == ({}, [1, 2])
assert ledger_audit(["ann +5", "ann > bo 5"]) == ({"ann": 0, "bo": 5}, [])
assert ledger_audit(["ann +5", "ann > bo 6", "bo +x"]) == ({"ann": 5}, [2, 3])
assert ledger_audit(["a +3", "a > a 2", "a > b 1"]) == ({"a": 2, "b": 1}, [])
