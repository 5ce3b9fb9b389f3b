# difficulty: easy


def queue_tokens(calls: list[str]) -> list[int]:
    """Serve a waiting room and return the tokens in the order in which they were served.

    ``take`` hands out the next token, counted from 1; ``serve`` serves the oldest waiting
    token, if there is one; ``clear`` sends all who wait home.
    """
    served = []
    next_token = 1
    first_waiting = 1
    for call in calls:
        if call == "take":
            next_token += 1
        elif call == "clear":
            first_waiting = next_token
        elif first_waiting < next_token:
            served.append(first_waiting)
            first_waiting += 1
    return served


assert queue_tokens([]) == []
assert queue_tokens(["serve", "take", "serve", "serve"]) == [1]
assert queue_tokens(["take", "take", "serve", "serve"]) == [1, 2]
assert queue_tokens(["take", "take", "clear", "take", "serve"]) == [3]
assert queue_tokens(["take", "serve", "take", "clear", "serve"]) == [1]
